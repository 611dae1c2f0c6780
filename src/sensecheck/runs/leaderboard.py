"""Many runs of the same questions in one table, and the answers of two runs side by side.

Every run is compared with the first one over the questions that both have; the differences of all runs are
tested together.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run, RunBrief
from sensecheck.runs.comparison import StoredRun, compare
from sensecheck.runs.place import RunPlace
from sensecheck.runs.rows import position_in
from sensecheck.runs.shift import MetricShift, claimed, telling
from sensecheck.runs.summary import MetricSummary, totals_of


@dataclass(frozen=True, slots=True)
class Standing:
    """A run among others: its own mean, and how it differs from the first run."""

    run: RunBrief
    summary: MetricSummary
    """Of the metric by which the runs are ranked."""
    people: dict[str, float]
    """The mean of what people said, by the name of the label."""
    shift: MetricShift | None
    """Since the first run; None for that run itself."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "run": self.run.to_data(),
            **self.summary.to_data(),
            "people": self.people,
            "shift": None if self.shift is None else self.shift.to_data(),
        }


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Runs by one metric, the best first."""

    metric: str
    standings: tuple[Standing, ...]
    alpha: float

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "metric": self.metric,
            "alpha": self.alpha,
            "standings": [one.to_data() for one in self.standings],
        }


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """What two runs answered to one question."""

    id: str
    question: str | None
    expected: str | None
    answers: tuple[str | None, str | None]
    """None where there is no answer."""
    scores: dict[str, tuple[float | None, float | None]]
    """Of each metric that either has, before and after."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        texts = {"id": self.id, "question": self.question, "expected": self.expected}
        scores = {name: list(both) for name, both in self.scores.items()}
        return {**texts, "answers": list(self.answers), "scores": scores}


def leaderboard(runs: Sequence[StoredRun], *, metric: str | None = None, alpha: float = 0.05) -> Leaderboard:
    """Three runs or more by one metric; by the one that agrees best with people unless it is named."""
    first, *others = runs
    if not others:
        raise SpecError("a leaderboard must have two runs or more; got one")
    compared = [compare(first, other, alpha=alpha, metric=metric) for other in others]
    ranking_metric = metric or telling([shift.metric for shift in compared[0].metrics])
    if ranking_metric is None:
        raise SpecError("the runs have no metric in common")
    shifts = claimed([_shift(comparison.metrics, ranking_metric) for comparison in compared], alpha=alpha)
    standings = []
    for (place, run), shift in zip(runs, (None, *shifts), strict=True):
        totals = totals_of(place, run)
        summary = next(summary for summary in totals.metrics if summary.metric == ranking_metric)
        standings.append(Standing(RunBrief.of(run), summary, _people(place, run), shift))
    ranked = sorted(
        standings, key=lambda standing: (standing.summary.mean is None, -(standing.summary.mean or 0.0))
    )
    return Leaderboard(ranking_metric, tuple(ranked), alpha)


def side_by_side(before: StoredRun, after: StoredRun, questions: Sequence[str]) -> Iterator[AnswerPair]:
    """What both runs answered to these questions, in the order in which they are named."""
    places = [{position_in(*run, name): name for name in questions} for run in (before, after)]
    answers_by_run = [
        {where[answer.position]: answer for answer in place.answers(run, list(where))}
        for (place, run), where in zip((before, after), places, strict=True)
    ]
    for name in questions:
        both = [by_position.get(name) for by_position in answers_by_run]
        either = next((answer for answer in both if answer is not None), None)
        if either is None:
            continue
        scores = [
            {} if answer is None else {score.metric: score.value for score in answer.scored.readings}
            for answer in both
        ]
        answers = [None if answer is None else answer.scored.answer for answer in both]
        names = dict.fromkeys(metric for by_metric in scores for metric in by_metric)
        yield AnswerPair(
            name,
            either.item.question,
            either.item.expected,
            (answers[0], answers[1]),
            {metric: (scores[0].get(metric), scores[1].get(metric)) for metric in names},
        )


def _shift(shifts: Sequence[MetricShift], metric: str) -> MetricShift:
    shift = next((candidate for candidate in shifts if candidate.metric == metric), None)
    if shift is None:
        raise SpecError(f"not all of the runs have the metric `{metric}`; name another with `--metric`")
    return replace(shift, adjusted=None, claim=False)


def _people(place: RunPlace, run: Run) -> dict[str, float]:
    values_by_label: dict[str, list[float]] = {}
    for label in place.labels(run):
        values_by_label.setdefault(label.name, []).append(label.value)
    return {name: sum(values) / len(values) for name, values in sorted(values_by_label.items())}
