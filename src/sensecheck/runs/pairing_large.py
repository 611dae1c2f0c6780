"""Which row of one large run is which of another, and what both of them read."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from duckdb import DuckDBPyConnection

from sensecheck.core.errors import SpecError
from sensecheck.measures.metrics import KNOWN
from sensecheck.runs.parquet import FinishedRun, name_in_sql

BEFORE, AFTER, PAIRED = "before", "after", "paired"
_ALL_NUMBERS = ("encoder", "verifier", "judge", "precision")


_READERS = {
    "lexical": (),
    "facts": (),
    "semantic": ("encoder", "precision"),
    "combined": ("encoder", "precision"),
    "context": _ALL_NUMBERS,
    "judged": ("judge",),
}


"""Who decides about the numbers of each kind of metric; about those of somebody's own, any."""


@dataclass(frozen=True, slots=True)
class CommonNumbers:
    """Metrics and checks of both runs, and those that only one has, or that others read."""

    names: tuple[str, ...]
    expressions: tuple[str, ...]
    """The number of each in SQL; of a check, whether it passed."""
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]

    @classmethod
    def of(cls, before: FinishedRun, after: FinishedRun) -> "CommonNumbers":
        """What is alike enough to be compared."""
        changed = {who for who in _ALL_NUMBERS if before.plan.readers.get(who) != after.plan.readers.get(who)}
        old, new = _numbers(before), _numbers(after)
        both = [name for name in new if name in old and not changed & set(_readers(name))]
        if not both:
            raise SpecError(
                f"`{before.address}` and `{after.address}` have no metric and no check in common, by the "
                f"same readers: found {_number_list(old)} and {_number_list(new)}"
            )
        lone = [tuple(name for name in held if name not in both) for held in (old, new)]
        return cls(tuple(both), tuple(new[name] for name in both), *lone)


def _numbers(run: FinishedRun) -> dict[str, str]:
    metrics = {name: name_in_sql(name) for name in run.metrics}
    return metrics | {name: _passed(name) for name in run.checks}


def _passed(check: str) -> str:
    return f"CASE {name_in_sql(check)} WHEN 'pass' THEN 1.0::DOUBLE WHEN 'fail' THEN 0.0::DOUBLE END"


def _readers(name: str) -> tuple[str, ...]:
    return _READERS.get(KNOWN[name].kind, _ALL_NUMBERS) if name in KNOWN else _ALL_NUMBERS


def _number_list(names: dict[str, str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "none"


_POSITION = ("_input", "_row")


@dataclass(frozen=True, slots=True)
class RowPairing:
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


def _side(table: str, columns: Sequence[str], named: Iterable[tuple[str, str]]) -> str:
    keys = (f"{key} AS key{at}" for at, key in enumerate(_keys(columns)))
    told = ", ".join((*keys, *(f"{what} AS {name}" for name, what in named)))
    return f"SELECT {told} FROM {name_in_sql(table)} WHERE {_known(columns)}"


def _keys(columns: Sequence[str]) -> list[str]:
    """Places are numbers; an id may be one in one run and a text in another."""
    return [name_in_sql(one) if one in _POSITION else f"{name_in_sql(one)}::VARCHAR" for one in columns]


def _known(columns: Sequence[str]) -> str:
    return " AND ".join(f"{name_in_sql(one)} IS NOT NULL" for one in columns)
