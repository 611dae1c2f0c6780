"""Bringing in the evaluations of another database, with the ids and values that they have there."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from sensecheck.core.errors import SpecError
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.import_heads import TEST_RUNS, TESTS, Head, heads_of, without_evaluations
from sensecheck.store.import_rows import IMPORTED, QA_PAIRS, Evaluation, Questions, Rows
from sensecheck.store.import_shape import SEMANTIC, shape_of, told
from sensecheck.store.import_source import reading
from sensecheck.store.import_writing import kept_before, write_run
from sensecheck.store.records import Pair

State = Literal["imported", "already there", "kept otherwise"]
UNNAMED = "imported"
"""The test of runs for which the source has none."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """How the evaluations of a source are to be kept."""

    project: str
    test: str | None = None
    """The test that all runs shall belong to; None for those that the source has."""
    encoder: str | None = None
    """By which encoder its semantic similarities were; None where its tests say it."""
    metrics_too: bool = False
    """Whether columns of numbers that are not known are metrics of that name."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one run."""

    run: str
    state: State
    """`kept otherwise` where the run is there, and the source says something else by now."""
    evaluations: int
    test: str
    unknown: int
    """How many of its questions the source has by their id alone."""


@dataclass(slots=True)
class _Seen:
    """What a first look at a run's evaluations finds, before any is kept."""

    unknown: int = 0
    digest: str = ""

    def each(self, evaluations: Iterator[Evaluation], encoder: str) -> Iterator[Pair]:
        """Their questions."""
        whole = hashlib.sha256(json.dumps([encoder]).encode())
        for one in evaluations:
            whole.update(_as_data(one).encode())
            self.unknown += not one.known
            yield one.pair
        self.digest = whole.hexdigest()


@dataclass(frozen=True, slots=True)
class Importing:
    """A source that was looked at, and can be brought in run by run."""

    store: EvalStore
    wanted: Wanted
    rows: Rows
    heads: tuple[Head, ...]
    notes: tuple[str, ...]
    """What of the source is not taken, or could not be found."""

    @property
    def evaluations(self) -> int:
        """How many there are in all runs."""
        return sum(head.size for head in self.heads)

    def each(self) -> Iterator[Imported]:
        """Bring in one run after the other, the oldest first; each is committed when it is told."""
        return map(self._imported, self.heads)

    def _imported(self, head: Head) -> Imported:
        encoder, test = self._encoder(head), self.wanted.test or head.test or UNNAMED
        seen, before = _Seen(), kept_before(self.store.engine, head.id)
        if before is not None:
            _must_be_in(self.wanted.project, before.project, head)
            for _ in seen.each(self.rows.each(head, encoder), encoder):
                pass
            state: State = "already there" if before.digest == seen.digest else "kept otherwise"
        else:
            self._keep(head, encoder, test, seen)
            state = "imported"
        return Imported(head.id, state, head.size, test, seen.unknown)

    def _keep(self, head: Head, encoder: str, test: str, seen: _Seen) -> None:
        project, questions = self.wanted.project, seen.each(self.rows.each(head, encoder), encoder)
        chosen = self.store.keep_set(project, questions)
        mark = IMPORTED + encoder if encoder else ""
        conditions = {
            "metrics": list(self.rows.shape.metrics),
            "encoders": [[encoder, mark]] if encoder else [],
            "imported": {"from": self.rows.source.address, "digest": seen.digest},
        }
        kept = self.store.test(project, test, embedding=head.embedding, generation=head.generation)
        coming = self.rows.each(head, encoder)
        write_run(self.store, head, kept, chosen, encoder=mark, conditions=conditions, coming=coming)

    def _encoder(self, head: Head) -> str:
        return self.wanted.encoder or head.encoder or ""

    def must_know_encoders(self) -> None:
        """Raise `SpecError` where numbers that compare meaning are nobody's."""
        if nobodys := [head for head in self.heads if head.compared and not self._encoder(head)]:
            raise SpecError(
                f"the run `{nobodys[0].id}` has `{SEMANTIC}`, and its test does not say by which encoder; "
                "name it with `--encoder-name`"
            )


@contextmanager
def importing(store: EvalStore, address: str, wanted: Wanted) -> Iterator[Importing]:
    """Look at the database at an address, which stays as it is; nothing is kept before `each` is asked."""
    with reading(address) as source:
        shape = shape_of(source, metrics_too=wanted.metrics_too)
        rows = Rows(source, shape, Questions.of(source))
        heads = heads_of(source, shape)
        found = Importing(store, wanted, rows, tuple(heads), tuple(_notes(rows, heads)))
        found.must_know_encoders()
        yield found


def _notes(rows: Rows, heads: list[Head]) -> Iterator[str]:
    shape, source = rows.shape, rows.source
    if SEMANTIC not in shape.metrics:
        yield f"`evals` has no `{SEMANTIC}` yet: the imported runs have none"
    if others := [name for name in shape.left if name not in shape.numbers_left]:
        yield f"columns of `evals` that are not understood, and not taken: {told(others)}"
    if shape.numbers_left:
        yield f"numbers in `evals` that `--metrics-too` would take as metrics: {told(shape.numbers_left)}"
    if rows.questions is None:
        yield f"no table of questions was found ({told(QA_PAIRS)}): they are known by their ids alone"
    elif rows.questions.question is None or rows.questions.expected is None:
        yield f"`{rows.questions.shelf.name}` lacks a column of questions or of reference answers"
    for what, usual in (("test runs", TEST_RUNS), ("tests", TESTS)):
        if source.shelf(*usual) is None:
            yield f"no table of {what} was found ({told(usual)})"
    if undated := sum(head.started_at is None for head in heads):
        yield f"runs without a moment that can be read, which get that of the import: {undated}"
    if bare := without_evaluations(source, heads):
        yield f"test runs without any evaluation, which are not taken: {bare}"


def _must_be_in(wanted: str, found: str, head: Head) -> None:
    if wanted != found:
        raise SpecError(
            f"the run `{head.id}` is kept in the project `{found}` already; a run is in one project: "
            f"import with `--project {found}`"
        )


def _as_data(one: Evaluation) -> str:
    """An evaluation as text that changes with every part of it."""
    answer = one.told
    moment = None if one.moment is None else one.moment.isoformat()
    held = [answer.id, answer.answer, answer.error, answer.latency_ms, answer.cost, moment]
    return json.dumps([one.pair.digest, held, [list(reading) for reading in answer.readings]])
