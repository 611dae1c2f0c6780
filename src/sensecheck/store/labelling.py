"""What people say of the answers of a run, added when they say it."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import IntegrityError

from sensecheck.core.errors import SampleError
from sensecheck.core.run import Run, storable
from sensecheck.store.engine import writing
from sensecheck.store.moments import now
from sensecheck.store.names import kept_name
from sensecheck.store.tables import answers, labels, pairs

_Given = tuple[int, str, str]
"""The position of the answer, the name of the label, and who gave it."""


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
            new = list(_rows(connection, run, given))
            if new:
                connection.execute(labels.insert(), new)
    except IntegrityError as wrong:  # somebody else was quicker
        raise SampleError(f"the run {run.key} has been given some of these labels in the meantime") from wrong
    return len(new)


def _rows(connection: Connection, run: Run, given: Sequence[Label]) -> Iterable[dict[str, object]]:
    places, met, at = _places(connection, run), _there(connection, run), now()
    for label in given:
        _must_be_sensible(label)
        position = _place(places, run, label)
        name = kept_name(label.name, "the name of a label", SampleError)
        key = position, name, kept_name(label.rater, "the name of who labels", SampleError)
        if key in met:
            _must_be_the_same(label, met[key])
            continue
        met[key] = float(label.value)
        yield {
            "run": run.key,
            "position": key[0],
            "name": key[1],
            "rater": key[2],
            "value": met[key],
            "given_at": at,
        }


def _must_be_the_same(label: Label, before: float) -> None:
    if float(label.value) != before:
        raise SampleError(
            f"{_said(label)} says {before:g} already, and now {label.value:g}; history is kept as it is: "
            "give it as another `--rater`"
        )


def _places(connection: Connection, run: Run) -> dict[str, tuple[int, bool]]:
    """Where each question stands, and whether it has an answer."""
    query = (
        select(pairs.c.id, answers.c.position, answers.c.answer.is_not(None))
        .join(answers, answers.c.pair == pairs.c.key)
        .where(answers.c.run == run.key)
    )
    return {name: (position, bool(has)) for name, position, has in connection.execute(query)}


def _there(connection: Connection, run: Run) -> dict[_Given, float]:
    query = select(labels.c.position, labels.c.name, labels.c.rater, labels.c.value)
    found = connection.execute(query.where(labels.c.run == run.key))
    return {(position, name, rater): value for position, name, rater, value in found}


def _place(places: dict[str, tuple[int, bool]], run: Run, label: Label) -> int:
    position, has_answer = places.get(storable(label.question), (-1, False))
    if position < 0:
        raise SampleError(f"the run {run.key} has no question `{label.question}`; wanted the id of one")
    if not has_answer:
        raise SampleError(f"nobody has answered the question `{label.question}` of the run {run.key}")
    return position


def _must_be_sensible(label: Label) -> None:
    if not label.name.strip():
        raise SampleError(f"a label of the question `{label.question}` has no name; wanted one as `correct`")
    if not math.isfinite(label.value):
        raise SampleError(f"{_said(label)} wants a finite number; found {label.value}")


def _said(label: Label) -> str:
    by = f" by `{label.rater}`" if label.rater else ""
    return f"the label `{label.name}`{by} of the question `{label.question}`"
