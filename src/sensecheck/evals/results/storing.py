"""A large run brought into the store of evaluations, where its history is told beside others."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice

from sensecheck.core.errors import SpecError
from sensecheck.core.run import KeptAnswer, KeptReading, Placed, Run
from sensecheck.evals.results.choosing import choose
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.rows import Limits, tables
from sensecheck.evals.results.shown_rows import ShownRows
from sensecheck.measures.metrics import KNOWN
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.run_reading import AnsweredPair

MOST = 1_000_000
"""Rows: a kept run is read whole wherever it is shown; larger ones are read where they lie."""
AT_ONCE = 1000
TABLE = "results"


def keep_in_store(
    run: FinishedRun,
    store: EvalStore,
    *,
    project: str,
    test: str = "default",
    name: str = "",
    slices: tuple[str, ...] = (),
    limits: Limits | None = None,
    on_kept: Callable[[int], None] = lambda _: None,
) -> Run:
    """Keep every answer with its readings as a run of the store; `on_kept` hears of each batch."""
    _must_fit(run)
    readers = dict(run.plan.readers)
    known = store.test(project, test, embedding={"encoder": readers.get("encoder", "")}, generation={})
    with tables({TABLE: run}, limits or Limits()) as connection:
        choose(connection, TABLE, run.manifest.rows, None, MOST)
        shown = ShownRows(connection, TABLE, run, slices)
        questions = store.keep_set(project, (one.pair for one in shown.answers()))
        conditions = {**readers, "metrics": list(run.metrics), "results": run.manifest.fingerprint}
        kept = store.begin(
            known, questions, name=name, encoder=readers.get("encoder", ""), conditions=conditions
        )
        writer, placed = store.writer(kept), store.questions(questions)
        answers = (_kept(one, readers.get("encoder", "")) for one in shown.answers())
        for some in _batches(zip(placed, answers, strict=True)):
            writer.add(some)
            on_kept(len(some))
    store.finish(kept)
    return store.run_by_key(kept.key)


def _must_fit(run: FinishedRun) -> None:
    if run.manifest.rows > MOST:
        raise SpecError(
            f"`{run.address}` has {run.manifest.rows:,} rows; a store takes runs of at most {MOST:,}: export "
            "to Parquet, or read the results where they lie"
        )
    if run.column("answer") is None:
        raise SpecError(
            f"`{run.address}` carries no answers, which a store keeps; run it without `--without-texts`"
        )


def _kept(one: AnsweredPair, encoder: str) -> KeptAnswer:
    """A reading that is not there says that a metric does not apply."""
    told = (replaced for reading in one.told.readings if (replaced := _by(reading, encoder)) is not None)
    return replace(one.told, readings=tuple(told))


def _by(reading: KeptReading, encoder: str) -> KeptReading | None:
    if reading.value is None and reading.error is None:
        return None
    kind = KNOWN[reading.metric].kind if reading.metric in KNOWN else None
    if kind in ("lexical", "facts", "judged"):
        return reading
    return reading._replace(encoder=encoder, fingerprint=encoder)


def _batches(answered: Iterator[tuple[Placed, KeptAnswer]]) -> Iterator[list[tuple[Placed, KeptAnswer]]]:
    while some := list(islice(answered, AT_ONCE)):
        yield some
