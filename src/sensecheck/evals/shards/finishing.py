"""The last steps of a large run: its manifest, and nothing beside the results that only took room."""

import json
from collections.abc import Iterable
from contextlib import suppress

from sensecheck.core.errors import NotKept
from sensecheck.evals.shards.manifest import NAME, Entry, Gap, Manifest
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.plan import RunPlan
from sensecheck.evals.shards.routing import FOLDER as ROUTED
from sensecheck.evals.shards.tasks import Assessed, Unread
from sensecheck.evals.tables.aggregates import Aggregates


def finish(place: Place, plan: RunPlan, assessed: Iterable[Assessed], unread: Iterable[Unread]) -> None:
    """Tell of all results at once; whoever else has finished the same run meanwhile has told the same."""
    manifest = manifest_of(plan, assessed, unread)
    place.write(NAME, json.dumps(manifest.to_data(), allow_nan=False).encode())


def clear_away(place: Place) -> None:
    """Of a finished run, throw away the copy of the inputs that was routed: nobody reads it any more."""
    with suppress(NotKept):  # the run is finished all the same; who asks for it again tries it again
        place.drop(ROUTED)


def manifest_of(plan: RunPlan, assessed: Iterable[Assessed], unread: Iterable[Unread]) -> Manifest:
    """In the order of names, whichever order the work was done in."""
    files = sorted(assessed, key=lambda one: (one.shard, one.name))
    merged = Aggregates.merged([Aggregates.from_data(one.aggregates) for one in files])
    return Manifest(
        plan,
        plan.fingerprint,
        sum(one.rows for one in files),
        sum(one.errors for one in files),
        tuple(Entry(one.shard, one.name, one.rows, one.errors, one.size) for one in files),
        merged.to_data(),
        tuple(_gap(plan, one) for one in sorted(unread, key=lambda one: one.piece)),
    )


def _gap(plan: RunPlan, unread: Unread) -> Gap:
    piece = plan.pieces[unread.piece]
    return Gap(plan.inputs[piece.input].address, piece.start, piece.stop, unread.because)
