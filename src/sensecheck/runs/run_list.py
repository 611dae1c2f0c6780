"""The runs of a place as a list, and the files that interrupted work left there: `runs list`, `runs gc`.

A run that cannot be read is listed with the reason, and hides no other. History is never changed: nothing
that a run, a set of questions or a label is made of is removed, and nothing of a run that is not finished.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from sensecheck.core.run import Run, RunBrief
from sensecheck.execution.local import SCRATCH, LocalLocation
from sensecheck.runs.file_place import DAMAGE, FilePlace, damage_in_words, folder_of
from sensecheck.runs.jsonl import RunFile, State, StoredSummary
from sensecheck.runs.place import RunPlace
from sensecheck.runs.shift import PASSED, telling
from sensecheck.runs.suite import SuiteRuns
from sensecheck.runs.tally import Tally, outcomes_by_test

RunKind = Literal["suite", "evaluation", "large"]


@dataclass(frozen=True, slots=True)
class ListedRun:
    """A run in a list of all runs."""

    kind: RunKind
    place: str
    """The address of its place."""
    number: int
    run: RunBrief | None = None
    """None where it cannot be read."""
    complete: bool = False
    metric: str | None = None
    """The metric that says most: `passed` for a suite."""
    value: float | None = None
    """Its mean: for a suite the share of tests that passed."""
    error: str | None = None
    """Why it cannot be read, or not in full."""

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        brief = {"run": self.number} if self.run is None else self.run.to_data()
        number = {"complete": self.complete, "metric": self.metric, "value": self.value}
        return {"kind": self.kind, "place": self.place, **brief, **number, "error": self.error}


def listed_runs(place: RunPlace, *, project: str | None = None, test: str | None = None) -> list[ListedRun]:
    """All runs of a place, the oldest first; with those of it that cannot be read, if all are wanted."""
    kind = kind_of(place)
    return [listed_run(place, kind, number, run) for number, run in each_run(place, project, test)]


def kind_of(place: RunPlace) -> RunKind:
    """Of what the runs of a place are."""
    if isinstance(place, SuiteRuns):
        return "suite"
    return "large" if hasattr(place, "finished") else "evaluation"


def each_run(place: RunPlace, project: str | None, test: str | None) -> Iterator[tuple[int, Run | str]]:
    """Each run by its number, the oldest first; or why it cannot be read."""
    runs: dict[int, Run | str] = {run.key: run for run in place.runs(project=project, test=test)}
    damaged = getattr(place, "damaged", None)
    if project is None and test is None and damaged is not None:
        runs |= damaged()
    yield from ((number, runs[number]) for number in sorted(runs))


def listed_run(place: RunPlace, kind: RunKind, number: int, run: Run | str) -> ListedRun:
    """One run of a list, or why it cannot be read."""
    if isinstance(run, str):
        return ListedRun(kind, place.address, number, error=run)
    brief, metric, value, error = RunBrief.of(run), None, None, None
    try:
        metric, value = _number_of(place, run)
    except DAMAGE as wrong:
        error = damage_in_words(wrong)
    return ListedRun(kind, place.address, number, brief, run.whole and error is None, metric, value, error)


@dataclass(frozen=True, slots=True)
class Leftover:
    """A file that nothing needs any more."""

    name: str
    size: int
    why: str


def leftovers(place: RunPlace, *, remove: bool = False) -> list[Leftover]:
    """What nothing needs any more, and is removed if that is wanted; of databases and object stores nothing.

    What killed writers left half written is found when it is removed, since their locks must be tried.
    """
    if isinstance(place, SuiteRuns):
        root, files = place.folder.path, list(_tokens(place))
    else:
        finished = getattr(place, "finished", None)
        location = place.location if isinstance(place, FilePlace) else getattr(finished, "location", None)
        if not isinstance(location, LocalLocation):
            return []
        root, files = location.root, list(_unused(place, location.root))
        if remove and (swept := location.sweep()):
            files.append(Leftover(f"{SCRATCH}/", 0, f"{swept} half-written files of writers that are gone"))
    for file in files if remove else ():
        if not file.name.endswith("/"):
            (root / file.name).unlink(missing_ok=True)
    return files


def _number_of(place: RunPlace, run: Run) -> tuple[str | None, float | None]:
    """The metric that says most, and its mean; of a complete run without a look at its rows."""
    if isinstance(place, SuiteRuns):
        return PASSED, _pass_rate(place.file_of(run))
    means = place.means(run)
    metric = telling(list(run.conditions.get("metrics", ()))) or telling(list(means))
    return metric, means.get(metric or "")


def _pass_rate(path: Path) -> float | None:
    """As the summary of a complete run says; otherwise its results are read."""
    if (summary := StoredSummary.of(path)) is not None:
        return summary.pass_rate
    tally = Tally()
    for test in outcomes_by_test(RunFile.open(path).results()):
        tally.add(test)
    return tally.pass_rate if tally.total else None


def _unused(place: RunPlace, root: Path) -> Iterator[Leftover]:
    """Files that no manifest and no batch of a finished run points to."""
    finished = getattr(place, "finished", None)
    if finished is not None:
        listed = {entry.name for entry in finished.manifest.entries}
        yield from _files(root, "results", listed, "no manifest lists it")
        yield from _files(root, "routed", set(), "a copy of the inputs of a finished run")
    elif batches := getattr(place, "batches", None):
        for run in place.runs():
            if run.finished_at is not None:
                used = {batch["shard"] for batch in batches(run.key)}
                yield from _files(root, f"{folder_of(run.key)}/answers", used, "no batch points to it")


def _tokens(place: SuiteRuns) -> Iterator[Leftover]:
    for path in sorted(place.folder.path.glob("*.token")):
        run = path.with_suffix(".jsonl")
        if not run.is_file() or State.of(run).whole:
            yield Leftover(path.name, path.stat().st_size, "of a run that is finished, or gone")
    for path in sorted(place.folder.path.glob("*.summary.json")):
        if StoredSummary.of(path.with_name(path.name.replace(".summary.json", ".jsonl"))) is None:
            yield Leftover(
                path.name, path.stat().st_size, "the summary of a run that has changed, or is gone"
            )


def _files(root: Path, folder: str, used: set[str], why: str) -> Iterator[Leftover]:
    for path in sorted((root / folder).glob("*")):
        name = f"{folder}/{path.name}"
        if path.is_file() and name not in used:
            yield Leftover(name, path.stat().st_size, why)
