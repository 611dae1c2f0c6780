"""Work in a process of its own, which is ended when it takes too long."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import TypeVar, cast

from sensecheck.core.errors import SensecheckError

T = TypeVar("T")


class ProcessLost(SensecheckError):
    """The process ended, and left nothing."""


async def in_one_process(work: Callable[[], T], *, seconds: float) -> T:
    """What the work comes to, or the error that it raises; `TimeoutError` when it takes longer.

    Whatever happens, the process is gone in the end: also when whoever waits for it is cancelled.
    """
    spawning = get_context("spawn")  # a process that was forked could hold locks of other threads for ever
    here, there = spawning.Pipe(duplex=False)
    process = spawning.Process(target=_do, args=(work, there), daemon=True)
    process.start()
    try:
        there.close()  # so that the end of the process is the end of the pipe
        if not await asyncio.to_thread(here.poll, seconds):
            raise TimeoutError
        return cast("T", _received(here))
    finally:
        process.kill()  # which also ends the thread that waits for the pipe
        await asyncio.shield(asyncio.to_thread(process.join))


def _do(work: Callable[[], object], there: Connection) -> None:
    done: Future[object] = Future()
    try:
        done.set_result(work())
    except Exception as wrong:  # noqa: BLE001 - raised again where somebody waits for it
        done.set_exception(wrong)
    failed = done.exception()
    there.send((done.result() if failed is None else None, failed))


def _received(here: Connection) -> object:
    try:
        done, wrong = here.recv()
    except EOFError as nothing:
        raise ProcessLost("a process ended, and left nothing") from nothing
    if wrong is not None:
        raise wrong
    return done
