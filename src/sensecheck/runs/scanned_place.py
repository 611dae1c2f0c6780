"""A place without queries of its own: what is asked of a run is computed from a pass over its answers.

As it stands it is read-only; those that store runs add the ways to write.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Self

import numpy as np

from sensecheck.core.errors import SpecError, StorageError
from sensecheck.core.run import MetricScore, PlacedItem, QuestionSet, Run, ScoredAnswer
from sensecheck.measures.metric_reader import WORDLESS
from sensecheck.runs.figures import RunFigures
from sensecheck.runs.place import Wording
from sensecheck.runs.record import (
    NO_REASON,
    AnsweredItem,
    Label,
    MetricGaps,
    Numbers,
    RunMetric,
    RunOutline,
    RunReasons,
    RunTable,
    means_of,
)
from sensecheck.runs.run_names import LATEST, PREVIOUS, chosen_run, require_project, run_of_key
from sensecheck.runs.stored_values import LabelKey, labels_of_answer
from sensecheck.store.address import store_option


class ScannedPlace(ABC):
    """Runs that are read from the first answer to the last."""

    _last: "tuple[object, RunScan] | None" = None
    """The figures of the run that was read last, and which answers they are of."""

    @property
    @abstractmethod
    def address(self) -> str:
        """Where it is, as `--store` takes it."""

    @abstractmethod
    def each_run(self) -> Iterator[tuple[int, Run | str]]:
        """Every run by its number, the oldest first; or why it cannot be read: it hides no other."""

    @abstractmethod
    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[PlacedItem]:
        """The questions of a set from a position on, in their order."""

    @abstractmethod
    def scored(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[tuple[int, ScoredAnswer]]:
        """The answers of a run in rising order of their positions, or those at some positions."""

    def runs(self, *, project: str | None = None, test: str | None = None) -> list[Run]:
        """All runs, the oldest first."""
        runs = (run for _, run in self.each_run() if isinstance(run, Run))
        return [run for run in runs if project in (None, run.test.project) and test in (None, run.test.name)]

    def damaged(self) -> Mapping[int, str]:
        """By their numbers, runs that cannot be read, and why."""
        return {number: why for number, why in self.each_run() if isinstance(why, str)}

    def later_labels(self, run: Run) -> Mapping[LabelKey, float]:
        """Labels that were given after the answers."""
        return {}

    def version(self, run: Run) -> object:
        """Changes when a run gets more answers."""
        return run.done

    def projects(self) -> Iterable[str]:
        """The names of all projects."""
        return {run.test.project for run in self.runs()}

    def close(self) -> None:
        """Release files, locks, and what was read."""
        self._last = None

    @contextmanager
    def session(self) -> Iterator[Self]:
        """Closed at the end."""
        try:
            yield self
        finally:
            self.close()

    def run(self, named: str, *, project: str | None = None) -> Run:
        """A run by its number, as `latest` or `previous`, by its name, or by its id or how that begins."""
        broken = self.damaged()
        if named in map(str, broken):
            raise StorageError(broken[int(named)])
        runs, option = self.runs(project=project), store_option(self.address)
        run = chosen_run(runs, named, project=project, projects=self.projects, option=option)
        newest = max(broken, default=0)
        if named in (LATEST, PREVIOUS) and newest > run.key:
            raise StorageError(
                f"the run {newest} is newer than the run {run.key}, and {broken[newest]}; name another run "
                "by its number, or remove the file"
            )
        return run

    def run_by_key(self, key: int) -> Run:
        """A run as it is now, by its number."""
        return run_of_key(self.runs(), key)

    def require_project(self, project: str) -> None:
        """Raise `SpecError`, with the name that was probably meant, unless there is such a project."""
        require_project(project, self.projects(), store_option(self.address))

    def wordings(self, chosen: QuestionSet) -> Iterator[Wording]:
        """How the questions of a set are called and worded, in their order."""
        return (
            (placed.item.name, placed.item.question, placed.item.expected)
            for placed in self.questions(chosen)
        )

    def answers(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[AnsweredItem]:
        """The answers of a run with their scores, in their order; or those at some positions."""
        labels: dict[int, dict[str, float]] = {}
        ordered_positions = None if positions is None else sorted(set(positions))
        later_labels = self.later_labels(run)
        if later_labels:  # else each answer has its own
            for (position, name), value in label_means({**self._scan(run).labels, **later_labels}):
                labels.setdefault(position, {})[name] = value
        items = self.questions(run.set)
        for position, scored in self.scored(run, ordered_positions):
            item = next(placed.item for placed in items if placed.position == position)
            answer_labels = labels.get(position, {}) if later_labels else dict(sorted(scored.labels.items()))
            scores = sorted(scored.readings, key=lambda score: (score.metric, score.fingerprint))
            yield AnsweredItem(position, item, replace(scored, readings=tuple(scores), labels=answer_labels))

    def table(self, run: Run) -> RunTable:
        """All numbers of a run, as far as it has come."""
        scan = self._scan(run)
        return scan.table(run, self._names_and_slices(run, scan.questions), self.later_labels(run))

    def chunks(self, run: Run, *, by: Sequence[str] = ()) -> Iterator[RunTable]:
        """All numbers at once."""
        yield self.table(run)

    def aggregates(self, run: Run) -> RunFigures | None:
        """None: the rows must be read."""
        return None

    def means(self, run: Run) -> Mapping[str, float]:
        """The mean of each metric by the run's own encoder."""
        return means_of(run, self.columns(run))

    def columns(self, run: Run) -> Iterator[tuple[RunMetric, Numbers]]:
        """The known numbers of each metric in the order of the questions; one metric at a time."""
        scan = self._scan(run)
        for metric in scan.metrics:
            values = scan.values(metric)
            yield metric, values[~np.isnan(values)]

    def reached(self, run: Run) -> list[int]:
        """The positions that have an answer or a reason why not, in order; there may be gaps."""
        return list(self._scan(run).reached)

    def answered(self, run: Run) -> int:
        """How many questions have an answer."""
        return len(self._scan(run).answered)

    def reasons(self, run: Run) -> RunReasons:
        """How far a run has come, and why numbers and answers are missing."""
        return self._scan(run).reasons()

    def outline(self, run: Run) -> RunOutline:
        """Which metrics, labels and slices a run has."""
        scan, slices = self._scan(run), {key for one in self.questions(run.set) for key in one.item.slices}
        labels = {name for _, name, _ in {**scan.labels, **self.later_labels(run)}}
        return RunOutline(scan.metrics, tuple(sorted(labels)), tuple(sorted(slices)))

    def labels(self, run: Run) -> Iterator[Label]:
        """What people said of the answers of a run, each with who said it."""
        labels = {**self._scan(run).labels, **self.later_labels(run)}
        names = [name for name, _ in self._names_and_slices(run, self._scan(run).questions)] if labels else []
        for (position, name, rater), value in sorted(labels.items()):
            yield Label(names[position], name, value, rater)

    def latest_set(self, project: str) -> QuestionSet:
        """The questions of the last run."""
        return self.run("latest", project=project).set

    def _refuse(self, *_: Any, **__: Any) -> Any:
        """As it stands the place is read-only."""
        raise SpecError(
            f"`{self.address}` is read-only here; store evaluations in a database, in `folder:PATH`, or in "
            "`parquet:ADDRESS`"
        )

    test = keep_set = begin = resumed = finish = writer = label = relabel = _refuse

    def _scan(self, run: Run) -> "RunScan":
        """The figures of a run; those of the run that was read last need not be read again."""
        version = run.key, self.version(run)
        if self._last is None or self._last[0] != version:
            scan = RunScan(run.set.size)
            for position, scored in self.scored(run):
                scan.add(position, scored)
            self._last = version, scan
        return self._last[1]

    def answered_by_name(self, run: Run) -> dict[str, tuple[int, bool]]:
        """By the id of a question that was reached, its position and whether it has an answer."""
        scan = self._scan(run)
        names = [name for name, _ in self._names_and_slices(run, scan.questions)]
        return {names[position]: (position, position in scan.answered) for position in scan.reached}

    def _names_and_slices(self, run: Run, count: int) -> Iterator[tuple[str, dict[str, str]]]:
        return (
            (placed.item.name, dict(placed.item.slices)) for placed in islice(self.questions(run.set), count)
        )


_MetricName = tuple[str, str]
"""The name of a metric, and the fingerprint of its encoder."""


@dataclass(slots=True)
class _ScoreColumn:
    """What one metric read, while answers are read."""

    encoder: str
    values: Numbers
    failed: int = 0
    nothing: int = 0
    beside: int = 0
    wordless: int = 0
    errors: Counter[str] = field(default_factory=Counter)
    because: Counter[str] = field(default_factory=Counter)

    def add(self, position: int, score: MetricScore, answer: str | None) -> None:
        """Count one score."""
        if score.value is not None:
            self.values[position] = score.value
        else:
            self.errors.update(filter(None, [score.error]))
            self.because.update(filter(None, [score.because]))
        self.failed += score.error is not None
        self.nothing += score.value is None and score.error is None
        self.beside += answer is None
        self.wordless += score.because in WORDLESS and (answer is None or bool(answer.strip(" ")))

    @property
    def gaps(self) -> MetricGaps:
        """What is missing, and why."""
        return MetricGaps(
            self.failed,
            self.nothing,
            self.beside,
            self.wordless,
            _most_frequent(self.errors) or NO_REASON if self.failed else None,
            _most_frequent(self.because) or NO_REASON if self.nothing else None,
        )


@dataclass(slots=True)
class RunScan:
    """The figures of a run, gathered answer by answer."""

    size: int
    """How many questions the run has."""
    reached: list[int] = field(default_factory=list)
    answered: set[int] = field(default_factory=set)
    labels: dict[LabelKey, float] = field(default_factory=dict)
    """What came with the answers."""
    _columns: dict[_MetricName, _ScoreColumn] = field(default_factory=dict)
    _unanswered: Counter[str] = field(default_factory=Counter)

    def add(self, position: int, scored: ScoredAnswer) -> None:
        """Count one answer, or why there is none."""
        self.reached.append(position)
        if scored.answer is not None:
            self.answered.add(position)
        elif scored.error is not None:
            self._unanswered[scored.error] += 1
        self.labels.update(labels_of_answer(position, scored))
        for score in scored.readings:
            self._column(score).add(position, score, scored.answer)

    @property
    def questions(self) -> int:
        """Positions up to the last one that was reached."""
        return self.reached[-1] + 1 if self.reached else 0

    @property
    def metrics(self) -> tuple[RunMetric, ...]:
        """Every metric that has scores."""
        names = sorted(self._columns)
        return tuple(
            RunMetric(at, name[0], self._columns[name].encoder, name[1]) for at, name in enumerate(names, 1)
        )

    def values(self, metric: RunMetric) -> Numbers:
        """The numbers of a metric, by the position of the question; NaN where there is none."""
        column: Numbers = self._columns[metric.name, metric.fingerprint].values[: self.questions]
        return column

    def reasons(self) -> RunReasons:
        """How far the run has come, and why numbers and answers are missing."""
        gaps = {metric: self._columns[metric.name, metric.fingerprint].gaps for metric in self.metrics}
        unanswered = self.questions > len(self.answered)
        why = _most_frequent(self._unanswered) if unanswered else None
        return RunReasons(self.questions, len(self.answered), why, gaps)

    def table(
        self, run: Run, questions: Iterable[tuple[str, dict[str, str]]], said: Mapping[LabelKey, float]
    ) -> RunTable:
        """All numbers; `questions` gives the id and the slices of each question that was come to."""
        rows = [(name, slices) for name, slices in questions]
        metrics = self.metrics
        values = np.empty((len(rows), len(metrics)))
        for at, metric in enumerate(metrics):
            values[:, at] = self.values(metric)
        columns = [self._columns[metric.name, metric.fingerprint] for metric in metrics]
        return RunTable(
            run,
            tuple(name for name, _ in rows),
            tuple(slices for _, slices in rows),
            metrics,
            values,
            tuple(column.failed for column in columns),
            label_columns({**self.labels, **said}, len(rows)),
            len(rows) - len(self.answered),
            tuple(column.nothing for column in columns),
        )

    def _column(self, score: MetricScore) -> _ScoreColumn:
        column = self._columns.get((score.metric, score.fingerprint))
        if column is None:
            column = _ScoreColumn(score.encoder, np.full(self.size, np.nan))
            self._columns[score.metric, score.fingerprint] = column
        return column


def label_columns(said: Mapping[LabelKey, float], size: int) -> dict[str, Numbers]:
    """By the name of the label, what was said of each answer; the mean where several people spoke."""
    columns: dict[str, Numbers] = {}
    for (position, name), value in label_means(said):
        columns.setdefault(name, np.full(size, np.nan))[position] = value
    return dict(sorted(columns.items()))


def label_means(said: Mapping[LabelKey, float]) -> Iterator[tuple[tuple[int, str], float]]:
    """The mean of what was said of each answer under each name."""
    values_by_answer: dict[tuple[int, str], list[float]] = {}
    for (position, name, _), value in sorted(said.items()):
        values_by_answer.setdefault((position, name), []).append(value)
    yield from ((key, sum(values) / len(values)) for key, values in values_by_answer.items())


def _most_frequent(counted: Counter[str]) -> str | None:
    """Of several that are as frequent, the first by its letters."""
    return min(counted, key=lambda text: (-counted[text], text), default=None)
