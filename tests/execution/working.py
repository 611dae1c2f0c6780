"""A worker that does what its tasks say: for tests of executors, in whichever process they let it work."""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import Any

from sensecheck.core.errors import SpecError, WeightsError


def do(body: tuple[str, Any]) -> Any:
    """`(what, with)`: a result, an exception, or the end of the process."""
    what, given = body
    return _DEEDS[what](given)


def make() -> Callable[[Any], Any]:
    """A worker that is ready at once."""
    return do


def make_without_weights() -> Callable[[Any], Any]:
    """A worker that cannot be had."""
    raise WeightsError("the weights of `small` are not here")


def make_with_a_bug() -> Callable[[Any], Any]:
    """A worker that cannot be had, and nobody knew."""
    raise ZeroDivisionError("a bug")


def make_and_die() -> Callable[[Any], Any]:
    """A worker whose process does not live to be ready."""
    os._exit(9)


def _refuse(given: str) -> None:
    raise SpecError(given)


def _divide(given: int) -> float:
    return 1 / given


def _wait(given: str) -> str:
    """Until a file is there."""
    deadline = time.monotonic() + 60
    while not Path(given).exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    return given


def _note(given: str) -> None:
    """Who is at work, and then nothing for a long time."""
    Path(given + ".part").write_text(str(os.getpid()))
    Path(given + ".part").rename(given)
    time.sleep(600)


def _hang_once(given: str) -> str:
    """Nothing for a long time, unless someone has tried it before."""
    if Path(given).exists():
        return given
    _note(given)
    return "never"


_DEEDS: dict[str, Callable[[Any], Any]] = {
    "say": lambda given: given,
    "who": lambda _: os.getpid(),
    "divide": _divide,
    "refuse": _refuse,
    "exit": os._exit,
    "kill": lambda _: os.kill(os.getpid(), signal.SIGKILL),
    "sleep": time.sleep,
    "wait": _wait,
    "note": _note,
    "hang once": _hang_once,
    "lock": lambda _: Lock(),
}
