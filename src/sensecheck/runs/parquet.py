"""Finished large runs, whose Parquet files DuckDB reads where they lie, within a bound of memory."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO

import duckdb
from duckdb import DuckDBPyConnection
from fsspec.spec import AbstractFileSystem

from sensecheck.core.errors import SpecError, StorageFull
from sensecheck.core.serialization import did_you_mean
from sensecheck.execution.local import LocalLocation
from sensecheck.execution.location import StorageLocation
from sensecheck.execution.manifest import Manifest, manifest_in, plan_in
from sensecheck.execution.object_store import location_of
from sensecheck.execution.plan import RunPlan
from sensecheck.tables.order import checks_of

_AGAIN = "run the same command again, and it goes on where it stopped"
TABLE = "results"
"""What a run is called in queries, where there is only one."""
LEAST_MB = 64
_OFFLINE = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
"""What a query needs comes with DuckDB; nothing is fetched."""
_STOPPED = "Query interrupted"
"""What DuckDB makes of Ctrl-C."""
_UNCHANGED = datetime(2000, 1, 1, tzinfo=UTC)
"""Results are never changed once they are there."""


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """Where the results lie, and the list of them."""

    location: StorageLocation
    manifest: Manifest

    @property
    def address(self) -> str:
        """As people wrote it, without secrets."""
        return self.location.address

    @property
    def plan(self) -> RunPlan:
        """What the run did."""
        return self.manifest.plan

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were read, each a column."""
        return tuple(dict.fromkeys(self.plan.order.metrics))

    @property
    def checks(self) -> tuple[str, ...]:
        """The checks that decided, each a column of outcomes and one of values."""
        return tuple(check.name for check in checks_of(self.plan.order))

    def column(self, part: str) -> str | None:
        """The column of the results that holds a part of the input; None where it was not carried."""
        name = self.plan.order.columns.get(part, part)
        return name if name in self.plan.carried else None

    def require_column(self, column: str) -> str:
        """The column, which must be one that the results have from the input."""
        if column not in self.plan.carried:
            raise SpecError(did_you_mean(f"column that `{self.address}` carries", column, self.plan.carried))
        return column


@dataclass(frozen=True, slots=True)
class QueryLimits:
    """What reading may take."""

    memory_mb: int = 1024
    """What needs more is done on the disk."""
    threads: int | None = None
    """As many as there are cores unless given."""
    spill: Path | None = None
    """The folder for what does not fit into memory; the system's own unless given."""

    def __post_init__(self) -> None:
        if self.memory_mb < LEAST_MB:
            raise SpecError(f"reading results must have at least {LEAST_MB} MB; got {self.memory_mb}")


def finished_run(address: str) -> FinishedRun:
    """The run at an address; one that is not finished is an error that says how far it has come."""
    location = location_of(address)
    manifest = manifest_in(location)
    if manifest is not None:
        return FinishedRun(location, manifest)
    if location.read("run.json") is None:
        raise SpecError(
            f"`{location.address}` holds no run; wanted a folder that `sensecheck eval … --out FOLDER` wrote"
        )
    raise SpecError(f"the run in `{location.address}` is not finished: {_so_far(location)}; {_AGAIN}")


@contextmanager
def tables(
    runs: Mapping[str, FinishedRun], limits: QueryLimits, *, file: Path | None = None
) -> Iterator[DuckDBPyConnection]:
    """A connection on which each run is a table under its name here; only listed files are read.

    Tables that are made lie in `file` where it is given, and in memory otherwise.
    """
    with TemporaryDirectory(prefix="sensecheck-", dir=limits.spill) as spill:
        connection = duckdb.connect(str(file or ":memory:"), config=_config(limits, spill))
        try:
            connection.execute("SET TimeZone = 'UTC'")
            for name, run in runs.items():
                _create_view(connection, name, run)
            yield connection
        except duckdb.OutOfMemoryException as wrong:
            raise StorageFull(
                f"{limits.memory_mb} MB do not suffice, or the disk under `{spill}` is full; allow more with "
                "`--memory-limit`"
            ) from wrong
        except duckdb.Error as wrong:  # of a file that is damaged, or a store that is away
            # without the query; of an error in Python, the last line of DuckDB's message
            cause = str(wrong).partition("\n\nLINE")[0].strip().rpartition("\n")[2]
            raise SpecError(f"the results cannot be read: {cause}") from wrong
        except RuntimeError as stopped:
            if str(stopped) != _STOPPED:
                raise
            raise KeyboardInterrupt from stopped
        finally:
            connection.close()


def name_in_sql(name: str) -> str:
    """A name of a column or table, as it stands in a query."""
    return '"' + name.replace('"', '""') + '"'


def text_in_sql(text: str) -> str:
    """A text, as it stands in a query."""
    return "'" + text.replace("'", "''") + "'"


def passed_in_sql(check: str) -> str:
    """Whether a check passed, as 1 or 0; null where it is unsure, or could not be judged."""
    return f"CASE {name_in_sql(check)} WHEN 'pass' THEN 1.0::DOUBLE WHEN 'fail' THEN 0.0::DOUBLE END"


class ManifestFiles(AbstractFileSystem):  # type: ignore[misc]
    """The files that a run's manifest lists, as a file system for DuckDB; no others are there."""

    cachable = False

    def __init__(self, run: FinishedRun, *, protocol: str) -> None:
        super().__init__()
        self.protocol = protocol
        self._location = run.location
        self._sizes = {entry.name: entry.size for entry in run.manifest.entries}

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        """How long a file is."""
        name = self._name(path)
        return {"name": name, "size": self._sizes[name], "type": "file"}

    def glob(self, path: str, **_: Any) -> list[str]:
        """The file of this name: names hold no patterns."""
        return [path]

    def modified(self, _path: str) -> datetime:
        """Never."""
        return _UNCHANGED

    def _open(self, path: str, mode: str = "rb", **_: Any) -> BinaryIO:
        return self._location.open(self._name(path))

    def _name(self, path: str) -> str:
        return path.removeprefix(f"{self.protocol}://")


def _so_far(location: StorageLocation) -> str:
    pieces, routed = len(plan_in(location).pieces), len(location.names("routed"))
    if routed < pieces:
        return f"{routed:,} of {pieces:,} pieces of its inputs are routed"
    return f"{len(location.names('results')):,} files of results are there, and no manifest that lists them"


def _config(limits: QueryLimits, spill: str) -> dict[str, str | bool | int | float | list[str]]:
    threads = {} if limits.threads is None else {"threads": limits.threads}
    bounds = {"memory_limit": f"{limits.memory_mb}MB", "temp_directory": spill}
    return {**_OFFLINE, "preserve_insertion_order": False, **bounds, **threads}


def _create_view(connection: DuckDBPyConnection, name: str, run: FinishedRun) -> None:
    if not run.manifest.entries:
        why = f"sensecheck runs show {quote(run.address)}"
        raise SpecError(f"the run in `{run.address}` has no rows; see why with `{why}`")
    files = [entry.name for entry in run.manifest.entries]
    if isinstance(run.location, LocalLocation):
        paths = [str(run.location.root / file) for file in files]
    else:
        connection.register_filesystem(ManifestFiles(run, protocol=name))
        paths = [f"{name}://{file}" for file in files]
    listed = ", ".join(map(text_in_sql, paths))
    connection.execute(
        f"CREATE VIEW {name_in_sql(name)} AS FROM read_parquet([{listed}], hive_partitioning = false)"
    )
