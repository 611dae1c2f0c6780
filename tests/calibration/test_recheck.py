"""A card held against new readings."""

import json
import math

import numpy as np
import pytest

from sensecheck.calibration.card import Card
from sensecheck.calibration.placement import fewest, promise_result
from sensecheck.calibration.recheck import NewReading, Outcome, as_counted, recheck, shift_of
from sensecheck.calibration.target import Target
from sensecheck.core.cutoff import Side
from sensecheck.core.errors import SpecError
from sensecheck.stats.binomial import chance_of_at_most
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows

CARD = card_of(normal_rows(1, 400, 400), FPR)
LOOSE = card_of(normal_rows(1, 400, 400), Target("false_accepts", 0.3), FNR)


def seen(seed: int, good: int, bad: int, *, apart: float = 2.5, off: float = 0.0) -> list[NewReading]:
    return [NewReading(row.value + off, row.good) for row in normal_rows(seed, good, bad, apart=apart)]


@pytest.mark.parametrize(
    ("card", "rows", "outcome"),
    [
        (CARD, seen(2, 500, 500), "holds"),
        (CARD, seen(3, 20, 20), "too few"),
        (CARD, seen(4, 300, 300, off=1.5), "broken"),
        (CARD, seen(5, 300, 300, off=-1.0), "moved"),
        (LOOSE, seen(6, 1500, 1500), "holds"),
        (LOOSE, seen(7, 300, 300, off=-2.0), "broken"),
    ],
)
def test_a_card_holds_is_broken_or_cannot_tell(card: Card, rows: list[NewReading], outcome: Outcome) -> None:
    found = recheck(card, rows)

    assert found.outcome == outcome
    assert found.verdict.endswith(".")
    assert json.loads(json.dumps(found.to_data(), allow_nan=False))["outcome"] == outcome


def test_the_verdict_is_one_plain_sentence() -> None:
    found = recheck(CARD, [NewReading(0.0, False)] * 40)

    assert found.outcome == "moved"
    assert found.verdict == (
        "The readings have moved, label some and fit the cutoff again: false accepts <= 5% with 95% "
        "confidence is not contradicted (0.0% of 40), but needs at least 19 more bad answers; "
        f"of the readings, bad ones have moved (PSI {found.shifts[0].psi:.2f})."
    )


def test_unlabelled_readings_tell_whether_they_moved_and_no_more() -> None:
    same = [NewReading(row.value) for row in seen(8, 100, 100)]
    moved = [NewReading(row.value + 3) for row in same]

    assert recheck(CARD, same).outcome == "too few"
    assert recheck(CARD, same).promises[0].more == 59
    assert recheck(CARD, moved).outcome == "moved"
    assert [each.part for each in recheck(CARD, moved).shifts] == ["unlabelled"]


def test_a_card_without_a_promise_only_says_whether_readings_moved() -> None:
    card = card_of(normal_rows(1, 400, 400), method="best_f1")

    assert recheck(card, seen(9, 200, 200)).outcome == "holds"
    assert recheck(card, seen(9, 200, 200)).verdict.startswith("Stable: the card promises nothing; of the")
    assert recheck(card, seen(9, 5, 5)).outcome == "too few"


def test_rows_of_one_group_count_once() -> None:
    rows = [NewReading(-3.0, False, f"prompt {i % 30}") for i in range(300)]
    (promise,) = recheck(CARD, rows).promises

    assert promise.errors is not None
    assert (promise.errors.n, promise.outcome, promise.more) == (30, "too few", 29)


@pytest.mark.parametrize("method", ["exact", "conformal"])
def test_a_line_above_a_promised_average_is_no_broken_promise(method: str) -> None:
    card = card_of(normal_rows(1, 400, 400), FPR, method=method)
    rows = [NewReading(9.0 if i < 60 else row.value, row.good) for i, row in enumerate(seen(2, 0, 600))]
    found = recheck(card, rows)

    if method == "exact":
        assert (found.outcome, found.promises[0].outcome) == ("broken", "broken")
        return
    assert (found.outcome, found.promises[0].outcome) == ("moved", "above")
    assert [each.degree for each in found.shifts] != ["moved"]
    assert found.verdict.startswith(
        "Look closer, this cutoff errs more often than was promised on average: false accepts <= 5% is an "
        "average, and this cutoff is above it ("
    )


def test_unlabelled_readings_of_the_fitted_mix_have_not_moved() -> None:
    card = card_of(normal_rows(1, 2000, 200), FPR)
    same = recheck(card, [NewReading(row.value) for row in seen(2, 2000, 200)])
    mixed = recheck(card, [NewReading(row.value) for row in seen(2, 200, 2000)])

    assert [each.degree for each in same.shifts] == ["stable"]
    assert mixed.outcome == "moved"
    assert mixed.verdict.endswith("which another mix of good and bad answers alone does too.")


def test_parts_weigh_what_they_stand_for() -> None:
    assert as_counted([((0.1, 0.3), 2), ((0.2,), 1)]) == (0.1, 0.2, 0.3)
    assert as_counted([((0.0,) * 10, 990), ((1.0,) * 10, 10)]) == (0.0,) * 20
    assert as_counted([((), 0)]) == ()


@pytest.mark.parametrize(("was", "now"), [(1.0, 0.0), (0.0, 1.0), (0.0, -1.0)])
def test_readings_that_leave_the_one_that_all_shared_have_moved(was: float, now: float) -> None:
    found = shift_of("good", [was] * 100, [now] * 100)

    assert found is not None
    assert (found.degree, found.ks) == ("moved", 1.0)
    assert found.psi > 1


def test_readings_that_leave_the_one_that_most_shared_have_moved() -> None:
    found = shift_of("good", [0.5] * 5 + [1.0] * 95, [0.6] * 60 + [1.0] * 40)

    assert found is not None
    assert found.degree == "moved"
    assert found.psi > 0.25


def test_a_few_readings_that_lie_elsewhere_by_chance_say_nothing() -> None:
    found = recheck(CARD, [NewReading(value, False) for value in (-0.5, 0.1, 1.9)])

    assert [each.degree for each in found.shifts] == ["too few"]
    assert found.outcome == "too few"
    assert "bad ones may have moved, but are too few to say (PSI " in found.verdict


def test_as_few_clean_rows_as_fitting_wants_confirm_a_promise() -> None:
    for at_most, sure in ((0.3, 0.51), (0.05, 0.95), (0.5, 0.5), (0.1, 0.9), (0.2, 0.36)):
        target = Target("false_accepts", at_most, sure)
        clean: list[Side] = ["fail"] * fewest("exact", target)

        assert promise_result(target, clean).outcome == "holds"
        if len(clean) > 1:
            assert (promise_result(target, clean[1:]).outcome, promise_result(target, clean[1:]).more) == (
                "too few",
                1,
            )


@pytest.mark.parametrize("hits", [0, 1, 4])
def test_so_many_more_rows_confirm_the_promise_and_one_fewer_does_not(hits: int) -> None:
    wrong: list[Side] = ["pass"] * hits
    right: list[Side] = ["fail"] * (60 - hits if hits else 20)
    found = promise_result(FPR, wrong + right)
    assert found.errors is not None
    n = found.errors.n

    assert found.outcome == "too few"
    assert chance_of_at_most(hits, n + found.more, 0.05) <= 0.05
    assert chance_of_at_most(hits, n + found.more - 1, 0.05) > 0.05
    right += ["fail"] * found.more
    assert promise_result(FPR, wrong + right).outcome == "holds"


def test_an_unsure_answer_breaks_no_promise() -> None:
    assert promise_result(FPR, ["unsure"] * 59).outcome == "holds"
    assert promise_result(FNR, ["unsure"] * 59).outcome == "holds"


def test_readings_of_the_same_kind_rarely_look_moved() -> None:
    chance = np.random.default_rng(1)
    card = chance.normal(size=100).tolist()
    degrees = [
        shift_of("bad", card, chance.normal(size=size).tolist())
        for size in (20, 100, 1000)
        for _ in range(30)
    ]

    assert sum(each is not None and each.degree in ("somewhat", "moved") for each in degrees) <= 5
    assert sum(each is not None and each.degree == "too few" for each in degrees[60:]) == 0


def test_readings_equal_to_the_cards_have_not_moved() -> None:
    third = [0.333333] * 60 + [0.666667] * 60
    found = shift_of("good", third, [1 / 3] * 60 + [2 / 3] * 60)

    assert found is not None
    assert found.psi == pytest.approx(0.0, abs=1e-12)
    hair = shift_of("good", [1 / 3] * 60, [1 / 3 + 1e-12] * 60)
    assert hair is not None
    assert (hair.degree, hair.ks) == ("stable", 0.0)
    assert found.ks == 0.0
    assert shift_of("good", [], [0.5]) is None
    assert shift_of("good", [0.5], []) is None


@pytest.mark.parametrize("rows", [[], [NewReading(math.nan)]])
def test_what_cannot_be_compared_is_an_error(rows: list[NewReading]) -> None:
    with pytest.raises(SpecError, match=r"no new readings|must be a finite reading"):
        recheck(CARD, rows)
