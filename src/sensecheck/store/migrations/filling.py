"""A column of a large table, filled in small transactions."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, text

from sensecheck.store.migrations.telling import Step, Tell

Key = tuple[object, ...]
_ABOUT = "SELECT greatest(reltuples, 0) FROM pg_class WHERE oid = CAST(:name AS regclass)"


@dataclass(frozen=True, slots=True)
class Filling:
    """What a column is filled with; the connection commits each statement by itself."""

    connection: Connection
    table: str
    column: str
    value: str
    """An expression of SQL."""
    by: tuple[str, ...]
    """The primary key."""
    at_once: int

    def fill(self, tell: Tell) -> None:
        """From the first row to the last, in the order of the primary key."""
        about = int(self.connection.execute(text(_ABOUT), {"name": f'"{self.table}"'}).scalar_one())
        last, done = None, 0
        while (end := self._end_after(last)) is not None:
            self._fill_between(last, end)
            last, done = end, done + self.at_once
            tell(Step(f"filling `{self.table}.{self.column}`", min(done, about), about or None))
        self._fill_between(last, None)

    def _end_after(self, last: Key | None) -> Key | None:
        """The key of the last row of the next batch; None when fewer rows than one are left."""
        after = "" if last is None else f" WHERE {row_of(self.by)} > {_marks('last', last)}"
        names = row_of(self.by)[1:-1]
        query = (
            f'SELECT {names} FROM "{self.table}"{after} ORDER BY {names} LIMIT 1 OFFSET {self.at_once - 1}'
        )
        found = self.connection.execute(text(query), _named("last", last)).one_or_none()
        return None if found is None else tuple(found)

    def _fill_between(self, last: Key | None, end: Key | None) -> None:
        after = "" if last is None else f" AND {row_of(self.by)} > {_marks('last', last)}"
        upto = "" if end is None else f" AND {row_of(self.by)} <= {_marks('end', end)}"
        missing = f'UPDATE "{self.table}" SET "{self.column}" = {self.value} WHERE "{self.column}" IS NULL'
        self.connection.execute(text(missing + after + upto), _named("last", last) | _named("end", end))


def row_of(columns: Sequence[str]) -> str:
    """The columns as a row, to be compared as one, or as those of an index."""
    quoted = ", ".join(f'"{column}"' for column in columns)
    return f"({quoted})"


def _marks(prefix: str, values: Key) -> str:
    return f"({', '.join(f':{prefix}{number}' for number in range(len(values)))})"


def _named(prefix: str, values: Key | None) -> dict[str, object]:
    return {f"{prefix}{number}": value for number, value in enumerate(values or ())}
