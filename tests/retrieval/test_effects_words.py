"""What is said of a difference and of a trend, and what is not."""

import pytest

from sensecheck.cli.retrieval.effects_view import difference_in_words, trend_in_words
from sensecheck.retrieval.chain import chain
from sensecheck.retrieval.effects import Effects, effects_of
from sensecheck.retrieval.labels import LabelledMatches
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.stages.limits import within_chars
from sensecheck.stats.risk_coverage import paired_difference
from tests.stats.outputs import outputs


def falling(items: int) -> Effects:
    """Each item has longer references than the one before it."""
    rows = [
        LabelledMatches(str(place), "q", tuple(Match("x" * place, 0.9) for _ in range(9)), (None,) * 9)
        for place in range(1, items + 1)
    ]
    return effects_of(rows, chain(within_chars(9)))


@pytest.mark.parametrize(
    ("count", "told"),
    [
        (2, "AURC -1.000 with guards (no interval, p = 0.4"),
        (2, "): too few to conclude anything from: 2 groups, at least 20 needed"),
        (19, "95% interval -1.000 to -1.000, p < 0.001): too few to conclude anything from: 19 groups"),
        (20, "p < 0.001): better with guards, significant"),
    ],
)
def test_a_difference_is_claimed_of_enough_groups_only(count: int, told: str) -> None:
    found = paired_difference(outputs(*[(0.5, 1)] * count), outputs(*[(0.5, 0)] * count))

    assert told in difference_in_words(found)


def test_a_difference_of_nothing_could_be_chance() -> None:
    arm = outputs(*[(0.5, 1)] * 20)

    assert difference_in_words(paired_difference(arm, arm)).endswith("p = 1.000): not significant")


@pytest.mark.parametrize(
    ("items", "told"),
    [
        (1, "budgets dropped nothing"),
        (2, "too little differs for a trend"),
        (4, "too few to conclude anything from: 4 items, at least 8 needed"),
        (8, "(p = 0.002): more fitted for early items, significant"),
    ],
)
def test_a_trend_is_claimed_of_enough_items_only(items: int, told: str) -> None:
    assert told in trend_in_words(falling(items))
