"""The pipe between an engine process and the service, as the engine holds it."""

import os
from dataclasses import dataclass, field
from threading import Lock
from typing import IO, Self

from sensecheck.server.engine.frames import Frame, packed, read_frame


@dataclass(frozen=True, slots=True)
class Pipes:
    """Frames in and out; safe for several threads at once."""

    coming: IO[bytes]
    going: IO[bytes]
    _turn: Lock = field(default_factory=Lock)

    @classmethod
    def taken(cls) -> Self:
        """The standard input and output, out of reach of everything else: whatever a library prints goes to
        the standard error, and whoever reads finds nothing.
        """
        coming, going = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        return cls(coming, going)

    def read(self) -> Frame | None:
        """The next frame; None when the service is gone."""
        return read_frame(self.coming)

    def write(self, frame: Frame) -> None:
        """Send a frame, whole."""
        body = packed(frame)
        with self._turn:
            self.going.write(body)
            self.going.flush()
