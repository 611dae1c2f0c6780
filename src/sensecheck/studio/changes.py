"""Runs compared with a baseline: what changed and whether that is significant, rows and a leaderboard."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SensecheckError, SpecError
from sensecheck.runs.comparison import compare
from sensecheck.runs.comparison_result import Comparison
from sensecheck.runs.figures import ColumnSums
from sensecheck.runs.record import Numbers, RunMetric
from sensecheck.runs.shift import kind_of
from sensecheck.runs.summary import MetricSummary, rounded
from sensecheck.runs.tally import OUTCOMES
from sensecheck.studio.index import outcome_counts
from sensecheck.studio.labels import labels_now
from sensecheck.studio.library import Library, StudioRun
from sensecheck.studio.rows import MAX_ROWS, RowView, metric_order, pass_rate

MAX_RUNS = 8
"""In one comparison."""
KINDS = ("regression", "to error", "worse", "other", "fix", "from error", "better")
"""What became of a row, what is bad news first."""
LABEL = "correct"
"""The label that decides where there are several."""


def comparison_data(library: Library, before: StudioRun, after: StudioRun) -> dict[str, Any]:
    """The comparison of two runs, ready for JSON: the same figures as `sensecheck runs compare`."""
    comparison = compare((before.place, before.run), (after.place, after.run))
    return comparison.to_data() | {
        "leading": [entry.metric for entry in comparison.leading],
        "not_known": list(comparison.not_known),
        "correction": comparison.tested.correction,
        "verdict": _verdict_of(comparison),
    }


def leaderboard(library: Library, baseline: StudioRun, others: Sequence[StudioRun]) -> dict[str, Any]:
    """All runs side by side: pass rates and headline metrics, and how each differs from the baseline."""
    if len(others) + 1 > MAX_RUNS:
        raise SpecError(f"at most {MAX_RUNS} runs can be compared; got {len(others) + 1}")
    rows = [_leaderboard_row(library, studio_run) for studio_run in (baseline, *others)]
    for row, studio_run in zip(rows[1:], others, strict=True):
        try:
            row["comparison"] = comparison_data(library, baseline, studio_run)
        except SensecheckError as error:  # runs without anything in common: the others are shown all the same
            row["error"] = str(error)
    return {"baseline": baseline.id, "runs": rows}


def changed_rows(
    before: RowView, after: RowView, *, kinds: Sequence[str], start: int, limit: int
) -> dict[str, Any]:
    """The rows that changed, regressions first, one page of them; and how many of each kind there are.

    Where people have labelled the answers of both runs, their word decides what a regression is.
    """
    if not 1 <= limit <= MAX_ROWS or start < 0:
        raise SpecError(f"`limit` must be from 1 to {MAX_ROWS}, and `start` at least 0")
    view = RowView(after.index, after.labels, before.index)
    label, label_values = _labels_of_both(before, view)
    now, then = view.numbers_of_both()
    codes = _kinds_of(view, now, then, label_values)
    steps = np.nan_to_num(now - then)
    counts = {kind: int((codes == at).sum()) for at, kind in enumerate(KINDS)}
    selected = [KINDS.index(kind) for kind in kinds if kind in KINDS] or list(range(len(KINDS)))
    places = np.flatnonzero(np.isin(codes, selected))
    order = places[np.lexsort((-np.abs(steps[places]), codes[places]))]
    page = order[start : start + limit]
    rows = [
        {
            "at": int(at),
            "before_at": int(view.before[at]),
            "id": view.index.ids[at],
            "title": view.index.titles[at],
            "kind": KINDS[codes[at]],
            "before": OUTCOMES[before.index.outcomes[view.before[at]]],
            "after": OUTCOMES[view.index.outcomes[at]],
            "said": [None if np.isnan(side[at]) else float(side[at]) for side in label_values],
            "value_before": rounded(float(then[at])),
            "value_after": rounded(float(now[at])),
        }
        for at in page
    ]
    return {
        "total": len(order),
        "start": start,
        "counts": counts,
        "rows": rows,
        "label": label,
        "metric": None if view.headline is None else view.index.metrics[view.headline].name,
        "both": int((view.before >= 0).sum()),
        "only_after": int((view.before < 0).sum()),
        "only_before": len(before.index) - int((view.before >= 0).sum()),
    }


def _kinds_of(
    view: RowView, now: Numbers, then: Numbers, label_values: tuple[Numbers, Numbers]
) -> npt.NDArray[np.int8]:
    """What became of each row, as an index of `KINDS`; -1 where it is the same or is new."""
    codes = np.full(len(view.index), -1, np.int8)
    assert view.baseline is not None
    then_labels, now_labels = label_values
    for at in np.flatnonzero(view.changed()):
        before = OUTCOMES[view.baseline.outcomes[view.before[at]]]
        kind: str = kind_of(before, OUTCOMES[view.index.outcomes[at]])
        if kind == "same":
            kind = "worse" if now[at] < then[at] or np.isnan(now[at]) else "better"
        codes[at] = KINDS.index(kind)
    with np.errstate(invalid="ignore"):
        codes[(now_labels < then_labels)] = KINDS.index("regression")
        codes[(now_labels > then_labels)] = KINDS.index("fix")
    return codes


def _labels_of_both(before: RowView, view: RowView) -> tuple[str | None, tuple[Numbers, Numbers]]:
    """The label that both runs have, and its values by row of the later run, then and now."""
    shared = [name for name in view.labels if name in before.labels]
    then, now = (np.full(len(view.index), np.nan) for _ in range(2))
    label = LABEL if LABEL in shared else shared[0] if len(shared) == 1 else None
    if label is not None:
        both = view.before >= 0
        now = np.where(both, view.labels[label], np.nan)
        then[both] = before.labels[label][view.before[both]]
    return label, (then, now)


def _leaderboard_row(library: Library, studio_run: StudioRun) -> dict[str, Any]:
    state = library.index(studio_run)
    index = state.index
    view = RowView(index, labels_now(studio_run, index))
    every = np.ones(len(index), np.bool_)
    counts = outcome_counts(index.outcomes)
    metrics = [view.metric_data(at, every, index.outcomes) for at in metric_order(index)]
    return {
        "id": studio_run.id,
        "run": studio_run.run.key,
        "name": studio_run.run.name,
        "project": studio_run.run.test.project,
        "test": studio_run.run.test.name,
        "at": studio_run.run.started_at.isoformat(timespec="seconds"),
        "rows": len(index),
        "complete": state.complete and studio_run.run.whole,
        "counts": counts,
        "rate": pass_rate(counts),
        "labels": [_label_figures(name, values) for name, values in view.labels.items()],
        "metrics": [{key: metric[key] for key in metric if key not in ("bins",)} for metric in metrics],
    }


def _label_figures(name: str, values: Numbers) -> dict[str, Any]:
    """The mean of what people said, with its interval."""
    metric, sums = RunMetric(0, name, "", ""), ColumnSums.of(values)
    summary = MetricSummary.of(metric, sums, questions=len(values), unread=0, unanswered=0)
    return {key: getattr(summary, key) for key in ("metric", "n", "mean", "low", "high")}


def _verdict_of(comparison: Comparison) -> str:
    """The verdict: `worse`, `better`, `same`, or `unknown` where too little is known."""
    claims = [entry for entry in comparison.leading if entry.claim and entry.difference]
    if any(entry.difference is not None and entry.difference < 0 for entry in claims):
        return "worse"
    if claims:
        return "better"
    return "unknown" if comparison.not_known else "same"
