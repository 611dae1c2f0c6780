"""What a reader has seen of an answer is kept, also where the answer has no end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Protocol

from sensecheck.server.answering.answered import Answered
from sensecheck.server.answering.asking import Inquiry
from sensecheck.server.answering.kept import keep
from sensecheck.server.logs import log
from sensecheck.server.problems import Problem
from sensecheck.server.watching.visit import request_id

LAST_SECONDS = 5.0
"""More than the keeper takes, which does not wait for the database."""


class Unfinished(Protocol):
    """Says what was shown so far, if anything was, and is not kept."""

    def __call__(self, *, failed: bool) -> Answered | None:
        """Whether something failed, or the reader left."""


@asynccontextmanager
async def kept_anyway(inquiry: Inquiry, unfinished: Unfinished) -> AsyncIterator[None]:
    """Keeps what was shown when this ends by an error, or because nobody listens any more."""
    try:
        yield
    except (asyncio.CancelledError, GeneratorExit):
        await _kept(inquiry, unfinished(failed=False))
        raise
    except BaseException:
        await _kept(inquiry, unfinished(failed=True))
        raise


async def _kept(inquiry: Inquiry, answered: Answered | None) -> None:
    if answered is None:
        return
    try:
        async with asyncio.timeout(LAST_SECONDS):
            await asyncio.shield(keep(inquiry, answered))
    except (Problem, TimeoutError) as wrong:
        # The client is told what ended the answer; that it was seen and is lost is for whoever runs this.
        problem = wrong.kind.name if isinstance(wrong, Problem) else "too-slow"
        log().error("not_kept", problem=problem, **request_id())
