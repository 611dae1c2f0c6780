"""An evaluation from its request to what is shown.

What the database of a store refuses, as a line that people can read.

One evaluation, from its first question to its summary.

One large run, from its inputs to the sheet that sums it up.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from sqlalchemy.exc import DBAPIError

from sensecheck.cli.console import Paper, logs_as_notes, note, safe, say_what_is_strange, write_json
from sensecheck.cli.evaluation.view import show_totals, totals_data
from sensecheck.cli.exit_codes import INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.progress_of_runs import evaluation_progress
from sensecheck.core.errors import NotKept, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.run import Run
from sensecheck.evaluation.build import (
    Asked,
    Parts,
    parts_of,
    read_questions,
)
from sensecheck.evaluation.evaluate import Batch, must_go_on, read_nothing, run_questions
from sensecheck.evaluation.request import Order
from sensecheck.measures.metrics import KNOWN, metrics_named
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.summary import MetricSummary, Totals, totals_of
from sensecheck.store.address import store_option
from sensecheck.store.retry import first_line


@contextmanager
def told_plainly(store: EvalStore) -> Iterator[EvalStore]:
    """The store, closed at the end; what its database refuses meanwhile is `NotKept`."""
    try:
        yield store
    except DBAPIError as wrong:
        raise NotKept(f"the store `{store.address}` refused: {first_line(wrong)}") from wrong
    finally:
        store.close()


def walk(order: Order, *, as_json: bool) -> int:
    """Read, answer, measure, keep and show; the exit code."""
    chain = order.chain()
    order.template()
    metrics_named(order.metrics)  # a name that nobody knows is told before a million rows are read
    with logs_as_notes(as_json=as_json), _opened(order) as store:
        asked = read_questions(order, store, guarded=chain is not None)
        say_what_is_strange(asked.strange, as_json=as_json)
        if chain is not None and "passages" not in asked.parts:
            note("no question has passages: the guards have nothing to do", as_json=as_json)
        parts = parts_of(order, asked, chain)
        run = _begun(order, asked, parts, store)
        _run(order, run, parts, store, as_json=as_json)
        code = _told(order, asked, run, store, guarded=chain is not None, as_json=as_json)
        if order.html is not None:
            _write_page(store, store.run_by_key(run.key), order.html, as_json=as_json)
    return code


@contextmanager
def _opened(order: Order) -> Iterator[EvalStore]:
    """The store; what its database refuses becomes a line that people can read."""
    with extra("eval"):
        store = EvalStore.open(order.settings.store)
    with told_plainly(store):
        yield store


def _begun(order: Order, asked: Asked, parts: Parts, store: EvalStore) -> Run:
    """A new run, or the one that goes on."""
    conditions = parts.conditions.to_data()
    if order.resume is not None:
        run = store.run(order.resume, project=order.named_project)
        if run.conditions.get("encoders") != conditions["encoders"]:
            parts.must_answer()  # one that is away has not changed
        _must_be_called_so(order, run)
        must_go_on(run, asked.chosen, conditions)
        store.resumed(run)
        return run
    test = store.test(
        order.named_project, order.named_test, embedding=parts.embedding, generation=parts.generation
    )
    own = next((fingerprint for _, fingerprint in conditions["encoders"]), "")
    return store.begin(test, asked.chosen, name=order.named_run, encoder=own, conditions=conditions)


def _run(order: Order, run: Run, parts: Parts, store: EvalStore, *, as_json: bool) -> None:
    batches = run_questions(store, run, parts.answer_each(run), parts.panel, at_once=parts.at_once)
    try:
        for number, batch in enumerate(evaluation_progress(batches, run, hidden=as_json)):
            if number == 0:
                _say_what_reads_nothing(batch, as_json=as_json)
    except KeyboardInterrupt:
        _say_how_to_resume(order, run, as_json=as_json)
        raise typer.Exit(INTERRUPTED) from None


def _told(order: Order, asked: Asked, run: Run, store: EvalStore, *, guarded: bool, as_json: bool) -> int:
    totals = totals_of(store, run)
    silent = _silent(order, totals, guarded=guarded)
    code = PASSED if totals.all_read and not silent else NOT_JUDGED
    if as_json:
        write_json(totals_data(run, totals, store.address, code))
    else:
        show_totals(Paper(), run, totals, store.address, before=_before(run, store))
    for one in silent:
        note(f"`{one.metric}` read none of {totals.answered:,} answers: {one.because}", as_json=as_json)
    unused = 0 if asked.table is None or order.resume is not None else asked.table.unused
    if unused:
        answers = "answer was" if unused == 1 else "answers were"
        note(f"{unused:,} recorded {answers} for no question", as_json=as_json)
    return code


def _silent(order: Order, totals: Totals, *, guarded: bool) -> list[MetricSummary]:
    """Metrics that should have read something: those that were named, or whose passages guards took away."""
    return [
        one
        for one in totals.silent
        if not one.unread  # which is a three already, and has been told
        and (
            one.metric in order.metrics
            or (guarded and one.metric in KNOWN and "passages" in KNOWN[one.metric].wants)
        )
    ]


def _before(run: Run, store: EvalStore) -> int | None:
    """The last whole run of the same project and test that was begun before; None without one."""
    same = store.runs(project=run.test.project, test=run.test.name)
    return max((one.key for one in same if one.key < run.key and one.whole), default=None)


def _must_be_called_so(order: Order, run: Run) -> None:
    """What a run is called was said when it began."""
    for flag, asked, found in (("--test", order.test, run.test.name), ("--name", order.name, run.name)):
        if asked and asked != found:
            raise SpecError(
                f"`{flag} {asked}` is not that of the run {run.key}, which has `{found}`; leave it away, or "
                "leave `--resume` away for a new run"
            )


def _write_page(store: EvalStore, run: Run, path: Path, *, as_json: bool) -> None:
    """After all else was told: a page that cannot be written costs nobody what came of the run."""
    from sensecheck.runs.evaluation_page import write_page  # noqa: PLC0415 - for those who want a page

    write_page(store, run, path)
    if not as_json:
        Paper().say("written to ", (safe(str(path)), "bold"))


def _say_what_reads_nothing(batch: Batch, *, as_json: bool) -> None:
    """At once: nobody should wait for a whole run to learn that its encoder is away."""
    for because, names in read_nothing(batch).items():
        told = ", ".join(f"`{name}`" for name in sorted(names))
        note(
            f"none of the first {len(batch):,} answers could be read by {told}: {because}; the run goes on, "
            "and what they do not read is n/a",
            as_json=as_json,
        )


def _say_how_to_resume(order: Order, run: Run, *, as_json: bool) -> None:
    if as_json:
        write_json({"error": "interrupted", "kind": "Interrupted", "run": run.key}, err=True)
        return
    named = safe(str(order.questions)) if order.questions else f"--project {safe(order.named_project)}"
    store = safe(store_option(order.settings.store))
    Paper(stderr=True).say(
        ("interrupted: ", "bold yellow"),
        f"what was read is kept; go on with `sensecheck eval {named} --resume {run.key}{store}` ",
        "and the same options",
    )
