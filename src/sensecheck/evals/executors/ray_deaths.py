"""What became of an actor that is gone: its process died, or its machine went away."""

from ray.exceptions import ActorDiedError, OutOfMemoryError, RayError, WorkerCrashedError

from sensecheck.evals.executors.executor import How
from sensecheck.evals.executors.ray_nodes import nodes

_LONGEST = 300


def death(wrong: RayError, node: str) -> tuple[str, How]:
    """Why an actor is gone, in few words, and how."""
    if isinstance(wrong, ActorDiedError) and (wrong.preempted or not _is_alive(node)):
        return "its machine went away", "lost"
    if isinstance(wrong, ActorDiedError | WorkerCrashedError | OutOfMemoryError):
        return f"its process died, as it happens when the memory is full: {_told(wrong)}", "died"
    return _told(wrong), "lost"


def _told(wrong: RayError) -> str:
    """Ray's own words are many; the last line tells, up to its guesses."""
    last = str(wrong).strip().rpartition("\n")[2]
    return last.rpartition("Worker exit detail: ")[2].partition(" Some common causes")[0][:_LONGEST]


def _is_alive(node: str) -> bool:
    """A node that nobody has told yet counts as alive."""
    return not any(one["NodeID"] == node and not one["Alive"] for one in nodes())
