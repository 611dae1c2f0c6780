"""What stands in a run's place: the plan, written first, and the manifest, written last."""

import json
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import read_json
from sensecheck.evals.shards import manifest, plan
from sensecheck.evals.shards.manifest import Manifest
from sensecheck.evals.shards.place import Place
from sensecheck.evals.shards.plan import RunPlan

WORDS = {
    "order": "metrics, checks or columns are not those wanted now",
    "readers": "encoder, or another reader, or the version of sensecheck, is not that in use now",
    "inputs": "inputs are others, or have changed since",
    "pieces": "inputs were parted otherwise",
    "buckets": "number of shards is not that wanted now",
    "shard_rows": "shards are of another size",
    "carried": "carried columns are not those wanted now",
}


def begun(place: Place, wanted: RunPlan) -> RunPlan:
    """The plan of the run in this place, which is the wanted one: written now, or there already."""
    if place.read(plan.NAME) is None:
        content = json.dumps(wanted.to_data(), allow_nan=False).encode()
        if place.write(plan.NAME, content):
            return wanted
    found = plan_in(place)
    if differing := _differing(found.to_data(), wanted.to_data()):
        raise SpecError(
            f"`{place.address}` holds another run: {differing}; go on with the command that "
            "began it, or name another place with `--out`"
        )
    return found


def plan_in(place: Place) -> RunPlan:
    """The plan of the run that is there."""
    content = place.read(plan.NAME)
    if content is None:
        raise SpecError(f"`{place.address}` holds no run: there is no `{plan.NAME}`")
    return RunPlan.from_data(_data(place, plan.NAME, content))


def manifest_in(place: Place) -> Manifest | None:
    """The list of the results; None for a run that is not finished."""
    content = place.read(manifest.NAME)
    return None if content is None else Manifest.from_data(_data(place, manifest.NAME, content))


def _data(place: Place, name: str, content: bytes) -> Any:
    try:
        return read_json(content.decode(), at=name)
    except UnicodeDecodeError as damaged:
        raise SpecError(f"`{name}` in `{place.address}` is not UTF-8; it is damaged") from damaged


def _differing(found: dict[str, Any], wanted: dict[str, Any]) -> str:
    """What is not alike, in words; nothing where all is."""
    keys = [key for key in {**found, **wanted} if _written(found.get(key)) != _written(wanted.get(key))]
    return "; ".join(f"its {WORDS.get(key, key)}" for key in keys)


def _written(value: object) -> str:
    """The same for a tuple and a list, which JSON does not tell apart."""
    return json.dumps(value, sort_keys=True)
