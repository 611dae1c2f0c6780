"""Shards: the routed groups of each bucket, packed into as many as their rows ask for."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import NamedTuple, overload

import numpy as np
import numpy.typing as npt

from sensecheck.evals.shards.plan import RunPlan
from sensecheck.evals.shards.tasks import Part, Routed, Shard

Numbers = npt.NDArray[np.int32]


class _File(NamedTuple):
    """A routed file."""

    piece: int
    name: str


class _Packed(NamedTuple):
    """What is in a shard: a stretch of all groups."""

    bucket: int
    number: int
    """Among the shards of its bucket."""
    start: int
    stop: int
    rows: int


class Shards(Sequence[Shard]):
    """All shards, bucket after bucket; the same for the same files, in whichever order they come.

    Each is made when it is asked for. Of a group, only where it lies is held, in two numbers.
    """

    def __init__(self, plan: RunPlan, routed: Iterable[Routed]) -> None:
        """Pack all that lies ready."""
        files = sorted(routed, key=lambda one: one.piece)
        counts = [len(one.groups.rows) for one in files]
        buckets, rows = (_joined(one.groups[at] for one in files) for at in (0, 1))
        order = np.argsort(buckets, kind="stable")
        self._plan = plan
        self._files = [_File(one.piece, one.name) for one in files]
        self._file = np.repeat(np.arange(len(files), dtype=np.int32), counts)[order]
        self._row_group = _joined(np.arange(count) for count in counts)[order]
        self._packed = list(_packed(buckets[order], rows[order], plan.shard_rows))
        self.rows = sum(one.rows for one in files)

    def __len__(self) -> int:
        """How many there are."""
        return len(self._packed)

    @overload
    def __getitem__(self, number: int) -> Shard: ...

    @overload
    def __getitem__(self, number: slice) -> list[Shard]: ...

    def __getitem__(self, number: int | slice) -> Shard | list[Shard]:
        """One of them, or several."""
        if isinstance(number, slice):
            return [self._made(one) for one in self._packed[number]]
        return self._made(self._packed[number])

    def _made(self, one: _Packed) -> Shard:
        files = self._file[one.start : one.stop].tolist()
        groups = self._row_group[one.start : one.stop].tolist()
        by_file = groupby(zip(files, groups, strict=True), itemgetter(0))
        held = [(self._files[file], tuple(group for _, group in own)) for file, own in by_file]
        name = self._plan.shard_id(one.bucket, one.number, [(file.piece, *own) for file, own in held])
        return Shard(name, one.bucket, tuple(Part(file.name, own) for file, own in held), one.rows)


def _joined(held: Iterable[npt.ArrayLike]) -> Numbers:
    return np.concatenate([np.empty(0, np.int32), *(np.asarray(one, np.int32) for one in held)])


def _packed(buckets: Numbers, rows: Numbers, most: int) -> Iterator[_Packed]:
    """Neighbours together, as many as fit; a bucket with a much used reference makes several shards."""
    ends = [*(np.flatnonzero(np.diff(buckets)) + 1).tolist(), len(buckets)] if len(buckets) else []
    for first, last in pairwise([0, *ends]):
        stretches = _fitting(rows[first:last].tolist(), most)
        for number, (start, stop, count) in enumerate(stretches):
            yield _Packed(int(buckets[first]), number, first + start, first + stop, count)


def _fitting(rows: Sequence[int], most: int) -> Iterator[tuple[int, int, int]]:
    """From where to where as many as fit, and how many rows they come to."""
    start = total = 0
    for at, count in enumerate(rows):
        if at > start and total + count > most:
            yield start, at, total
            start, total = at, 0
        total += count
    yield start, len(rows), total
