"""An evaluation in one call: `run_evaluation(EvaluationRequest(questions="questions.jsonl"))`.

It goes from the first question to the summary and the page; into a place here, or by workers into Parquet
files.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.run import Run
from sensecheck.evaluation.batches import Batch, read_nothing, run_questions, validate_resume
from sensecheck.evaluation.build import EvaluationParts, LoadedQuestions, parts_of, read_questions
from sensecheck.evaluation.request import EvaluationRequest
from sensecheck.evaluation.result import (
    EvaluationEvents,
    EvaluationProgress,
    EvaluationResult,
    unknown_columns_note,
)
from sensecheck.measures.metrics import KNOWN, metrics_named
from sensecheck.runs.find import open_place
from sensecheck.runs.place import RunPlace
from sensecheck.runs.summary import MetricSummary, Totals, totals_of
from sensecheck.text.escaping import counted


def evaluation_steps(request: EvaluationRequest) -> EvaluationEvents:
    """Answer, read and store all questions: progress after every batch, then the result, then its page.

    Raises at once where the request is not possible.
    """
    request.validate()
    if request.parquet_address is None:
        return _evaluate_into_place(request)
    with extra("scale"):
        from sensecheck.evaluation.large import evaluate_into_parquet  # noqa: PLC0415 - an extra
    return evaluate_into_parquet(request)


def run_evaluation(request: EvaluationRequest) -> EvaluationResult:
    """The result of an evaluation, with all notes that were reported on the way."""
    notes: list[str] = []
    results: list[EvaluationResult] = []
    with closing(evaluation_steps(request)) as events:
        for event in events:
            notes.extend(event.notes)
            if not isinstance(event, EvaluationProgress):
                results.append(event)
    return replace(results[-1], notes=tuple(notes))


def _evaluate_into_place(request: EvaluationRequest) -> EvaluationEvents:
    """Read, answer, measure and store; the page is written after the result is known."""
    chain = request.chain()
    guarded = chain is not None
    request.template()
    metrics_named(request.metrics)  # an unknown name is refused before a million rows are read
    store = open_place(request.destination)
    with store.session():
        loaded = read_questions(request, store, guarded=guarded)
        notes = unknown_columns_note(loaded.strange, loaded.parts)
        if guarded and "passages" not in loaded.parts:
            notes += ("no question has passages: the guards have nothing to do",)
        if notes:
            yield EvaluationProgress(notes=notes)
        parts = parts_of(request, loaded, chain)
        run = _run_of(request, loaded, parts, store)
        yield from _batches(run, parts, store)
        yield _result(request, loaded, run, store, guarded=guarded)
        if request.html is not None:
            from sensecheck.runs.evaluation_page import write_page  # noqa: PLC0415 - for those who want a page

            write_page(store, store.run_by_key(run.key), request.html)


def _run_of(
    request: EvaluationRequest, loaded: LoadedQuestions, parts: EvaluationParts, store: RunPlace
) -> Run:
    """A new run, or the one that is resumed."""
    conditions = parts.conditions.to_data()
    if request.resume is not None:
        run = store.run(request.resume, project=request.named_project)
        if run.conditions.get("encoders") != conditions["encoders"]:
            parts.require_encoders()  # one that is unavailable has not changed
        _validate_names(request, run)
        validate_resume(run, loaded.chosen, conditions)
        store.resumed(run)
        return run
    embedding = {"encoders": [one.name for one in parts.panel.encoders]}
    generation = {**parts.answering.configured, "guards": conditions["guards"]}
    test = store.test(request.named_project, request.named_test, embedding=embedding, generation=generation)
    encoder = next((fingerprint for _, fingerprint in conditions["encoders"]), "")
    return store.begin(test, loaded.chosen, name=request.named_run, encoder=encoder, conditions=conditions)


def _batches(run: Run, parts: EvaluationParts, store: RunPlace) -> Iterator[EvaluationProgress]:
    failures: Counter[str] = Counter()
    progress = EvaluationProgress(phase="evaluating", done=run.done, total=run.set.size, run=str(run.key))
    yield progress
    batches = run_questions(
        store, run, parts.answering.each(run), parts.panel, batch_size=parts.answering.batch_size
    )
    for number, batch in enumerate(batches):
        failures["not answered"] += sum(scored.answer is None for _, scored in batch)
        failures["not read"] += sum(
            reading.error is not None for _, scored in batch for reading in scored.readings
        )
        progress = replace(progress, done=progress.done + len(batch), failures=dict(failures))
        yield progress if number else replace(progress, notes=_unread_notes(batch))


def _unread_notes(batch: Batch) -> tuple[str, ...]:
    """At once: the user should not wait for a complete run to learn that its encoder is unavailable."""
    return tuple(
        f"none of the first {len(batch):,} answers could be read by "
        f"{', '.join(f'`{name}`' for name in sorted(names))}: {because}; the run continues, and what they do "
        "not read is n/a"
        for because, names in read_nothing(batch).items()
    )


def _result(
    request: EvaluationRequest, loaded: LoadedQuestions, run: Run, store: RunPlace, *, guarded: bool
) -> EvaluationResult:
    run = store.run_by_key(run.key)  # as it is now, with all that was done
    totals = totals_of(store, run)
    unread = _metrics_without_readings(request, totals, guarded=guarded)
    notes = [
        f"`{metric.metric}` read none of {totals.answered:,} answers: {metric.because}" for metric in unread
    ]
    unused = 0 if loaded.table is None or request.resume is not None else loaded.table.unused
    if unused:
        notes.append(
            f"{counted(unused, 'recorded answer')} {'was' if unused == 1 else 'were'} for no question"
        )
    test_runs = store.runs(project=run.test.project, test=run.test.name)
    return EvaluationResult(
        address=store.address,
        complete=totals.all_read and not unread,
        notes=tuple(notes),
        run=run,
        totals=totals,
        previous_run=max(
            (earlier.key for earlier in test_runs if earlier.key < run.key and earlier.whole), default=None
        ),
    )


def _metrics_without_readings(
    request: EvaluationRequest, totals: Totals, *, guarded: bool
) -> list[MetricSummary]:
    """Metrics that should have read something: those that were named, or whose passages guards took away."""
    return [
        metric
        for metric in totals.silent
        if not metric.unread  # which makes the result incomplete already, and is shown
        and (
            metric.metric in request.metrics
            or (guarded and metric.metric in KNOWN and "passages" in KNOWN[metric.metric].wants)
        )
    ]


def _validate_names(request: EvaluationRequest, run: Run) -> None:
    """A resumed run has the names that it began with; others are an error."""
    for flag, name, stored in (("--test", request.test, run.test.name), ("--name", request.name, run.name)):
        if name and name != stored:
            raise SpecError(
                f"`{flag} {name}` is not that of the run {run.key}, which has `{stored}`; leave it out, or "
                "leave `--resume` out for a new run"
            )
