"""How near the retrieved passages lie to the question."""

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import MissingInput, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.similarity import Of, Relevance, RetrievalCloseness

QUESTION = "How long may a tent be returned?"
NEAR = "A tent may come back to the shop for thirty days."
FAR = "Dogs may swim."


def read(encoder: Encoder, *passages: str, of: Of = "best", question: str = QUESTION) -> Reading:
    sample, measure = Sample("Thirty days.", question, passages=passages), RetrievalCloseness(of)
    return measure.read(sample, Space.of(measure.needs(sample).texts, encoder))


def relevance(encoder: Encoder, passage: str) -> float:
    sample, measure = Sample(passage, QUESTION), Relevance()
    return measure.read(sample, Space.of(measure.needs(sample).texts, encoder)).value


def test_the_best_is_the_closeness_of_the_nearest_passage_wherever_it_stands(minilm: Encoder) -> None:
    found = read(minilm, FAR, NEAR)

    assert found.value == pytest.approx(relevance(minilm, NEAR), abs=1e-6)
    assert found.evidence[0].source is not None
    assert (found.evidence[0].source.where, found.evidence[0].source.text) == ("passages[1]", NEAR)


def test_further_passages_move_the_mean_and_not_the_best(minilm: Encoder) -> None:
    assert read(minilm, NEAR).value == pytest.approx(read(minilm, NEAR, FAR).value, abs=1e-6)
    assert read(minilm, NEAR, FAR, of="mean").value < read(minilm, NEAR, of="mean").value


def test_the_mean_is_that_of_all_passages_and_below_zero_counts_as_zero(minilm: Encoder) -> None:
    each = [max(0.0, relevance(minilm, text)) for text in (NEAR, FAR)]

    assert read(minilm, NEAR, FAR, of="mean").value == pytest.approx(sum(each) / 2, abs=1e-6)


def test_an_empty_passage_is_near_nothing_and_the_others_are_read() -> None:
    assert read(HashingEncoder(), "", NEAR).value == pytest.approx(read(HashingEncoder(), NEAR).value)
    assert read(HashingEncoder(), " ", NEAR, of="mean").value < read(HashingEncoder(), NEAR).value


@pytest.mark.parametrize(("question", "passages"), [(" ", (NEAR,)), (QUESTION, ("", "\n"))])
def test_where_nothing_can_be_placed_it_is_zero_and_says_so(question: str, passages: tuple[str, ...]) -> None:
    sample = Sample("Thirty days.", question, passages=passages)

    assert RetrievalCloseness().needs(sample) == Needs()
    assert read(HashingEncoder(), *passages, question=question).because.endswith("0 by convention")


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
