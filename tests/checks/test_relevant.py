"""The preset `relevant`: a reference lies near the query that it was found for."""

from dataclasses import replace

import pytest

from sensecheck.checks.gate import Gate
from sensecheck.checks.presets import relevant
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.checks.thresholds import threshold_subject
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.registry import measure_to_data
from sensecheck.core.sample import Sample
from sensecheck.measures.similarity import Relevance
from sensecheck.retrieval import above
from sensecheck.sense import Sense
from tests.calibration.fitting import FPR, card_of, normal_rows

CARD = replace(
    card_of(normal_rows(1, 200, 200), FPR), measure=measure_to_data(Relevance()), good="above", line=0.5
)


def line_of(check: object) -> Cutoff | None:
    assert isinstance(check, Gate)
    return check.cutoff


def test_its_line_was_picked_by_hand_and_has_a_band_of_doubt() -> None:
    line = line_of(relevant())

    assert line is not None
    assert (line.value, line.good, line.calibrated) == (0.4, "above", False)
    assert line.doubt == pytest.approx((0.3, 0.5))


def test_the_band_ends_where_there_is_no_more_closeness() -> None:
    assert line_of(relevant(0.98)) == Cutoff(0.98, "above", (0.88, 1.0))


def test_a_card_brings_its_own_line_and_the_stage_above_takes_the_same() -> None:
    assert line_of(relevant(CARD)) == CARD.cutoff() == above(CARD).cutoff

    with pytest.raises(SpecError, match="a card has its own"):
        relevant(CARD, doubt=0.1)


def test_a_card_of_another_measure_is_refused() -> None:
    other = replace(CARD, measure={"kind": "similarity"})

    for take in (relevant, above):
        with pytest.raises(
            SpecError, match=r"is for \{\"kind\": \"similarity\"\}; got \{\"kind\": \"relevance\"\}"
        ):
            take(other)


def test_both_promises_for_its_line_carry_over_to_the_check() -> None:
    measure, good, carries = threshold_subject("relevant")

    assert (measure, good) == (Relevance(), "above")
    assert carries == {"false_accepts", "false_rejects"}


def test_it_can_be_written_as_data() -> None:
    check = check_from_data({"kind": "relevant", "threshold": 0.6, "doubt": 0.0})

    assert check == relevant(0.6, doubt=0.0)
    assert check_from_data(check_to_data(check)) == check


def test_the_real_model_tells_what_answers_from_what_does_not(sense: Sense) -> None:
    query = "Until when may a tent be returned?"
    outcomes = [
        sense.judge(Sample(reference, question=query), relevant()).outcome
        for reference in ("You can return a tent until 30 days have passed.", "Dogs may swim.", "")
    ]

    assert outcomes[:2] == ["pass", "fail"]
    assert outcomes[2] == "error"
