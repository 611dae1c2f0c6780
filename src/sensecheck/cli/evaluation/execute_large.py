"""`sensecheck eval --out`: a large run from its inputs to its summary."""

from contextlib import closing
from dataclasses import replace

import typer

from sensecheck.cli.console import Paper, note, note_unknown_columns, write_json
from sensecheck.cli.evaluation.view import manifest_data, show_manifest
from sensecheck.cli.exit_codes import INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.progress import large_progress
from sensecheck.cli.tables import counted
from sensecheck.core.errors import NotKept
from sensecheck.evaluation.large import executor_of, maker_of, meant_by, plan_of, settings_on
from sensecheck.evaluation.request import LargeEvaluationRequest
from sensecheck.execution.driver import clear_away, run_shards
from sensecheck.execution.location import StorageLocation
from sensecheck.execution.manifest import Manifest, begun, manifest_in
from sensecheck.execution.object_store import location_of
from sensecheck.tables.aggregates import Aggregates


def execute_large_run(request: LargeEvaluationRequest, *, as_json: bool) -> int:
    """Route, assess, keep and show; the exit code."""
    settings, said = settings_on(request.worker_options, request.settings)
    if said:
        note(said, as_json=as_json)
    request = replace(request, settings=settings)
    location = location_of(request.out)
    earlier = manifest_in(location)
    columns = meant_by(request)
    note_unknown_columns(columns.strange, as_json=as_json)
    plan = plan_of(request, columns, None if earlier is None else earlier.plan)
    if earlier is not None:
        begun(location, plan)  # which says what is different, if anything is
        clear_away(location)
        note("this run is finished; nothing was done again", as_json=as_json)
        return _report(request, earlier, location, as_json=as_json)
    executor = executor_of(request.worker_options, plan)
    make = maker_of(request.settings, location.address)
    try:
        with closing(run_shards(location, plan, executor, make)) as steps:  # whenever the interruption comes
            large_progress(steps, as_json=as_json)
    except KeyboardInterrupt:
        _say_how_to_go_on(location, as_json=as_json)
        raise typer.Exit(INTERRUPTED) from None
    manifest = manifest_in(location)
    if manifest is None:
        raise NotKept(f"`{location.address}` lost the manifest of the run; run the same command again")
    return _report(request, manifest, location, as_json=as_json)


def _report(
    request: LargeEvaluationRequest, manifest: Manifest, location: StorageLocation, *, as_json: bool
) -> int:
    unread = _metrics_without_readings(request, manifest)
    code = NOT_JUDGED if manifest.errors or manifest.gaps or unread else PASSED
    if as_json:
        write_json(manifest_data(manifest, location.address, code))
    else:
        show_manifest(Paper(), manifest, location.address)
    for name in unread:
        note(f"`{name}` read none of {counted(manifest.rows, 'row')}: does not apply", as_json=as_json)
    return code


def _metrics_without_readings(request: LargeEvaluationRequest, manifest: Manifest) -> list[str]:
    """Metrics that were named and read nothing; where reading failed, rows are errors, which is shown."""
    counts = Aggregates.from_data(manifest.aggregates).metrics
    return [
        name
        for name in dict.fromkeys(request.metrics)
        if not counts[name].numbers.count + counts[name].failed
    ]


def _say_how_to_go_on(location: StorageLocation, *, as_json: bool) -> None:
    if as_json:
        write_json({"error": "interrupted", "kind": "Interrupted", "out": location.address}, err=True)
        return
    Paper(stderr=True).say(
        ("interrupted: ", "bold yellow"), "what is done is kept; run the same command again to go on"
    )
