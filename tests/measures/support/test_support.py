"""Words and signals, weighed."""

import pytest

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.support.findings import evidence_of
from sensecheck.measures.support.support import Support, supported
from sensecheck.measures.support.weights import SupportModel, shipped_model

PASSAGE = "Neil Armstrong walked on the Moon on 20 July 1969. Michael Collins stayed in orbit around it."

BADGE = "The badge is [![x](a.png)](a) and nothing else."


def read(answer: str, encoder: Encoder, *passages: str, question: str | None = None) -> Support:
    sample = Sample(answer, question=question, passages=passages or (PASSAGE,))
    space = Space.of([sample.answer, *sample.passages], encoder, tokens=True)
    return supported(sample, space, shipped_model())


def test_a_claim_that_stands_there_word_by_word_has_nothing_against_it(minilm: Encoder) -> None:
    (claim,) = read("michael collins stayed in orbit around it", minilm).claims

    assert claim.verbatim
    assert claim.support == 1.0


@pytest.mark.parametrize(
    ("answer", "passage"),
    [
        ("Ticket 7\nreads: closed\non Monday.", "Ticket 7 reads: closed on Monday."),
        (
            "The badge is [![x](a.png)](a) and nothing else.",
            "The badge is [![x](a.png)](a) and nothing else.",
        ),
    ],
)
def test_an_answer_that_is_a_whole_passage_stands_there_wherever_its_lines_are_broken(
    answer: str, passage: str, minilm: Encoder
) -> None:
    found = read(answer, minilm, "Another passage.", passage).claims

    assert [claim.verbatim for claim in found] == [True] * max(len(found), 1)


def shown(answer: str, passage: str, encoder: Encoder) -> list[list[str]]:
    """The sentences that each claim is shown to stand on."""
    sample = Sample(answer, passages=(passage,))
    return [
        [item.source.text for item in evidence_of(sample, one) if item.kind == "nearest" and item.source]
        for one in read(answer, encoder, passage).claims
    ]


def test_what_stands_there_word_by_word_is_shown_with_that_sentence_alone(minilm: Encoder) -> None:
    first, second = (
        "Neil Armstrong walked on the Moon on 20 July 1969.",
        "Michael Collins stayed in orbit around it.",
    )

    assert shown("michael collins stayed in orbit around it", PASSAGE, minilm) == [[second]]
    assert shown(PASSAGE, PASSAGE, minilm) == [[first], [second]]
    assert shown("Collins stayed in orbit around the Moon.", PASSAGE, minilm) == [[second, first]]


def test_it_is_that_sentence_also_where_another_comes_as_near(minilm: Encoder) -> None:
    passage = "The price is: 5 euros.\n\nIt is 5 o'clock.\n\nThe price is 5 euros."
    (claim,) = read("The price is 5 euros.", minilm, passage).claims

    assert claim.evidence[0].text == "The price is: 5 euros."
    assert shown("The price is 5 euros.", passage, minilm) == [["The price is 5 euros."]]


def test_a_changed_date_speaks_against_its_claim_and_names_what_the_passage_says(minilm: Encoder) -> None:
    (claim,) = read("Armstrong walked on the Moon in 1963.", minilm).claims
    (signal,) = claim.signals

    assert signal.kind == "date_mismatch"
    assert "Armstrong walked on the Moon in 1963."[slice(*signal.answer)] == "1963"
    assert signal.source is not None
    assert PASSAGE[slice(*signal.source)] == "20 July 1969"


def test_an_unknown_word_weighs_more_than_one_that_the_question_holds(minilm: Encoder) -> None:
    plain = read("Armstrong walked on the Moon in a spacesuit.", minilm)
    asked = read("Armstrong walked on the Moon in a spacesuit.", minilm, question="Who wore a spacesuit?")

    assert asked.support > plain.support


def test_an_answer_is_never_better_than_its_worst_claim(minilm: Encoder) -> None:
    found = read("Collins stayed in orbit. Portugal paid for the rocket. It cost 9 euros.", minilm)

    assert len(found.claims) == 3
    assert found.support <= min(claim.support for claim in found.claims)


def test_what_stands_beyond_a_but_is_not_excused(minilm: Encoder) -> None:
    (claim,) = read("The passage does not say who paid, but Armstrong landed in 1980.", minilm).claims

    assert claim.abstains is not None
    assert not claim.open
    assert {one.word.text for one in claim.words} >= {"armstrong", "1980"}


def test_the_order_of_the_passages_changes_no_number(minilm: Encoder) -> None:
    texts = ("Bob wrote it in 1990.", "Alice sang.", "The hall holds 300 people.")
    one = read("Alice wrote it. The hall holds 400 people.", minilm, *texts)
    other = read("Alice wrote it. The hall holds 400 people.", minilm, *reversed(texts))

    assert [c.against for c in one.claims] == pytest.approx([c.against for c in other.claims], abs=1e-6)
    assert [[s.text for s in c.evidence] for c in one.claims] == [
        [s.text for s in c.evidence] for c in other.claims
    ]


def test_the_model_refuses_vectors_of_another_encoder() -> None:
    with pytest.raises(CannotJudge, match="minilm"):
        read("Anything at all.", HashingEncoder())


def test_a_model_whose_weight_has_the_wrong_sign_is_refused() -> None:
    good = shipped_model()

    with pytest.raises(SpecError, match="not monotone"):
        SupportModel("bad", good.encoder, good.bias, {**good.words, "missing": -1.0}, good.signals)


def test_a_model_that_was_changed_by_hand_is_refused() -> None:
    text = shipped_model().to_json().replace('"missing": ', '"missing": 1', 1)

    with pytest.raises(SpecError, match="changed by hand"):
        SupportModel.from_json(text, at="words")


def test_a_model_survives_its_file() -> None:
    assert SupportModel.from_json(shipped_model().to_json(), at="words") == shipped_model()
