"""A crew at work: every job comes to a result, whatever happens on the way."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from sensecheck.core.errors import NoWorkers
from sensecheck.evals.executors.executor import Crew, Done
from sensecheck.evals.shards.tasks import Assessed, Routed, Unread
from sensecheck.evals.shards.tries import Job, after

MOST_IN_A_ROW = 50
"""Failures a worker, without a single success between them: then it is not the rows that are to blame."""


def worked(jobs: Iterable[Job], hire: Callable[[], Crew]) -> Iterator[Routed | Unread | Assessed]:
    """The results, in whichever order they come; a crew is hired if there is anything to do."""
    rest, queue, under_way, failures = iter(jobs), deque[Job](), dict[str, Job](), 0

    def is_anything_left() -> bool:
        queue.extend(islice(rest, 0 if queue else 1))
        return bool(queue)

    if not is_anything_left():
        return
    crew = hire()
    while is_anything_left() or crew.busy:
        while is_anything_left() and crew.has_room:
            job = queue.popleft()
            under_way[job.key] = job
            crew.take(job.task)
        ended = crew.next()
        job = under_way.pop(ended.key)
        if isinstance(ended, Done):
            failures = failures if job.is_given_up else 0
            yield ended.result
            continue
        if ended.error is not None:
            raise ended.error
        failures += 1
        if failures >= MOST_IN_A_ROW * crew.size:
            raise NoWorkers(
                f"{failures:,} tasks failed in a row, the last one since {ended.because}; what is done is "
                "kept, and the same command goes on"
            )
        instead = after(job, ended)
        if isinstance(instead, Unread):
            yield instead
        else:
            queue.extendleft(reversed(instead))  # first, so that the bad row is found before others are lost
