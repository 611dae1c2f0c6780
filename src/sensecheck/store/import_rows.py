"""The evaluations of one test run of a source: each with its question, as a store keeps them."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from itertools import islice
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Text, cast

from sensecheck.core.errors import SampleError
from sensecheck.store.import_heads import Head, moment_of
from sensecheck.store.import_shape import ANSWER, PAIR, RUN, Shape, reasoning_of
from sensecheck.store.import_source import AT_ONCE, Row, Shelf, Source
from sensecheck.store.records import KeptAnswer, KeptReading, Pair

QA_PAIRS = ("qa_pairs", "qa_pair", "question_answer_pairs", "qas")
_QUESTION = ("question", "query")
_EXPECTED = ("reference_answer", "expected_answer", "ground_truth", "expected", "answer")
IMPORTED = "imported:"
"""How the fingerprint of an encoder begins that is known by its name alone."""


class Evaluation(NamedTuple):
    """One row of `evals`."""

    pair: Pair
    told: KeptAnswer
    known: bool
    """Whether the source has the question, and not its id alone."""
    moment: datetime | None = None
    """When it was made, where the source says it."""


@dataclass(frozen=True, slots=True)
class Questions:
    """The table of questions of a source."""

    shelf: Shelf
    key: str
    question: str | None
    expected: str | None

    @classmethod
    def of(cls, source: Source) -> "Questions | None":
        """The table under one of its usual names; None without one that has ids."""
        shelf = source.shelf(*QA_PAIRS)
        key = _first(("id", PAIR), shelf)
        if shelf is None or key is None:
            return None
        return cls(shelf, key, _first(_QUESTION, shelf), _first(_EXPECTED, shelf))

    def found(self, source: Source, ids: Sequence[object], *, as_text: bool) -> dict[str, Pair]:
        """Those of these questions that are there, by their id."""
        wanted = [name for name in (self.key, self.question, self.expected) if name is not None]
        key: ColumnElement[Any] = self.shelf.value(self.key)
        some = cast(key, Text).in_([str(one) for one in ids]) if as_text else key.in_(ids)
        rows = source.rows(self.shelf.chosen(wanted).where(some))
        return {str(row[self.key]): self._pair(row) for row in rows}

    def _pair(self, row: Row) -> Pair:
        question, expected = (
            None if name is None else _text(row[name], name) for name in (self.question, self.expected)
        )
        return Pair(question, expected, id=str(row[self.key]))


@dataclass(frozen=True, slots=True)
class Rows:
    """How the rows of a source are read."""

    source: Source
    shape: Shape
    questions: Questions | None

    def each(self, head: Head, encoder: str) -> Iterator[Evaluation]:
        """The evaluations of a run, by the id of their question, read as they are wanted."""
        shelf = self.shape.shelf
        query = (
            shelf.chosen(self.shape.taken).where(shelf.value(RUN) == head.value).order_by(shelf.value(PAIR))
        )
        coming, last = self.source.rows(query), None
        while some := list(islice(coming, AT_ONCE)):
            known = self._known([row[PAIR] for row in some])
            for row in some:
                name = str(row[PAIR])
                _must_differ(name, last, head)
                pair, last = known.get(name), name
                yield Evaluation(
                    pair or Pair(None, None, id=name),
                    self._told(row, encoder),
                    pair is not None,
                    moment_of(row.get(self.shape.moment or "")),
                )

    def _known(self, ids: Sequence[object]) -> dict[str, Pair]:
        if self.questions is None:
            return {}
        ours, theirs = self.shape.shelf.types[PAIR], self.questions.shelf.types[self.questions.key]
        return self.questions.found(self.source, ids, as_text=type(ours) is not type(theirs))

    def _told(self, row: Row, encoder: str) -> KeptAnswer:
        answer, error = _text(row[ANSWER], ANSWER), _text(row.get("error"), "error")
        if answer is None and error is None:
            error = "the database that this was imported from had no answer"
        return KeptAnswer(
            answer,
            tuple(self._readings(row, encoder)),
            error,
            latency_ms=_number(row.get("latency_ms"), "latency_ms", row),
            cost=_number(row.get("cost"), "cost", row),
            id=None if row.get("id") is None else str(row["id"]),
        )

    def _readings(self, row: Row, encoder: str) -> Iterator[KeptReading]:
        for metric in self.shape.metrics:
            value = _number(row.get(metric), metric, row)
            because = _text(row[reasoning_of(metric)], metric) if metric in self.shape.reasons else None
            if value is None and because is None:
                continue
            by = (encoder, IMPORTED + encoder) if self.shape.by_encoder(metric) else ("", "")
            if value is None or math.isfinite(value):
                yield KeptReading(metric, value, because, None, *by)
            else:
                yield KeptReading(metric, None, because, f"the imported value, {value}, is no number", *by)


def _must_differ(pair: str, last: str | None, head: Head) -> None:
    if pair == last:
        raise SampleError(
            f"the run `{head.id}` has more than one evaluation of the pair `{pair}`; a run has one: "
            "leave the others out, or give them a run of their own"
        )


def _first(usual: Sequence[str], shelf: Shelf | None) -> str | None:
    return next((name for name in usual if shelf is not None and name in shelf.columns), None)


def _text(value: object, name: str) -> str | None:
    if isinstance(value, bytes | memoryview):
        raise SampleError(f"`{name}` wants a text; found bytes")
    return None if value is None else str(value)


def _number(value: object, name: str, row: Row) -> float | None:
    if isinstance(value, int | float | Decimal | None):
        return None if value is None else float(value)
    raise SampleError(
        f"`{name}` of the evaluation of `{row[PAIR]}` in the run `{row[RUN]}` wants a number; "
        f"found {type(value).__name__}"
    )
