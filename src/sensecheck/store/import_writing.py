"""Keeping a test run of another database: whole, or not at all."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby, islice
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError

from sensecheck.core.errors import NotKept, SpecError
from sensecheck.store.engine import writing
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.import_heads import Head
from sensecheck.store.import_rows import Evaluation
from sensecheck.store.import_source import AT_ONCE
from sensecheck.store.moments import now
from sensecheck.store.records import KeptAnswer, Placed, QuestionSet, Test, storable
from sensecheck.store.run_writing import Answered, MetricKeys, metric_keys, write_answers
from sensecheck.store.tables import batches, projects, run_events, runs, tests
from sensecheck.store.waiting import first_line


class _Dated(NamedTuple):
    """An answer at its place, and when it was evaluated."""

    placed: Placed
    told: KeptAnswer
    moment: datetime | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that was imported before."""

    project: str
    digest: str | None
    """Of its evaluations as they were in the source; None where it was not imported."""


def kept_before(engine: Engine, run: str) -> Kept | None:
    """What is kept under the id of a run; None where there is nothing."""
    query = (
        select(projects.c.name, runs.c.conditions)
        .join(tests, tests.c.project == projects.c.key)
        .join(runs, runs.c.test == tests.c.key)
        .where(runs.c.id == storable(run))
    )
    with engine.connect() as connection:
        found = connection.execute(query).one_or_none()
    return None if found is None else Kept(found.name, found.conditions.get("imported", {}).get("digest"))


def write_run(
    store: EvalStore,
    head: Head,
    test: Test,
    chosen: QuestionSet,
    *,
    encoder: str,
    conditions: Mapping[str, Any],
    coming: Iterable[Evaluation],
) -> None:
    """Keep a run with all its evaluations, which come in the order of its questions, in one transaction."""
    row = {
        "id": storable(head.id),
        "test": test.key,
        "set": chosen.key,
        "name": storable(head.name),
        "encoder": encoder,
        "conditions": dict(conditions),
        "started_at": head.started_at or now(),
    }
    try:
        with writing(store.engine) as connection:
            (key,) = connection.execute(runs.insert(), row).inserted_primary_key or (0,)
            _write(connection, key, _placed(store, chosen, coming))
    except DBAPIError as wrong:
        raise NotKept(
            f"nothing of the run `{head.id}` was kept: {first_line(wrong)}; import again, what is there stays"
        ) from None


def _placed(store: EvalStore, chosen: QuestionSet, coming: Iterable[Evaluation]) -> Iterator[_Dated]:
    for placed, evaluation in zip(store.questions(chosen), coming, strict=True):
        if placed.pair.id != storable(evaluation.pair.id):
            raise SpecError(f"the pair `{evaluation.pair.id}` is not in its place; import again")
        yield _Dated(placed, evaluation.told, evaluation.moment)


def _write(connection: Connection, run: int, coming: Iterator[_Dated]) -> None:
    at = now()
    while some := list(islice(coming, AT_ONCE)):
        connection.execute(batches.insert(), list(_stretches(run, some, at)))
        answered = [(one.placed, one.told) for one in some]
        write_answers(connection, run, answered, _keys(connection, answered))
    happened = [
        {"run": run, "kind": kind, "note": "imported", "at": now()} for kind in ("started", "finished")
    ]
    connection.execute(run_events.insert(), happened)


def _stretches(run: int, some: list[_Dated], at: datetime) -> Iterator[dict[str, object]]:
    """Answers in a row that were evaluated in one moment; `at` for those of which nobody knows it."""
    for moment, held in groupby(some, key=lambda one: one.moment or at):
        first, *others = held
        position = first.placed.position
        mark = {"run": run, "first": position, "size": 1 + len(others), "token": "imported"}
        yield mark | {"written_at": moment}


def _keys(connection: Connection, some: Answered) -> MetricKeys:
    held = {(one.metric, one.fingerprint): one for _, told in some for one in told.readings}
    return metric_keys(connection, held.values()) if held else {}
