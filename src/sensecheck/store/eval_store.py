"""The store of evaluations: questions, runs, answers and readings, kept for years."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from sqlalchemy import Engine

from sensecheck.core.run import Pair, Placed, QuestionSet, Run, Test
from sensecheck.store.address import database_url, shown
from sensecheck.store.configurations import keep_test, project_key
from sensecheck.store.engine import engine_of
from sensecheck.store.finding import find_run
from sensecheck.store.run_reading import AnsweredPair, RunTable, each_answer, run_table
from sensecheck.store.run_writing import RunWriter
from sensecheck.store.runs import (
    all_runs,
    begin_run,
    note_event,
    note_finished,
    run_by_key,
)
from sensecheck.store.sets import each_question, keep_set, latest_set
from sensecheck.store.upgrading import make_ready
from sensecheck.store.waiting import Patience


@dataclass(frozen=True, slots=True)
class EvalStore:
    """One database; the same whether it is PostgreSQL or a file of SQLite."""

    engine: Engine
    patience: Patience = field(default_factory=Patience)

    @classmethod
    def open(cls, address: str, *, patience: float = 120.0) -> Self:
        """The store at an address; a file that is not there yet is made.

        Raises `SpecError` where the tables are missing, or are those of another version.
        """
        engine = engine_of(database_url(address))
        make_ready(engine)
        return cls(engine, Patience(patience))

    @property
    def address(self) -> str:
        """Where it is, without a password."""
        return shown(self.engine.url)

    def close(self) -> None:
        """Let go of all connections."""
        self.engine.dispose()

    def test(
        self, project: str, name: str, *, embedding: Mapping[str, Any], generation: Mapping[str, Any]
    ) -> Test:
        """The test of this name and configuration, made if there is none yet."""
        return self.patience.until_done(lambda: keep_test(self.engine, project, name, embedding, generation))

    def keep_set(self, project: str, questions: Iterable[Pair]) -> QuestionSet:
        """The set of these questions, kept if it is new."""
        key = self.patience.until_done(lambda: project_key(self.engine, project))
        return keep_set(self.engine, key, questions, self.patience)

    def latest_set(self, project: str) -> QuestionSet:
        """The questions that a project was last given."""
        return self.patience.until_done(lambda: latest_set(self.engine, project))

    def begin(
        self, test: Test, chosen: QuestionSet, *, name: str = "", encoder: str, conditions: Mapping[str, Any]
    ) -> Run:
        """A new run."""
        return begin_run(
            self.engine, test, chosen, self.patience, name=name, encoder=encoder, conditions=conditions
        )

    def resumed(self, run: Run) -> None:
        """Write down that a run goes on."""
        self.patience.until_done(lambda: note_event(self.engine, run, "resumed", f"at {run.done}"))

    def finish(self, run: Run) -> None:
        """Write down that a run is whole; only once."""
        self.patience.until_done(lambda: note_finished(self.engine, run))

    def run(self, named: str, *, project: str | None = None) -> Run:
        """A run by its number, as `latest` or `previous`, or by its id or how that begins."""
        return self.patience.until_done(lambda: find_run(self.engine, named, project=project))

    def run_by_key(self, key: int) -> Run:
        """A run as it is now, by its number."""
        return self.patience.until_done(lambda: run_by_key(self.engine, key))

    def runs(self, *, project: str | None = None, test: str | None = None) -> list[Run]:
        """All runs, the oldest first."""
        return self.patience.until_done(lambda: all_runs(self.engine, project=project, test=test))

    def questions(self, chosen: QuestionSet, *, after: int = 0) -> Iterator[Placed]:
        """The questions of a set from a position on, in their order."""
        return each_question(self.engine, chosen, self.patience, after=after)

    def writer(self, run: Run) -> RunWriter:
        """The one who writes the answers of a run."""
        return RunWriter(self.engine, run, self.patience)

    def table(self, run: Run) -> RunTable:
        """All numbers of a run."""
        return self.patience.until_done(lambda: run_table(self.engine, run))

    def answers(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[AnsweredPair]:
        """The answers of a run with their readings, in their order."""
        return each_answer(self.engine, run, self.patience, positions)
