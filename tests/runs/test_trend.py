"""How metrics went from run to run."""

import numpy as np
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs.pairs import QuestionWordings
from sensecheck.runs.trend import changes_tested, trend
from tests.runs.tables import NA, table


def test_a_point_has_the_mean_its_interval_and_the_change_since_the_run_before() -> None:
    old = np.linspace(0.2, 0.8, 30)
    points = trend([table({"bleu": old}), table({"bleu": old + 0.1}, key=2), table({"bleu": old}, key=3)])

    assert [(one.run, one.previous) for one in points] == [(1, None), (2, 1), (3, 2)]
    assert [one.change for one in points] == [None, pytest.approx(0.1), pytest.approx(-0.1)]
    assert points[0].low is not None
    assert points[0].high is not None
    assert points[0].low < 0.5 < points[0].high
    assert points[1].p is not None
    assert points[1].p < 1e-6
    assert points[1].adjusted == pytest.approx(2 * points[1].p)


def test_headline_metrics_and_parts_are_families_of_their_own_and_what_is_unchanged_is_in_none() -> None:
    old, new = np.random.default_rng(0).uniform(0.2, 0.8, (2, 30))
    new = (new + 0.05).clip(0, 1)
    names = ("bleu", "rouge_l", "squad_em", "correctness")
    first, second = dict.fromkeys(names, old), dict.fromkeys(names, new) | {"squad_em": old}
    points = trend([table(first), table(second, key=2)])
    last = {one.metric: one for one in points if one.run == 2}

    assert last["correctness"].adjusted == last["correctness"].p
    assert last["bleu"].adjusted == pytest.approx(min(1, 2 * (last["bleu"].p or 0)))
    assert (last["squad_em"].unchanged, last["squad_em"].change) == (True, 0.0)
    assert (last["squad_em"].p, last["squad_em"].adjusted) == (None, None)
    assert not any(one.unchanged for one in points if one.run == 1)
    told = "p allows for 1 change of headline metrics, and for 2 changes of parts"
    assert changes_tested(points).describe(of="change") == told


def test_a_change_is_one_of_the_same_questions() -> None:
    old = table({"bleu": [0.1, 0.9]}, names=["a", "b"])
    new = table({"bleu": [0.1, 0.5]}, names=["a", "c"], key=2)
    last = trend([old, new])[1]

    assert (last.n, last.shared, last.change) == (2, 1, 0.0)
    assert last.mean == pytest.approx(0.3)


def test_a_question_in_other_words_is_another() -> None:
    asked = [QuestionWordings(("q0",), ("x",)), QuestionWordings(("q0",), ("y",))]
    last = trend([table({"bleu": [0.1]}), table({"bleu": [0.9]}, key=2)], asked=asked)[1]

    assert (last.previous, last.shared, last.change, last.p) == (1, 0, None, None)


def test_a_metric_that_a_run_lacks_goes_on_where_it_is_there_again() -> None:
    runs = [
        table({"bleu": [0.1, NA], "rouge_l": [0.3, 0.3]}),
        table({"bleu": [0.2, 0.2]}, key=2),
        table({"rouge_l": [0.5, 0.5]}, key=3),
    ]
    points = {(one.run, one.metric): one for one in trend(runs)}

    assert points[1, "bleu"].na == 1
    assert points[3, "rouge_l"].previous == 1
    assert points[3, "rouge_l"].change == pytest.approx(0.2)
    assert (3, "bleu") not in points


def test_a_run_of_which_nothing_was_read_is_a_point_without_a_mean() -> None:
    (only,) = trend([table({"bleu": [NA, NA]})])

    assert (only.n, only.na, only.mean, only.low) == (0, 2, None, None)
    assert only.to_data()["mean"] is None


def test_chosen_metrics_are_told_alone() -> None:
    points = trend([table({"bleu": [0.1], "rouge_l": [0.2]})], metrics=["rouge_l"])

    assert [one.metric for one in points] == ["rouge_l"]
    with pytest.raises(SpecError, match="did you mean `rouge_l`"):
        trend([table({"bleu": [0.1], "rouge_l": [0.2]})], metrics=["rouge"])


def test_runs_out_of_order_are_an_error() -> None:
    with pytest.raises(SpecError, match="got the run 1 after the run 2"):
        trend([table({"bleu": [0.1]}, key=2), table({"bleu": [0.1]}, key=1)])
