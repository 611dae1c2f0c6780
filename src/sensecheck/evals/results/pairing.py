"""By what a row of one run is known in another, and the rows that both have side by side."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.rows import name_in_sql

BEFORE, AFTER, PAIRED = "before", "after", "paired"
_POSITION = ("_input", "_row")


@dataclass(frozen=True, slots=True)
class Pairing:
    """The columns that tell rows apart, in each of both runs."""

    before: tuple[str, ...]
    after: tuple[str, ...]

    @property
    def told(self) -> str:
        """In words."""
        return "their place in the inputs" if self.after == _POSITION else f"`{self.after[0]}`"

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns of the key beside each other's numbers."""
        return tuple(f"key{at}" for at in range(len(self.after)))

    @property
    def name(self) -> str:
        """What a row is called, in SQL."""
        return " || ':' || ".join(self.keys)

    @classmethod
    def of(cls, before: FinishedRun, after: FinishedRun, key: str | None = None) -> "Pairing":
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
        f"FROM {name_in_sql(table)} WHERE {_known(columns)} GROUP BY {', '.join(keys)})"
    ).fetchone()
    kinds, twice, rows = row or (0, 0, 0)
    if twice:
        raise SpecError(
            f"`{columns[0]}` does not tell the rows of `{address}` apart: {twice:,} of its {kinds:,} values "
            "stand in more than one row; name another column with `--key`"
        )
    return int(rows or 0)


def put_side_by_side(
    connection: DuckDBPyConnection, pairing: Pairing, numbers: Sequence[str], slices: Sequence[str]
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


def _side(table: str, columns: Sequence[str], named: Iterable[tuple[str, str]]) -> str:
    keys = (f"{key} AS key{at}" for at, key in enumerate(_keys(columns)))
    told = ", ".join((*keys, *(f"{what} AS {name}" for name, what in named)))
    return f"SELECT {told} FROM {name_in_sql(table)} WHERE {_known(columns)}"


def _keys(columns: Sequence[str]) -> list[str]:
    """Places are numbers; an id may be one in one run and a text in another."""
    return [name_in_sql(one) if one in _POSITION else f"{name_in_sql(one)}::VARCHAR" for one in columns]


def _known(columns: Sequence[str]) -> str:
    return " AND ".join(f"{name_in_sql(one)} IS NOT NULL" for one in columns)
