"""A process that keeps entries, and says of each when it is kept: `python -m … ADDRESS FOLDER FIRST`."""

import os
import sys
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from threading import BoundedSemaphore

from sensecheck.store.service.spool import Spool
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service.write_queue import WriteQueue
from tests.store.service.keeping import an_entry

AT_ONCE = 64
"""As many requests are under way."""


def keep_on(address: str, folder: str, first: int) -> None:
    """Keep entries from this number on, until killed."""
    spool = Spool.open(Path(folder) / "spool.sqlite3", megabytes=64)
    keeper = WriteQueue(ServiceStore.open(address), spool)
    keeper.start()
    turns = BoundedSemaphore(AT_ONCE)
    for number in range(first, sys.maxsize):
        turns.acquire()
        keeper.keep(an_entry(number)).add_done_callback(partial(_say, number, turns))


def _say(number: int, turns: BoundedSemaphore, kept: "Future[None]") -> None:
    kept.result()
    os.write(1, f"{number}\n".encode())  # at once, and whole
    turns.release()


if __name__ == "__main__":
    keep_on(sys.argv[1], sys.argv[2], int(sys.argv[3]))
