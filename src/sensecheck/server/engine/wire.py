"""How the service and an engine process talk: values in frames, each with its length before it."""

import asyncio
import pickle
import struct
from dataclasses import dataclass
from typing import IO

from sensecheck.core.errors import SensecheckError
from sensecheck.server.engine.jobs import Job, Result

_HEAD = struct.Struct(">I")
_NO_PICKLE = (
    *(pickle.UnpicklingError, EOFError, AttributeError, ImportError, LookupError, ValueError),
    *(TypeError, OverflowError, MemoryError),
)
"""What `pickle` says of bytes that are none of its own, from an unknown mark to a length that nobody has."""
_NO_FRAME = "what came through the pipe is no frame"
MOST_BYTES = 1 << 30
"""A frame that claims to be longer is no frame: somebody else wrote into the pipe."""


class BrokenFrame(SensecheckError):
    """The pipe holds something else than frames."""


@dataclass(frozen=True, slots=True)
class EngineReady:
    """An engine has loaded its model."""

    fingerprint: str | None
    """That of its encoder."""
    tokens_per_second: float
    """How fast it just was with a short text."""


@dataclass(frozen=True, slots=True)
class EngineUnready:
    """An engine cannot begin: weights that are missing, a setting that is wrong."""

    because: str


@dataclass(frozen=True, slots=True)
class Batch:
    """Jobs that are done together."""

    number: int
    jobs: tuple[Job, ...]


@dataclass(frozen=True, slots=True)
class BatchDone:
    """What the jobs of a batch came to, in their order."""

    number: int
    results: tuple[Result, ...]


@dataclass(frozen=True, slots=True)
class BatchFailed:
    """A batch ended in an error that nobody foresaw; the engine goes on."""

    number: int
    kind: str
    """The name of the error, and nothing of what it says: that may hold somebody's text."""


Frame = EngineReady | EngineUnready | Batch | BatchDone | BatchFailed


def packed(frame: Frame) -> bytes:
    """A frame as bytes."""
    body = pickle.dumps(frame, pickle.HIGHEST_PROTOCOL)
    return _HEAD.pack(len(body)) + body


def read_frame(stream: IO[bytes]) -> Frame | None:
    """The next frame; None when the other side is gone, at whichever byte."""
    head = stream.read(_HEAD.size)
    if len(head) < _HEAD.size:
        return None
    length = _length(head)
    body = stream.read(length)
    return None if len(body) < length else _frame(body)


async def receive(stream: asyncio.StreamReader) -> Frame | None:
    """The next frame; None when the other side is gone, at whichever byte."""
    try:
        head = await stream.readexactly(_HEAD.size)
        return _frame(await stream.readexactly(_length(head)))
    except (asyncio.IncompleteReadError, ConnectionError):
        return None


def _length(head: bytes) -> int:
    length: int = _HEAD.unpack(head)[0]
    if length > MOST_BYTES:
        raise BrokenFrame(f"a frame must be at most {MOST_BYTES} bytes; got {length}")
    return length


def _frame(body: bytes) -> Frame:
    # Both ends of the pipe are this same program, and nobody else can write into it.
    try:
        frame = pickle.loads(body)
    except _NO_PICKLE as broken:
        raise BrokenFrame(_NO_FRAME) from broken
    if not isinstance(frame, Frame):
        raise BrokenFrame(_NO_FRAME)
    return frame
