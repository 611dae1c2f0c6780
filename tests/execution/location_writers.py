"""Processes that write one name at the same moment, or are killed while they write."""

import json
import multiprocessing
import os
import sys
import time
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier

import fsspec

from sensecheck.execution.object_store import location_of

WRITERS = 8


def all_at_once(address: str) -> None:
    """Print of each writer whether it was the first."""
    if "://" in address:
        fsspec.get_filesystem_class(address.partition("://")[0])  # imported once, before they are forked
    forked = multiprocessing.get_context("fork")
    together = forked.Barrier(WRITERS)
    pipes = [forked.Pipe(duplex=False) for _ in range(WRITERS)]
    for number, (_, said) in enumerate(pipes):
        forked.Process(target=_write, args=(address, number, together, said)).start()
    print(json.dumps([heard.recv() for heard, _ in pipes]))


def _write(address: str, number: int, together: Barrier, said: Connection) -> None:
    place = location_of(address)
    with place.scratch() as folder:
        written = folder / "written"
        written.write_bytes(str(number).encode() * 10_000)
        together.wait()
        place.keep(written, "results/wanted.bin")
    said.send(place.write("wanted.json", str(number).encode()))


def hang_in_the_middle(address: str) -> None:
    """Write half of a file, and wait to be killed."""
    with location_of(address).scratch() as folder:
        (folder / "half").write_bytes(b"half")
        print(os.getpid(), flush=True)
        time.sleep(600)


if __name__ == "__main__":
    if sys.argv[1] == "write":
        all_at_once(sys.argv[2])
    else:
        hang_in_the_middle(sys.argv[2])
