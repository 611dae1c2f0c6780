"""The protocol of places: where runs are stored, read and found.

A database, a folder of JSON lines and Parquet files all satisfy it, and what is computed from runs needs
nothing else. A suite of tests and a large run of today are read through it as well.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from sensecheck.core.run import Item, PlacedItem, QuestionSet, Run, ScoredAnswer, Test
from sensecheck.runs.figures import RunFigures
from sensecheck.runs.record import AnsweredItem, Label, Numbers, RunMetric, RunOutline, RunReasons, RunTable
from sensecheck.runs.stored_values import LabelKey

Answered = Sequence[tuple[PlacedItem, ScoredAnswer]]
Wording = tuple[str, str | None, str | None]
"""The id of a question, its text, and its reference answer."""


class AnswerWriter(Protocol):
    """Writes the answers of one run, a batch at a time."""

    def add(self, answered: Answered) -> None:
        """Store these answers and scores; when it returns, they survive whatever happens to the process.

        A batch is stored completely or not at all, and once: `StorageError` where another process writes it.
        """
        ...


class RunPlace(Protocol):
    """Where runs are stored: history is appended, and never changed."""

    @property
    def address(self) -> str:
        """Where it is, as `--store` takes it, without a password."""
        ...

    def close(self) -> None:
        """Release connections, files and locks."""
        ...

    def session(self) -> AbstractContextManager[object]:
        """Closed at the end; what the place refuses meanwhile is `StorageError`."""
        ...

    def test(
        self, project: str, name: str, *, embedding: Mapping[str, Any], generation: Mapping[str, Any]
    ) -> Test:
        """The test of this name and configuration, made if there is none yet."""
        ...

    def keep_set(self, project: str, questions: Iterable[Item]) -> QuestionSet:
        """The set of these questions, stored if it is new."""
        ...

    def latest_set(self, project: str) -> QuestionSet:
        """The questions that a project was last given."""
        ...

    def require_project(self, project: str) -> None:
        """Raise `SpecError`, with the name that was probably meant, unless there is such a project."""
        ...

    def begin(
        self, test: Test, chosen: QuestionSet, *, name: str = "", encoder: str, conditions: Mapping[str, Any]
    ) -> Run:
        """A new run, of which no question has been answered."""
        ...

    def resumed(self, run: Run) -> None:
        """Record that a run continues."""
        ...

    def finish(self, run: Run) -> None:
        """Record that a run is complete; only once."""
        ...

    def writer(self, run: Run) -> AnswerWriter:
        """The one who writes the answers of a run."""
        ...

    def label(self, run: Run, given: Sequence[Label]) -> int:
        """Store those of these labels that are new, or none where one is wrong; how many were."""
        ...

    def relabel(self, run: Run, given: Label, *, withdraw: bool = False) -> bool:
        """Replace what this rater said of an answer, or withdraw it; whether anything changed.

        What was said before stays in the history. The label must name its rater.
        """
        ...

    def run(self, named: str, *, project: str | None = None) -> Run:
        """A run by its number, as `latest` or `previous`, by its name, or by its id or how that begins."""
        ...

    def run_by_key(self, key: int) -> Run:
        """A run as it is now, by its number."""
        ...

    def runs(self, *, project: str | None = None, test: str | None = None) -> list[Run]:
        """All runs, the oldest first."""
        ...

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[PlacedItem]:
        """The questions of a set from a position on, in their order."""
        ...

    def wordings(self, chosen: QuestionSet) -> Iterator[Wording]:
        """How the questions of a set are called and worded, in their order."""
        ...

    def table(self, run: Run) -> RunTable:
        """All numbers of a run, as far as it has come."""
        ...

    def chunks(self, run: Run, *, by: Sequence[str] = ()) -> Iterator[RunTable]:
        """All numbers of a run, some rows at a time; of a very large run with no slices but those of `by`."""
        ...

    def aggregates(self, run: Run) -> RunFigures | None:
        """What the files of a run counted when they were written; None where its rows must be read."""
        ...

    def means(self, run: Run) -> Mapping[str, float]:
        """The mean of each metric by the run's own encoder; of a finished run without reading its rows."""
        ...

    def columns(self, run: Run) -> Iterator[tuple[RunMetric, Numbers]]:
        """The known numbers of each metric in the order of the questions; one metric at a time."""
        ...

    def answers(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[AnsweredItem]:
        """The answers of a run with their scores, in their order; or those at some positions."""
        ...

    def reached(self, run: Run) -> list[int]:
        """The positions that have an answer or a reason why not, in order; there may be gaps."""
        ...

    def answered(self, run: Run) -> int:
        """How many questions have an answer."""
        ...

    def reasons(self, run: Run) -> RunReasons:
        """How far a run has come, and why numbers and answers are missing."""
        ...

    def outline(self, run: Run) -> RunOutline:
        """Which metrics, labels and slices a run has."""
        ...

    def later_labels(self, run: Run) -> Mapping[LabelKey, float] | None:
        """Labels that were given after the answers; None for a place that stores all labels alike."""
        ...

    def labels(self, run: Run) -> Iterator[Label]:
        """What people said of the answers of a run, each with who said it."""
        ...
