"""Answers, readings and labels written to the store, each exactly once.

This holds whatever happens to the process or to the database. Labels are added when people give them.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from secrets import token_hex

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from sensecheck.core.errors import NotKept, SampleError
from sensecheck.core.run import KeptAnswer, KeptReading, Placed, Run, storable
from sensecheck.store.bulk import add_missing, insert_rows
from sensecheck.store.columns import finite, kept_name, now
from sensecheck.store.engine import writing
from sensecheck.store.retry import Patience, first_line, is_away
from sensecheck.store.tables import answers, batches, labels, metrics, pairs, readings

Answered = Sequence[tuple[Placed, KeptAnswer]]
MetricKeys = Mapping[tuple[str, str], int]
"""By name and fingerprint."""
_ANSWER_COLUMNS = ("run", "position", "pair", "id", "answer", "error", "passages", "latency_ms", "cost")
_READING_COLUMNS = ("run", "position", "metric", "value", "because", "error")
_LabelKey = tuple[int, str, str]
"""The position of the answer, the name of the label, and who gave it."""


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
        if answered:
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
                raise NotKept(self._another_writer(answered[0][0].position)) from wrong
            raise NotKept(
                f"the database refused a batch of the run {self.run.key}: {first_line(wrong)}"
            ) from None

    def _is_written(self, connection: Connection, first: int) -> bool:
        query = select(batches.c.token).where(batches.c.run == self.run.key, batches.c.first == first)
        token = connection.execute(query).scalar_one_or_none()
        if token not in (None, self._token):
            raise NotKept(self._another_writer(first))
        return token is not None

    def _write(self, connection: Connection, answered: Answered) -> None:
        own = {"run": self.run.key, "token": self._token, "written_at": now()}
        stretches = _stretches([placed.position for placed, _ in answered])
        connection.execute(batches.insert(), [own | stretch for stretch in stretches])
        write_answers(connection, self.run.key, answered, self._metrics)

    def _know_metrics(self, answered: Answered) -> None:
        """In a transaction of its own: what is remembered of them must not be rolled back."""
        wanted = {(one.metric, one.fingerprint): one for _, kept in answered for one in kept.readings}
        unknown = [one for key, one in wanted.items() if key not in self._metrics]
        if unknown:
            with writing(self.engine) as connection:
                found = metric_keys(connection, unknown)
            self._metrics |= found

    def _another_writer(self, first: int) -> str:
        return (
            f"the run {self.run.key} is being written by another process, from question {first + 1} on; "
            "wait for it to end, or stop it"
        )


@dataclass(frozen=True, slots=True)
class Label:
    """What somebody says of the answer to one question of a run."""

    question: str
    """The question's id."""
    name: str
    """What is said of it, as `correct`."""
    value: float
    rater: str = ""
    """Who says so; several may speak of one answer, each once."""


def add_labels(engine: Engine, run: Run, given: Sequence[Label]) -> int:
    """Keep those of these labels that are new, or none where one is wrong; how many were.

    What somebody says once more is skipped. Raises `SampleError` for a question that the run has not
    answered, and for another value than before: history is not changed, and nobody has two opinions.
    """
    if not given:
        raise SampleError("there are no labels; wanted at least one")
    try:
        with writing(engine) as connection:
            new = list(_new_label_rows(connection, run, given))
            if new:
                connection.execute(labels.insert(), new)
    except IntegrityError as wrong:  # somebody else was quicker
        raise SampleError(f"the run {run.key} has been given some of these labels in the meantime") from wrong
    return len(new)


def write_answers(connection: Connection, run: int, answered: Answered, keys: MetricKeys) -> None:
    """Add answers with their readings and labels to a run, within the transaction of the connection."""
    insert_rows(connection, answers, _ANSWER_COLUMNS, (_answer_row(run, *one) for one in answered))
    insert_rows(connection, readings, _READING_COLUMNS, _reading_rows(run, answered, keys))
    given = [row for placed, kept in answered for row in _label_rows(run, placed, kept)]
    if given:
        connection.execute(labels.insert(), given)


def metric_keys(connection: Connection, wanted: Iterable[KeptReading]) -> dict[tuple[str, str], int]:
    """The keys of these metrics, made where they are new; by name and fingerprint."""
    rows = {(one.metric, one.fingerprint): _metric_row(one) for one in wanted}
    # in one order for all: who waits for another never waits in a circle
    add_missing(connection, metrics, sorted(rows.values(), key=lambda row: (row["name"], row["fingerprint"])))
    query = select(metrics.c.name, metrics.c.fingerprint, metrics.c.key)
    found = {(name, fingerprint): key for name, fingerprint, key in connection.execute(query)}
    return {named: found[row["name"], row["fingerprint"]] for named, row in rows.items()}


def _metric_row(one: KeptReading) -> dict[str, str]:
    return {
        "name": kept_name(one.metric, "the name of a metric"),
        "encoder": storable(one.encoder),
        "fingerprint": kept_name(one.fingerprint, "the fingerprint of an encoder"),
    }


def _stretches(positions: Sequence[int]) -> list[dict[str, int]]:
    """Positions as stretches without gaps, as a service may answer questions in any order."""
    found: list[dict[str, int]] = []
    for position in positions:
        if found and position == found[-1]["first"] + found[-1]["size"]:
            found[-1]["size"] += 1
        else:
            found.append({"first": position, "size": 1})
    return found


def _is_duplicate_key(wrong: DBAPIError) -> bool:
    """Whether a row was refused since there is one with its key."""
    unique = getattr(wrong.orig, "sqlstate", None) == "23505" or "UNIQUE" in str(wrong.orig)
    return isinstance(wrong, IntegrityError) and unique


def _answer_row(run: int, placed: Placed, kept: KeptAnswer) -> Sequence[object]:
    latency_ms, late = finite(kept.latency_ms, "`latency_ms`")
    cost, dear = finite(kept.cost, "`cost`")
    passages = None if kept.passages is None else json.dumps([storable(text) for text in kept.passages])
    return (
        run,
        placed.position,
        placed.key,
        _storable_or_none(kept.id),
        _storable_or_none(kept.answer),
        _storable_or_none(kept.error or late or dear),
        passages,
        latency_ms,
        cost,
    )


def _reading_rows(run: int, answered: Answered, keys: MetricKeys) -> Iterator[Sequence[object]]:
    for placed, kept in answered:
        for one in kept.readings:
            metric = keys[one.metric, one.fingerprint]
            value, odd = finite(one.value, "the value")
            yield (
                run,
                placed.position,
                metric,
                value,
                _storable_or_none(one.because),
                _storable_or_none(one.error or odd),
            )


def _label_rows(run: int, placed: Placed, kept: KeptAnswer) -> Iterator[dict[str, object]]:
    for name, value in kept.labels.items():
        if not math.isfinite(value):
            raise SampleError(f"the label `{name}` wants a finite number; found {value}")
        label = kept_name(name, "the name of a label", SampleError)
        row = {"run": run, "position": placed.position, "name": label, "rater": "", "value": float(value)}
        yield row | {"given_at": now()}


def _storable_or_none(given: str | None) -> str | None:
    return None if given is None else storable(given)


def _new_label_rows(connection: Connection, run: Run, given: Sequence[Label]) -> Iterable[dict[str, object]]:
    positions, given_before, at = _positions(connection, run), _labels_given(connection, run), now()
    for label in given:
        _must_be_valid(label)
        position = _answered_position(positions, run, label)
        name = kept_name(label.name, "the name of a label", SampleError)
        key = position, name, kept_name(label.rater, "the name of who labels", SampleError)
        if key in given_before:
            _must_be_the_same(label, given_before[key])
            continue
        given_before[key] = float(label.value)
        yield {
            "run": run.key,
            "position": key[0],
            "name": key[1],
            "rater": key[2],
            "value": given_before[key],
            "given_at": at,
        }


def _must_be_the_same(label: Label, before: float) -> None:
    if float(label.value) != before:
        raise SampleError(
            f"{_in_words(label)} says {before:g} already, and now {label.value:g}; history is kept as it is: "
            "give it as another `--rater`"
        )


def _positions(connection: Connection, run: Run) -> dict[str, tuple[int, bool]]:
    """Where each question stands, and whether it has an answer."""
    query = (
        select(pairs.c.id, answers.c.position, answers.c.answer.is_not(None))
        .join(answers, answers.c.pair == pairs.c.key)
        .where(answers.c.run == run.key)
    )
    return {name: (position, bool(has)) for name, position, has in connection.execute(query)}


def _labels_given(connection: Connection, run: Run) -> dict[_LabelKey, float]:
    query = select(labels.c.position, labels.c.name, labels.c.rater, labels.c.value)
    found = connection.execute(query.where(labels.c.run == run.key))
    return {(position, name, rater): value for position, name, rater, value in found}


def _answered_position(positions: dict[str, tuple[int, bool]], run: Run, label: Label) -> int:
    position, has_answer = positions.get(storable(label.question), (-1, False))
    if position < 0:
        raise SampleError(f"the run {run.key} has no question `{label.question}`; wanted the id of one")
    if not has_answer:
        raise SampleError(f"nobody has answered the question `{label.question}` of the run {run.key}")
    return position


def _must_be_valid(label: Label) -> None:
    if not label.name.strip():
        raise SampleError(f"a label of the question `{label.question}` has no name; wanted one as `correct`")
    if not math.isfinite(label.value):
        raise SampleError(f"{_in_words(label)} wants a finite number; found {label.value}")


def _in_words(label: Label) -> str:
    by = f" by `{label.rater}`" if label.rater else ""
    return f"the label `{label.name}`{by} of the question `{label.question}`"
