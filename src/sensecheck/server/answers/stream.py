"""An answer as a series of events, and the events as a stream of bytes.

The last event is sent once everything is stored. What a reader has seen of an answer is stored, also where
the answer has no end.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from typing import Any, Literal

from anyio import CancelScope
from pydantic_core import from_json, to_json
from starlette.responses import StreamingResponse
from starlette.types import Send

from sensecheck.core.errors import Unreadable
from sensecheck.grounding.streaming import Held
from sensecheck.grounding.writer import Trouble, WriterFailed
from sensecheck.server.answers.inquiry import (
    NOTHING_WRITTEN,
    UNREAD,
    Answered,
    Inquiry,
    broken_off,
    cut_off,
    decided,
)
from sensecheck.server.answers.persistence import keep
from sensecheck.server.answers.replies import answer_reply_data
from sensecheck.server.checks import View
from sensecheck.server.engine.jobs import Checked
from sensecheck.server.idempotency import Reservation
from sensecheck.server.logging import log
from sensecheck.server.middleware.request import note_trouble, request_id
from sensecheck.server.problems import WRITER_AWAY, Problem
from sensecheck.server.schemas.answers import Hold
from sensecheck.store.service.records import Completed

AT_ONCE = 8
"""Beginnings of one answer that are checked together: more would crowd out others, mostly for nothing."""
AFTER_FAILURE = 5.0
LAST_SECONDS = 5.0
"""More than the write queue takes, which does not wait for the database."""
MEDIA_TYPE = "text/event-stream"
HEARTBEAT = 10.0
"""Seconds without an event, after which a comment shows all who stand between that somebody is here."""
_BEAT = b": still here\n\n"
_UNAVAILABLE = "the model that writes answers is unavailable; try again in a moment"
_WRITER_SAYS: Mapping[Trouble, str] = {
    "unreachable": _UNAVAILABLE,
    "resting": _UNAVAILABLE,
    "too_slow": "the model that writes answers took too long; try again in a moment",
    "broke_off": "the model that writes answers stopped before the end of its answer; try again",
    "too_long": "the model that writes answers wrote more than an answer may have; ask a narrower question",
    "refused": "the model that writes answers did not write one",
}
"""What readers are told: that the writer failed, and not that the text lacks an answer."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a client receives while it waits."""

    name: Literal["start", "delta", "end", "problem"]
    data: Mapping[str, Any]
    at: int
    """As many code points of the answer are out by then."""


class AnswerEvents:
    """The events of one answer."""

    def __init__(self, inquiry: Inquiry, view: View, hold: Hold, reservation: Reservation | None) -> None:
        self._inquiry, self._view, self._hold, self._reservation = inquiry, view, hold, reservation
        self._claim_by_claim = ClaimByClaim(inquiry)
        self._sent = ""
        self._is_ending = False

    async def shown(self) -> AsyncGenerator[Event, None]:
        """The same, for a client that sees each event at once: what it saw is stored, however this ends."""
        try:
            async with aclosing(self.events()) as events:
                async for event in events:
                    yield event
        except (asyncio.CancelledError, GeneratorExit):  # nobody listens any more
            await self._keep_shown(failed=False)
            raise
        except BaseException:
            await self._keep_shown(failed=True)
            raise

    async def events(self) -> AsyncGenerator[Event, None]:
        """`start`, any number of `delta`, and `end`; raises what goes wrong."""
        names = {"policy": self._inquiry.query.policy.mark, "writer": self._inquiry.writer.name}
        yield Event("start", {"id": self._inquiry.id, **names, "hold": self._hold}, 0)
        texts = {"answer": self._whole, "claim": self._claims, "none": self._at_once}[self._hold]()
        try:
            async with aclosing(texts) as pieces:
                async for piece in pieces:
                    yield await self._end(piece) if isinstance(piece, Answered) else self._delta(piece)
        except Unreadable:  # raised before any text: what is not read is not written from
            yield await self._end(UNREAD)
        except WriterFailed as failed:
            self._inquiry.note_failure(failed)
            raise writer_away(failed) from failed

    async def _keep_shown(self, *, failed: bool) -> None:
        """Store what was sent of an answer that has no end, unless nothing was, or its end is stored."""
        if self._is_ending or not self._sent:
            return
        answered = broken_off(self._sent, self._claim_by_claim.passed, failed=failed)
        try:
            async with asyncio.timeout(LAST_SECONDS):
                await asyncio.shield(keep(self._inquiry, answered))
        except (Problem, TimeoutError) as wrong:
            # The client learns what ended the answer; the log tells the operator that what was seen is lost.
            problem = wrong.kind.name if isinstance(wrong, Problem) else "too-slow"
            log().error("not_kept", problem=problem, **request_id())

    def _delta(self, text: str) -> Event:
        self._sent += text
        return Event("delta", {"text": text, "checked": self._hold != "none"}, len(self._sent))

    async def _whole(self) -> AsyncGenerator[str | Answered, None]:
        answered = await self._inquiry.answered(await self._inquiry.written())
        if answered.decision == "accepted":
            yield answered.answer
        yield answered

    async def _claims(self) -> AsyncGenerator[str | Answered, None]:
        async with aclosing(self._claim_by_claim.released()) as texts:
            async for text in texts:
                yield text
        yield self._claim_by_claim.answered()

    async def _at_once(self) -> AsyncGenerator[str | Answered, None]:
        written = ""
        async with aclosing(self._inquiry.pieces()) as pieces:
            async for piece in pieces:
                written += piece
                yield piece
        yield await self._inquiry.answered(written)

    async def _end(self, answered: Answered) -> Event:
        """The last event, once everything is stored."""
        self._is_ending = True
        data = answer_reply_data(self._inquiry, answered, self._view)
        completed = None if self._reservation is None else self._reservation.completed(to_json(data))
        await keep(self._inquiry, answered, completed)
        return Event("end", data, len(self._sent))


def writer_away(failed: WriterFailed) -> Problem:
    """The problem where no answer was written; what the writer's endpoint said stays here."""
    says = _WRITER_SAYS[failed.trouble]
    return Problem(WRITER_AWAY, says, retry_after=AFTER_FAILURE, more={"trouble": failed.trouble})


def repeated_events(before: Completed, hold: Hold, after: int) -> list[Event]:
    """The events of an answer that was stored; of its text, what stands after so many code points."""
    reply = from_json(before.body["text"])
    text = reply["answer"] if reply["in_selected_text"] else ""
    head = {name: reply[name] for name in ("id", "policy", "writer")}
    events = [Event("start", {**head, "hold": hold}, min(after, len(text)))]
    if text[after:]:
        events.append(Event("delta", {"text": text[after:], "checked": True}, len(text)))
    return [*events, Event("end", reply, len(text))]


MakeEvents = Callable[[], AsyncGenerator[Event, None]]


class EventStream(StreamingResponse):
    """Sends events; when the client leaves, what makes them is stopped at once."""

    def __init__(self, chunks: AsyncGenerator[bytes, None]) -> None:
        super().__init__(chunks, media_type=MEDIA_TYPE, headers={"X-Accel-Buffering": "no"})
        self._chunks = chunks

    async def stream_response(self, send: Send) -> None:
        """Send, and close what was not sent to its end."""
        try:
            await super().stream_response(send)
        finally:
            with CancelScope(shield=True):
                await self._chunks.aclose()


async def live(
    make_events: MakeEvents, resources: AsyncExitStack, *, heartbeat: float = HEARTBEAT
) -> AsyncGenerator[bytes, None]:
    """The events as they come. `resources` are released when they end, in whichever way.

    They are made in a task of their own, which does not wait for a client that reads slowly, so that no
    writer has to; an answer has an end, and so has what may wait here.
    """
    waiting: asyncio.Queue[bytes | None] = asyncio.Queue()
    making = asyncio.create_task(_make(make_events, resources, waiting))
    try:
        while True:
            try:
                chunk = await asyncio.wait_for(waiting.get(), heartbeat)
            except TimeoutError:
                chunk = _BEAT
            if chunk is None:
                break
            yield chunk
        await making
    finally:
        making.cancel()
        with CancelScope(shield=True):  # what was shown is stored first, and the request ends after it
            await asyncio.wait({making}, timeout=LAST_SECONDS)


async def ready_chunks(events: Iterable[Event]) -> AsyncGenerator[bytes, None]:
    """Events that are all there already."""
    for event in events:
        yield as_bytes(event)


def as_bytes(event: Event) -> bytes:
    """An event on the wire."""
    return b"id: %d\nevent: %s\ndata: %s\n\n" % (event.at, event.name.encode(), to_json(event.data))


async def _make(
    make_events: MakeEvents, resources: AsyncExitStack, waiting: "asyncio.Queue[bytes | None]"
) -> None:
    out = 0
    try:
        async with resources, aclosing(make_events()) as events:
            async for event in events:
                out = event.at
                waiting.put_nowait(as_bytes(event))
    except Problem as problem:
        note_trouble(problem.kind.name)
        after = {} if problem.wait is None else {"retry_after": problem.wait}  # else it would be a header
        waiting.put_nowait(as_bytes(Event("problem", {**problem.to_data(), **after}, out)))
    finally:
        waiting.put_nowait(None)


class ClaimByClaim:
    """Releases beginnings of an answer; what was released by any moment is a text that passed."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._inquiry = inquiry
        self._pending = Held()
        self.passed: Checked | None = None
        """What was found of what is released."""
        self._refused: Checked | None = None

    async def released(self) -> AsyncGenerator[str, None]:
        """Texts that may go out. At the first refusal the writer is stopped, and nothing follows."""
        async with aclosing(self._inquiry.pieces()) as pieces:
            async for piece in pieces:
                async with aclosing(self._accepted(self._pending.feed(piece))) as texts:
                    async for text in texts:
                        yield text
                if self._refused is not None:
                    return
        async with aclosing(self._accepted(self._pending.finish())) as texts:
            async for text in texts:
                yield text

    def answered(self) -> Answered:
        """What it came to."""
        text, released = self._pending.text, self._pending.released
        if self._refused is None:
            return NOTHING_WRITTEN if self.passed is None else decided(released, self.passed)
        if self.passed is None:
            return decided(text, self._refused)
        return cut_off(released, self.passed, text, self._refused)

    async def _accepted(self, beginnings: Sequence[str]) -> AsyncGenerator[str, None]:
        """What may be released of beginnings that are now complete; the engine gets several at once."""
        for start in range(0, len(beginnings), AT_ONCE):
            batch = beginnings[start : start + AT_ONCE]
            results = await self._checked(batch)
            for beginning, checked in zip(batch, results, strict=True):
                if not checked.accepted:
                    self._refused = checked
                    self._pending.refused()
                    return
                self.passed = checked
                yield self._pending.accepted(beginning)

    async def _checked(self, beginnings: Sequence[str]) -> list[Checked]:
        """The result for each; where one cannot be checked, the others are cancelled."""
        checks = [asyncio.create_task(self._inquiry.check(beginning)) for beginning in beginnings]
        try:
            return await asyncio.gather(*checks)
        finally:
            for check in checks:
                check.cancel()
