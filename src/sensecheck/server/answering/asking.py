"""A question about a passage, from its arrival to what is kept of it; both routes that answer use this."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter

from sensecheck.core.unicode import Encoding
from sensecheck.grounding.asking.cleaning import Cleaned, clean
from sensecheck.grounding.asking.writer import LONGEST_ANSWER, Asked, Writer, WriterFailed
from sensecheck.server.answering.answered import Answered, decided, nothing_written
from sensecheck.server.caller import Caller
from sensecheck.server.engine.jobs import Checked, CheckJob
from sensecheck.server.judging.choosing import Chosen
from sensecheck.server.judging.judged import job_of, judged, must_have_room, told_by
from sensecheck.server.logs import log
from sensecheck.server.parts import Parts
from sensecheck.server.watching.visit import note_decision, request_id
from sensecheck.store.service.ids import new_id

TYPICAL_ANSWER = "x" * 400
"""Stands for an answer that is not written yet, when the engine is asked whether there is room."""


@dataclass(frozen=True, slots=True)
class Asking:
    """What a reader wants to know, and of which passage."""

    question: str
    passage: str
    policy: Chosen
    session_id: str | None = None
    offsets: Encoding = "code_points"
    store: bool = True
    truncated: bool = False
    """Whether more was selected than is read."""


class Inquiry:
    """One question on its way. It holds no connection to the database, so that writers may be slow."""

    def __init__(self, parts: Parts, caller: Caller, asking: Asking) -> None:
        self.parts, self.caller, self.asking = parts, caller, asking
        self.id = new_id(datetime.now(UTC))
        self.passage: Cleaned = clean(asking.passage)
        """Without what people do not see: nothing else is written from, or checked against."""
        self.writing_ms = 0.0
        self.checking_ms = 0.0
        self._began = perf_counter()

    @property
    def writer(self) -> Writer:
        """Who answers."""
        return self.parts.writer

    @property
    def total_ms(self) -> float:
        """How long it has taken so far."""
        return _since(self._began)

    def must_have_room(self) -> None:
        """Turn the reader away now, if what will be written could not be checked in time."""
        must_have_room(self.parts, self._job(TYPICAL_ANSWER))

    async def pieces(self) -> AsyncGenerator[str, None]:
        """The answer as it is written, from its first word on; whoever closes it stops the writer.

        Raises `WriterFailed`; or the problem of the engine, which some writers ask too.
        """
        length = 0
        with told_by(self.parts.metrics):
            async with aclosing(self._written()) as written:
                async for piece in written:
                    text = piece if length else piece.lstrip()
                    length += len(text)
                    if length > LONGEST_ANSWER:
                        raise WriterFailed("too_long", f"an answer may have {LONGEST_ANSWER} characters")
                    if text:
                        yield text

    async def written(self) -> str:
        """The whole answer."""
        async with aclosing(self.pieces()) as pieces:
            return "".join([piece async for piece in pieces]).rstrip()

    def note_failure(self, failed: WriterFailed) -> None:
        """Count and log an answer that was not written; the words of the trouble stay here."""
        self.parts.metrics.writer_failed(failed.trouble)
        note_decision("writer-failed", "error")
        log().warning("writer", writer=self.writer.name, trouble=failed.trouble, **request_id())

    async def check(self, answer: str) -> Checked:
        """Whether this much of an answer comes from the passage."""
        checked, spent = await judged(self.parts, self._job(answer), promised=True)
        self.checking_ms += spent
        return checked

    async def answered(self, written: str) -> Answered:
        """What becomes of an answer."""
        return decided(written, await self.check(written)) if written.strip() else nothing_written()

    async def _written(self) -> AsyncGenerator[str, None]:
        """What the writer writes, if there is anything to write from; the time that it takes is counted."""
        if not self.passage.text.strip():
            return
        asked = Asked(clean(self.asking.question).text, self.passage.text)
        async with aclosing(self.writer.write(asked)) as pieces:
            began = perf_counter()
            async for piece in pieces:
                self.writing_ms += _since(began)
                yield piece
                began = perf_counter()
            self.writing_ms += _since(began)

    def _job(self, answer: str) -> CheckJob:
        passages, policy = (self.passage.text,), self.asking.policy
        return job_of(answer, passages, question=self.asking.question, policy=policy, trusting=False)


def _since(began: float) -> float:
    return (perf_counter() - began) * 1000
