"""`sensecheck eval --out`: a large run from its request to what is shown."""

from contextlib import closing
from dataclasses import replace

import typer

from sensecheck.cli.console import Paper, note, say_what_is_strange, write_json
from sensecheck.cli.evaluation.view import manifest_data, show_manifest
from sensecheck.cli.exit_codes import INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.progress_of_shards import large_progress
from sensecheck.cli.tables import counted
from sensecheck.core.errors import NotKept
from sensecheck.evaluation.large import executor_of, maker_of, meant_by, plan_of, settings_on
from sensecheck.evaluation.request import OutOrder
from sensecheck.execution.driver import clear_away, run_shards
from sensecheck.execution.location import Place
from sensecheck.execution.manifest import Manifest, begun, manifest_in
from sensecheck.execution.object_store import place_of
from sensecheck.tables.aggregates import Aggregates


def walk_out(order: OutOrder, *, as_json: bool) -> int:
    """Route, assess, keep and show; the exit code."""
    settings, said = settings_on(order.crewing, order.settings)
    if said:
        note(said, as_json=as_json)
    order = replace(order, settings=settings)
    place = place_of(order.out)
    earlier = manifest_in(place)
    meant = meant_by(order)
    say_what_is_strange(meant.strange, as_json=as_json)
    plan = plan_of(order, meant, None if earlier is None else earlier.plan)
    if earlier is not None:
        begun(place, plan)  # which says what is different, if anything is
        clear_away(place)
        note("this run is finished; nothing was done again", as_json=as_json)
        return _told_large(order, earlier, place, as_json=as_json)
    executor = executor_of(order.crewing, plan)
    make = maker_of(order.settings, place.address)
    try:
        with closing(run_shards(place, plan, executor, make)) as steps:  # whenever the interruption comes
            large_progress(steps, as_json=as_json)
    except KeyboardInterrupt:
        _say_how_to_go_on(place, as_json=as_json)
        raise typer.Exit(INTERRUPTED) from None
    manifest = manifest_in(place)
    if manifest is None:
        raise NotKept(f"`{place.address}` lost the manifest of the run; run the same command again")
    return _told_large(order, manifest, place, as_json=as_json)


def _told_large(order: OutOrder, manifest: Manifest, place: Place, *, as_json: bool) -> int:
    silent = _silent_large(order, manifest)
    code = NOT_JUDGED if manifest.errors or manifest.gaps or silent else PASSED
    if as_json:
        write_json(manifest_data(manifest, place.address, code))
    else:
        show_manifest(Paper(), manifest, place.address)
    for name in silent:
        note(f"`{name}` read none of {counted(manifest.rows, 'row')}: does not apply", as_json=as_json)
    return code


def _silent_large(order: OutOrder, manifest: Manifest) -> list[str]:
    """Metrics that were named and read nothing; where reading failed, rows are errors, which is told."""
    told = Aggregates.from_data(manifest.aggregates).metrics
    return [name for name in dict.fromkeys(order.metrics) if not told[name].numbers.count + told[name].failed]


def _say_how_to_go_on(place: Place, *, as_json: bool) -> None:
    if as_json:
        write_json({"error": "interrupted", "kind": "Interrupted", "out": place.address}, err=True)
        return
    Paper(stderr=True).say(
        ("interrupted: ", "bold yellow"), "what is done is kept; run the same command again to go on"
    )
