"""Which row of one large run is which of another, and which columns both of them have."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.parquet import FinishedRun, name_in_sql
from sensecheck.runs.shift import MOST_NAMED, PairColumn

BEFORE, AFTER, PAIRED = "before", "after", "paired"
_POSITION = ("_input", "_row")
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
        both = [name for name in new if name in old and not changed & set(_readers_of(name))]
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
            return cls((before.must_carry(key),), (after.must_carry(key),))
        old, new = before.column("id"), after.column("id")
        if old is not None and new is not None:
            return cls((old,), (new,))
        if before.plan.inputs == after.plan.inputs:
            return cls(_POSITION, _POSITION)
        raise SpecError(
            f"nothing tells which row of `{before.address}` is which of `{after.address}`: their inputs "
            "differ, and not both carry an `id`; name a column of both with `--key`"
        )


def must_be_unique(connection: DuckDBPyConnection, table: str, columns: Sequence[str], address: str) -> int:
    """How many rows have a key; raise where two have the same."""
    keys = _keys(columns)
    row = connection.execute(
        f"SELECT count(*), count(*) FILTER (times > 1), sum(times) FROM (SELECT count(*) AS times "
        f"FROM {name_in_sql(table)} WHERE {_has_key(columns)} GROUP BY {', '.join(keys)})"
    ).fetchone()
    kinds, twice, rows = row or (0, 0, 0)
    if twice:
        raise SpecError(
            f"`{columns[0]}` does not tell the rows of `{address}` apart: {twice:,} of its {kinds:,} values "
            "stand in more than one row; name another column with `--key`"
        )
    return int(rows or 0)


def put_side_by_side(
    connection: DuckDBPyConnection, pairing: RowPairing, numbers: Sequence[str], slices: Sequence[str]
) -> int:
    """Make the table `paired` of all rows that both runs have; how many there are.

    `numbers` are expressions over the columns of either run; they become `before0`, `after0`, and so on.
    Kinds of rows are those of the later run, `slice0` and so on. What does not fit into memory is on disk.
    """
    sides = (
        _side(BEFORE, pairing.before, ((f"{BEFORE}{at}", one) for at, one in enumerate(numbers))),
        _side(
            AFTER,
            pairing.after,
            (
                *((f"{AFTER}{at}", one) for at, one in enumerate(numbers)),
                *((f"slice{at}", f"{name_in_sql(one)}::VARCHAR") for at, one in enumerate(slices)),
            ),
        ),
    )
    using = ", ".join(pairing.keys)
    connection.execute(f"CREATE TEMP TABLE {PAIRED} AS FROM ({sides[0]}) JOIN ({sides[1]}) USING ({using})")
    row = connection.execute(f"SELECT count(*) FROM {PAIRED}").fetchone()
    return int(row[0]) if row else 0


def names_of_one(
    connection: DuckDBPyConnection, pairing: RowPairing, table: str, columns: Sequence[str]
) -> tuple[str, ...]:
    """The first rows of a run that the other has not."""
    keys = ", ".join(pairing.keys)
    found = connection.execute(
        f"SELECT {pairing.name} FROM ({_side(table, columns, ())}) ANTI JOIN {PAIRED} USING ({keys}) "
        f"ORDER BY {keys} LIMIT {MOST_NAMED}"
    )
    return tuple(str(name) for (name,) in found.fetchall())


def _expressions(run: FinishedRun) -> dict[str, str]:
    """How each number of a run is written in SQL: a metric by its column, a check by whether it passed."""
    metrics = {name: name_in_sql(name) for name in run.metrics}
    return metrics | {name: _passed(name) for name in run.checks}


def _passed(check: str) -> str:
    return f"CASE {name_in_sql(check)} WHEN 'pass' THEN 1.0::DOUBLE WHEN 'fail' THEN 0.0::DOUBLE END"


def _readers_of(name: str) -> tuple[str, ...]:
    return _READERS_OF_KIND.get(KNOWN[name].kind, _ALL_READERS) if name in KNOWN else _ALL_READERS


def _listed(names: dict[str, str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


def _side(table: str, columns: Sequence[str], named: Iterable[tuple[str, str]]) -> str:
    keys = (f"{key} AS key{at}" for at, key in enumerate(_keys(columns)))
    columns_in_sql = ", ".join((*keys, *(f"{what} AS {name}" for name, what in named)))
    return f"SELECT {columns_in_sql} FROM {name_in_sql(table)} WHERE {_has_key(columns)}"


def _keys(columns: Sequence[str]) -> list[str]:
    """Places are numbers; an id may be one in one run and a text in another."""
    return [name_in_sql(one) if one in _POSITION else f"{name_in_sql(one)}::VARCHAR" for one in columns]


def _has_key(columns: Sequence[str]) -> str:
    return " AND ".join(f"{name_in_sql(one)} IS NOT NULL" for one in columns)
