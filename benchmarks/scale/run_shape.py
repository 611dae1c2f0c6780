"""How many files, groups and requests a run of so many rows has, by the rules of the code as it is."""

import tracemalloc
from array import array
from dataclasses import dataclass
from functools import cache
from math import ceil

from sensecheck.execution.plan import RunPlan
from sensecheck.execution.planning import LARGEST_PIECE, MAX_PIECES, SHARD_FILL, SMALLEST_PIECE, suited_rows
from sensecheck.execution.routing import ROWS_A_BUCKET, SORTED_BYTES, SORTED_ROWS, Shards
from sensecheck.execution.tasks import Groups, Routed
from sensecheck.tables.order import TableOrder

READ_BYTES = 64 * 2**20
"""Of an input that is read from a store at once."""
READS = 3
"""To look into a routed file: its end, its list of groups, and the groups."""


@dataclass(frozen=True, slots=True)
class RunShape:
    """A run, before it begins."""

    rows: int
    bytes_a_row: float
    """Of the input, as it lies on disk."""
    memory_a_row: float
    """Bytes of a row in memory, while it is routed."""

    @property
    def shard_rows(self) -> int:
        """Rows of a shard, on average."""
        return ceil(SHARD_FILL * suited_rows(self.rows))

    @property
    def shards(self) -> int:
        """Files of results, where no reference is much more frequent than the others."""
        return ceil(self.rows / self.shard_rows)

    @property
    def pieces(self) -> int:
        """Files of routed rows."""
        size = self.rows * self.bytes_a_row
        return ceil(size / min(max(size / MAX_PIECES, SMALLEST_PIECE), LARGEST_PIECE))

    @property
    def groups(self) -> int:
        """Stretches of routed rows of one bucket: one for each bucket in whatever is sorted at once."""
        wanted = max(SORTED_ROWS, ROWS_A_BUCKET * self.shards)
        at_once = min(wanted, SORTED_BYTES / self.memory_a_row, self.rows / self.pieces)
        return ceil(self.rows / at_once) * self.shards

    @property
    def puts(self) -> int:
        """Requests that write: each file in one, and the plan and the manifest."""
        return self.pieces + self.shards + 2

    @property
    def gets(self) -> int:
        """Requests that read: the inputs, and each shard in each routed file."""
        return ceil(self.rows * self.bytes_a_row / READ_BYTES) + self.pieces * self.shards * READS

    @property
    def driver_bytes(self) -> int:
        """What the driver holds to pack shards."""
        return self.groups * bytes_of_a_group()


@cache
def bytes_of_a_group() -> int:
    """What a group takes in the memory of the driver at most, which is while it packs shards."""
    buckets, pieces, times = 200, 20, 6
    plan = RunPlan(TableOrder(()), {}, (), (), buckets, 10**9)
    tracemalloc.start()
    held = [_routed(piece, buckets, times) for piece in range(pieces)]
    shards = Shards(plan, held)
    _, taken = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return round(taken / sum(len(part.row_groups) for shard in shards for part in shard.parts))


def _routed(piece: int, buckets: int, times: int) -> Routed:
    """A piece that was sorted in so many rounds."""
    numbers = range(buckets * times)
    groups = Groups(array("i", (number % buckets for number in numbers)), array("i", numbers))
    return Routed(piece, f"routed/{piece}", groups, 1)
