"""Content words, the lexical numbers at once, and recall beside the cosine; what is remembered is bounded."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Measure
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import from_data, to_data
from sensecheck.core.space import Space
from sensecheck.measures.lexical import bleu, content, rouge, squad, tokens
from sensecheck.measures.lexical.content import (
    ContentF1,
    LexicalAggregate,
    LexicalScores,
    RecallAndCosine,
    content_f1,
    content_words,
    lexical_scores,
    recall_and_cosine,
)
from sensecheck.measures.lexical.tokens import REMEMBERED_CHARS


def test_stop_words_do_not_count_and_case_does_not_either() -> None:
    assert content_f1("A BOAT was on the Lake", "the boat, in a lake") == 1


def test_half_of_the_words_is_half() -> None:
    reading = ContentF1("red boats").read(Sample("The red cars."), Space())

    assert (reading.value, reading.because) == (0.5, "the F1 of shared content words is 0.500")


@pytest.mark.parametrize(
    "negated", ["is not safe", "isn't safe", "isn’t safe", "cannot be safe", "can't be safe"]
)
def test_a_negation_is_a_word_that_counts(negated: str) -> None:
    assert content_words(negated) == ("not", "safe")
    assert content_f1(f"It {negated}", "It is safe") == pytest.approx(2 / 3)


def test_no_is_an_answer() -> None:
    assert content_f1("No.", "no") == 1
    assert content_f1("No.", "yes") == 0


@pytest.mark.parametrize(
    ("one", "other"),
    [("1,000", "1000"), ("1,234,567.50", "1234567.5"), ("2.0", "2"), ("−5", "-5"), ("(-5)", "-5")],
)
def test_a_number_is_the_same_however_it_is_written(one: str, other: str) -> None:
    assert content_f1(one, other) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [("1,00", "100"), ("1.5", "15"), ("1.2.0", "1.2"), ("007", "7"), ("-5", "5"), ("100", "1")],
)
def test_other_numbers_are_others(one: str, other: str) -> None:
    assert content_f1(one, other) == 0


def test_a_dash_between_numbers_is_no_minus() -> None:
    assert content_words("3-5 and 7 -9") == ("3-5", "7", "-9")


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_share_lies_between_0_and_1_and_has_no_direction(one: str, other: str) -> None:
    assert 0 <= content_f1(one, other) <= 1
    assert content_f1(one, other) == content_f1(other, one)
    assert content_f1(one, one) == (1 if content_words(one) else 0)


@pytest.mark.parametrize(
    ("answer", "expected", "where"),
    [("", "cat", "in the answer"), ("cat", "it is", "in the expected answer"), ("", "", "in either text")],
)
def test_a_text_without_content_reads_0_and_says_so(answer: str, expected: str, where: str) -> None:
    reading = ContentF1(expected).read(Sample(answer), Space())

    assert (reading.value, reading.because) == (
        0.0,
        f"there is nothing to compare {where}, which counts as 0",
    )


MEASURES: dict[str, Measure] = {
    "sentence_bleu": bleu.SentenceBleu(),
    "rouge_l": rouge.RougeL(),
    "rouge_l_precision": rouge.RougeL(of="precision"),
    "rouge_l_recall": rouge.RougeL(of="recall"),
    "squad_exact_match": squad.SquadExactMatch(),
    "squad_f1": squad.SquadF1(),
    "gold_recall": squad.GoldRecall(),
    "content_f1": content.ContentF1(),
    "lexical_aggregate": LexicalAggregate(),
}
MEMORIES = (
    tokens._remembered_mteval,
    rouge._remembered_words,
    rouge._remembered_shares,
    bleu._remembered_bleu,
    squad._remembered,
    content._remembered_words,
)
words = st.lists(st.sampled_from(["the", "Cat", "isn't", "5", "1,000", "?"]), max_size=8).map(" ".join)
texts = words | st.text(max_size=30)


def by_measures(answer: str, expected: str) -> LexicalScores:
    sample = Sample(answer, expected=expected)
    return LexicalScores(**{name: measure.read(sample, Space()).value for name, measure in MEASURES.items()})


@given(texts, texts)
def test_what_is_compared_at_once_is_what_the_measures_read(answer: str, expected: str) -> None:
    found = lexical_scores(answer, expected)

    assert by_measures(answer, expected) == found
    assert all(0 <= value <= 1 for value in to_data(found).values())


@pytest.mark.parametrize("measure", MEASURES.values(), ids=MEASURES)
def test_a_lexical_measure_is_data_and_back_and_needs_nothing(measure: Measure) -> None:
    kind: type[Any] = type(measure)

    assert from_data(kind, to_data(measure), at="measure") == measure
    assert not measure.needs(Sample("cat", expected="cat"))


def test_a_measure_may_carry_its_own_expected_answer() -> None:
    for measure in MEASURES.values():
        fixed = type(measure)(expected="The cat sat.")  # type: ignore[call-arg]

        assert fixed.read(Sample("The cat sat.", expected="No dog."), Space()).value == 1


def test_the_aggregate_weighs_its_parts_and_names_them() -> None:
    reading = LexicalAggregate("The cat sat on the mat.").read(Sample("The cat sat."), Space())
    found = lexical_scores("The cat sat.", "The cat sat on the mat.")
    parts = (found.sentence_bleu, found.rouge_l, found.content_f1, found.squad_exact_match)

    assert reading.value == pytest.approx(
        sum(w * v for w, v in zip((0.3, 0.4, 0.2, 0.1), parts, strict=True))
    )
    assert reading.because.startswith(f"the lexical aggregate is {reading.value:.3f}: BLEU ")
    assert reading.because.endswith(", ROUGE-L 0.667, content F1 0.800, exact match 0.000")


def test_an_empty_answer_reads_0_by_every_measure_and_says_so() -> None:
    for measure in MEASURES.values():
        reading = measure.read(Sample("", expected="The cat sat."), Space())

        assert reading.value == 0
        assert reading.because == "there is nothing to compare in the answer, which counts as 0"


def test_two_empty_texts_match_exactly_and_share_nothing_else() -> None:
    found = {name for name, value in to_data(lexical_scores("", "")).items() if value}

    assert found == {"squad_exact_match", "squad_f1", "lexical_aggregate"}
    assert lexical_scores("", "").lexical_aggregate == pytest.approx(0.1)


def test_each_text_is_divided_once_for_measures_that_are_read_one_after_the_other() -> None:
    for memory in MEMORIES:
        memory.cache_clear()
    by_measures("The cat sat on a mat.", "A cat sat there.")

    assert [memory.cache_info().misses for memory in MEMORIES] == [2, 2, 1, 1, 2, 2]


def test_a_long_text_is_read_and_not_held() -> None:
    for memory in MEMORIES:
        memory.cache_clear()
    long = "cat " * REMEMBERED_CHARS

    assert lexical_scores(long, long).lexical_aggregate == pytest.approx(1)
    assert not any(memory.cache_info().currsize for memory in MEMORIES)
    assert all(memory.cache_info().maxsize for memory in MEMORIES)


def test_threads_read_the_same_numbers() -> None:
    pairs = [(f"cat {n % 7} sat on {n}.", f"cat {n % 5} sat.") for n in range(600)]
    alone = [lexical_scores(*pair) for pair in pairs]
    for memory in MEMORIES:
        memory.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda pair: lexical_scores(*pair), pairs))

    assert together == alone


LONG = "Toyota officially opened for business in the United States on October 31, 1957."


def read_recall(sample: Sample, encoder: Encoder, measure: RecallAndCosine | None = None) -> Reading:
    measure = measure or RecallAndCosine()
    return measure.read(sample, Space.of(measure.needs(sample).texts, encoder))


def test_it_is_the_weighted_mean_and_a_cosine_below_0_counts_as_0() -> None:
    assert recall_and_cosine(1.0, 1.0) == 1.0
    assert recall_and_cosine(0.5, 0.5) == pytest.approx(0.5)
    assert recall_and_cosine(0.0, -0.2) == 0.0
    assert recall_and_cosine(1.0, -0.2) > recall_and_cosine(0.0, 1.0)


def test_a_long_answer_that_holds_the_expected_words_reads_higher_than_one_that_does_not(
    minilm: Encoder,
) -> None:
    right, wrong = (read_recall(Sample(LONG, expected=year), minilm) for year in ("1957", "1964"))

    assert right.value > 0.7 > 0.3 > wrong.value
    assert "holds 100% of the expected answer's words, and their cosine is 0." in right.because


def test_the_best_of_the_alternatives_counts(minilm: Encoder) -> None:
    sample = Sample(LONG, expected="1964 / 1957/1957")

    one, parted = (read_recall(sample, minilm, RecallAndCosine(separator=sign)) for sign in (None, "/"))

    assert parted == read_recall(Sample(LONG, expected="1957"), minilm)
    assert one.value < parted.value


@pytest.mark.parametrize(("answer", "expected"), [("", "1957"), (LONG, " "), (LONG, "/ /")])
def test_an_empty_text_reads_0_and_needs_no_encoder(answer: str, expected: str) -> None:
    measure, sample = RecallAndCosine(separator="/"), Sample(answer, expected=expected)

    assert measure.needs(sample) == Needs()
    assert measure.read(sample, Space()).value == 0.0
    assert "is empty, which counts as 0" in measure.read(sample, Space()).because


@pytest.mark.parametrize("separator", ["", " "])
def test_a_separator_is_a_sign(separator: str) -> None:
    with pytest.raises(SpecError, match="`separator` must be a sign such as `/`, or none"):
        RecallAndCosine(separator=separator)
