"""Work in a process of its own: its result, its error, and its end when it takes too long."""

import asyncio
import os
from functools import partial
from multiprocessing import active_children
from time import monotonic, sleep

import pytest

from sensecheck.core.errors import MissingExtra
from sensecheck.server.review.process import ProcessLost, in_one_process


def _refuse() -> None:
    raise MissingExtra("install it")


def test_it_gives_what_the_work_comes_to() -> None:
    assert asyncio.run(in_one_process(partial(divmod, 7, 2), seconds=60)) == (3, 1)


def test_an_error_of_the_work_is_raised_here() -> None:
    with pytest.raises(MissingExtra, match="install it"):
        asyncio.run(in_one_process(_refuse, seconds=60))


def test_a_process_that_dies_leaves_nobody_waiting() -> None:
    with pytest.raises(ProcessLost):
        asyncio.run(in_one_process(partial(os._exit, 3), seconds=60))


def test_work_that_takes_too_long_is_ended() -> None:
    began = monotonic()

    with pytest.raises(TimeoutError):
        asyncio.run(in_one_process(partial(sleep, 60), seconds=0.5))

    assert monotonic() - began < 30
    assert not active_children()


def test_nothing_goes_on_for_somebody_who_has_left() -> None:
    async def leave() -> None:
        async with asyncio.timeout(0.5):
            await in_one_process(partial(sleep, 60), seconds=60)

    with pytest.raises(TimeoutError):
        asyncio.run(leave())

    assert not active_children()
