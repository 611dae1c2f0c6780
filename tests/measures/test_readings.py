"""What each measure reads, with the real model."""

import tracemalloc

import numpy as np
import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.gate import Gate
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.reading import Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.measures.distances import cosine_similarity
from sensecheck.measures.exemplars import ClusterMargin, NearestExemplar
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.repetition import (
    Circling,
    Repetition,
    circularity,
    deceleration,
    earlier_twins,
    tautologies,
)
from sensecheck.measures.similarity import PassageSimilarity, Similarity

FILLER = " ".join(f"Paragraph {i} describes the history of the harbour town at length." for i in range(60))


def verdict(measure: Measure, sample: Sample, encoder: Encoder) -> Verdict:
    return next(assess([(sample, Gate(measure))], Backends(encoder)))


def read(measure: Measure, sample: Sample, encoder: Encoder) -> Reading:
    found = verdict(measure, sample, encoder).reading
    assert found is not None
    return found


def test_a_paraphrase_is_near_and_another_subject_is_not(minilm: Encoder) -> None:
    same = Sample("The capital of France is Paris.", expected="Paris is the capital of France.")
    other = Sample("Bananas are rich in potassium.", expected="Paris is the capital of France.")

    assert read(Similarity(), same, minilm).value > 0.9
    assert read(Similarity(), other, minilm).value < 0.3


def test_a_given_text_is_used_instead_of_the_samples_own(minilm: Encoder) -> None:
    assert read(Similarity("Good morning"), Sample("Good morning", expected="x"), minilm).value == 1.0


@pytest.mark.parametrize("fact", ["The treasure is buried under the old mill.", "The mayor is called Grete."])
def test_a_fact_after_the_models_limit_changes_the_reading(minilm: Encoder, fact: str) -> None:
    without = read(Similarity(), Sample(FILLER, expected=fact), minilm)
    with_it = read(Similarity(), Sample(f"{FILLER} {fact}", expected=fact), minilm)

    assert with_it.value > without.value + 0.005


def test_a_passage_is_found_wherever_it_stands_in_a_long_text(minilm: Encoder) -> None:
    fact = "The treasure is buried under the old mill by the river."
    passage = f"{FILLER} {fact}"
    missing = read(
        PassageSimilarity(), Sample("Where is the treasure? Under the mill.", passages=(FILLER,)), minilm
    )
    found = read(
        PassageSimilarity(),
        Sample("Where is the treasure? Under the mill.", passages=("Other.", passage)),
        minilm,
    )

    assert found.value > missing.value + 0.05
    source = found.evidence[0].source
    assert source is not None
    assert source.where == "passages[1]"
    assert passage[source.start : source.end] == source.text
    assert fact in source.text
    assert len(source.text) < len(passage)


def test_the_nearest_exemplar_is_named(minilm: Encoder) -> None:
    reading = read(
        NearestExemplar(("I like cats.", "I cannot help you.")), Sample("I can't help you"), minilm
    )

    source = reading.evidence[0].source
    assert source is not None
    assert (source.where, source.text) == ("exemplars[1]", "I cannot help you.")
    assert reading.value > 0.8


def test_only_the_opening_is_compared_when_asked(minilm: Encoder) -> None:
    sample = Sample("I cannot help you. Then again, bread needs flour, water, salt and a night's patience.")
    whole = read(NearestExemplar(("I cannot help you.",)), sample, minilm)
    opening = read(NearestExemplar(("I cannot help you.",), of="opening"), sample, minilm)

    assert opening.value > 0.99 > whole.value
    answer = opening.evidence[0].answer
    assert answer is not None
    assert answer.text == "I cannot help you."


CLUSTERS = {
    "weather": ("It is sunny.", "Rain is coming."),
    "sport": ("They won the match.", "She scored a goal."),
}


@pytest.mark.parametrize("by", ["mean", "nearest", "centroid"])
def test_the_margin_says_to_which_cluster_an_answer_belongs(minilm: Encoder, by: str) -> None:
    weather = ClusterMargin(CLUSTERS, "weather", by)  # type: ignore[arg-type]  # the three are parametrised
    sport = ClusterMargin(CLUSTERS, "sport", by)  # type: ignore[arg-type]
    sample = Sample("Heavy rain is expected tomorrow.")

    assert read(weather, sample, minilm).value > 0.1
    assert read(sport, sample, minilm).value < -0.1
    assert [item.note for item in read(sport, sample, minilm).evidence] == ["weather", "sport"]


def test_clusters_that_cannot_decide_are_refused() -> None:
    with pytest.raises(SpecError, match="at least two"):
        ClusterMargin({"only": ("x",)}, "only")
    with pytest.raises(SpecError, match="wanted at least one string"):
        ClusterMargin({"a": ("x",), "b": ()}, "a")
    with pytest.raises(SpecError, match="must be a list"):
        ClusterMargin({"a": ("x",), "b": "text"}, "a")  # type: ignore[dict-item]  # a frequent slip


def test_one_text_instead_of_a_list_of_exemplars_is_noticed() -> None:
    with pytest.raises(SpecError, match="must be a list of strings; got str"):
        NearestExemplar("no way")  # type: ignore[arg-type]  # a frequent slip


def test_key_words_are_found_in_any_form(minilm: Encoder) -> None:
    sample = Sample("Robots welded the doors.", passages=("The robot is welding a door.",))

    assert read(KeywordOverlap(), sample, minilm).value == 1.0
    assert read(KeywordOverlap("long"), sample, minilm).value == 0.0


def test_a_strange_word_is_pointed_at(minilm: Encoder) -> None:
    sample = Sample("The robot paints doors.", passages=("The robot is welding a door.",))
    reading = read(KeywordOverlap(), sample, minilm)

    assert reading.value == pytest.approx(2 / 3)
    assert [item.answer.text for item in reading.evidence if item.answer] == ["paints"]


def test_an_answer_without_any_key_word_is_not_accepted_for_lack_of_words(minilm: Encoder) -> None:
    sample = Sample("It is so.", passages=("The robot is welding a door.",))

    assert verdict(KeywordOverlap(), sample, minilm).outcome == "error"
    assert read(KeywordOverlap("long"), sample, minilm).value == 1.0


LOOP = "We must decide now. The plan is good. We must decide now. The plan is good. We must decide now."
WALK = "Bread needs flour. Water binds it. Salt gives taste. Yeast lets it rise. An hour later it is baked."


def test_a_literal_loop_is_seen_as_repetition(minilm: Encoder) -> None:
    looping = read(Repetition(), Sample(LOOP), minilm)

    assert looping.value == pytest.approx(3 / 5)
    assert looping.evidence[0].kind == "repeated"
    assert read(Repetition(), Sample(WALK), minilm).value == 0.0


def test_a_loop_circles_more_than_a_walk(minilm: Encoder) -> None:
    assert read(Circling(), Sample(LOOP), minilm).value > read(Circling(), Sample(WALK), minilm).value + 0.2


def test_a_sentence_without_a_letter_is_no_sentence(minilm: Encoder) -> None:
    cheerful = Sample("The setup is done. 🎉\n\nRestart the server now. ✨")

    assert read(Repetition(), cheerful, minilm).value == 0.0
    assert verdict(Repetition(), Sample("🎉 ✨"), minilm).outcome == "error"


def test_many_sentences_take_little_memory() -> None:
    rows = np.random.default_rng(1).normal(size=(3000, 8)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rows[2999] = rows[7]
    said = [Span.of("answer", str(i)) for i in range(3000)]
    tracemalloc.start()
    twins = earlier_twins(said, rows, 0.9999)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()

    assert [(t.answer.text, t.source.text) for t in twins if t.answer and t.source] == [("2999", "7")]
    assert peak < 15_000_000


def test_one_sentence_has_no_path(minilm: Encoder) -> None:
    assert verdict(Circling(), Sample("Just one sentence."), minilm).outcome == "error"
    assert read(Repetition(), Sample("Just one sentence."), minilm).value == 0.0


def test_the_heller_score_follows_its_formula() -> None:
    rows = np.asarray([[1, 0], [0, 1], [1, 0], [0.6, 0.8]], np.float32)
    root = np.sqrt(2)
    steps = np.asarray([root, root, np.sqrt(0.8)])

    assert circularity(rows) == pytest.approx(min((np.mean([1, 0.8]) - 0.3) / 0.5, 1))
    pairs = np.mean([0, 1, 0.6, 0, 0.8, 0.6])
    made = np.sqrt(0.8) / (steps.sum() + 0.01)
    assert tautologies(rows) == pytest.approx(0.6 * (pairs - 0.3) / 0.5 + 0.4 * (1 - made), abs=1e-6)
    assert deceleration(rows) == pytest.approx(0.6 * 0.5 + 0.4 * 1.0)
    assert circularity(rows[:2]) == 0.0
    assert deceleration(rows[:2]) == 0.0


def test_cosine_similarity_of_given_vectors() -> None:
    assert cosine_similarity([1, 2, 3], [2, 4, 6]) == pytest.approx(1.0)
    assert cosine_similarity([1, 0], [0, 1]) == 0.0
    assert cosine_similarity([1, 0], [-1, 0]) == 0.0
    assert cosine_similarity([], []) == 0.0
    assert cosine_similarity([0, 0], [1, 1]) == 0.0
    assert cosine_similarity([1e300, 0], [1e300, 1e300]) == pytest.approx(2**-0.5)
    assert cosine_similarity([1e-200, 0], [1e-200, 1e-200]) == pytest.approx(2**-0.5)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ([1.0], [1.0, 2.0], "differ in dimension"),
        ([], [1.0], "differ in dimension"),
        ([float("nan")], [1.0], "finite"),
    ],
)
def test_vectors_that_cannot_be_compared_are_a_value_error(
    one: list[float], other: list[float], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        cosine_similarity(one, other)
