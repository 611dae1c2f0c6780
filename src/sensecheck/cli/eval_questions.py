"""The questions of an evaluation, read once from the first to the last and kept in the store."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sensecheck.cli.eval_order import Order
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.run import Pair, QuestionSet
from sensecheck.core.serialization import unknown
from sensecheck.evals.qa.answer_table import PARTS as OF_ANSWERS
from sensecheck.evals.qa.answer_table import AnswerTable
from sensecheck.evals.qa.files.columns import NAMES
from sensecheck.evals.qa.files.question_rows import QuestionRow, QuestionRows, Seen
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.finding import must_be_a_project

_OF_QUESTIONS = ("id", "question", "expected", "passages")
_PAIRS = ("question", "expected", "passages")


@dataclass(frozen=True, slots=True)
class Asked:
    """The questions, and what the files had to say."""

    chosen: QuestionSet
    parts: frozenset[str]
    """What questions have, beside their answers: those metrics apply that read it."""
    table: AnswerTable | None
    """The answers of a file of their own."""
    strange: tuple[str, ...]
    """Columns that mean nothing to us."""


def read_questions(order: Order, store: EvalStore, *, guarded: bool) -> Asked:
    """Every row checked, every question kept; what is wrong is told with its line."""
    if order.questions is None:  # told before a large file of answers is read
        store.patience.until_done(lambda: must_be_a_project(store.engine, order.named_project))
    seen, table = Seen(), None
    if order.answers is not None:
        table = AnswerTable.of(
            QuestionRows(order.answers, replace(order.columns, slices=()), OF_ANSWERS, seen)
        )
        has_passages = "passages" in seen.parts
        seen.parts.clear()
        seen.parts |= {"passages"} if has_passages else set()
    if order.questions is None:
        chosen = store.latest_set(order.named_project)
        seen.parts |= _parts_of(store, chosen)
    else:
        rows = question_rows(order, seen)
        chosen = store.keep_set(order.named_project, _pairs(rows, order, guarded=guarded))
    _must_be_met(order, seen)
    strange = tuple(column for column in seen.strange if column not in seen.columns)
    return Asked(chosen, frozenset(seen.parts) & frozenset(_PAIRS), table, strange)


def question_rows(order: Order, seen: Seen | None = None) -> QuestionRows:
    """The rows of the file of questions, with their answers where those are taken from it."""
    if order.questions is None:
        raise SpecError("no file of questions was named")
    columns, wanted = order.columns, tuple(NAMES)
    if order.asking is not None:
        wanted = (*_OF_QUESTIONS, "answer")  # which is an error, and not a strange column
    elif order.answers is not None:
        columns, wanted = replace(order.columns, labels=()), (*_OF_QUESTIONS, "answer")
    return QuestionRows(order.questions, columns, wanted, Seen() if seen is None else seen)


def _pairs(rows: QuestionRows, order: Order, *, guarded: bool) -> Iterator[Pair]:
    answered = False
    for row in rows:
        answered = answered or row.given is not None
        _must_be_a_question(row, must_be_asked=guarded or order.asking is not None)
        if row.given is not None and not order.answers_stand_beside:
            flag = "--answers" if order.asking is None else "--ask"
            raise SampleError(
                f"{row.where} has an answer, and `{flag}` brings others; wanted one of them: `--ignore "
                f"{rows.columns.parts.get('answer', 'answer')}` leaves that of the file unread"
            )
        yield row.pair
    if not answered and order.answers_stand_beside:
        raise SampleError(
            f"no row of `{rows.path.name}` has an `answer`; name those that were recorded elsewhere with "
            "`--answers FILE`, or whoever is to be asked with `--ask openai:URL#MODEL`"
        )


def _must_be_a_question(row: QuestionRow, *, must_be_asked: bool) -> None:
    if row.pair.question is None and must_be_asked:
        raise SampleError(f"{row.where} has no `question`")
    if row.pair.question is None and row.pair.expected is None:
        raise SampleError(f"{row.where} has neither a `question` nor an `expected` answer")


def _parts_of(store: EvalStore, chosen: QuestionSet) -> set[str]:
    found: set[str] = set()
    for placed in store.questions(chosen):
        found |= {part for part in _PAIRS if getattr(placed.pair, part)}
        if len(found) == len(_PAIRS):
            break
    return found


def _must_be_met(order: Order, seen: Seen) -> None:
    """A column that somebody named, and that no row has, is a slip."""
    named = order.columns
    options = (
        *((f"--column {part}={column}", column) for part, column in named.parts.items()),
        *((f"--slice {column}", column) for column in named.slices),
        *((f"--label {column}", column) for column in named.labels),
    )
    known = {*seen.columns, *seen.strange}
    files = " and ".join(f"`{path.name}`" for path in (order.questions, order.answers) if path is not None)
    for option, column in options:
        if column not in seen.columns:
            raise SampleError(f"`{option}`: no row has it: {unknown(f'column of {files}', column, known)}")
