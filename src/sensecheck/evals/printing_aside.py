"""What a user's code prints goes to the standard error: the standard output is for results."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, local
from typing import Any, TextIO


class _Parted:
    """An output that is the standard error for threads that run a user's code, and itself for all others."""

    def __init__(self, usual: TextIO) -> None:
        self.usual = usual
        self.users = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(sys.stderr if _depth() else self.usual, name)


_PARTING = Lock()
_INSIDE = local()  # of the module, because a user's code may hold on to an output of an earlier block


@contextmanager
def printing_aside() -> Iterator[None]:
    """Within this block, what this thread prints goes to the standard error; what others print does not."""
    parted = _entered()
    _INSIDE.depth = _depth() + 1
    try:
        yield
    finally:
        _INSIDE.depth -= 1
        _left(parted)


def _depth() -> int:
    """How many of these blocks this thread is in."""
    return getattr(_INSIDE, "depth", 0)


def _entered() -> _Parted:
    with _PARTING:
        parted = sys.stdout if isinstance(sys.stdout, _Parted) else _Parted(sys.stdout)
        parted.users += 1
        sys.stdout = parted
        return parted


def _left(parted: _Parted) -> None:
    with _PARTING:
        parted.users -= 1
        if not parted.users:  # also where a user's code has put another in its place
            sys.stdout = parted.usual
