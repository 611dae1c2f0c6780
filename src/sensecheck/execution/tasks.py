"""Tasks of a large run and what comes of them, the names of result files, and what is done after a failure.

A task that failed gets another try, then its rows are halved, until the one row to blame is found.
"""

import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sensecheck.core.errors import StorageError
from sensecheck.execution.executor import How, Task, TaskFailed
from sensecheck.execution.location import own_name

MAX_TRIES = 2
MAX_LOSSES = 5
"""Machines that may go away under a task before it is suspected itself."""
RESULTS_FOLDER = "results"
_RESULT_NAME = re.compile(rf"{RESULTS_FOLDER}/([0-9a-f]+)(?:\.(\d+)-(\d+))?\.parquet")


class Groups(NamedTuple):
    """The row groups of a routed file, each of one bucket: bare numbers, since a large run has millions."""

    buckets: "array[int]"
    rows: "array[int]"
    """How many each of them holds."""


class RoutedPart(NamedTuple):
    """Row groups of a routed file."""

    routed: str
    row_groups: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Shard:
    """Rows that are assessed together: all, or a part, of those whose references fall into one bucket."""

    id: str
    bucket: int
    parts: tuple[RoutedPart, ...]
    rows: int


@dataclass(frozen=True, slots=True)
class RoutePiece:
    """Read a piece of the input, and write its rows bucket by bucket."""

    piece: int


@dataclass(frozen=True, slots=True)
class AssessShard:
    """Read all that the order asks for off the rows of a shard."""

    shard: Shard
    rows: tuple[int, int] | None = None
    """Only these, counted in the shard's own order, after the whole of it failed."""
    fault: str | None = None
    """Why they are not read at all: each of them is an error with this reason."""


@dataclass(frozen=True, slots=True)
class Routed:
    """A piece that lies ready."""

    piece: int
    name: str
    groups: Groups
    rows: int


@dataclass(frozen=True, slots=True)
class Unread:
    """A piece that cannot be read."""

    piece: int
    because: str


@dataclass(frozen=True, slots=True)
class Assessed:
    """A shard's results, or those of some of its rows, that are written."""

    shard: str
    name: str
    """The file of the results."""
    rows: int
    errors: int
    """Rows whose status is `error`."""
    size: int
    """Bytes."""
    aggregates: Mapping[str, Any]
    """As `Aggregates.to_data` gives them."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do, and how often it has failed."""

    body: RoutePiece | AssessShard
    failures: int = 0
    losses: int = 0

    @property
    def key(self) -> str:
        """Its name among all jobs of a run."""
        if isinstance(self.body, RoutePiece):
            return f"piece {self.body.piece}"
        return result_name(self.body.shard.id, self.body.rows)

    @property
    def is_given_up(self) -> bool:
        """Whether its rows are not even read any more."""
        return isinstance(self.body, AssessShard) and self.body.fault is not None

    @property
    def task(self) -> Task:
        """As a pool takes it."""
        return Task(self.key, self.body)

    def again(self, how: How) -> "Job | None":
        """The same once more; None when it has had its tries."""
        if how == "lost" and self.losses + 1 < MAX_LOSSES:
            return replace(self, losses=self.losses + 1)
        tried = replace(self, failures=self.failures + 1, losses=0)
        return tried if tried.failures < _most_tries(self.body) else None


def after(job: Job, failed: TaskFailed) -> tuple[Job, ...] | Unread:
    """What is done instead; of a piece of the input that had its tries, that it cannot be read."""
    again = job.again(failed.how)
    if again is not None:
        return (again,)
    if isinstance(job.body, RoutePiece):
        return Unread(job.body.piece, f"it could not be routed: {failed.because}")
    return tuple(Job(part) for part in _parted(job.body, failed.because))


def result_name(shard: str, rows: tuple[int, int] | None = None) -> str:
    """The file for the results of a shard, or of these rows of it."""
    row_range = "" if rows is None else f".{rows[0]}-{rows[1]}"
    return f"{RESULTS_FOLDER}/{shard}{row_range}.parquet"


class ResultName(NamedTuple):
    """What a file of results is about."""

    shard: str
    rows: tuple[int, int] | None
    """None for all of them."""


def parsed_result_name(name: str) -> ResultName | None:
    """What the file of this name is about; None for a file that is not ours."""
    match = _RESULT_NAME.fullmatch(own_name(name))
    if match is None:
        return None
    shard, start, stop = match.groups()
    return ResultName(shard, None if start is None else (int(start), int(stop)))


def _parted(task: AssessShard, because: str) -> tuple[AssessShard, ...]:
    """The same rows in two halves; a single row is not read any more, and becomes an error."""
    start, stop = (0, task.shard.rows) if task.rows is None else task.rows
    if task.fault is not None:
        raise StorageError(
            f"row {start:,} of the shard `{task.shard.id}` cannot even be stored as an error: {because}; "
            "what is done is stored, and the same command continues"
        )
    if stop - start == 1:
        return (replace(task, rows=(start, stop), fault=f"it could not be read: {because}"),)
    middle = (start + stop) // 2
    return replace(task, rows=(start, middle)), replace(task, rows=(middle, stop))


def _most_tries(body: RoutePiece | AssessShard) -> int:
    """A half of what failed twice is parted at its first failure; only of a single row this would be rash."""
    if isinstance(body, RoutePiece) or body.rows is None:
        return MAX_TRIES
    start, stop = body.rows
    return MAX_TRIES if stop - start == 1 else 1
