"""Recorded answers: those that stand beside the questions, and those of a file of their own."""

from collections.abc import Iterator, Sequence
from itertools import islice

from sensecheck.core.errors import SampleError
from sensecheck.core.run import Pair, Placed, storable
from sensecheck.evals.qa.answer_table import AnswerTable
from sensecheck.evals.qa.files.question_rows import QuestionRow, QuestionRows
from sensecheck.evals.qa.given import Given

NO_ANSWER = "no recorded answer"


class BesideQuestions:
    """The answers in the file that the questions came from, in the same order."""

    def __init__(self, rows: QuestionRows, *, after: int = 0) -> None:
        self._name = rows.path.name
        self._rows: Iterator[QuestionRow] = islice(iter(rows), after, None)

    def __call__(self, some: Sequence[Placed]) -> list[Given]:
        """One a question; what has none is told as such."""
        return [self._next(placed.pair) for placed in some]

    def _next(self, pair: Pair) -> Given:
        row = next(self._rows, None)
        if row is None or not _is_of(row.pair, pair):
            where = f"after {row.where}" if row else "at its end"
            raise SampleError(
                f"`{self._name}` has changed since its questions were read, {where}; run it anew"
            )
        return row.given or Given(None, NO_ANSWER)


class InAnswerTable:
    """The answers of a file of their own, by id or by question."""

    def __init__(self, table: AnswerTable) -> None:
        self._table = table

    def __call__(self, some: Sequence[Placed]) -> list[Given]:
        """One a question; what has none is told as such."""
        return [self._table.find(placed.pair) or Given(None, NO_ANSWER) for placed in some]


def _is_of(read: Pair, kept: Pair) -> bool:
    same_id = storable(read.id) == kept.id
    return (
        same_id
        and (read.question is None) == (kept.question is None)
        and (read.question is None or storable(read.question) == kept.question)
    )
