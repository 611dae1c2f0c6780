"""Which row of one large run is which of another, and which columns both of them have."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.parquet import FinishedRun, name_in_sql, passed_in_sql, text_in_sql
from sensecheck.runs.shift import MOST_NAMED, PairColumn

BEFORE, AFTER, PAIRED = "before", "after", "paired"
PARTITION_ROWS = 4_000_000
"""Rows of the larger run that are joined at a time."""
_POSITION = ("_input", "_row")
_WHOLE = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER")
_ALL_READERS = ("encoder", "verifier", "judge", "precision")
_READERS_OF_KIND = {
    "lexical": (),
    "facts": (),
    "semantic": ("encoder", "precision"),
    "combined": ("encoder", "precision"),
    "context": _ALL_READERS,
    "judged": ("judge",),
}
"""Who decides about the numbers of each kind of metric; about those of a user's own, any."""


@dataclass(frozen=True, slots=True)
class CommonNumbers:
    """Metrics and checks of both runs, and those that only one has, or that others read."""

    columns: tuple[PairColumn, ...]
    expressions: tuple[str, ...]
    """The number of each in SQL; of a check, whether it passed."""
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @classmethod
    def of(cls, before: FinishedRun, after: FinishedRun) -> "CommonNumbers":
        """What is alike enough to be compared."""
        changed = {who for who in _ALL_READERS if before.plan.readers.get(who) != after.plan.readers.get(who)}
        old, new = _expressions(before), _expressions(after)
        readers = {
            name: _READERS_OF_KIND.get(KNOWN[name].kind, _ALL_READERS) if name in KNOWN else _ALL_READERS
            for name in new
        }
        both = [name for name in new if name in old and not changed & set(readers[name])]
        if not both:
            raise SpecError(
                f"`{before.address}` and `{after.address}` have no metric and no check in common, by the "
                f"same readers: {_listed(old)} and {_listed(new)}"
            )
        lone = [tuple(name for name in names if name not in both) for names in (old, new)]
        return cls(tuple(PairColumn(name) for name in both), tuple(new[name] for name in both), *lone)


@dataclass(frozen=True, slots=True)
class RowPairing:
    """The columns that identify rows, in each of both runs."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def description(self) -> str:
        """What rows are known by, in words."""
        return "their place in the inputs" if self.after == _POSITION else f"`{self.after[0]}`"

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns of the key in the table of pairs."""
        return tuple(f"key{at}" for at in range(len(self.after)))

    @property
    def name(self) -> str:
        """What a row is called, in SQL."""
        return " || ':' || ".join(self.keys)

    @classmethod
    def of(cls, before: FinishedRun, after: FinishedRun, key: str | None = None) -> "RowPairing":
        """By a column that is named; else by the id that both carry, or their place in the same inputs."""
        if key is not None:
            return cls((before.require_column(key),), (after.require_column(key),))
        old, new = before.column("id"), after.column("id")
        if old is not None and new is not None:
            return cls((old,), (new,))
        if before.plan.inputs == after.plan.inputs:
            return cls(_POSITION, _POSITION)
        raise SpecError(
            f"nothing tells which row of `{before.address}` is which of `{after.address}`: their inputs "
            "differ, and not both carry an `id`; name a column of both with `--key`"
        )


class PairedRows(NamedTuple):
    """How many rows two runs have, and have in common, of those that have a key."""

    n: int
    before: int
    after: int
    only_before: tuple[str, ...]
    """The first of them."""
    only_after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RowPairs:
    """Makes the table `paired` of all rows that two runs have, some partitions of their keys at a time.

    `numbers` are expressions over the columns of either run; they become `before0`, `after0`, and so on.
    Slices are those of the later run, `slice0` and so on. Rows are parted by the hash of their keys, and the
    partitions of both runs joined one by one: none needs more memory than its share.
    """

    connection: DuckDBPyConnection
    pairing: RowPairing
    numbers: Sequence[str]
    slices: Sequence[str]

    def pair(self, addresses: tuple[str, str], rows: int, spill: Path) -> PairedRows:
        """All rows that both have; raises `SpecError` where a key stands in two rows of one run."""
        count = max(1, -(-rows // PARTITION_ROWS))
        with TemporaryDirectory(prefix="pairs-", dir=spill) as folder:
            sides = [
                self._parted(self._side(table), Path(folder) / table, count) for table in (BEFORE, AFTER)
            ]
            parts = [
                self._join(at, old, new, addresses) for at, (old, new) in enumerate(zip(*sides, strict=True))
            ]
        if count == 1:
            return parts[0]
        return PairedRows(
            sum(part.n for part in parts),
            sum(part.before for part in parts),
            sum(part.after for part in parts),
            tuple(sorted(name for part in parts for name in part.only_before)[:MOST_NAMED]),
            tuple(sorted(name for part in parts for name in part.only_after)[:MOST_NAMED]),
        )

    def _parted(self, side: str, folder: Path, count: int) -> list[str]:
        """A query for each partition of a side; where there are several, they are files."""
        if count == 1:
            return [f"({side})"]
        key = f"hash({', '.join(self.pairing.keys)}) % {count}"
        self.connection.execute(
            f"COPY (SELECT *, {key} AS part FROM ({side})) TO {text_in_sql(str(folder))} "
            "(FORMAT parquet, PARTITION_BY (part), COMPRESSION lz4_raw)"
        )
        parts = (folder / f"part={at}" for at in range(count))
        return [
            f"(FROM read_parquet({text_in_sql(f'{part}/*.parquet')}, hive_partitioning = false))"
            if part.is_dir()
            else f"(SELECT * FROM ({side}) LIMIT 0)"
            for part in parts
        ]

    def _join(self, at: int, old: str, new: str, addresses: tuple[str, str]) -> PairedRows:
        """Join one partition of both; how many rows it has, and the first names of either alone."""
        keys, execute = ", ".join(self.pairing.keys), self.connection.execute
        before = self._unique(old, self.pairing.before, addresses[0])
        after = self._unique(new, self.pairing.after, addresses[1])
        begin = f"INSERT INTO {PAIRED}" if at else f"CREATE TABLE {PAIRED} AS"
        row = execute(f"{begin} SELECT * FROM {old} JOIN {new} USING ({keys})").fetchone()
        joined = int(row[0]) if row else 0
        only_before, only_after = (
            self._names_of(side, other) if count > joined else ()
            for side, other, count in ((old, new, before), (new, old, after))
        )
        return PairedRows(joined, before, after, only_before, only_after)

    def _names_of(self, side: str, other: str) -> tuple[str, ...]:
        """The first rows of a side that the other has not."""
        keys = ", ".join(self.pairing.keys)
        rows = self.connection.execute(
            f"SELECT {self.pairing.name} FROM {side} ANTI JOIN {other} USING ({keys}) ORDER BY {keys} "
            f"LIMIT {MOST_NAMED}"
        )
        return tuple(str(name) for (name,) in rows.fetchall())

    def _unique(self, side: str, columns: Sequence[str], address: str) -> int:
        """How many rows there are; raise where two have the same key."""
        row = self.connection.execute(
            f"SELECT count(*), count(*) FILTER (times > 1), sum(times) FROM "
            f"(SELECT count(*) AS times FROM {side} GROUP BY {', '.join(self.pairing.keys)})"
        ).fetchone()
        kinds, twice, rows = row or (0, 0, 0)
        if twice:
            raise SpecError(
                f"`{columns[0]}` does not tell the rows of `{address}` apart: {twice:,} of its {kinds:,} "
                "values stand in more than one row; name another column with `--key`"
            )
        return int(rows or 0)

    def _side(self, table: str) -> str:
        columns = self.pairing.before if table == BEFORE else self.pairing.after
        kinds = enumerate(self.slices if table == AFTER else ())
        selected = (
            *(f"{what} AS key{at}" for at, what in enumerate(self._keys(columns))),
            *(f"{what} AS {table}{at}" for at, what in enumerate(self.numbers)),
            *(f"{name_in_sql(column)}::VARCHAR AS slice{at}" for at, column in kinds),
        )
        has_key = " AND ".join(f"{name_in_sql(column)} IS NOT NULL" for column in columns)
        return f"SELECT {', '.join(selected)} FROM {name_in_sql(table)} WHERE {has_key}"

    def _keys(self, columns: Sequence[str]) -> list[str]:
        """Places are numbers, and so are ids that are in both runs; else they are texts."""
        whole = all(
            self._is_whole(table, column)
            for table, key_columns in ((BEFORE, self.pairing.before), (AFTER, self.pairing.after))
            for column in key_columns
        )
        return [f"{name_in_sql(column)}{'::BIGINT' if whole else '::VARCHAR'}" for column in columns]

    def _is_whole(self, table: str, column: str) -> bool:
        types = self.connection.execute(f"DESCRIBE {name_in_sql(table)}").fetchall()
        return any(name == column and kind in _WHOLE for name, kind, *_ in types)


def _expressions(run: FinishedRun) -> dict[str, str]:
    """How each number of a run is written in SQL: a metric by its column, a check by whether it passed."""
    metrics = {name: name_in_sql(name) for name in run.metrics}
    return metrics | {name: passed_in_sql(name) for name in run.checks}


def _listed(names: dict[str, str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"
