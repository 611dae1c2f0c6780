"""Drift of scores against a card: found where it is, and rarely where it is not."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import ks_2samp

from sensecheck.calibration.card import Card, DataMark, LabelledScores
from sensecheck.calibration.decision import Counts
from sensecheck.calibration.drift import drift_of
from sensecheck.calibration.fit import fit
from sensecheck.calibration.sample_size import NotCertifiable
from sensecheck.calibration.split import Labelled


@pytest.fixture(scope="module")
def card() -> Card:
    """Fitted on 200 scores between 0 and 1."""
    drawn = np.random.default_rng(2)
    values = drawn.random(200)
    rows = [Labelled(float(one), bool(one + drawn.normal(0, 0.1) > 0.5), None) for one in values]
    found = fit(
        rows,
        name="words",
        measure={"kind": "rouge_l"},
        encoder=None,
        good="above",
        method="best_f1",
        targets=(),
        data=DataMark("museum run 1", "0" * 64, len(rows)),
        date="2026-11-01",
        version="1",
        share_held_out=0.3,
    )
    assert not isinstance(found, NotCertifiable)
    return found


def test_the_distance_is_that_of_kolmogorov_and_smirnov(card: Card) -> None:
    new = np.random.default_rng(3).beta(2, 3, 150)
    every = [*card.fitted_scores.good, *card.fitted_scores.bad]
    every += [*card.held_out_scores.good, *card.held_out_scores.bad]
    assert len(every) == 200  # so few are in the card as they are

    found = drift_of(card, new)

    assert found is not None
    assert found.shift.ks == pytest.approx(ks_2samp(new, every).statistic)
    assert (found.n, found.n_card) == (150, 200)
    assert found.median_card == pytest.approx(np.median(every), abs=0.02)
    assert found.passes == pytest.approx((new >= card.line).mean())
    assert found.passes_card == pytest.approx((np.array(every) >= card.line).mean())
    assert sum(found.shares) == pytest.approx(1)
    assert sum(found.shares_card) == pytest.approx(1)
    assert card.line in found.edges


def test_scores_of_the_same_kind_are_rarely_drift_and_shifted_ones_are(card: Card) -> None:
    drawn = np.random.default_rng(5)
    same = [drift_of(card, drawn.random(300)) for _ in range(60)]
    shifted = [drift_of(card, np.clip(drawn.random(300) + 0.25, 0, 1)) for _ in range(10)]

    assert sum(one is not None and one.shift.degree == "moved" for one in same) == 0
    assert all(one is not None and one.shift.degree == "moved" for one in shifted)
    assert shifted[0] is not None
    assert (
        shifted[0]
        .describe()
        .startswith("Drift: these 300 scores are mostly higher than the 200 that `words`")
    )
    assert same[0] is not None
    assert (
        same[0].describe().startswith("No drift: these 300 scores are distributed like the 200 that `words`")
    )


def test_quantiles_of_many_scores_stand_for_all_of_them(card: Card) -> None:
    halves = replace(
        card,
        fitted=Counts(900, 100),
        held_out=Counts(0, 0),
        fitted_scores=LabelledScores((0.8,) * 100, (0.2,) * 100),
        held_out_scores=LabelledScores((), ()),
    )
    found = drift_of(halves, np.array([0.8] * 90 + [0.2] * 10))

    assert found is not None
    assert found.shift.ks == pytest.approx(0.0)
    assert (found.median_card, found.n_card) == (0.8, 1000)


def test_without_scores_there_is_nothing_to_say(card: Card) -> None:
    assert drift_of(card, np.full(3, np.nan)) is None
    none = LabelledScores((), ())
    assert drift_of(replace(card, fitted_scores=none, held_out_scores=none), np.array([0.5])) is None
