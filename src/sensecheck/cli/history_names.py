"""What a run has by name, read without its numbers."""

from collections.abc import Callable
from difflib import get_close_matches
from typing import TypeVar

from sqlalchemy import Connection, Select, select

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run
from sensecheck.store.address import store_option
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.run_reading import Metric
from sensecheck.store.tables import labels, metrics, pairs, readings, set_pairs

AT_ONCE = 1000
Found = TypeVar("Found")
Row = TypeVar("Row")


def metrics_in(store: EvalStore, run: Run) -> tuple[Metric, ...]:
    """Its metrics, each by the encoder that read it."""
    used = select(readings.c.metric).where(readings.c.run == run.key).distinct()
    query = (
        select(metrics.c.key, metrics.c.name, metrics.c.encoder, metrics.c.fingerprint)
        .where(metrics.c.key.in_(used))
        .order_by(metrics.c.key)
    )
    return _read(store, lambda held: tuple(Metric(*row) for row in held.execute(query)))


def labels_in(store: EvalStore, run: Run) -> tuple[str, ...]:
    """What people said of its answers."""
    query = select(labels.c.name).where(labels.c.run == run.key).distinct().order_by(labels.c.name)
    return _read(store, lambda held: tuple(held.execute(query).scalars()))


def slices_in(store: EvalStore, run: Run) -> tuple[str, ...]:
    """By what its questions are told apart."""
    query = _in_set(select(pairs.c.slices), run).execution_options(yield_per=AT_ONCE)

    def read(held: Connection) -> tuple[str, ...]:
        return tuple(sorted({key for kinds in held.execute(query).scalars() for key in kinds}))

    return _read(store, read)


def position_in(store: EvalStore, run: Run, question: str) -> int:
    """Where a question stands; an error that names one like it where the run has none of that id."""
    query = _in_set(select(set_pairs.c.position), run).where(pairs.c.id == question)
    found = _read(store, lambda held: held.execute(query).scalar_one_or_none())
    if found is None:
        raise SpecError(_no_such(store, run, question))
    return int(found)


def _no_such(store: EvalStore, run: Run, question: str) -> str:
    query = _in_set(select(pairs.c.id), run)
    names = _read(store, lambda held: list(held.execute(query).scalars()))
    close = get_close_matches(question, names, n=1, cutoff=0.5)
    export = f"sensecheck history export {run.key}{store_option(store.address)}"
    hint = f"; did you mean `{close[0]}`?" if close else f"; `{export}` lists them all"
    return f"the run {run.key} has no question `{question}`{hint}"


def _in_set(query: "Select[tuple[Row]]", run: Run) -> "Select[tuple[Row]]":
    """Of the questions of the run's set."""
    both = set_pairs.join(pairs, pairs.c.key == set_pairs.c.pair)
    return query.select_from(both).where(set_pairs.c.set == run.set.key)


def _read(store: EvalStore, ask: Callable[[Connection], Found]) -> Found:
    def read() -> Found:
        with store.engine.connect() as connection:
            return ask(connection)

    return store.patience.until_done(read)
