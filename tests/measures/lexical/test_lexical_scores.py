"""All lexical numbers at once are those that the measures read, and what is remembered is bounded."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.core.protocols import Measure
from sensecheck.core.sample import Sample
from sensecheck.core.serialization import from_data, to_data
from sensecheck.core.space import Space
from sensecheck.measures.lexical import bleu as sentence_bleu
from sensecheck.measures.lexical import content as content_f1
from sensecheck.measures.lexical import rouge as rouge_l
from sensecheck.measures.lexical import squad
from sensecheck.measures.lexical import tokens as mteval
from sensecheck.measures.lexical.content import LexicalAggregate, LexicalScores, compared
from sensecheck.measures.lexical.tokens import SHORT

MEASURES: dict[str, Measure] = {
    "sentence_bleu": sentence_bleu.SentenceBleu(),
    "rouge_l": rouge_l.RougeL(),
    "rouge_l_precision": rouge_l.RougeL(of="precision"),
    "rouge_l_recall": rouge_l.RougeL(of="recall"),
    "squad_exact_match": squad.SquadExactMatch(),
    "squad_f1": squad.SquadF1(),
    "gold_recall": squad.GoldRecall(),
    "content_f1": content_f1.ContentF1(),
    "lexical_aggregate": LexicalAggregate(),
}
MEMORIES = (
    mteval._remembered,
    rouge_l._divided,
    rouge_l._remembered,
    sentence_bleu._remembered,
    squad._remembered,
    content_f1._remembered,
)
words = st.lists(st.sampled_from(["the", "Cat", "isn't", "5", "1,000", "?"]), max_size=8).map(" ".join)
texts = words | st.text(max_size=30)


def by_measures(answer: str, expected: str) -> LexicalScores:
    sample = Sample(answer, expected=expected)
    return LexicalScores(**{name: measure.read(sample, Space()).value for name, measure in MEASURES.items()})


@given(texts, texts)
def test_what_is_compared_at_once_is_what_the_measures_read(answer: str, expected: str) -> None:
    found = compared(answer, expected)

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
    found = compared("The cat sat.", "The cat sat on the mat.")
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
    found = {name for name, value in to_data(compared("", "")).items() if value}

    assert found == {"squad_exact_match", "squad_f1", "lexical_aggregate"}
    assert compared("", "").lexical_aggregate == pytest.approx(0.1)


def test_each_text_is_divided_once_for_measures_that_are_read_one_after_the_other() -> None:
    for memory in MEMORIES:
        memory.cache_clear()
    by_measures("The cat sat on a mat.", "A cat sat there.")

    assert [memory.cache_info().misses for memory in MEMORIES] == [2, 2, 1, 1, 2, 2]


def test_a_long_text_is_read_and_not_held() -> None:
    for memory in MEMORIES:
        memory.cache_clear()
    long = "cat " * SHORT

    assert compared(long, long).lexical_aggregate == pytest.approx(1)
    assert not any(memory.cache_info().currsize for memory in MEMORIES)
    assert all(memory.cache_info().maxsize for memory in MEMORIES)


def test_threads_read_the_same_numbers() -> None:
    pairs = [(f"cat {n % 7} sat on {n}.", f"cat {n % 5} sat.") for n in range(600)]
    alone = [compared(*pair) for pair in pairs]
    for memory in MEMORIES:
        memory.cache_clear()
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda pair: compared(*pair), pairs))

    assert together == alone
