"""One evaluation, from its first question to its summary."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer
from sqlalchemy.exc import DBAPIError

from sensecheck.cli.eval_notes import logs_as_notes, note
from sensecheck.cli.eval_order import Order
from sensecheck.cli.eval_parts import Parts, parts_of
from sensecheck.cli.eval_progress import shown
from sensecheck.cli.eval_questions import Asked, read_questions
from sensecheck.cli.eval_sheet import show_totals, totals_data
from sensecheck.cli.outcomes import INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper, safe
from sensecheck.core.errors import NotKept
from sensecheck.core.extras import extra
from sensecheck.evals.qa.catalogue import metrics_named
from sensecheck.evals.qa.conditions import must_go_on
from sensecheck.evals.qa.running import run_questions
from sensecheck.evals.qa.totals import totals_of
from sensecheck.store.eval_store import EvalStore
from sensecheck.store.records import Run
from sensecheck.store.waiting import first_line

SOME = 8
"""Strange columns that are named in a note."""


def walk(order: Order, *, as_json: bool) -> int:
    """Read, answer, measure, keep and show; the exit code."""
    chain = order.chain()
    order.template()
    metrics_named(order.metrics)  # a name that nobody knows is told before a million rows are read
    with logs_as_notes(as_json=as_json), _opened(order) as store:
        asked = read_questions(order, store, guarded=chain is not None)
        _say_what_is_strange(asked, as_json=as_json)
        parts = parts_of(order, asked, chain)
        run = _begun(order, asked, parts, store)
        _run(order, run, parts, store, as_json=as_json)
        code = _told(order, asked, run, store, as_json=as_json)
        if order.html is not None:
            _write_page(store, store.run(str(run.key)), order.html, as_json=as_json)
    return code


@contextmanager
def _opened(order: Order) -> Iterator[EvalStore]:
    """The store; what its database refuses becomes a line that people can read."""
    with extra("postgresql"):
        store = EvalStore.open(order.settings.store)
    try:
        yield store
    except DBAPIError as wrong:
        raise NotKept(f"the store `{store.address}` refused: {first_line(wrong)}") from wrong
    finally:
        store.close()


def _begun(order: Order, asked: Asked, parts: Parts, store: EvalStore) -> Run:
    """A new run, or the one that goes on."""
    conditions = parts.conditions.to_data()
    if order.resume is not None:
        run = store.run(order.resume, project=order.named_project)
        must_go_on(run, asked.chosen, conditions)
        store.resumed(run)
        return run
    test = store.test(order.named_project, order.test, embedding=parts.embedding, generation=parts.generation)
    return store.begin(test, asked.chosen, name=order.name, encoder=parts.fingerprint, conditions=conditions)


def _run(order: Order, run: Run, parts: Parts, store: EvalStore, *, as_json: bool) -> None:
    batches = run_questions(store, run, parts.answer_each(run), parts.panel, at_once=parts.at_once)
    try:
        for _ in shown(batches, run, hidden=as_json):
            pass
    except KeyboardInterrupt:
        _say_how_to_resume(order, run, as_json=as_json)
        raise typer.Exit(INTERRUPTED) from None


def _told(order: Order, asked: Asked, run: Run, store: EvalStore, *, as_json: bool) -> int:
    totals = totals_of(store, run)
    code = PASSED if totals.all_read else NOT_JUDGED
    if as_json:
        write_json(totals_data(run, totals, store.address, code))
    else:
        show_totals(Paper(), run, totals, store.address, is_first=_is_first(run, store))
    unused = 0 if asked.table is None or order.resume is not None else asked.table.unused
    if unused:
        answers = "answer was" if unused == 1 else "answers were"
        note(f"{unused:,} recorded {answers} for no question", as_json=as_json)
    return code


def _is_first(run: Run, store: EvalStore) -> bool:
    return store.runs(project=run.test.project)[0].key == run.key


def _write_page(store: EvalStore, run: Run, path: Path, *, as_json: bool) -> None:
    """After all else was told: a page that cannot be written costs nobody what came of the run."""
    from sensecheck.evals.qa.report.page import write_page  # noqa: PLC0415 - for those who want a page

    write_page(store, run, path)
    if not as_json:
        Paper().say("written to ", (safe(str(path)), "bold"))


def _say_what_is_strange(asked: Asked, *, as_json: bool) -> None:
    if asked.strange:
        named = ", ".join(f"`{column}`" for column in asked.strange[:SOME])
        more = ", …" if len(asked.strange) > SOME else ""
        note(
            f"columns that are not read: {named}{more}; `--slice`, `--label`, `--column` or `--ignore` "
            "say what they are",
            as_json=as_json,
        )


def _say_how_to_resume(order: Order, run: Run, *, as_json: bool) -> None:
    if as_json:
        write_json({"error": "interrupted", "kind": "Interrupted", "run": run.key}, err=True)
        return
    named = safe(str(order.questions)) if order.questions else f"--project {safe(order.named_project)}"
    Paper(stderr=True).say(
        ("interrupted: ", "bold yellow"),
        f"what was read is kept; go on with `sensecheck eval {named} --resume {run.key}` ",
        "and the same options",
    )
