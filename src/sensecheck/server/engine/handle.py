"""An engine process, as the service holds it."""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from sensecheck.config import variables
from sensecheck.server.engine.jobs import EngineAway
from sensecheck.server.engine.wire import Batch, EngineReady, EngineUnready, Frame, packed, receive

COMMAND = (sys.executable, "-P", "-m", "sensecheck.server.engine.worker")
"""`-P`: nothing in the folder where the service was started is imported instead of what is installed."""
START_SECONDS = 120.0
_ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""As many engines as cores, each with one thread of its own for numbers."""


@dataclass(frozen=True, slots=True)
class EngineProcess:
    """A running engine: batches in, frames out."""

    process: Process
    coming: asyncio.StreamReader
    going: asyncio.StreamWriter
    ready: EngineReady

    @classmethod
    async def start(cls, command: Sequence[str], environment: Mapping[str, str] | None = None) -> Self:
        """An engine that is ready, or `EngineAway` with what it said."""
        given = {**(variables() if environment is None else environment), **_ONE_THREAD}
        try:
            process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, env=given)
        except OSError as reason:
            raise EngineAway(f"no process can be started: {reason.strerror}") from reason
        first = await _first(process)
        if isinstance(first, EngineReady) and process.stdout is not None and process.stdin is not None:
            return cls(process, process.stdout, process.stdin, first)
        code = await _ended(process)
        raise EngineAway(first.because if isinstance(first, EngineUnready) else _went(code))

    def send(self, batch: Batch) -> None:
        """Put a batch into the pipe; an engine that is gone is noticed by `receive`."""
        self.going.write(packed(batch))

    async def receive(self) -> Frame | None:
        """What it says next; None when it is gone."""
        return await receive(self.coming)

    def kill(self) -> None:
        """End it, whatever it does."""
        if self.process.returncode is None:
            self.process.kill()

    async def ended(self) -> int:
        """Wait until it is gone, which is at once; with what it ended."""
        self.going.close()
        return await _ended(self.process)


async def _first(process: Process) -> Frame | None:
    """What a new engine says first; one that says nothing, or that nobody waits for any more, is ended."""
    said: Frame | None = None
    try:
        async with asyncio.timeout(START_SECONDS):
            said = await receive(process.stdout) if process.stdout is not None else None
    except TimeoutError as late:
        raise EngineAway(f"an engine was not ready after {START_SECONDS:g} s") from late
    finally:
        if said is None:
            await _ended(process)
    return said


async def _ended(process: Process) -> int:
    if process.returncode is None:
        process.kill()
    return await process.wait()


def _went(code: int) -> str:
    return f"an engine ended with {code} before it was ready; see its standard error for why"
