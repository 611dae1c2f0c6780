"""Waiting for something that must come, as long as a loaded machine may take."""

import time
from collections.abc import Callable

PATIENCE = 180.0


def until(true: Callable[[], bool], otherwise: str) -> None:
    """Go on when it is true; that it never is, is a failure with this name."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > deadline:
            raise RuntimeError(otherwise)
        time.sleep(0.01)
