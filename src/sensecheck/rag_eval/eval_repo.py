"""Evaluations as records: one dictionary each, with the names that services give the columns."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sensecheck.core.extras import extra
from sensecheck.rag_eval.record import COLUMNS, Record, full_record
from sensecheck.store.records import Run

with extra("eval"):
    from sqlalchemy import Select, column, select, table

    from sensecheck.store.eval_store import EvalStore
    from sensecheck.store.moments import in_utc
    from sensecheck.store.tables import answers, batches, pairs, runs

_VIEW = table("evals", *(column(name) for name in COLUMNS))


class EvalRepo:
    """The evaluations of a store; None in a record is what was not, or could not be, computed."""

    def __init__(self, store: EvalStore) -> None:
        self._store = store

    def get_by_test_run_id(self, test_run_id: str) -> list[Record]:
        """The records of a run in the order of its questions; an empty list where there is none."""
        with self._store.engine.connect() as connection:
            places = {row.id: row.position for row in connection.execute(_places(test_run_id))}
            rows = connection.execute(_records(test_run_id)).mappings().all()
        return sorted(map(_record, rows), key=lambda record: places[record["qa_pair_id"]])

    def get_full_by_run_and_qa(self, test_run_id: str, qa_pair_id: str) -> Record | None:
        """One record with all there is; None where there is none.

        Beside the columns it has `question`, `reference_answer`, `passages`, the numbers of all `metrics`
        by their names, and `errors`: why a metric could not be read.
        """
        query = _places(test_run_id).where(pairs.c.id == qa_pair_id)
        with self._store.engine.connect() as connection:
            place = connection.execute(query).one_or_none()
        if place is None:
            return None
        (record,) = self.get_full_at(self._store.run(str(place.run)), [place.position])
        return record

    def get_full_at(self, run: Run, positions: Sequence[int]) -> list[Record]:
        """The full records at some positions of a run, looked up by their keys however long the run is."""
        with self._store.engine.connect() as connection:
            rows = connection.execute(_written(run, positions))
            written = {row.position: _moment(row.written_at) for row in rows}
        found = self._store.answers(run, positions)
        return [full_record(run, one) | {"created_at": written[one.position]} for one in found]


def _records(test_run_id: str) -> Select[Any]:
    return _VIEW.select().where(_VIEW.c.test_run_id == test_run_id)


def _places(test_run_id: str) -> Select[Any]:
    query: Select[Any] = select(pairs.c.id, answers.c.position, answers.c.run)
    joined = query.join(answers, answers.c.pair == pairs.c.key).join(runs, runs.c.key == answers.c.run)
    return joined.where(runs.c.id == test_run_id)


def _written(run: Run, positions: Sequence[int]) -> Select[Any]:
    """When the batch of each answer was committed, as the view has it."""
    last = select(batches.c.written_at).where(
        batches.c.run == answers.c.run, batches.c.first <= answers.c.position
    )
    moment = last.order_by(batches.c.first.desc()).limit(1).scalar_subquery().label("written_at")
    query: Select[Any] = select(answers.c.position, moment)
    return query.where(answers.c.run == run.key, answers.c.position.in_(positions))


def _record(row: Mapping[Any, Any]) -> Record:
    return {str(name): value for name, value in row.items()} | {"created_at": _moment(row["created_at"])}


def _moment(written: datetime | str | None) -> str | None:
    if isinstance(written, str):  # SQLite keeps moments as text
        written = datetime.fromisoformat(written)
    return None if written is None else in_utc(written).isoformat()
