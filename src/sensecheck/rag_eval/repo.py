"""Evaluations as records: one dictionary each, with the names that services give the columns."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sensecheck.core.extras import extra
from sensecheck.core.run import Run
from sensecheck.rag_eval.records import Record, full_record

with extra("eval"):
    from sqlalchemy import RowMapping, Select, select

    from sensecheck.runs.sql import EvalStore
    from sensecheck.store.columns import in_utc
    from sensecheck.store.engine import reading
    from sensecheck.store.tables import answers, batches, evals, pairs, runs


class EvalRepo:
    """The evaluations of a store; None in a record is what was not, or could not be, computed."""

    def __init__(self, store: EvalStore) -> None:
        self._store = store

    def get_by_test_run_id(self, test_run_id: str) -> list[Record]:
        """The records of a run in the order of its questions; an empty list where there is none."""

        def read() -> tuple[dict[str, int], Sequence[RowMapping]]:
            with reading(self._store.engine) as connection:
                places = {row.id: row.position for row in connection.execute(_places(test_run_id))}
                query = evals.select().where(evals.c.test_run_id == test_run_id)
                return places, connection.execute(query).mappings().all()

        places, rows = self._store.patience.until_done(read)
        records = [{**row, "created_at": _moment(row["created_at"])} for row in rows]
        return sorted(records, key=lambda record: places[record["qa_pair_id"]])

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
        (record,) = self.get_full_at(self._store.run_by_key(place.run), [place.position])
        return record

    def get_full_at(self, run: Run, positions: Sequence[int]) -> list[Record]:
        """The full records at some positions of a run, looked up by their keys however long the run is."""
        answered = list(self._store.answers(run, positions))
        with self._store.engine.connect() as connection:  # after that: what has an answer has a moment
            rows = connection.execute(_written(run, positions))
            written = {row.position: _moment(row.written_at) for row in rows}
        return [full_record(run, answer) | {"created_at": written[answer.position]} for answer in answered]


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


def _moment(written: datetime | None) -> str | None:
    return None if written is None else in_utc(written).isoformat()
