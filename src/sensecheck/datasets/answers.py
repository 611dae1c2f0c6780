"""Recorded answers by id and by question, in a table on disk that is gone when it is closed."""

import json
import sqlite3
import weakref

from sensecheck.core.errors import SampleError
from sensecheck.core.run import Item, RecordedAnswer, storable
from sensecheck.core.unicode import text_key
from sensecheck.datasets.questions import QuestionRow, QuestionRows

ANSWER_PARTS = ("id", "question", "answer", "passages", "latency_ms", "cost")
_SEVERAL = -1
_ANSWERS = "CREATE TABLE answers (row INTEGER PRIMARY KEY, place TEXT, question BLOB, given TEXT)"


class AnswerTable:
    """The answers of one file; memory stays flat however many there are."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._used = bytearray()
        """One byte per row: whether a question has asked for it."""
        self._rows = sqlite3.connect("")  # a file without a name
        weakref.finalize(self, self._rows.close)
        self._rows.execute("PRAGMA journal_mode = OFF")  # nothing here is ever taken back
        self._rows.execute(_ANSWERS)
        self._rows.execute("CREATE TABLE keys (key BLOB PRIMARY KEY, row INTEGER) WITHOUT ROWID")

    @classmethod
    def of(cls, rows: QuestionRows) -> "AnswerTable":
        """All answers of a file, which is read at once."""
        table = cls(rows.path.name)
        for row in rows:
            table.add(row)
        if not table._used:
            raise SampleError(f"`{table._name}` holds no answers")
        return table

    @property
    def unused(self) -> int:
        """How many answers no question has asked for."""
        return self._used.count(0)

    def add(self, row: QuestionRow) -> None:
        """Take a row in; two answers to one question are an error."""
        if row.given is None:
            raise SampleError(f"{row.where} has no `answer`")
        if not row.item.id and row.item.question is None:
            raise SampleError(f"{row.where} does not tell what it answers; wanted an `id` or a `question`")
        number, question = len(self._used), _key("question", row.item.question)
        self._used.append(0)
        given, passages = row.given, row.item.passages if row.tells_passages else None
        packed = json.dumps([given.answer, given.latency_ms, given.cost, dict(given.labels), passages])
        self._rows.execute("INSERT INTO answers VALUES (?, ?, ?, ?)", (number, row.where, question, packed))
        if row.item.id:
            key = _key("id", row.item.id)
            if (first := self._row_number(key)) is not None:
                raise self._duplicate_error(first, row)
            self._rows.execute("INSERT INTO keys VALUES (?, ?)", (key, number))
        if question is not None:
            self._name_by_question(question, number, row)

    def find(self, pair: Item) -> RecordedAnswer | None:
        """The answer to a question; None where there is none."""
        number = self._row_of(pair)
        if number is None:
            return None
        if number == _SEVERAL:
            raise SampleError(
                f"`{self._name}` has several answers to the question `{pair.name}`; give both files an `id`"
            )
        place, question, packed = self._rows.execute(
            "SELECT place, question, given FROM answers WHERE row = ?", (number,)
        ).fetchone()
        if None not in (question, pair.question) and question != _key("question", pair.question):
            raise SampleError(
                f"{place} has the id `{pair.name}` and another question than the one of that id; "
                "wanted the same question, or none"
            )
        self._used[number] = 1
        answer, latency_ms, cost, labels, passages = json.loads(packed)
        passages = None if passages is None else tuple(passages)
        return RecordedAnswer(answer, None, passages, latency_ms, cost, labels)

    def _row_of(self, pair: Item) -> int | None:
        """By its id; else by its question, but where it has an id, never a row that has another one."""
        number = self._row_number(_key("id", pair.name))
        if number is not None:
            return number
        return self._row_number(_key("nameless" if pair.id else "question", pair.question))

    def _name_by_question(self, key: bytes, number: int, row: QuestionRow) -> None:
        """Rows with ids of their own may share their question: then it alone names none of them."""
        first = self._row_number(key)
        if first is not None and not row.item.id:
            raise self._duplicate_error(first, row)
        self._rows.execute(
            "INSERT INTO keys VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET row = ?", (key, number, _SEVERAL)
        )
        if not row.item.id:
            nameless = _key("nameless", row.item.question)
            self._rows.execute("INSERT INTO keys VALUES (?, ?)", (nameless, number))

    def _row_number(self, key: bytes | None) -> int | None:
        match = self._rows.execute("SELECT row FROM keys WHERE key = ?", (key,)).fetchone()
        return None if match is None else int(match[0])

    def _duplicate_error(self, first: int, row: QuestionRow) -> SampleError:
        match = self._rows.execute("SELECT place FROM answers WHERE row = ?", (first,)).fetchone()
        place = match[0] if match else "several rows before it"
        return SampleError(f"{row.where} answers the same question as {place}; leave one of them out")


def _key(kind: str, text: str | None) -> bytes | None:
    """What a row is found by; None for what it does not have."""
    return None if text is None else text_key(f"{kind}:{storable(text)}")
