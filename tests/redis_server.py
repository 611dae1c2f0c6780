"""A Redis for tests: names of our own in the one that runs here, or a server that one test starts and stops.

Where there is none, the tests that need it are skipped and say how to have it: `tools/services` starts one.
"""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep

import pytest

from tests.markers import require_marker

HOST, PORT = "127.0.0.1", 6379
REDIS = f"redis://{HOST}:{PORT}/0"
_START_SECONDS = 10.0


def redis_address() -> str:
    """The address of the Redis that runs here; the test is skipped where none answers."""
    require_marker("database")
    if not _answers():
        pytest.skip(f"no Redis answers at {HOST}:{PORT}; `tools/services` starts one where it is installed")
    return REDIS


def _answers() -> bool:
    try:
        socket.create_connection((HOST, PORT), timeout=5).close()
    except OSError:
        return False
    return True


@contextmanager
def own_prefix() -> Iterator[str]:
    """How our names begin in the Redis that runs here; all of them are gone afterwards."""
    import redis

    own = f"sensecheck-test-{token_hex(6)}:"
    yield own
    if not _answers():
        return
    with redis.Redis.from_url(REDIS) as client:
        for key in client.scan_iter(f"{own}*"):
            client.delete(key)


@contextmanager
def own_redis(port: int, folder: Path) -> Iterator[None]:
    """A Redis of our own, which ends with this block."""
    require_marker("database")
    if shutil.which("redis-server") is None:
        pytest.skip("`redis-server` is not installed")
    command = ["redis-server", "--port", str(port), "--save", "", "--dir", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            _wait_for(port)
            yield
        finally:
            server.terminate()


def _wait_for(port: int) -> None:
    until = monotonic() + _START_SECONDS
    while monotonic() < until:
        with suppress(OSError), socket.create_connection((HOST, port), timeout=1):
            return
        sleep(0.02)
