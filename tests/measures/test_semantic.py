"""Semantic similarity to the expected answer, with the real model."""

from typing import get_args

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.similarity import Distance, SemanticSimilarity, Similarity

EXPECTED = "Paris is the capital of France."
PARAPHRASE = "The capital city of France is Paris."
DIFFERENT = "Whales feed their young with milk."
EACH = pytest.mark.parametrize("distance", get_args(Distance))


def read(answer: str, expected: str, encoder: Encoder, distance: Distance = "cosine") -> Reading:
    measure, sample = SemanticSimilarity(distance), Sample(answer, expected=expected)
    return measure.read(sample, Space.of(measure.needs(sample).texts, encoder))


@EACH
def test_the_same_text_reads_exactly_1(distance: Distance, minilm: Encoder) -> None:
    assert read(EXPECTED, EXPECTED, minilm, distance).value == 1.0


@EACH
@pytest.mark.parametrize("answer", [PARAPHRASE, DIFFERENT, EXPECTED, ""])
def test_the_number_alone_is_that_of_the_reading(answer: str, distance: Distance, minilm: Encoder) -> None:
    measure, sample = SemanticSimilarity(distance), Sample(answer, expected=EXPECTED)
    space = Space.of(measure.needs(sample).texts, minilm)

    assert measure.number(sample, space) == measure.read(sample, space).value


def test_a_paraphrase_lies_near_and_another_text_far(minilm: Encoder) -> None:
    assert read(PARAPHRASE, EXPECTED, minilm).value > 0.7
    assert read(DIFFERENT, EXPECTED, minilm).value < 0.5


@EACH
def test_every_distance_puts_a_paraphrase_above_another_text(distance: Distance, minilm: Encoder) -> None:
    near, far = (read(text, EXPECTED, minilm, distance).value for text in (PARAPHRASE, DIFFERENT))

    assert 0 <= far < near < 1


@EACH
def test_it_reads_the_same_in_both_directions(distance: Distance, minilm: Encoder) -> None:
    there = read(PARAPHRASE, EXPECTED, minilm, distance).value
    back = read(EXPECTED, PARAPHRASE, minilm, distance).value

    assert there == pytest.approx(back, abs=1e-6)


def test_the_cosine_is_that_of_similarity(minilm: Encoder) -> None:
    sample = Sample(PARAPHRASE, expected=EXPECTED)
    space = Space.of((PARAPHRASE, EXPECTED), minilm)

    assert SemanticSimilarity().read(sample, space).value == Similarity().read(sample, space).value


def test_a_cosine_below_0_reads_0_and_is_told(minilm: Encoder) -> None:
    found = read("The defendant appealed.", DIFFERENT, minilm)

    assert found.value == 0.0
    assert "is 0, since their cosine, -0.0" in found.because


@EACH
@pytest.mark.parametrize(
    ("answer", "expected", "because"),
    [
        ("", EXPECTED, "the answer is empty, which is a similarity of 0 by convention"),
        (" \n\t", EXPECTED, "the answer is empty, which is a similarity of 0 by convention"),
        (EXPECTED, "", "the expected answer is empty, which is a similarity of 0 by convention"),
        ("", "", "the answer is empty, which is a similarity of 0 by convention"),
    ],
)
def test_an_empty_text_reads_0_and_needs_no_encoder(
    distance: Distance, answer: str, expected: str, because: str
) -> None:
    measure, sample = SemanticSimilarity(distance), Sample(answer, expected=expected)

    assert measure.needs(sample) == Needs()
    assert measure.read(sample, Space()) == Reading(0.0, because)


def test_the_text_to_compare_with_can_be_given_once_for_all_samples() -> None:
    measure = SemanticSimilarity(expected=EXPECTED)

    assert measure.needs(Sample(PARAPHRASE, expected="something else")).texts == (PARAPHRASE, EXPECTED)


def test_without_an_expected_answer_nothing_can_be_read() -> None:
    with pytest.raises(MissingInput, match="no `expected` answer"):
        SemanticSimilarity().needs(Sample(PARAPHRASE))


def test_what_the_encoder_could_not_read_is_counted(minilm: Encoder) -> None:
    found = read("The capital of France is Paris 🦄🦄.", EXPECTED, minilm)

    assert found.unread_chars > 0


def test_the_evidence_is_both_texts(minilm: Encoder) -> None:
    found = read(PARAPHRASE, EXPECTED, minilm, "angular")

    (pair,) = found.evidence
    assert pair.answer is not None
    assert pair.source is not None
    assert (pair.answer.text, pair.source.text) == (PARAPHRASE, EXPECTED)
    assert found.because == f"the angular similarity of the answer to the expected one is {found.value:.3f}"
