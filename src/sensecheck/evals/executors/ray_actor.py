"""What a process of the executor `ray` does, somewhere in the cluster."""

import ray

from sensecheck.core.errors import SensecheckError
from sensecheck.evals.executors.attempt import attempt
from sensecheck.evals.executors.executor import Done, Failed, Make, Task, Work


class Actor:
    """Makes its worker once, then one task after the other."""

    _work: Work

    def __init__(self, make: Make) -> None:
        self._make = make

    def get_ready(self) -> str | SensecheckError:
        """Make the worker: the node it is on, or what sensecheck itself says against it.

        An error that is raised comes out of Ray with another class and with its traceback; one that is
        returned is still itself.
        """
        try:
            self._work = self._make()
        except SensecheckError as wrong:
            return wrong
        return str(ray.get_runtime_context().get_node_id())

    def do(self, task: Task) -> Done | Failed:
        """One try of a task."""
        return attempt(self._work, task)
