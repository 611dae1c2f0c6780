"""Files that interrupted work left in a place, found and removed: `sensecheck runs gc`.

History is never changed: nothing that a run, a set of questions or a label is made of is touched, and
nothing of a run that is not finished.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sensecheck.execution.local import SCRATCH, LocalLocation
from sensecheck.runs.file_place import FilePlace, folder_of
from sensecheck.runs.jsonl import State, StoredSummary
from sensecheck.runs.place import RunPlace
from sensecheck.runs.suite import SuiteRuns


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
