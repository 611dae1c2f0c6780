"""The runs of all places that the Studio shows: found by their ids, listed page by page, and indexed.

What was computed of a run is cached, in memory and in a file, by how far the run has come. Large runs are
read by a process of its own, so that pages answer meanwhile.
"""

import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from pathlib import Path
from threading import Lock
from typing import TypeVar

from sensecheck.core.errors import CacheError, NoSuchRun, SensecheckError, SpecError
from sensecheck.core.run import Run, RunBrief
from sensecheck.io.blobcache import BlobKind, KeptFile
from sensecheck.runs.find import existing_place
from sensecheck.runs.jsonl import RunFile, StoredSummary
from sensecheck.runs.place import RunPlace
from sensecheck.runs.run_list import ListedRun, RunKind, each_run, kind_of, listed_run
from sensecheck.runs.suite import SuiteRuns
from sensecheck.studio.index import IndexRow, RunIndex, answer_rows, build_index, suite_rows

T = TypeVar("T")
INDEXES = BlobKind("indexes", "place", "index of the Studio", "delete it")
MAX_CACHE_BYTES = 1_000_000_000
MAX_INDEXES = 6
"""Indexes that stay in memory, the last ones used."""
LARGE_ITEMS, LARGE_BYTES = 5_000, 8_000_000
"""Beyond, a run is read by a process of its own."""
PREVIEW_ITEMS = 300
"""Rows of a large run that are shown while the others are read."""


@dataclass(frozen=True, slots=True)
class StudioPlace:
    """A place that is open, and the address that it was opened by, which may hold a password."""

    key: str
    """Its part of the ids of runs."""
    address: str = field(repr=False)
    place: RunPlace

    @classmethod
    def of(cls, address: str, place: RunPlace) -> "StudioPlace":
        """The place, with a key that is the same for the same place."""
        return cls(hashlib.sha256(place.address.encode()).hexdigest()[:6], address, place)

    @property
    def kind(self) -> RunKind:
        """Of what its runs are."""
        return kind_of(self.place)


@dataclass(frozen=True, slots=True)
class StudioRun:
    """A run, and the place that it is in."""

    opened: StudioPlace
    run: Run

    @property
    def id(self) -> str:
        """As addresses of pages name it."""
        return f"{self.opened.key}-{self.run.key}"

    @property
    def place(self) -> RunPlace:
        """Where it is."""
        return self.opened.place

    @property
    def file(self) -> RunFile | None:
        """The file of a run of a suite; None for any other."""
        return RunFile.open(self.place.file_of(self.run)) if isinstance(self.place, SuiteRuns) else None

    @property
    def version(self) -> str:
        """Changes when the run gets more answers."""
        if isinstance(self.place, SuiteRuns):
            return _file_version(self.place.file_of(self.run))
        return f"{self.run.id} {self.run.done} {self.run.finished_at}"


@dataclass(frozen=True, slots=True)
class ListEntry:
    """A run in the list of all runs; `pending` while its number is computed."""

    id: str
    listed: ListedRun
    pending: bool = False


@dataclass(frozen=True, slots=True)
class IndexState:
    """The index of a run as far as it is there: complete, or the first rows while the others are read."""

    index: RunIndex
    complete: bool


class Library:
    """The runs of some places; of one project alone where it is named."""

    def __init__(self, places: Sequence[StudioPlace], *, cache: Path | None = None) -> None:
        self.places = {place.key: place for place in places}
        self._cache = None if cache is None else KeptFile(cache, INDEXES, max_bytes=MAX_CACHE_BYTES)
        self._lock = Lock()
        self._workers: Executor | None = None
        self._tasks: dict[tuple[str, str], Future[list[bytes]]] = {}
        self._listed: dict[str, ListedRun] = {}
        self._indexes: dict[str, RunIndex] = {}
        self._texts: dict[str, list[str]] = {}

    @classmethod
    def at(cls, addresses: Sequence[str], *, cache: Path | None = None) -> "Library":
        """The runs at these addresses, all of which must be there."""
        return cls([StudioPlace.of(address, existing_place(address)) for address in addresses], cache=cache)

    def stop(self) -> None:
        """Stop what is being read."""
        if self._workers is not None:
            self._workers.shutdown(wait=False, cancel_futures=True)

    def close(self) -> None:
        """Release the places, and stop what is being read."""
        self.stop()
        for opened in self.places.values():
            opened.place.close()

    def find(self, run_id: str, *, project: str | None = None) -> StudioRun:
        """The run of this id; one of another project is as if it did not exist."""
        key, _, number = run_id.rpartition("-")
        opened = self.places.get(key)
        if opened is None or not (number.isascii() and number.isdigit()):
            raise NoSuchRun(f"there is no run `{run_id}` here; go back to the list of runs")
        try:
            run = _run_at(opened.place, int(number))
        except SpecError:
            if project is None:
                raise  # who sees everything is told what is wrong with it
            raise NoSuchRun(f"there is no run `{run_id}` here; go back to the list of runs") from None
        if project is not None and run.test.project != project:
            raise NoSuchRun(f"there is no run `{run_id}` here; go back to the list of runs")
        return StudioRun(opened, run)

    def entries(self, *, project: str | None = None) -> list[ListEntry]:
        """All runs, the newest first; one that cannot be read is listed with the reason."""
        entries: list[ListEntry] = []
        for opened in self.places.values():
            try:
                entries += [
                    self._entry(opened, *numbered_run)
                    for numbered_run in each_run(opened.place, project, None)
                ]
            except SensecheckError as error:  # a place that is gone hides no other
                unreadable = ListedRun(opened.kind, opened.place.address, 0, error=str(error))
                entries.append(ListEntry(f"{opened.key}-0", unreadable))
        if project is not None:
            entries = [entry for entry in entries if entry.listed.run and entry.listed.run.project == project]
        return sorted(
            entries,
            key=lambda entry: ("" if entry.listed.run is None else entry.listed.run.at, entry.listed.number),
            reverse=True,
        )

    def index(self, found: StudioRun) -> IndexState:
        """The index of a run; of a large one the first rows at once, while a process reads the others."""
        key, version = found.id, _digest(found.id, found.version)
        with self._lock:
            index = self._indexes.get(version.hex())
        if index is None:
            stored = self._stored(key, version)
            index = None if stored is None else RunIndex.from_bytes(stored[0])
        if index is None and _is_large(found):
            task = self._task((key, version.hex()), _index_of, found.opened.address, found.run.key)
            if not task.done():
                return IndexState(build_index(_rows_of(found, PREVIEW_ITEMS))[0], complete=False)
            index = self._finished(key, version, task.result())
        elif index is None:
            index, texts = build_index(_rows_of(found, None))
            self._remember(version, index, texts)
        else:
            self._remember(version, index, None)
        return IndexState(index, complete=True)

    def texts(self, found: StudioRun) -> list[str]:
        """What is searched, row by row; after its index is complete."""
        key, version = found.id, _digest(found.id, found.version)
        with self._lock:
            cached = self._texts.get(version.hex())
        if cached is not None:
            return cached
        stored = self._stored(key, version)
        texts = _unpacked(stored[1]) if stored else build_index(_rows_of(found, None))[1]
        with self._lock:
            self._texts[version.hex()] = texts
        return texts

    def forget(self, found: StudioRun) -> None:
        """Read the run again when it is next wanted: its labels have changed."""
        version = _digest(found.id, found.version)
        with self._lock:
            self._indexes.pop(version.hex(), None)
            self._tasks.pop((found.id, version.hex()), None)
        if self._cache is not None:
            self._cache.drop(found.id, [version])

    def _entry(self, opened: StudioPlace, number: int, run: Run | str) -> ListEntry:
        """A run of the list, from the cache where it was read before."""
        place, run_id = opened.place, f"{opened.key}-{number}"
        if isinstance(place, SuiteRuns):
            path = place.folder.file(number)
            version = _file_version(path)
            large = path.exists() and path.stat().st_size > LARGE_BYTES and StoredSummary.of(path) is None
        elif isinstance(run, str):
            return ListEntry(run_id, listed_run(place, opened.kind, number, run))
        else:
            version, large = f"{run.id} {run.done} {run.finished_at}", run.done > LARGE_ITEMS
        key = _digest("listed", run_id, version)
        with self._lock:
            listed = self._listed.get(key.hex())
        if listed is None and (stored := self._body(run_id, key)) is not None:
            listed = _listed_from(stored)
        if listed is None and large:
            task = self._task((run_id, key.hex()), _listed_of, opened.address, number)
            if not task.done():
                return ListEntry(run_id, _brief_of(opened, number, run), pending=True)
            listed = _listed_from(task.result()[0])
            self._store(run_id, {key: task.result()[0]})
        if listed is None:
            listed = listed_run(place, opened.kind, number, run)
        with self._lock:
            self._listed[key.hex()] = listed
        return ListEntry(run_id, listed)

    def computed(self, work: Callable[[], T], *, seconds: float) -> T:
        """What a process of its own computes; it must not take too long."""
        try:
            return self._pool().submit(work).result(seconds)
        except TimeoutError as slow:
            raise SpecError(f"this took more than {seconds:g} s; try it with fewer labels") from slow

    def _pool(self) -> Executor:
        with self._lock:
            if self._workers is None:
                self._workers = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
            return self._workers

    def _task(
        self, key: tuple[str, str], work: Callable[[str, int], list[bytes]], address: str, number: int
    ) -> "Future[list[bytes]]":
        """The work of a process, started once."""
        pool = self._pool()
        with self._lock:
            if key not in self._tasks:
                self._tasks[key] = pool.submit(work, address, number)
            return self._tasks[key]

    def _finished(self, run_id: str, version: bytes, parts: list[bytes]) -> RunIndex:
        """The index that a process has built."""
        self._store(run_id, dict(zip((version, _texts_key(version)), parts, strict=True)))
        index = RunIndex.from_bytes(parts[0])
        assert index is not None
        self._remember(version, index, _unpacked(parts[1]))
        with self._lock:
            self._tasks.pop((run_id, version.hex()), None)
        return index

    def _remember(self, version: bytes, index: RunIndex, texts: list[str] | None) -> None:
        with self._lock:
            _put_last(self._indexes, version.hex(), index)
            if texts is not None:
                _put_last(self._texts, version.hex(), texts)

    def _stored(self, run_id: str, version: bytes) -> tuple[bytes, bytes] | None:
        index, texts = self._body(run_id, version), self._body(run_id, _texts_key(version))
        return None if index is None or texts is None else (index, texts)

    def _body(self, run_id: str, key: bytes) -> bytes | None:
        if self._cache is None:
            return None
        with suppress(CacheError):  # then it is read from the run
            return self._cache.read(run_id, [key]).get(key)
        return None

    def _store(self, run_id: str, bodies: dict[bytes, bytes]) -> None:
        if self._cache is not None:
            with suppress(CacheError):
                self._cache.write(run_id, bodies)


def _index_of(address: str, number: int) -> list[bytes]:
    """The index of a run and its texts, built by a process of its own."""
    opened = StudioPlace.of(address, existing_place(address))
    place = opened.place
    with place.session():
        index, texts = build_index(_rows_of(StudioRun(opened, _run_at(place, number)), None))
    return [index.to_bytes(), zlib.compress(json.dumps(texts).encode(), 1)]


def _listed_of(address: str, number: int) -> list[bytes]:
    """A large run as the list shows it, read by a process of its own."""
    place = existing_place(address)
    with place.session():
        run = dict(each_run(place, None, None))[number]
        return [json.dumps(listed_run(place, kind_of(place), number, run).to_data()).encode()]


def _run_at(place: RunPlace, number: int) -> Run:
    """A run as it is now, by its number."""
    if isinstance(place, SuiteRuns):
        return place.run_in(place.folder.find(str(number)))
    return place.run_by_key(number)


def _rows_of(studio_run: StudioRun, first: int | None) -> Iterator[IndexRow]:
    file = studio_run.file
    if file is not None:
        return suite_rows(file, first=first)
    positions = None if first is None else list(range(min(first, studio_run.run.done)))
    rows = answer_rows(studio_run.place.answers(studio_run.run, positions))
    if not studio_run.place.later_labels(studio_run.run):
        return rows
    # What reviewers say may change, and is added when a page is shown: these are labels without a name.
    unnamed: dict[str, dict[str, float]] = {}
    if first is None:
        for label in studio_run.place.labels(studio_run.run):
            if not label.rater:
                unnamed.setdefault(label.question, {})[label.name] = label.value
    return (replace(row, labels=unnamed.get(row.id, {})) for row in rows)


def _is_large(studio_run: StudioRun) -> bool:
    if isinstance(studio_run.place, SuiteRuns):
        return studio_run.place.file_of(studio_run.run).stat().st_size > LARGE_BYTES
    return studio_run.run.done > LARGE_ITEMS


def _brief_of(opened: StudioPlace, number: int, run: Run | str) -> ListedRun:
    """What is known of a large run without reading it."""
    place = opened.place
    if not isinstance(place, SuiteRuns):
        brief, whole = (None, False) if isinstance(run, str) else (RunBrief.of(run), run.whole)
        return ListedRun(opened.kind, place.address, number, brief, whole)
    try:
        header = RunFile.open(place.folder.file(number)).header
    except SensecheckError as error:
        return ListedRun("suite", place.address, number, error=str(error))
    brief = RunBrief(number, "", header.battery, "suite", header.description, "", 0, header.cells)
    return ListedRun("suite", place.address, number, brief)


def _listed_from(stored: bytes) -> ListedRun:
    data = json.loads(stored)
    brief = None
    if data.get("id") is not None:
        brief = RunBrief(**{name: data[name] for name in RunBrief.__dataclass_fields__})
    return ListedRun(
        data["kind"],
        data["place"],
        int(data["run"]),
        brief,
        data["complete"],
        data["metric"],
        data["value"],
        data["error"],
    )


def _file_version(path: Path) -> str:
    try:
        state = path.stat()
    except OSError:
        return "gone"
    return f"{state.st_size} {state.st_mtime_ns}"


def _digest(*parts: str) -> bytes:
    return hashlib.sha256("\0".join(parts).encode()).digest()


def _texts_key(version: bytes) -> bytes:
    return hashlib.sha256(b"texts" + version).digest()


def _unpacked(texts: bytes) -> list[str]:
    decoded: list[str] = json.loads(zlib.decompress(texts))
    return decoded


def _put_last(cache: dict[str, T], key: str, value: T) -> None:
    """Insert as the last one used; the first ones are removed when there are too many."""
    cache.pop(key, None)
    cache[key] = value
    while len(cache) > MAX_INDEXES:
        cache.pop(next(iter(cache)))
