"""From labels to a card, or to how many labels are missing."""

import math
import random
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sensecheck.calibration.card import Card
from sensecheck.calibration.decision import Counts
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.split import Labelled, one_each, split
from sensecheck.calibration.target import Target
from sensecheck.core.errors import SpecError
from sensecheck.stats.binomial import rate
from tests.calibration.fitting import DATA, FNR, FPR, card_of, fitted, normal_rows, turned
from tests.examples import examples

ROWS = normal_rows(1, 200, 200)


def test_a_card_says_what_it_promises_and_what_it_did() -> None:
    card = card_of(ROWS, FPR)
    _, held_out = split(ROWS, share_held_out=0.3, seed=0)
    accepted = sum(not row.good and row.value >= card.line for row in held_out)

    assert card.promise == (
        "false accepts <= 5% with 95% confidence: of new bad answers of the same kind, at most 5% pass"
    )
    assert (card.fitted, card.held_out) == (Counts(140, 140), Counts(60, 60))
    assert card.rates.false_accepts == rate(accepted, 60)
    assert card.rates.unsure is None
    assert card.doubt is None
    assert len(repr(card.line)) <= 6


def test_two_targets_leave_a_band_of_doubt_with_two_promises() -> None:
    card = card_of(normal_rows(2, 200, 200, apart=1.5), FNR, FPR)

    assert card.targets == (FPR.with_method("exact"), FNR.with_method("exact"))
    assert card.doubt is not None
    assert card.line == card.doubt[1]
    assert card.rates.unsure is not None
    assert card.promise == (
        "false accepts <= 5% with 95% confidence: of new bad answers of the same kind, at most 5% pass; "
        "false rejects <= 10% with 95% confidence: of new good answers of the same kind, at most 10% fail; "
        "each with its own confidence"
    )


def test_two_targets_that_one_line_keeps_leave_no_doubt() -> None:
    card = card_of(normal_rows(3, 200, 200, apart=9), FPR, FNR)

    assert card.doubt is None
    assert 2 < card.line < 7


def test_best_f1_says_that_it_promises_nothing() -> None:
    card = card_of(ROWS, method="best_f1")

    assert card.promise.startswith("promises nothing on new answers")
    assert card.targets == ()


def test_conformal_promises_an_average() -> None:
    card = card_of(ROWS, FPR, method="conformal")

    assert card.promise.startswith("false accepts <= 5% on average over many fits, with no stated confidence")
    assert card.line < card_of(ROWS, FPR).line


def test_a_promise_of_grouped_rows_is_about_one_answer_of_each_group() -> None:
    rows = [replace(row, group=f"prompt {i // 2}") for i, row in enumerate(ROWS)]
    one_of_each = "of bad answers of the same kind, one picked at random from each new group"

    named = card_of(rows, FPR, data=replace(DATA, group="prompt"))
    assert named.promise == (
        f"false accepts <= 5% with 95% confidence: {one_of_each} (`prompt`), at most 5% pass"
    )
    assert f": {one_of_each}, at most 5% pass" in card_of(rows, FPR).promise
    average = card_of(rows, FNR, method="conformal").promise
    assert average.endswith("from each new group, at most 10% fail, on that average")


@pytest.mark.parametrize("targets", [(FPR,), (FPR, FNR)])
def test_readings_that_are_good_below_have_the_mirrored_card(targets: tuple[Target, ...]) -> None:
    above, below = card_of(ROWS, *targets), card_of(turned(ROWS), *targets, good="below")

    assert below.line == -above.line
    assert below.doubt == (above.doubt and (-above.doubt[1], -above.doubt[0]))
    assert below.rates == above.rates


def test_without_held_out_rows_there_are_no_rates() -> None:
    card = card_of(ROWS, FPR, share_held_out=0)

    assert card.fitted == Counts(200, 200)
    assert (card.rates.false_accepts, card.rates.false_rejects, card.reliability) == (None, None, ())
    assert card.held_out_scores.good == ()


def test_rows_of_one_group_count_once() -> None:
    rows = [replace(row, group=f"prompt {i % 50}") for i, row in enumerate(ROWS)]
    found = fitted(rows, FPR)

    assert isinstance(found, NotCertifiable)
    assert found.found == {"good": 50, "bad": 50}
    assert found.describe() == (
        "Not certifiable: 34 more bad answers needed "
        "(have 50 bad, need 84 to fit on 59; 30% are held out; answers of one group count once)"
    )


def test_the_order_of_grouped_rows_does_not_show_in_the_card() -> None:
    rows = [replace(row, group=f"prompt {i // 2}", slices={"half": str(i % 2)}) for i, row in enumerate(ROWS)]
    once = card_of(rows, FPR).to_json()
    random.Random(1).shuffle(rows)

    assert card_of(rows, FPR).to_json() == once


def test_a_line_that_no_good_answer_passes_is_warned_of() -> None:
    card = card_of(normal_rows(4, 100, 100, apart=-9), FPR, warnings=("half of the rows are in German",))

    assert card.warnings == (
        "half of the rows are in German",
        "none of the good answers that the cutoff was fitted on passes it",
    )


def test_slices_are_counted_on_held_out_rows_and_their_groups() -> None:
    rows = [
        replace(row, group=f"prompt {i // 4}", slices={"model": "ab"[i % 2], "size": "small"})
        for i, row in enumerate(normal_rows(5, 400, 400))
    ]
    card = card_of(rows, FPR)
    _, held_out = split(rows, share_held_out=0.3, seed=0)

    assert list(card.slices) == ["model", "size"]
    for model, rates in card.slices["model"].items():
        counted = one_each((row for row in held_out if row.slices["model"] == model), seed=0)
        assert rates.false_accepts is not None
        assert rates.false_accepts.n == sum(not row.good for row in counted) == 30
    assert card.slices["size"]["small"] == card.rates


def test_a_card_holds_percentiles_of_many_readings() -> None:
    card = card_of(normal_rows(6, 900, 150), FPR)
    scores = card.fitted_scores

    assert (len(scores.good), len(scores.bad)) == (101, 101)
    assert len(card.held_out_scores.bad) == 45
    assert scores.good == tuple(sorted(scores.good))
    assert {*scores.good} <= {row.value for row in normal_rows(6, 900, 150)}


def test_reliable_readings_are_as_good_as_expected() -> None:
    card = card_of(normal_rows(7, 1500, 1500, apart=1.0), FPR, share_held_out=0.5)

    assert len(card.reliability) == 8
    assert sum(each.observed.n for each in card.reliability) == 1500
    assert all(abs(each.expected - each.observed.value) < 0.1 for each in card.reliability)
    assert all(one.high <= other.low for one, other in pairwise(card.reliability))


def test_equal_readings_are_in_one_bin() -> None:
    rows = [Labelled(round(row.value), row.good) for row in normal_rows(8, 400, 400)]
    bins = card_of(rows, FPR).reliability

    assert all(one.high < other.low for one, other in pairwise(bins))


LABELS = st.lists(
    st.builds(
        Labelled, st.sampled_from([0.1, 0.5, 0.9]), st.booleans(), st.none() | st.sampled_from("abcdefgh")
    ),
    min_size=1,
    max_size=60,
)


@settings(max_examples=examples(60), deadline=None)
@given(
    rows=LABELS,
    wanted=st.sets(st.sampled_from(["false_accepts", "false_rejects"]), min_size=1),
    at_most=st.sampled_from([0.05, 0.2, 0.5]),
    method=st.sampled_from(["exact", "conformal"]),
    share=st.sampled_from([0.0, 0.3, 0.5, 0.8]),
)
def test_the_missing_labels_are_just_enough(
    rows: list[Labelled], wanted: set[Any], at_most: float, method: str, share: float
) -> None:
    targets = [Target(errors, at_most) for errors in wanted]
    found = fitted(rows, *targets, method=method, share_held_out=share)
    if isinstance(found, Card):
        return
    for label, more in found.missing.items():
        added = [Labelled(0.4, label == "good")] * more
        others = [
            Labelled(0.4, other == "good")
            for other, many in found.missing.items()
            for _ in range(many)
            if other != label
        ]

        assert isinstance(fitted(rows + others + added, *targets, method=method, share_held_out=share), Card)
        fewer = fitted(rows + others + added[1:], *targets, method=method, share_held_out=share)
        assert isinstance(fewer, NotCertifiable)
        assert fewer.missing == {label: 1}


def test_one_label_alone_is_not_enough() -> None:
    found = fitted([row for row in ROWS if not row.good], FPR)

    assert isinstance(found, NotCertifiable)
    assert found.describe() == (
        "Not certifiable: 1 more good answer needed (have 0 good, need 1 to fit on 1; 30% are held out)"
    )


def test_both_labels_may_be_missing() -> None:
    found = fitted(ROWS[:3], FPR, FNR, share_held_out=0)

    assert isinstance(found, NotCertifiable)
    assert found.describe() == (
        "Not certifiable: 26 more good answers and 59 more bad answers needed "
        "(have 3 good, need 29 to fit on 29; have 0 bad, need 59 to fit on 59)"
    )


@pytest.mark.parametrize(
    ("others", "said"),
    [
        ({"share_held_out": 1.0}, "`share_held_out` must be a share from 0 to less than 1; got 1.0"),
        ({"share_held_out": -0.1}, "got -0.1"),
        ({"name": "../words"}, "a card's name must be of small letters"),
        ({"name": "words\n"}, "a card's name must be of small letters"),
        ({"date": "20260131"}, "`date` must be a day such as 2026-01-31; got `20260131`"),
        ({"date": "yesterday"}, "got `yesterday`"),
        ({"method": "best_f1"}, "takes no target"),
        ({"method": "exactly"}, "did you mean `exact`"),
        ({"good": "over"}, "`over` is not a known good side"),
    ],
)
def test_a_fit_described_wrongly_is_an_error_that_says_what_is_wrong(
    others: dict[str, Any], said: str
) -> None:
    with pytest.raises(SpecError, match=said):
        fitted(ROWS, FPR, **others)


def test_targets_must_suit_the_method() -> None:
    with pytest.raises(SpecError, match=r"needs a target such as fpr 0.05; got none"):
        fitted(ROWS)
    with pytest.raises(SpecError, match="one `fpr` and one `fnr` at most; got fpr, fpr"):
        fitted(ROWS, FPR, Target("false_accepts", 0.1))
    with pytest.raises(SpecError, match="`confidence` is for the method `exact`"):
        fitted(ROWS, Target("false_accepts", 0.05, 0.9), method="conformal")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_a_reading_must_be_a_finite_number(value: float) -> None:
    with pytest.raises(SpecError, match=r"`rows\[400\]` must be a finite reading"):
        fitted([*ROWS, Labelled(value, True)], FPR)


def test_no_rows_are_an_error() -> None:
    with pytest.raises(SpecError, match="no labelled readings"):
        fitted([], FPR)
