"""Finding runs: a place by its address, and a run by its number, name, id, word, path or address."""

import json
from pathlib import Path

from sensecheck.core.errors import NoSuchRun, SpecError
from sensecheck.core.extras import extra
from sensecheck.core.run import Run
from sensecheck.io.objectstore import ONE_STEP
from sensecheck.runs.file_place import PLACE_FILE, FilePlace
from sensecheck.runs.folder import FolderPlace
from sensecheck.runs.jsonl import SUFFIX
from sensecheck.runs.place import RunPlace
from sensecheck.runs.run_names import LATEST
from sensecheck.runs.suite import SuiteRuns
from sensecheck.store.address import database_url, shown, store_option

# ruff: noqa: PLC0415 - databases and Parquet files are extras, and each does without the other

_LARGE = ("manifest.json", "run.json")
"""Files of a large run."""
_RUN_BEGINS = b'{"run":'
_DATABASES = ("postgres:", "postgresql:", "postgresql+psycopg:", "sqlite:")
_DATABASE_FILES = (".sqlite3", ".sqlite", ".db")


def open_place(address: str) -> RunPlace:
    """The place at an address, by how it looks; one that is not there yet is made.

    `folder:PATH` is a folder of JSON lines, `parquet:ADDRESS` holds Parquet files, `suites:PATH` the runs of
    test suites; an existing folder of any of these needs no such word. All else is a database.
    """
    kind = _kind_of(address)
    if kind == "folder":
        return FolderPlace.open(address)
    if kind == "suites":
        return SuiteRuns.open(address)
    if kind == "parquet":
        with extra("scale"):
            from sensecheck.runs.large_place import open_parquet
        return open_parquet(address)
    with extra("postgresql" if address.startswith("postgres") else "eval"):
        from sensecheck.runs.sql import EvalStore

        return EvalStore.open(address)


def existing_place(address: str) -> RunPlace:
    """The place at an address, which must be there: reading makes no place where none is."""
    if _kind_of(address) == "database":
        with extra("store"):
            url = database_url(address)
        if url.get_backend_name() == "sqlite" and not Path(url.database or "").is_file():
            raise _no_place(shown(url), store_option(url))
    place = open_place(address)
    if isinstance(place, SuiteRuns) and not place.folder.path.is_dir():
        raise _no_place(place.address, "")
    if isinstance(place, FilePlace) and place.location.read(PLACE_FILE) is None:
        raise _no_place(place.address, store_option(place.address))
    return place


def find_run(reference: str, store: str, *, project: str | None = None) -> tuple[RunPlace, Run]:
    """The run that is meant, and the place that it is in, which the caller closes.

    A path or an address of a place is its latest run, `ADDRESS#RUN` another one of it; all else is a run of
    the place `store`.
    """
    address, _, named = reference.rpartition("#") if "#" in reference else (reference, "", LATEST)
    if not is_place(address):
        address, named = store, reference
    elif _is_suite_file(address):
        suites = SuiteRuns.open(str(Path(address).parent))
        return suites, suites.run_in(Path(address))
    place = existing_place(address)
    try:
        return place, place.run(named, project=project)
    except BaseException:
        place.close()
        raise


def is_place(address: str) -> bool:
    """Whether it looks like a place, rather than like the name of a run: a folder without runs is none."""
    if _is_suite_file(address):
        return True
    path = Path(address).expanduser()
    if path.is_dir() and not _holds_runs(path):
        return False
    if _kind_of(address) != "database":
        return True
    return address.startswith(_DATABASES) or (
        address.endswith(_DATABASE_FILES) and Path(address).expanduser().is_file()
    )


def _kind_of(address: str) -> str:
    for kind in ("folder", "parquet", "suites"):
        if address.startswith(f"{kind}:"):
            return kind
    if "://" in address:
        return "parquet" if address.partition("://")[0] in ONE_STEP else "database"
    path = Path(address).expanduser()
    if not path.is_dir():
        return "database"
    if (path / PLACE_FILE).is_file():
        return _kind_of_files(path)
    if any((path / name).is_file() for name in _LARGE):
        return "parquet"
    if _holds_runs(path):
        return "suites"
    raise SpecError(
        f"`{path}` is a folder without runs; name a new place as `folder:{path}` or `parquet:{path}`"
    )


def _holds_runs(path: Path) -> bool:
    has_run_file = any((path / name).is_file() for name in (PLACE_FILE, *_LARGE))
    return has_run_file or any(map(_is_suite_file, map(str, path.glob(f"*{SUFFIX}"))))


def _no_place(shown_address: str, option: str) -> SpecError:
    return NoSuchRun(
        f"there is no store `{shown_address}`; `sensecheck eval QUESTIONS{option}` makes it, or name another "
        "with `--store`"
    )


def _kind_of_files(path: Path) -> str:
    try:
        return str(json.loads((path / PLACE_FILE).read_bytes())["kind"])
    except (OSError, ValueError, KeyError, TypeError) as wrong:
        raise SpecError(f"`{path / PLACE_FILE}` is damaged; restore it") from wrong


def _is_suite_file(address: str) -> bool:
    """Whether it is a file that begins as the run of a suite does, whatever it is called."""
    path = Path(address)
    if path.suffix != SUFFIX or not path.is_file():
        return False
    if path.stem.isascii() and path.stem.isdigit():
        return True
    with path.open("rb") as file:
        return file.read(len(_RUN_BEGINS)) == _RUN_BEGINS
