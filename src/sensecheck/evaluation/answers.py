"""Who answers the questions of an evaluation: recorded answers, or the system under test, asked now.

Recorded answers are in the file of questions or in a file of their own; a model is asked with a prompt that
has the references in it. In either case a chain of guards may decide which passages are left.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import islice
from typing import NamedTuple

from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import CannotJudge, MissingInput, SampleError, SpecError, Unreadable
from sensecheck.core.run import Item, PlacedItem, RecordedAnswer, storable
from sensecheck.datasets.answers import AnswerTable
from sensecheck.datasets.questions import QuestionRow, QuestionRows
from sensecheck.encoders.memory import remembering
from sensecheck.evaluation.batches import AnswerEach
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.match import Match, NotSelected
from sensecheck.retrieval.matching import matched_each
from sensecheck.retrieval.prompt import Format
from sensecheck.retrieval.selection import Selection
from sensecheck.sources.concurrency import Heard, ask_in_order
from sensecheck.sources.source import AnswerSource, NoAnswer, Question

_NOT_GUARDED = "its references could not be judged"

Left = tuple[str, ...] | CannotJudge
"""The passages that may enter the prompt, or why that is not known."""

_QUESTION, REFERENCES = "{question}", "{references}"
FROM_REFERENCES = f"""\
Below are references, and after them a question.
Answer the question in one or two sentences, with nothing but what the references say.
If they do not say it, answer that you do not know.

{REFERENCES}

Question: {_QUESTION}
Answer:"""
ALONE = f"""\
Answer the question in one or two sentences.

Question: {_QUESTION}
Answer:"""
_MARK = re.compile(r"\{(question|references)\}")

PassageFormat = Callable[[Sequence[str]], str]
"""Passages to the text that stands for them in the prompt."""

NO_QUESTION = "there is no question to be asked"

NO_ANSWER = "no recorded answer"

_REMEMBERED = 8192


class BesideQuestions:
    """The answers in the file that the questions came from, in the same order."""

    def __init__(self, rows: QuestionRows, *, after: int = 0) -> None:
        self._name = rows.path.name
        self._rows: Iterator[QuestionRow] = islice(iter(rows), after, None)

    def __call__(self, some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        """One a question; what has none is reported as such."""
        return [self._next(placed.item) for placed in some]

    def _next(self, pair: Item) -> RecordedAnswer:
        row = next(self._rows, None)
        if row is None or not _is_of(row.item, pair):
            where = f"after {row.where}" if row else "at its end"
            raise SampleError(
                f"`{self._name}` has changed since its questions were read, {where}; run it anew"
            )
        return row.given or RecordedAnswer(None, NO_ANSWER)


class InAnswerTable:
    """The answers of a file of their own, by id or by question."""

    def __init__(self, table: AnswerTable) -> None:
        self._table = table

    def __call__(self, some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        """One a question; what has none is reported as such."""
        return [self._table.find(placed.item) or RecordedAnswer(None, NO_ANSWER) for placed in some]


@dataclass(frozen=True, slots=True)
class Template:
    """A text with `{question}` and `{references}` in it; all other braces are left alone."""

    with_references: str = FROM_REFERENCES
    alone: str = ALONE
    """For a question without references."""

    @classmethod
    def from_text(cls, text: str) -> "Template":
        """One text for both."""
        if "\0" in text:
            raise SpecError("the prompt has a NUL character, which no database stores; take it out")
        if _QUESTION not in text:
            raise SpecError(f"the prompt has no `{_QUESTION}`, so that every question would be the same")
        return cls(text, text)

    @property
    def has_references(self) -> bool:
        """Whether references have a place in it."""
        return REFERENCES in self.with_references

    @property
    def digest(self) -> str:
        """Changes with every character."""
        return sha256(f"{self.with_references}\0{self.alone}".encode()).hexdigest()[:16]

    def filled(self, question: str, passages: Sequence[str], block: PassageFormat) -> str:
        """The prompt for one question; what is put in is not searched for marks again."""
        values = {"question": question, "references": block(passages)}
        text = self.with_references if passages else self.alone
        return _MARK.sub(lambda match: values[match[1]], text)


class Candidates(NamedTuple):
    """A question, and what was found for it."""

    question: str | None
    passages: tuple[str, ...]


Guard = Callable[[Sequence[Candidates]], Sequence[Left]]


@dataclass(frozen=True, slots=True)
class Generating:
    """Who is asked, and how a question is put."""

    source: AnswerSource
    template: Template
    block: PassageFormat
    guard: Guard | None = None
    """What is left of the passages before they enter the prompt; None leaves them all."""
    concurrency: int = 4

    def __call__(self, some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        """One a question, in order; a failed one says why, and holds up no other."""
        candidates = [Candidates(placed.item.question, placed.item.passages) for placed in some]
        left: Sequence[Left] = (
            [candidate.passages for candidate in candidates] if self.guard is None else self.guard(candidates)
        )
        prepared = [self._question_for(placed, passages) for placed, passages in zip(some, left, strict=True)]
        questions = [question for question in prepared if isinstance(question, Question)]
        replies = ask_in_order(
            ((self.source, question) for question in questions), concurrency=self.concurrency
        )
        return [
            item if isinstance(item, RecordedAnswer) else _recorded_answer(next(replies), passages)
            for item, passages in zip(prepared, left, strict=True)
        ]

    def _question_for(self, placed: PlacedItem, left: Left) -> Question | RecordedAnswer:
        """The question with its prompt; or what there is instead of an answer, if it cannot be asked."""
        if isinstance(left, CannotJudge):
            return _not_guarded(left)
        if placed.item.question is None:
            return RecordedAnswer(None, NO_QUESTION)
        prompt = self.template.filled(placed.item.question, left, self.block)
        return Question(prompt, test=placed.item.name, number=placed.position + 1)


@dataclass(frozen=True, slots=True)
class Guarded:
    """Recorded answers, whose passages are what a guard leaves of them.

    A question whose references cannot be judged has no answer, rather than one to an empty prompt.
    """

    answer_each: AnswerEach
    guard: Guard

    def __call__(self, some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        """One a question, in order."""
        answers = self.answer_each(some)
        candidates = [
            Candidates(
                placed.item.question, placed.item.passages if answer.passages is None else answer.passages
            )
            for placed, answer in zip(some, answers, strict=True)
        ]
        return [
            _not_guarded(left) if isinstance(left, CannotJudge) else replace(answer, passages=left)
            for answer, left in zip(answers, self.guard(candidates), strict=True)
        ]


@dataclass(frozen=True, slots=True)
class ChainGuard:
    """Keeps what the chain keeps; each distinct text is encoded once a batch."""

    chain: Chain
    answerers: Backends

    @classmethod
    def of(cls, chain: Chain, encoder: Encoder) -> "ChainGuard":
        """With the encoder that measures how close a passage is to its question."""
        return cls(chain, Backends(remembering(encoder, _REMEMBERED)))

    def __call__(self, found: Sequence[Candidates]) -> list[Left]:
        """What is left for each question, or why that is not known."""
        pairs = [
            (candidate.question, candidate.passages)
            for candidate in found
            if candidate.question is not None and candidate.passages
        ]
        measured = matched_each(pairs, self.answerers.encoder)
        selected = self.chain.each(measured, self.answerers)
        return [_left(candidate, selected) for candidate in found]


def block_of_texts(format_: Format) -> PassageFormat:
    """Passages as the block that a chain's budget counts."""
    return lambda texts: format_([Match(text, 0.0) for text in texts])


def _is_of(item: Item, stored: Item) -> bool:
    question = None if item.question is None else storable(item.question)
    return (storable(item.id), question) == (stored.id, stored.question)


def _recorded_answer(reply: Heard, left: Left) -> RecordedAnswer:
    passages = None if isinstance(left, CannotJudge) else left
    if isinstance(reply, NoAnswer):
        return RecordedAnswer(None, reply.because, passages)
    return RecordedAnswer(reply.text, None, passages, reply.latency_ms, reply.cost)


def _not_guarded(reason: CannotJudge) -> RecordedAnswer:
    """What there is instead of an answer."""
    return RecordedAnswer(None, f"{_NOT_GUARDED}: {reason}")


def _left(candidate: Candidates, selected: Iterator[Selection | NotSelected]) -> Left:
    if not candidate.passages:
        return ()
    if candidate.question is None:
        return MissingInput("there is no question to hold them against")
    selection = next(selected)
    if isinstance(selection, NotSelected):
        return selection.error
    for unread in selection.unread:  # it might have been the one that mattered: then nothing is known
        return Unreadable(f"passage {unread.place + 1} cannot be read: {unread.because}")
    return tuple(match.text for match in selection.kept)
