"""Running a command to its end, however long it would go on, however much it prints, whatever it starts."""

import os
import signal
import subprocess
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import IO

LARGEST = 10_000_000
"""Bytes that a command may print."""
_PIECE = 65_536


class TooMuch(Exception):
    """A command has printed more than is read."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended, and what it printed."""

    code: int
    printed: bytes
    complained: bytes


def run_to_end(arguments: Sequence[str], folder: Path, timeout: float) -> Ended:
    """What the command prints; when it is given up, or we are interrupted, all that it started ends too.

    Raises `subprocess.TimeoutExpired`, `TooMuch`, or what keeps the command from being begun.
    """
    process = subprocess.Popen(
        arguments,
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    ending = weakref.finalize(process, _end, process.pid)  # an interrupted run calls it on its way out
    assert process.stdout is not None
    assert process.stderr is not None
    pipes = (_Pipe(process.stdout, process.pid), _Pipe(process.stderr, process.pid))
    try:
        _wait(process, pipes, timeout)
    except BaseException:
        ending()
        process.wait()
        raise
    finally:
        ending.detach()
        for pipe in pipes:
            pipe.close()
    if any(pipe.too_much for pipe in pipes):
        raise TooMuch
    return Ended(process.returncode, *(bytes(pipe.received) for pipe in pipes))


def _wait(process: "subprocess.Popen[bytes]", pipes: "Sequence[_Pipe]", timeout: float) -> None:
    until = time.monotonic() + timeout
    for pipe in pipes:
        pipe.thread.join(max(0.0, until - time.monotonic()))
        if pipe.thread.is_alive():
            raise subprocess.TimeoutExpired(process.args, timeout)
    process.wait(max(0.0, until - time.monotonic()))


def _end(pid: int) -> None:
    """End the command together with all that it started."""
    with suppress(ProcessLookupError, PermissionError):
        if os.name == "nt":
            os.kill(pid, signal.SIGTERM)
        else:
            os.killpg(pid, signal.SIGKILL)


class _Pipe:
    """Collects what comes out of a pipe; who prints too much is ended."""

    def __init__(self, pipe: IO[bytes], pid: int) -> None:
        self.received = bytearray()
        self.too_much = False
        self._pipe = pipe
        self._pid = pid
        self.thread = Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        while piece := os.read(self._pipe.fileno(), _PIECE):
            self.received += piece
            if len(self.received) > LARGEST:
                self.too_much = True
                _end(self._pid)
                return

    def close(self) -> None:
        """Let go of the pipe, unless somebody who left the command's group still holds its other end."""
        self.thread.join(1.0)
        if not self.thread.is_alive():
            self._pipe.close()
