"""How near an answer, a reference and passages lie to what they are compared with."""

from typing import get_args

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.similarity import (
    Distance,
    OfPassages,
    Relevance,
    RetrievalCloseness,
    SemanticSimilarity,
    Similarity,
)
from sensecheck.retrieval import matched

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


QUERY = "How long may a tent be returned?"
REFERENCE = "A tent may come back to the shop for thirty days."


def placed(sample: Sample, encoder: Encoder) -> Space:
    return Space.of(Relevance().needs(sample).texts, encoder)


def test_it_is_the_closeness_that_a_match_has(minilm: Encoder) -> None:
    sample = Sample(REFERENCE, question=QUERY)
    reading = Relevance().read(sample, placed(sample, minilm))
    (match,) = matched(QUERY, [REFERENCE], minilm)

    assert reading.value == pytest.approx(match.closeness, abs=1e-6)
    assert match.encoder == minilm.fingerprint


def test_it_reads_what_answers_as_nearer_than_what_does_not(minilm: Encoder) -> None:
    near, far = (
        Relevance().read(sample, placed(sample, minilm)).value
        for sample in (Sample(REFERENCE, question=QUERY), Sample("Dogs may swim.", question=QUERY))
    )

    assert near > 0.5 > far


def test_the_evidence_of_relevance_is_both_texts() -> None:
    sample = Sample(REFERENCE, question=QUERY)

    (pair,) = Relevance().read(sample, placed(sample, HashingEncoder())).evidence

    assert pair.answer is not None
    assert pair.source is not None
    assert pair.answer.text == REFERENCE
    assert (pair.source.where, pair.source.text) == ("question", QUERY)


def test_without_a_query_nothing_can_be_read() -> None:
    with pytest.raises(MissingInput, match="no `question`: the query that the reference was found for"):
        Relevance().needs(Sample(REFERENCE))


QUESTION = "How long may a tent be returned?"
NEAR = "A tent may come back to the shop for thirty days."
FAR = "Dogs may swim."


def retrieved(encoder: Encoder, *passages: str, of: OfPassages = "best", question: str = QUESTION) -> Reading:
    sample, measure = Sample("Thirty days.", question, passages=passages), RetrievalCloseness(of)
    return measure.read(sample, Space.of(measure.needs(sample).texts, encoder))


def relevance(encoder: Encoder, passage: str) -> float:
    sample, measure = Sample(passage, QUESTION), Relevance()
    return measure.read(sample, Space.of(measure.needs(sample).texts, encoder)).value


def test_the_best_is_the_closeness_of_the_nearest_passage_wherever_it_stands(minilm: Encoder) -> None:
    found = retrieved(minilm, FAR, NEAR)

    assert found.value == pytest.approx(relevance(minilm, NEAR), abs=1e-6)
    assert found.evidence[0].source is not None
    assert (found.evidence[0].source.where, found.evidence[0].source.text) == ("passages[1]", NEAR)


def test_further_passages_move_the_mean_and_not_the_best(minilm: Encoder) -> None:
    assert retrieved(minilm, NEAR).value == pytest.approx(retrieved(minilm, NEAR, FAR).value, abs=1e-6)
    assert retrieved(minilm, NEAR, FAR, of="mean").value < retrieved(minilm, NEAR, of="mean").value


def test_the_mean_is_that_of_all_passages_and_below_zero_counts_as_zero(minilm: Encoder) -> None:
    each = [max(0.0, relevance(minilm, text)) for text in (NEAR, FAR)]

    assert retrieved(minilm, NEAR, FAR, of="mean").value == pytest.approx(sum(each) / 2, abs=1e-6)


def test_an_empty_passage_is_near_nothing_and_the_others_are_read() -> None:
    assert retrieved(HashingEncoder(), "", NEAR).value == pytest.approx(
        retrieved(HashingEncoder(), NEAR).value
    )
    assert retrieved(HashingEncoder(), " ", NEAR, of="mean").value < retrieved(HashingEncoder(), NEAR).value


@pytest.mark.parametrize(("question", "passages"), [(" ", (NEAR,)), (QUESTION, ("", "\n"))])
def test_where_nothing_can_be_placed_it_is_zero_and_says_so(question: str, passages: tuple[str, ...]) -> None:
    sample = Sample("Thirty days.", question, passages=passages)

    assert RetrievalCloseness().needs(sample) == Needs()
    assert retrieved(HashingEncoder(), *passages, question=question).because.endswith("0 by convention")


@pytest.mark.parametrize(
    ("sample", "says"),
    [
        (Sample("Thirty days.", passages=(NEAR,)), "no `question` that the passages were found for"),
        (Sample("Thirty days.", QUESTION), "no `passages` to look into"),
    ],
)
def test_it_does_not_apply_without_a_question_or_passages(sample: Sample, says: str) -> None:
    with pytest.raises(MissingInput, match=says):
        RetrievalCloseness().needs(sample)
    with pytest.raises(MissingInput, match=says):
        RetrievalCloseness().read(sample, Space())


def test_a_way_that_is_not_known_is_refused() -> None:
    with pytest.raises(SpecError, match="did you mean `mean`"):
        RetrievalCloseness("means")  # type: ignore[arg-type]  # wrong on purpose
