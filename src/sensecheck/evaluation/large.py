"""An evaluation into Parquet files: its plan, who works, and what it came to."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from sensecheck import __version__
from sensecheck.config import Settings, card_library, shard_worker, table_readers
from sensecheck.core.errors import SampleError, SpecError, StorageError
from sensecheck.core.serialization import did_you_mean
from sensecheck.datasets.columns import COLUMN_NAMES, ColumnMeaning
from sensecheck.documents.reading import read_path
from sensecheck.encoders.caches import precision_of
from sensecheck.evaluation.answer_model import shown_encoder
from sensecheck.evaluation.request import EvaluationRequest
from sensecheck.evaluation.result import (
    EvaluationEvents,
    EvaluationProgress,
    EvaluationResult,
    unknown_columns_note,
)
from sensecheck.execution.driver import clear_away, run_shards
from sensecheck.execution.executor import Executor, Inline
from sensecheck.execution.location import StorageLocation, is_url
from sensecheck.execution.manifest import Manifest, begun, manifest_in
from sensecheck.execution.object_store import location_of
from sensecheck.execution.plan import RunPlan
from sensecheck.execution.planning import columns_of, fingerprints_of, inputs_of, plan_run
from sensecheck.execution.processes import Processes
from sensecheck.execution.ray_executor import RayExecutor
from sensecheck.measures.metrics import standard_for
from sensecheck.runs.file_place import PLACE_FILE
from sensecheck.runs.large_place import KEY, LargeRunPlace
from sensecheck.runs.parquet import FinishedRun
from sensecheck.runs.summary import summary_of
from sensecheck.tables.order import TableOrder, needed_by, require_free, result_fields
from sensecheck.text.escaping import counted

_TEXTS = ("question", "expected", "answer", "passages")
_CHECK_FILES = (".json", ".yaml", ".yml")


def evaluate_into_parquet(request: EvaluationRequest) -> EvaluationEvents:
    """Route, assess and store; a run that is finished is summed up again, and nothing is done."""
    settings, notes = settings_on(request)
    request = replace(request, settings=settings)
    if notes:
        yield EvaluationProgress(notes=notes)
    location = location_of(request.parquet_address or "")
    if location.read(PLACE_FILE) is not None:
        raise SpecError(f"`{location.address}` holds stored runs; a large run needs a folder of its own")
    earlier = manifest_in(location)
    columns = columns_meant(request)
    if columns.strange:
        yield EvaluationProgress(notes=unknown_columns_note(columns.strange, columns.parts))
    plan = plan_of(request, columns, None if earlier is None else earlier.plan)
    if earlier is not None:
        begun(location, plan)  # which says what is different, if anything is
        clear_away(location)
        yield EvaluationProgress(notes=("this run is finished; nothing was done again",))
    else:
        yield from _shards(request, plan, location)
    manifest = earlier or manifest_in(location)
    if manifest is None:
        raise StorageError(f"`{location.address}` lost the manifest of the run; run the same command again")
    yield _result(request, manifest, location)


def _shards(
    request: EvaluationRequest, plan: RunPlan, location: StorageLocation
) -> Iterator[EvaluationProgress]:
    executor = executor_of(request, plan)
    address = location.address if is_url(location.address) else str(Path(location.address).absolute())
    make = partial(shard_worker, request.settings, address)  # whichever folder a worker is started in
    link = None
    yield EvaluationProgress(run=location.address)
    with closing(run_shards(location, plan, executor, make)) as steps:  # whenever the interruption comes
        for step in steps:
            notes = (f"watch the workers at {step.link}",) if step.link and not link else ()
            link = link or step.link
            yield EvaluationProgress(
                phase=step.phase,
                done=step.done,
                total=step.total,
                failures={"error" if step.errors == 1 else "errors": step.errors},
                run=location.address,
                link=link,
                notes=notes,
            )


def _result(request: EvaluationRequest, manifest: Manifest, location: StorageLocation) -> EvaluationResult:
    """Metrics that were named and read nothing are noted; where reading failed, rows are errors."""
    place = LargeRunPlace(FinishedRun(location, manifest))
    run = place.run_by_key(KEY)
    totals = summary_of(place, run).totals
    rows = counted(manifest.rows, "row")
    notes = tuple(
        f"`{metric.metric}` read none of {rows}: {metric.because}"
        for metric in totals.metrics
        if metric.metric in request.metrics and not metric.n + metric.unread
    )
    complete = not (manifest.errors or manifest.gaps or notes)
    return EvaluationResult(address=place.address, complete=complete, run=run, totals=totals, notes=notes)


def columns_meant(request: EvaluationRequest) -> ColumnMeaning:
    """What the columns of the inputs are; one that was named, and that they lack, is a slip."""
    input_columns = columns_of(inputs_of(request.addresses))
    for column in request.columns.named:
        if column not in input_columns:
            raise SampleError(f"in the inputs: {did_you_mean('column', column, input_columns)}")
    meaning = request.columns.meaning_of(input_columns, tuple(COLUMN_NAMES), "the input")
    if "answer" not in meaning.parts:
        listed = ", ".join(f"`{name}`" for name in input_columns) or "none"
        raise SampleError(
            f"no column of the inputs holds an `answer`; found {listed}; name one: `--column answer=COLUMN`"
        )
    return meaning


def plan_of(request: EvaluationRequest, meant: ColumnMeaning, earlier: RunPlan | None) -> RunPlan:
    """What is to be done; `earlier` is the plan of a finished run, for which nothing is loaded again."""
    order = _table_order(request, meant)
    # what stands in the results next to the readings: which row it is, its kinds, and its texts
    parts = [column for part, column in meant.parts.items() if request.with_texts or part not in _TEXTS]
    carried = (*parts, *request.columns.slices, *request.columns.labels)
    require_free(result_fields(order), carried)
    return plan_run(
        order,
        _readers(request, order, earlier),
        request.addresses,
        shard_rows=request.shard_rows,
        carried=carried,
    )


def _table_order(request: EvaluationRequest, columns: ColumnMeaning) -> TableOrder:
    parts = columns.parts.keys() & set(_TEXTS)
    checks = _checks_as_data(request)
    metrics = request.metrics or standard_for(parts, judge=bool(request.settings.judge))
    if not metrics and not checks:
        raise SpecError(
            "no metric applies to inputs without `expected` answers and `passages`; name one with "
            "`--metric`, or a check with `--check`"
        )
    return TableOrder(tuple(dict.fromkeys(metrics)), checks, dict(columns.parts))


def _readers(request: EvaluationRequest, order: TableOrder, earlier: RunPlan | None) -> dict[str, str]:
    """Who reads, by name and by fingerprint; of a finished run, whose fingerprints it was."""
    settings, needed = request.settings, needed_by(order)
    if request.encoders and "encoder" not in needed:
        raise SpecError("`--encoder` is for metrics and checks that compare meaning, and none of these does")
    prefix = f" after `{settings.prefix}`" if settings.prefix else ""
    descriptions = {
        "encoder": f"{shown_encoder(settings.encoder)}{prefix}",
        "verifier": settings.verifier,
        "judge": shown_encoder(settings.judge),
    }
    readers = {f"{reader}_named": descriptions[reader] for reader in sorted(needed)}
    if "encoder" in needed:
        readers["vectors"] = precision_of(settings.cache)
    if earlier is None:
        return {"sensecheck": __version__, **readers, **fingerprints_of(table_readers(settings, order))}
    fingerprints: dict[str, str] = {reader: earlier.readers.get(reader, "") for reader in needed}
    return {"sensecheck": __version__, **readers, **fingerprints}


def executor_of(request: EvaluationRequest, plan: RunPlan) -> Executor:
    """The executor; unless it was given, with no more processes than there is work for."""
    if request.on == "inline":
        return Inline()
    if request.on == "ray":
        return RayExecutor(
            request.workers,
            request.ray_address,
            cpus=1.0 if request.worker_cpus is None else request.worker_cpus,
            gpus=request.worker_gpus or 0.0,
            autoscales=request.ray_autoscales,
        )
    return Processes(request.workers or min(_cores(), max(len(plan.pieces), plan.buckets)))


def settings_on(request: EvaluationRequest) -> tuple[Settings, tuple[str, ...]]:
    """The settings that all workers can have, wherever they are, and a note where they differ."""
    settings = request.settings
    if request.on != "ray" or settings.cache == "off" or "://" in settings.cache:
        return settings, ()
    note = (
        "the cache of this machine is not used by a cluster; name one that all its machines reach, such as "
        "SENSECHECK_CACHE=parquet:s3://BUCKET/CACHE, to cache vectors from run to run"
    )
    return replace(settings, cache="off"), (note,)


def _checks_as_data(request: EvaluationRequest) -> tuple[dict[str, Any], ...]:
    """The checks, with the cutoffs of the cards that they name written out."""
    from sensecheck.checks.spec import check_from_data, check_to_data  # noqa: PLC0415 - for those who name one

    cards = card_library(request.settings) if request.checks else None
    entries = [entry for name in request.checks for entry in _named_checks(name)]
    return tuple(check_to_data(check_from_data(data, at=at, library=cards)) for at, data in entries)


def _named_checks(name: str) -> list[tuple[str, Any]]:
    """The checks that a file holds, or the preset of this name, each with its place."""
    from sensecheck.checks.presets import PRESETS  # noqa: PLC0415 - for those who name one

    if name in PRESETS:
        return [(name, {"kind": name})]
    if Path(name).suffix not in _CHECK_FILES:
        raise SpecError(f"{did_you_mean('preset', name, PRESETS)}, or a file of checks: `checks.yaml`")
    content = read_path(Path(name)).plain()
    if not isinstance(content, list):
        return [(name, content)]
    return [(f"{name}[{number}]", data) for number, data in enumerate(content)]


def _cores() -> int:
    """Cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
