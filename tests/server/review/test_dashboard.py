"""Rates from labels: right on average, and inside their interval nearly always."""

from random import Random

import pytest

from sensecheck.server.review.dashboard import LEAST, Drawn, Strata, labels_needed
from sensecheck.server.schemas.review import LabelsNeeded


def test_each_stratum_weighs_as_much_as_it_has_messages() -> None:
    strata = Strata(accepted=Drawn(9000, 100, 98), rejected=Drawn(1000, 100, 20))

    assert strata.false_negatives().value == pytest.approx(200 / (200 + 8820))
    assert strata.false_positives().value == pytest.approx(180 / (180 + 800))


def test_the_interval_holds_the_value_and_narrows_with_labels() -> None:
    few = Strata(Drawn(9000, 50, 49), Drawn(1000, 50, 10)).false_positives()
    many = Strata(Drawn(9000, 5000, 4900), Drawn(1000, 5000, 1000)).false_positives()

    for found in (few, many):
        assert found.value is not None
        assert found.low <= found.value <= found.high
    assert many.high - many.low < (few.high - few.low) / 5


@pytest.mark.parametrize(
    "strata",
    [
        Strata(Drawn(0, 0, 0), Drawn(0, 0, 0)),
        Strata(Drawn(10, 0, 0), Drawn(10, 0, 0)),
        Strata(Drawn(10, 5, 0), Drawn(10, 0, 0)),
    ],
)
def test_without_labels_of_a_stratum_nobody_knows(strata: Strata) -> None:
    for found in (strata.false_negatives(), strata.false_positives()):
        assert found.value is None
        assert found.high - found.low > 0.5


def test_where_nothing_was_rejected_nothing_was_rejected_wrongly() -> None:
    found = Strata(Drawn(1000, 40, 39), Drawn(0, 0, 0)).false_negatives()

    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize(("valid_accepted", "valid_rejected"), [(0.99, 0.1), (0.9, 0.5), (0.5, 0.01)])
def test_the_interval_holds_the_true_rate_in_at_least_95_of_100_draws(
    valid_accepted: float, valid_rejected: float
) -> None:
    chance, held = Random(7), 0
    true = 2000 * valid_rejected / (2000 * valid_rejected + 8000 * valid_accepted)
    for _ in range(400):
        accepted = sum(chance.random() < valid_accepted for _ in range(60))
        rejected = sum(chance.random() < valid_rejected for _ in range(60))
        found = Strata(Drawn(8000, 60, accepted), Drawn(2000, 60, rejected)).false_negatives()
        held += found.low <= true <= found.high

    assert held >= 380


def test_a_rate_that_is_known_well_enough_needs_no_more_labels() -> None:
    strata = Strata(Drawn(500, 3000, 3000), Drawn(500, 3000, 0))

    assert labels_needed(strata, "false_negatives", 0.05) == LabelsNeeded(accepted=0, rejected=0)
    assert labels_needed(strata, "false_positives", 0.01) == LabelsNeeded(accepted=0, rejected=0)


def test_a_rate_that_misses_its_target_for_certain_needs_no_more_labels() -> None:
    strata = Strata(Drawn(9000, 200, 100), Drawn(1000, 200, 20))

    assert labels_needed(strata, "false_positives", 0.01) == LabelsNeeded(accepted=0, rejected=0)


def test_with_as_many_labels_as_it_takes_the_rate_is_known() -> None:
    strata = Strata(Drawn(900, 40, 40), Drawn(100, 40, 0))
    needed = labels_needed(strata, "false_positives", 0.01)

    assert needed is not None
    assert needed.accepted > 100
    then = Strata(Drawn(900, 40 + needed.accepted, 40 + needed.accepted), Drawn(100, 40 + needed.rejected, 0))
    assert then.false_positives().high - then.false_positives().low < 0.01


def test_at_first_a_handful_of_each_stratum_is_asked_for() -> None:
    needed = labels_needed(Strata(Drawn(900, 0, 0), Drawn(100, 0, 0)), "false_positives", 0.01)

    assert needed is not None
    assert min(needed.accepted, needed.rejected) >= LEAST


def test_where_there_are_no_messages_no_labels_help() -> None:
    assert labels_needed(Strata(Drawn(0, 0, 0), Drawn(0, 0, 0)), "false_positives", 0.01) is None
