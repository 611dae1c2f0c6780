"""How well metrics agree with labels, held against SciPy, the bootstrap and simulation."""

import numpy as np
import numpy.typing as npt
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs.agreement import agreement
from sensecheck.stats.ranks import (
    auroc,
    auroc_with_interval,
    influenced_auroc,
    influenced_spearman,
    spearman,
    spearman_with_interval,
)
from tests.runs.tables import NA, Numbers, table

stats = pytest.importorskip("scipy.stats")
Good = npt.NDArray[np.bool_]


def answers(n: int, seed: int = 0, noise: float = 1.0) -> tuple[Numbers, Good]:
    """Readings with ties, and labels that go with them."""
    drawn = np.random.default_rng(seed)
    readings = drawn.normal(size=n).round(1)
    return readings, readings + drawn.normal(scale=noise, size=n) > 0


def alone(n: int) -> npt.NDArray[np.intp]:
    return np.arange(n)


def test_values_are_those_of_scipy_ties_and_all() -> None:
    readings, good = answers(200)
    said = np.round(readings + np.random.default_rng(1).normal(size=200))
    counted = stats.mannwhitneyu(readings[good], readings[~good]).statistic / (good.sum() * (~good).sum())

    assert spearman(readings, said) == pytest.approx(stats.spearmanr(readings, said).statistic)
    assert auroc(readings, good) == pytest.approx(counted)


def test_the_error_of_an_area_is_delongs() -> None:
    readings, good = answers(60)
    wins = np.sign(readings[good][:, None] - readings[~good][None, :]) / 2 + 0.5
    known = wins.mean(axis=1).var(ddof=1) / good.sum() + wins.mean(axis=0).var(ddof=1) / (~good).sum()

    assert influenced_auroc(readings, good).error(alone(60)) == pytest.approx(known**0.5)


@pytest.mark.parametrize("systems", [1, 3])
def test_errors_are_those_of_a_bootstrap_by_question(systems: int) -> None:
    drawn, questions = np.random.default_rng(2), 120
    groups = np.repeat(np.arange(questions), systems)
    ease = np.repeat(drawn.normal(size=questions), systems)
    readings = (ease + drawn.normal(scale=0.3, size=len(ease))).round(1)
    said = (ease + drawn.normal(size=len(ease)) > 0).astype(np.float64)
    areas, ranks = [], []
    for _ in range(800):
        picked = drawn.integers(0, questions, questions)
        rows = (picked[:, None] * systems + np.arange(systems)).ravel()
        areas.append(auroc(readings[rows], said[rows] == 1))
        ranks.append(spearman(readings[rows], said[rows]))

    assert influenced_auroc(readings, said == 1).error(groups) == pytest.approx(np.std(areas), rel=0.12)
    assert influenced_spearman(readings, said).error(groups) == pytest.approx(np.std(ranks), rel=0.12)


def test_the_interval_of_continuous_ranks_is_near_that_of_bonett_and_wright() -> None:
    drawn = np.random.default_rng(5)
    one = drawn.normal(size=500)
    other = 0.6 * one + drawn.normal(scale=0.8, size=500)
    found = spearman_with_interval(one, other, alone(500))

    assert found is not None
    error = ((1 + found.value**2 / 2) / 497) ** 0.5
    known = np.tanh(np.arctanh(found.value) + np.array([-1.96, 1.96]) * error)
    assert (found.low, found.high) == pytest.approx(tuple(known), abs=0.012)


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    readings, good = answers(200_000, 9)
    area, rank = auroc(readings, good), spearman(readings, good.astype(np.float64))
    held = [0, 0]
    for seed in range(500):
        readings, good = answers(60, seed)
        by_area = auroc_with_interval(readings, good, alone(60))
        by_rank = spearman_with_interval(readings, good.astype(np.float64), alone(60))
        for at, (found, truth) in enumerate(((by_area, area), (by_rank, rank))):
            assert found is not None
            assert found.low is not None
            assert found.high is not None
            held[at] += found.low <= truth <= found.high
    assert all(0.92 <= count / 500 <= 0.98 for count in held)


def test_what_is_perfect_in_few_answers_is_not_called_certain() -> None:
    readings = np.arange(20.0)
    area = auroc_with_interval(readings, readings >= 10, alone(20))
    rank = spearman_with_interval(readings, -readings, alone(20))

    assert area is not None
    assert (area.value, area.high) == (1.0, 1.0)
    assert area.low == pytest.approx(0.025**0.1)
    assert rank is not None
    assert (rank.value, rank.low) == (-1.0, -1.0)
    assert rank.high is not None
    assert -1 < rank.high < 0


def test_each_metric_is_told_beside_the_label_the_best_first() -> None:
    readings, good = answers(100)
    noise = np.random.default_rng(7).normal(size=100)
    some = np.where(np.arange(100) < 40, NA, readings)
    rows = agreement(
        table(
            {"bleu": noise, "correctness": readings, "rouge_l": some, "flat": [1.0] * 100},
            labels={"correct": good.astype(np.float64)},
        ),
        "correct",
    )
    told = {row.metric: row for row in rows}

    assert rows[-1].metric == "flat"
    assert (told["flat"].auroc, told["flat"].spearman, told["flat"].n) == (None, None, 100)
    assert (told["rouge_l"].n, told["rouge_l"].na) == (60, 40)
    assert (told["correctness"].auroc or 0) > (told["bleu"].auroc or 0)
    assert {"spearman_low", "auroc_high", "n", "label"} <= set(rows[0].to_data())


def test_labels_on_a_scale_have_a_correlation_and_no_area() -> None:
    readings, _ = answers(50)
    (row,) = agreement(table({"bleu": readings}, labels={"stars": np.round(readings)}), "stars")

    assert row.spearman is not None
    assert row.spearman > 0.8
    assert row.auroc is None


def test_answers_of_several_systems_to_one_question_count_together() -> None:
    readings, good = answers(100)
    one = table({"bleu": readings}, labels={"correct": good.astype(np.float64)})
    twice = table({"bleu": readings}, labels={"correct": good.astype(np.float64)}, key=2)
    (single,), (pooled,) = agreement(one, "correct"), agreement([one, twice], "correct")

    assert (pooled.n, pooled.questions) == (200, 100)
    assert pooled.auroc == pytest.approx(single.auroc)
    assert pooled.auroc_low == pytest.approx(single.auroc_low, abs=0.002)


def test_a_label_that_nobody_gave_is_an_error() -> None:
    with pytest.raises(SpecError, match="did you mean `correct`"):
        agreement(table({"bleu": [0.1]}, labels={"correct": [1]}), "corect")
    with pytest.raises(SpecError, match="no answer is labelled in the runs 1"):
        agreement(table({"bleu": [0.1]}), "correct")


def test_raters_who_disagree_do_not_take_the_area_away() -> None:
    readings, good = answers(60)
    said = good.astype(np.float64)
    said[:3], said[3] = 0.5, 2 / 3
    held = table({"bleu": readings}, labels={"correct": said})
    (told,) = agreement(held, "correct", yes_or_no=True)
    (unasked,) = agreement(held, "correct")
    clear = np.arange(3, 60)

    assert told.auroc == pytest.approx(auroc(readings[clear], said[clear] > 0.5))
    assert (told.split, told.no_auroc, told.n) == (3, "", 60)
    assert (unasked.auroc, unasked.split) == (None, 0)
    assert unasked.no_auroc == "the labels are numbers on a scale, and not all of them 0 or 1"


def test_why_there_is_no_area_is_told() -> None:
    columns = {"bleu": np.arange(20.0), "flat": np.ones(20)}
    few, both = [1.0] * 18 + [0.0] * 2, [1.0] * 10 + [0.0] * 10
    (one, *_), rows = (agreement(table(columns, labels={"correct": said}), "correct") for said in (few, both))

    assert one.no_auroc == "2 of the answers that it read are bad; wanted at least 5"
    assert {row.metric: row.no_auroc for row in rows} == {
        "bleu": "",
        "flat": "it reads the same off all answers",
    }


def test_many_answers_to_few_questions_have_an_area_and_no_interval() -> None:
    readings, good = answers(90)
    few = auroc_with_interval(readings, good, alone(90) % 9)
    enough = auroc_with_interval(readings, good, alone(90) % 10)

    assert few is not None
    assert (few.low, few.high) == (None, None)
    assert enough is not None
    assert enough.low is not None
