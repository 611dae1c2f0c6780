"""What else to know of a comparison, in words."""

from collections.abc import Iterator, Sequence

from sensecheck.core.run import Run
from sensecheck.evals.qa.compare.slices import ENOUGH
from sensecheck.store.run_reading import Metric, RunTable

MOST = 5


def notes_of(before: RunTable, after: RunTable, *, small: Sequence[str]) -> tuple[str, ...]:
    """What differs between the runs, and what was not compared."""
    return (
        *_gaps(before.run),
        *_gaps(after.run),
        *_differences(before.run, after.run),
        *_not_compared(before, after),
        *_of_slices(small),
    )


def only_in(one: RunTable, other: RunTable) -> list[Metric]:
    """The metrics that one run has and the other has not, by the same encoder."""
    known = {(metric.name, metric.fingerprint) for metric in other.metrics}
    return [metric for metric in one.metrics if (metric.name, metric.fingerprint) not in known]


def named(metric: str, encoder: str) -> str:
    """A metric, with its encoder if it has one."""
    return f"`{metric}`" + (f" by `{encoder}`" if encoder else "")


def _gaps(run: Run) -> Iterator[str]:
    if not run.whole:
        yield f"the run {run.key} is not whole: {run.done:,} of its {run.set.size:,} questions are there"


def _differences(before: Run, after: Run) -> Iterator[str]:
    """What was not the same, so that it may be the reason for what has changed."""
    if before.test.project != after.test.project:
        yield f"the project was `{before.test.project}` and is `{after.test.project}`"
    if before.test.name != after.test.name:
        yield f"the test was `{before.test.name}` and is `{after.test.name}`"
    changed = [
        key
        for key in sorted({*before.conditions, *after.conditions})
        if before.conditions.get(key) != after.conditions.get(key)
    ]
    if changed:
        yield "the conditions of the runs differ in: " + ", ".join(f"`{key}`" for key in changed)


def _not_compared(before: RunTable, after: RunTable) -> Iterator[str]:
    for when, lone in (("before", only_in(before, after)), ("now", only_in(after, before))):
        if lone:
            yield f"only {when}, so not compared: {', '.join(named(one.name, one.encoder) for one in lone)}"


def _of_slices(small: Sequence[str]) -> Iterator[str]:
    if small:
        more = f" and {len(small) - MOST} more" if len(small) > MOST else ""
        names = ", ".join(f"`{name}`" for name in small[:MOST])
        yield f"slices with fewer than {ENOUGH} questions are not compared: {names}{more}"
