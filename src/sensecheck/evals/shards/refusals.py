"""What a disk or a store refuses, in our words."""

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from sensecheck.core.errors import NoRoom, NotKept

FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
REFUSED = (errno.EROFS, errno.EACCES, errno.EPERM)
GO_ON = "what was finished before is kept: the same command goes on from there"


@contextmanager
def refusals(where: str, *, only: tuple[int, ...] | None = None) -> Iterator[None]:
    """Errors of the system as `NotKept`, or `NoRoom`; with `only`, others are left as they are."""
    try:
        yield
    except OSError as wrong:
        if only is not None and wrong.errno not in only:
            raise
        raise _said(where, wrong) from wrong


def _said(where: str, wrong: OSError) -> NotKept:
    if wrong.errno in FULL:
        return NoRoom(f"`{where}` is full: {_words(wrong)}; make room there; {GO_ON}")
    if wrong.errno in REFUSED or isinstance(wrong, PermissionError):
        return NotKept(f"`{where}` may not be written: {_words(wrong)}; allow it, or choose another place")
    return NotKept(f"`{where}` cannot be used: {_words(wrong)}; {GO_ON}")


def _words(wrong: OSError) -> str:
    return str(wrong.strerror or wrong) or type(wrong).__name__
