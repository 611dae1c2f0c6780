"""Two hands in an engine process: one encodes a batch while the other decides the one before."""

import os
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from queue import Queue
from threading import Thread
from typing import TypeVar

from sensecheck.server.engine.frames import Batch, Broke, Done
from sensecheck.server.engine.judging import Begun, Judging
from sensecheck.server.engine.pipes import Pipes

T = TypeVar("T")


class Belt:
    """Takes batches in and sends results out, in order.

    The graph runs without Python's lock, so that an engine decides on a second core at no cost to encoding.
    """

    def __init__(self, judging: Judging, pipes: Pipes) -> None:
        self._judging = judging
        self._pipes = pipes
        self._begun: Queue[tuple[int, Begun]] = Queue(maxsize=1)

    def work(self, inbox: "Queue[Batch]") -> None:
        """Do batches, one after the other; never returns."""
        Thread(target=self._decide, daemon=True).start()
        while True:
            batch = inbox.get()
            begun = self._tried(batch.number, partial(self._judging.begin, batch.jobs))
            if begun is not None:
                self._begun.put((batch.number, begun))

    def _decide(self) -> None:
        while True:
            number, begun = self._begun.get()
            results = self._tried(number, partial(self._judging.finish, begun))
            if results is not None:
                self._send(Done(number, results))

    def _tried(self, number: int, work: Callable[[], T]) -> T | None:
        """What comes of it; an error that nobody foresaw is the batch's own, and the service hears of it."""
        done: Future[T] = Future()
        try:
            done.set_result(work())
        except Exception as broken:  # noqa: BLE001  # the service finds out which job it was
            done.set_exception(broken)
        wrong = done.exception()
        if wrong is None:
            return done.result()
        _tell(wrong)
        self._send(Broke(number, type(wrong).__name__))
        return None

    def _send(self, frame: Done | Broke) -> None:
        try:
            self._pipes.write(frame)
        except BrokenPipeError:
            os._exit(0)  # the service is gone


def _tell(broken: BaseException) -> None:
    """Where it went wrong, for the log; the words of the error may be somebody's text, and stay here."""
    lines = traceback.format_tb(broken.__traceback__)
    print(f"an engine met {type(broken).__name__}:\n{''.join(lines)}", file=sys.stderr, flush=True)  # noqa: T201
