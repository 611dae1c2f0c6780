"""Answers, readings and labels written to the store, each exactly once.

This holds whatever happens to the process or to the database. Labels are added when people give them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from secrets import token_hex

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from sensecheck.core.errors import StorageError
from sensecheck.core.run import MetricScore, PlacedItem, Run, ScoredAnswer, storable
from sensecheck.runs.place import Answered
from sensecheck.runs.stored_values import (
    LabelKey,
    labels_of_answer,
    positions_once,
    storable_answer,
    written_by_another,
)
from sensecheck.store.bulk import add_missing, insert_rows
from sensecheck.store.columns import now, stored_name
from sensecheck.store.engine import writing
from sensecheck.store.retry import Patience, first_line, is_away
from sensecheck.store.tables import answers, batches, labels, metrics, pairs, readings

MetricKeys = Mapping[tuple[str, str], int]
"""By name and fingerprint."""
_ANSWER_COLUMNS = ("run", "position", "pair", "id", "answer", "error", "passages", "latency_ms", "cost")
_READING_COLUMNS = ("run", "position", "metric", "value", "because", "error")


@dataclass(slots=True)
class RunWriter:
    """The one who writes a run: a batch at a time, in the order of the questions.

    A batch is one transaction, marked with a token of this writer. When the connection is lost while it is
    committed, the token tells whether it was: so it is neither lost nor written twice.
    """

    engine: Engine
    run: Run
    patience: Patience = field(default_factory=Patience)
    _token: str = field(default_factory=lambda: token_hex(8))
    _metrics: dict[tuple[str, str], int] = field(default_factory=dict)

    def add(self, answered: Answered) -> None:
        """Keep these answers and readings; what returns has been committed."""
        if positions_once(placed.position for placed, _ in answered):
            self.patience.until_done(lambda: self._add(answered))

    def _add(self, answered: Answered) -> None:
        try:
            self._know_metrics(answered)
            with writing(self.engine) as connection:
                if not self._is_written(connection, answered[0][0].position):
                    self._write(connection, answered)
        except DBAPIError as wrong:
            if is_away(wrong):
                raise
            if _is_duplicate_key(wrong):
                raise written_by_another(self.run, answered[0][0].position) from wrong
            raise StorageError(
                f"the database refused a batch of the run {self.run.key}: {first_line(wrong)}"
            ) from None

    def _is_written(self, connection: Connection, first: int) -> bool:
        query = select(batches.c.token).where(batches.c.run == self.run.key, batches.c.first == first)
        token = connection.execute(query).scalar_one_or_none()
        if token not in (None, self._token):
            raise written_by_another(self.run, first)
        return token is not None

    def _write(self, connection: Connection, answered: Answered) -> None:
        common = {"run": self.run.key, "token": self._token, "written_at": now()}
        stretches = _stretches([placed.position for placed, _ in answered])
        connection.execute(batches.insert(), [common | stretch for stretch in stretches])
        write_answers(connection, self.run.key, answered, self._metrics)

    def _know_metrics(self, answered: Answered) -> None:
        """In a transaction of its own: keys that are cached must not be rolled back."""
        scores = {
            (score.metric, score.fingerprint): score for _, scored in answered for score in scored.readings
        }
        unknown = [score for key, score in scores.items() if key not in self._metrics]
        if unknown:
            with writing(self.engine) as connection:
                keys = metric_keys(connection, unknown)
            self._metrics |= keys


def write_answers(connection: Connection, run: int, answered: Answered, keys: MetricKeys) -> None:
    """Add answers with their readings and labels to a run, within the transaction of the connection."""
    stored_answers, at = [(placed, storable_answer(scored)) for placed, scored in answered], now()
    insert_rows(connection, answers, _ANSWER_COLUMNS, (_answer_row(run, *entry) for entry in stored_answers))
    insert_rows(connection, readings, _READING_COLUMNS, _reading_rows(run, stored_answers, keys))
    label_rows = [
        _label_row(run, key, value, 1, at)
        for placed, scored in stored_answers
        for key, value in labels_of_answer(placed.position, scored)
    ]
    if label_rows:
        connection.execute(labels.insert(), label_rows)


def metric_keys(connection: Connection, wanted: Iterable[MetricScore]) -> dict[tuple[str, str], int]:
    """The keys of these metrics, made where they are new; by name and fingerprint, also as stored."""
    rows = {(score.metric, score.fingerprint): _metric_row(score) for score in wanted}
    # in one order for all: who waits for another never waits in a circle
    add_missing(connection, metrics, sorted(rows.values(), key=lambda row: (row["name"], row["fingerprint"])))
    query = select(metrics.c.name, metrics.c.fingerprint, metrics.c.key)
    known_keys = {(name, fingerprint): key for name, fingerprint, key in connection.execute(query)}
    keys: dict[tuple[str, str], int] = {}
    for metric, row in rows.items():
        stored = row["name"], row["fingerprint"]
        keys[metric] = keys[stored] = known_keys[stored]
    return keys


def _metric_row(score: MetricScore) -> dict[str, str]:
    return {
        "name": stored_name(score.metric, "the name of a metric"),
        "encoder": storable(score.encoder),
        "fingerprint": stored_name(score.fingerprint, "the fingerprint of an encoder"),
    }


def _stretches(positions: Sequence[int]) -> list[dict[str, int]]:
    """Positions as stretches without gaps, as a service may answer questions in any order."""
    stretches: list[dict[str, int]] = []
    for position in positions:
        if stretches and position == stretches[-1]["first"] + stretches[-1]["size"]:
            stretches[-1]["size"] += 1
        else:
            stretches.append({"first": position, "size": 1})
    return stretches


def _is_duplicate_key(wrong: DBAPIError) -> bool:
    """Whether a row was refused since there is one with its key."""
    unique = getattr(wrong.orig, "sqlstate", None) == "23505" or "UNIQUE" in str(wrong.orig)
    return isinstance(wrong, IntegrityError) and unique


def _answer_row(run: int, placed: PlacedItem, scored: ScoredAnswer) -> Sequence[object]:
    passages = None if scored.passages is None else json.dumps(scored.passages)
    texts = scored.id, scored.answer, scored.error
    return run, placed.position, placed.key, *texts, passages, scored.latency_ms, scored.cost


def _reading_rows(run: int, answered: Answered, keys: MetricKeys) -> Iterator[Sequence[object]]:
    for placed, scored in answered:
        for score in scored.readings:
            metric = keys[score.metric, score.fingerprint]
            yield run, placed.position, metric, score.value, score.because, score.error


def _label_row(
    run: int, key: LabelKey, value: float | None, revision: int, at: datetime
) -> dict[str, object]:
    position, name, rater = key
    return {
        "run": run,
        "position": position,
        "name": name,
        "rater": rater,
        "revision": revision,
        "value": value,
        "given_at": at,
    }


@dataclass(frozen=True, slots=True)
class LabelHistory:
    """All labels of the answers of a run: a revision for each change by a rater."""

    run: Run
    last: dict[LabelKey, tuple[int, float | None]]
    answered: dict[str, tuple[int, bool]]
    """Where each question stands, and whether it has an answer."""

    @classmethod
    def of(cls, connection: Connection, run: Run) -> "LabelHistory":
        """What is stored."""
        columns = labels.c.position, labels.c.name, labels.c.rater, labels.c.revision, labels.c.value
        query = select(*columns).where(labels.c.run == run.key).order_by(labels.c.revision)
        given = connection.execute(query)
        last = {(at, name, rater): (number, value) for at, name, rater, number, value in given}
        positions = (
            select(pairs.c.id, answers.c.position, answers.c.answer.is_not(None))
            .join(answers, answers.c.pair == pairs.c.key)
            .where(answers.c.run == run.key)
        )
        reached = connection.execute(positions)
        return cls(run, last, {name: (position, bool(has)) for name, position, has in reached})

    @property
    def current(self) -> dict[LabelKey, float]:
        """The labels as they are now."""
        return {key: value for key, (_, value) in self.last.items() if value is not None}

    def add(self, connection: Connection, new: Iterable[tuple[LabelKey, float | None]]) -> int:
        """Store labels as the next revisions; how many there were."""
        at = now()
        rows = [
            _label_row(self.run.key, *change, self.last.get(change[0], (0, None))[0] + 1, at)
            for change in new
        ]
        if rows:
            connection.execute(labels.insert(), rows)
        return len(rows)
