"""One large run, from its inputs to the sheet that sums it up."""

from contextlib import closing
from dataclasses import replace

import typer

from sensecheck.cli.eval_notes import note, say_what_is_strange
from sensecheck.cli.eval_out_crew import executor_of, maker_of, settings_on
from sensecheck.cli.eval_out_order import OutOrder
from sensecheck.cli.eval_out_plan import meant_by, plan_of
from sensecheck.cli.eval_out_progress import shown
from sensecheck.cli.eval_out_sheet import manifest_data, show_manifest
from sensecheck.cli.history_table import counted
from sensecheck.cli.outcomes import INTERRUPTED, NOT_JUDGED, PASSED
from sensecheck.cli.output import write_json
from sensecheck.cli.paint import Paper
from sensecheck.core.errors import NotKept
from sensecheck.evals.shards.driving import run_shards
from sensecheck.evals.shards.finishing import clear_away
from sensecheck.evals.shards.manifest import Manifest
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.places import place_of
from sensecheck.evals.shards.run_file import begun, manifest_in
from sensecheck.evals.tables.aggregates import Aggregates


def walk_out(order: OutOrder, *, as_json: bool) -> int:
    """Route, assess, keep and show; the exit code."""
    order = replace(order, settings=settings_on(order.crewing, order.settings, as_json=as_json))
    place = place_of(order.out)
    earlier = manifest_in(place)
    meant = meant_by(order)
    say_what_is_strange(meant.strange, as_json=as_json)
    plan = plan_of(order, meant, None if earlier is None else earlier.plan)
    if earlier is not None:
        begun(place, plan)  # which says what is different, if anything is
        clear_away(place)
        note("this run is finished; nothing was done again", as_json=as_json)
        return _told(order, earlier, place, as_json=as_json)
    executor = executor_of(order.crewing, plan)
    make = maker_of(order.settings, place.address)
    try:
        with closing(run_shards(place, plan, executor, make)) as steps:  # whenever the interruption comes
            shown(steps, as_json=as_json)
    except KeyboardInterrupt:
        _say_how_to_go_on(place, as_json=as_json)
        raise typer.Exit(INTERRUPTED) from None
    manifest = manifest_in(place)
    if manifest is None:
        raise NotKept(f"`{place.address}` lost the manifest of the run; run the same command again")
    return _told(order, manifest, place, as_json=as_json)


def _told(order: OutOrder, manifest: Manifest, place: Place, *, as_json: bool) -> int:
    silent = _silent(order, manifest)
    code = NOT_JUDGED if manifest.errors or manifest.gaps or silent else PASSED
    if as_json:
        write_json(manifest_data(manifest, place.address, code))
    else:
        show_manifest(Paper(), manifest, place.address)
    for name in silent:
        note(f"`{name}` read none of {counted(manifest.rows, 'row')}: does not apply", as_json=as_json)
    return code


def _silent(order: OutOrder, manifest: Manifest) -> list[str]:
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
