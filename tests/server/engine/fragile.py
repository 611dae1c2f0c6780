"""An engine process that does what certain words tell it to: it dies, hangs, prints, breaks, dawdles."""

import os
import signal
import sys
import time
from collections.abc import Sequence

from sensecheck.config import Settings
from sensecheck.core.backends import Backends, Embedding
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.encoders.wrappers import EncoderWrapper
from sensecheck.sense import Sense
from sensecheck.server.engine.worker import main

COMMAND = (sys.executable, "-m", "tests.server.engine.fragile")


class Fragile(EncoderWrapper):
    """The hashing encoder, which obeys the texts it reads."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        for text in texts:
            _obey(text)
        return self._inner.encode(texts, tokens=tokens)


def _obey(text: str) -> None:
    if "poison" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "hang" in text:
        time.sleep(600)
    if "print" in text:
        print("a library says something here" * 1000, flush=True)
        os.write(1, b"\x00\x00\x00\x01x")
    if "break" in text:
        raise ZeroDivisionError(text)
    if "slow" in text:
        time.sleep(0.15)


def load(settings: Settings) -> Sense:
    """A sense with that encoder."""
    return Sense(Backends(Fragile(HashingEncoder())))


if __name__ == "__main__":
    main(load)
