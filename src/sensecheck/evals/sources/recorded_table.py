"""Recorded answers by question, in a table on disk that is gone when it is closed: memory stays flat."""

import sqlite3
import weakref
from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

from sensecheck.core.errors import SpecError
from sensecheck.core.unicode import text_key
from sensecheck.evals.sources.recording import Recording, told_by
from sensecheck.evals.sources.source import Answer, NoAnswer, Question

Shape: TypeAlias = tuple[str | None, tuple[str, ...]]
"""Whose answer a row is, and which things it tells of its question: most rows of a file have the same."""
_CODING = ("utf-8", "surrogatepass")


class RecordedTable:
    """The rows of one recording, which may hold the answers of several sources."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._shapes: dict[Shape, int] = {}
        self._used = bytearray()
        """One byte a row: whether a question has asked for it."""
        self._rows = sqlite3.connect("", check_same_thread=False)  # a file without a name
        weakref.finalize(self, self._rows.close)
        self._rows.execute("PRAGMA journal_mode = OFF")  # nothing here is ever taken back
        self._rows.execute(
            "CREATE TABLE rows (number INTEGER PRIMARY KEY, shape INTEGER, told BLOB, line INTEGER, "
            "answer BLOB, latency REAL, cost REAL, because TEXT)"
        )
        self._rows.execute("CREATE UNIQUE INDEX by_question ON rows (shape, told)")

    @property
    def sources(self) -> set[str]:
        """Whose answers there are, as far as rows tell."""
        return {source for source, _ in self._shapes if source is not None}

    def add(self, recordings: Iterable[Recording]) -> None:
        """Take rows in; two that answer one question are an error."""
        for one in recordings:
            shape = self._shapes.setdefault((one.source, one.shape), len(self._shapes))
            row = (len(self._used), shape, _packed(one.values), one.line, *_cells(one.answer))
            try:
                self._rows.execute("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            except sqlite3.IntegrityError as twice:
                first = self._found(shape, one.values)[1]
                raise self._twice(first, one.line) from twice
            self._used.append(False)

    def keep_only(self, source: str) -> None:
        """From now on, answer with the rows of one source, and with those that tell none."""
        for shape, number in [*self._shapes.items()]:
            if shape[0] not in (None, source):
                self._rows.execute("DELETE FROM rows WHERE shape = ?", (number,))
                del self._shapes[shape]

    def find(self, question: Question) -> Answer | NoAnswer | None:
        """The answer to a question; None when there is none, an error when there are two."""
        found = [row for row in self._matching(question) if row is not None]
        if not found:
            return None
        if len(found) > 1:
            raise self._twice(*(row[1] for row in found))
        number, _, text, latency, cost, because = found[0]
        self._used[number] = True
        return NoAnswer(because) if text is None else Answer(text.decode(*_CODING), latency, cost)

    def unused(self) -> Iterator[int]:
        """The lines of rows that no question has asked for."""
        for number, line in self._rows.execute("SELECT number, line FROM rows ORDER BY number"):
            if not self._used[number]:
                yield line

    def _matching(self, question: Question) -> Iterator[Any]:
        for (_, shape), number in self._shapes.items():
            values = told_by(question, shape)
            if values is not None:
                yield self._found(number, values)

    def _found(self, shape: int, values: tuple[str, ...]) -> Any:
        query = "SELECT number, line, answer, latency, cost, because FROM rows WHERE shape = ? AND told = ?"
        return self._rows.execute(query, (shape, _packed(values))).fetchone()

    def _twice(self, *lines: int) -> SpecError:
        where = " and at ".join(map(str, lines))
        return SpecError(f"`{self._name}` answers one question twice: at {where}")


def _packed(values: tuple[str, ...]) -> bytes:
    """A digest, in which no two lists of texts run into each other."""
    return text_key("".join(f"{len(value)}:{value}" for value in values))


def _cells(answer: Answer | NoAnswer) -> tuple[bytes | None, float | None, float | None, str | None]:
    if isinstance(answer, NoAnswer):
        return None, None, None, answer.because
    return answer.text.encode(*_CODING), answer.latency_ms, answer.cost, None
