"""An evaluation from its first question to its summary."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

from sensecheck.cli.console import Paper, logs_as_notes, note, note_unknown_columns, safe, write_json
from sensecheck.cli.evaluation.view import show_totals, totals_data
from sensecheck.cli.exit_codes import INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.progress import evaluation_progress
from sensecheck.cli.store import store_session
from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.run import Run
from sensecheck.evaluation.build import (
    EvaluationParts,
    LoadedQuestions,
    parts_of,
    read_questions,
)
from sensecheck.evaluation.evaluate import Batch, must_go_on, read_nothing, run_questions
from sensecheck.evaluation.request import EvaluationRequest
from sensecheck.measures.metrics import KNOWN, metrics_named
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.summary import MetricSummary, Totals, totals_of
from sensecheck.store.address import store_option


def execute_evaluation(request: EvaluationRequest, *, as_json: bool) -> int:
    """Read, answer, measure, keep and show; the exit code."""
    chain = request.chain()
    request.template()
    metrics_named(request.metrics)  # a name that nobody knows is refused before a million rows are read
    with logs_as_notes(as_json=as_json), _opened(request) as store:
        loaded = read_questions(request, store, guarded=chain is not None)
        note_unknown_columns(loaded.strange, as_json=as_json)
        if chain is not None and "passages" not in loaded.parts:
            note("no question has passages: the guards have nothing to do", as_json=as_json)
        parts = parts_of(request, loaded, chain)
        run = _run_of(request, loaded, parts, store)
        _take_batches(request, run, parts, store, as_json=as_json)
        code = _report(request, loaded, run, store, guarded=chain is not None, as_json=as_json)
        if request.html is not None:
            _write_page(store, store.run_by_key(run.key), request.html, as_json=as_json)
    return code


@contextmanager
def _opened(request: EvaluationRequest) -> Iterator[EvalStore]:
    """The store; what its database refuses becomes a line that people can read."""
    with extra("eval"):
        store = EvalStore.open(request.settings.store)
    with store_session(store):
        yield store


def _run_of(
    request: EvaluationRequest, loaded: LoadedQuestions, parts: EvaluationParts, store: EvalStore
) -> Run:
    """A new run, or the one that goes on."""
    conditions = parts.conditions.to_data()
    if request.resume is not None:
        run = store.run(request.resume, project=request.named_project)
        if run.conditions.get("encoders") != conditions["encoders"]:
            parts.must_answer()  # one that is away has not changed
        _names_must_match(request, run)
        must_go_on(run, loaded.chosen, conditions)
        store.resumed(run)
        return run
    test = store.test(
        request.named_project, request.named_test, embedding=parts.embedding, generation=parts.generation
    )
    own = next((fingerprint for _, fingerprint in conditions["encoders"]), "")
    return store.begin(test, loaded.chosen, name=request.named_run, encoder=own, conditions=conditions)


def _take_batches(
    request: EvaluationRequest, run: Run, parts: EvaluationParts, store: EvalStore, *, as_json: bool
) -> None:
    batches = run_questions(store, run, parts.answer_each(run), parts.panel, at_once=parts.at_once)
    try:
        for number, batch in enumerate(evaluation_progress(batches, run, hidden=as_json)):
            if number == 0:
                _note_metrics_that_read_nothing(batch, as_json=as_json)
    except KeyboardInterrupt:
        _say_how_to_resume(request, run, as_json=as_json)
        raise typer.Exit(INTERRUPTED) from None


def _report(
    request: EvaluationRequest,
    loaded: LoadedQuestions,
    run: Run,
    store: EvalStore,
    *,
    guarded: bool,
    as_json: bool,
) -> int:
    totals = totals_of(store, run)
    unread = _metrics_without_readings(request, totals, guarded=guarded)
    code = PASSED if totals.all_read and not unread else NOT_JUDGED
    if as_json:
        write_json(totals_data(run, totals, store.address, code))
    else:
        show_totals(Paper(), run, totals, store.address, before=_previous_run(run, store))
    for one in unread:
        note(f"`{one.metric}` read none of {totals.answered:,} answers: {one.because}", as_json=as_json)
    unused = 0 if loaded.table is None or request.resume is not None else loaded.table.unused
    if unused:
        answers = "answer was" if unused == 1 else "answers were"
        note(f"{unused:,} recorded {answers} for no question", as_json=as_json)
    return code


def _metrics_without_readings(
    request: EvaluationRequest, totals: Totals, *, guarded: bool
) -> list[MetricSummary]:
    """Metrics that should have read something: those that were named, or whose passages guards took away."""
    return [
        one
        for one in totals.silent
        if not one.unread  # which is a three already, and has been shown
        and (
            one.metric in request.metrics
            or (guarded and one.metric in KNOWN and "passages" in KNOWN[one.metric].wants)
        )
    ]


def _previous_run(run: Run, store: EvalStore) -> int | None:
    """The last whole run of the same project and test that was begun before; None without one."""
    same = store.runs(project=run.test.project, test=run.test.name)
    return max((one.key for one in same if one.key < run.key and one.whole), default=None)


def _names_must_match(request: EvaluationRequest, run: Run) -> None:
    """What a run is called was said when it began."""
    for flag, given, found in (("--test", request.test, run.test.name), ("--name", request.name, run.name)):
        if given and given != found:
            raise SpecError(
                f"`{flag} {given}` is not that of the run {run.key}, which has `{found}`; leave it away, or "
                "leave `--resume` away for a new run"
            )


def _write_page(store: EvalStore, run: Run, path: Path, *, as_json: bool) -> None:
    """After all else was shown: a page that cannot be written costs nobody what came of the run."""
    from sensecheck.runs.evaluation_page import write_page  # noqa: PLC0415 - for those who want a page

    write_page(store, run, path)
    if not as_json:
        Paper().say("written to ", (safe(str(path)), "bold"))


def _note_metrics_that_read_nothing(batch: Batch, *, as_json: bool) -> None:
    """At once: nobody should wait for a whole run to learn that its encoder is away."""
    for because, names in read_nothing(batch).items():
        listed = ", ".join(f"`{name}`" for name in sorted(names))
        note(
            f"none of the first {len(batch):,} answers could be read by {listed}: {because}; the run goes "
            "on, and what they do not read is n/a",
            as_json=as_json,
        )


def _say_how_to_resume(request: EvaluationRequest, run: Run, *, as_json: bool) -> None:
    if as_json:
        write_json({"error": "interrupted", "kind": "Interrupted", "run": run.key}, err=True)
        return
    named = safe(str(request.questions)) if request.questions else f"--project {safe(request.named_project)}"
    store = safe(store_option(request.settings.store))
    Paper(stderr=True).say(
        ("interrupted: ", "bold yellow"),
        f"what was read is kept; go on with `sensecheck eval {named} --resume {run.key}{store}` ",
        "and the same options",
    )
