"""Whether a Ray cluster has room for the workers that are wanted; one without waits silently, for ever."""

import math
from collections.abc import Mapping, Sequence

from sensecheck.core.errors import SpecError
from sensecheck.evals.executors.ray_nodes import nodes

SPARE = 1
"""CPUs that no worker takes: with all of them taken, whatever else wants one waits for ever."""
Resources = Mapping[str, float]


def workers_for(workers: int | None, each: Resources) -> int:
    """How many workers the cluster gets: those that are wanted, or as many as there is room for now."""
    alive = [node["Resources"] for node in nodes() if node["Alive"]]
    room = room_on(alive, each)
    if workers is None and room:
        return room
    if workers is not None and workers <= room:
        return workers
    has, wants = _in_words(alive, each), ", ".join(f"{count:g} {kind}" for kind, count in each.items())
    raise SpecError(
        f"the Ray cluster has room for {room} workers; wanted: {workers or 1}, each with {wants}, and "
        f"{SPARE} CPU left free; found: {has}; take fewer with `--workers`, add nodes, or say with "
        "`--ray-autoscales` that the cluster adds them"
    )


def room_on(alive: Sequence[Resources], each: Resources) -> int:
    """Workers that fit: none of them is on two nodes, and some CPUs are left."""
    fitting = sum(_fitting(node, each) for node in alive)
    if not each["CPU"]:
        return fitting
    total = sum(node.get("CPU", 0) for node in alive)
    return max(0, min(fitting, math.floor((total - SPARE) / each["CPU"])))


def _fitting(node: Resources, each: Resources) -> int:
    return min(math.floor(node.get(kind, 0) / count) for kind, count in each.items() if count)


def _in_words(alive: Sequence[Resources], each: Resources) -> str:
    counts = (f"{sum(node.get(kind, 0) for node in alive):g} {kind}" for kind in each)
    return f"{', '.join(counts)} on {len(alive)} nodes"
