"""One writer at a time for the file of a run."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO

from sensecheck.core.errors import SpecError

if sys.platform == "win32":
    import msvcrt

    _FAR = 2**40
    """A byte that no run reaches: Windows keeps readers off what is locked."""

    def lock(file: BinaryIO) -> None:
        place = file.tell()
        file.seek(_FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        file.seek(place)
else:
    import fcntl

    def lock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def only_writer(file: BinaryIO, number: int) -> Iterator[None]:
    """No one else writes this run meanwhile; the lock goes with the process, however that ends."""
    try:
        lock(file)
    except OSError as error:
        raise SpecError(
            f"the run {number} is being written by another process; wait for it to end"
        ) from error
    yield
