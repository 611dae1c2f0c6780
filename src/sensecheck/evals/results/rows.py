"""The rows of finished runs as tables of DuckDB: read where they lie, within a bound of memory."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from tempfile import TemporaryDirectory

import duckdb
from duckdb import DuckDBPyConnection

from sensecheck.core.errors import NoRoom, SpecError
from sensecheck.evals.results.finished import FinishedRun
from sensecheck.evals.results.place_files import PlaceFiles
from sensecheck.evals.shards.local_place import LocalPlace

LEAST_MB = 64
_STOPPED = "Query interrupted"
"""What DuckDB makes of Ctrl-C."""
_OFFLINE = {"autoinstall_known_extensions": False, "autoload_known_extensions": False}
"""What a query needs comes with DuckDB; nothing is fetched."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What reading may take."""

    memory_mb: int = 1024
    """What needs more is done on the disk."""
    threads: int | None = None
    """As many as there are cores unless given."""
    spill: Path | None = None
    """The folder for what does not fit into memory; the system's own unless given."""

    def __post_init__(self) -> None:
        if self.memory_mb < LEAST_MB:
            raise SpecError(f"reading results wants at least {LEAST_MB} MB; found {self.memory_mb}")


@contextmanager
def tables(runs: Mapping[str, FinishedRun], limits: Limits) -> Iterator[DuckDBPyConnection]:
    """A connection on which each run is a table under its name here; only listed files are read."""
    with TemporaryDirectory(prefix="sensecheck-", dir=limits.spill) as spill:
        connection = duckdb.connect(":memory:", config=_config(limits, spill))
        try:
            connection.execute("SET TimeZone = 'UTC'")
            for name, run in runs.items():
                _show(connection, name, run)
            yield connection
        except duckdb.OutOfMemoryException as wrong:
            raise NoRoom(
                f"{limits.memory_mb} MB do not suffice, or the disk under `{spill}` is full; allow more with "
                "`--memory`"
            ) from wrong
        except duckdb.Error as wrong:  # of a file that is damaged, or a store that is away
            raise SpecError(f"the results cannot be read: {_told(wrong)}") from wrong
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


def _config(limits: Limits, spill: str) -> dict[str, str | bool | int | float | list[str]]:
    threads = {} if limits.threads is None else {"threads": limits.threads}
    own = {"memory_limit": f"{limits.memory_mb}MB", "temp_directory": spill}
    return {**_OFFLINE, "preserve_insertion_order": False, **own, **threads}


def _show(connection: DuckDBPyConnection, name: str, run: FinishedRun) -> None:
    if not run.manifest.entries:
        why = f"sensecheck results summary {quote(run.address)}"
        raise SpecError(f"the run in `{run.address}` has no rows; see why with `{why}`")
    files = [one.name for one in run.manifest.entries]
    if isinstance(run.place, LocalPlace):
        paths = [str(run.place.root / file) for file in files]
    else:
        connection.register_filesystem(PlaceFiles(run, protocol=name))
        paths = [f"{name}://{file}" for file in files]
    listed = ", ".join(map(text_in_sql, paths))
    connection.execute(
        f"CREATE VIEW {name_in_sql(name)} AS FROM read_parquet([{listed}], hive_partitioning = false)"
    )


def _told(wrong: duckdb.Error) -> str:
    """What went wrong, without the query; of an error in Python, the last line of all that DuckDB tells."""
    return str(wrong).partition("\n\nLINE")[0].strip().rpartition("\n")[2]
