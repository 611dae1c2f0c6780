"""An answer as a series of events, whatever is held back of it; the last one is told once all is kept."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, Literal

from pydantic_core import from_json, to_json

from sensecheck.core.errors import Unreadable
from sensecheck.grounding.asking.writer import WriterFailed
from sensecheck.server.answering.answered import Answered, broken_off, unread
from sensecheck.server.answering.asking import Inquiry
from sensecheck.server.answering.claim_by_claim import ClaimByClaim
from sensecheck.server.answering.kept import keep
from sensecheck.server.answering.kept_anyway import kept_anyway
from sensecheck.server.answering.replies import reply_data
from sensecheck.server.idempotency import Reservation
from sensecheck.server.judging.include import View
from sensecheck.server.problems import WRITER_AWAY, Problem
from sensecheck.server.shapes.answers import Hold
from sensecheck.store.service.records import Completed

AFTER_FAILURE = 5.0


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a client is told while it waits."""

    name: Literal["start", "delta", "end", "problem"]
    data: Mapping[str, Any]
    at: int
    """As many code points of the answer are out by then."""


class Telling:
    """Tells one answer."""

    def __init__(self, inquiry: Inquiry, view: View, hold: Hold, reservation: Reservation | None) -> None:
        self._inquiry, self._view, self._hold, self._reservation = inquiry, view, hold, reservation
        self._claim_by_claim = ClaimByClaim(inquiry)
        self._told = ""
        self._is_ending = False

    async def shown(self) -> AsyncGenerator[Event, None]:
        """The same, for a client that sees each event at once: what it saw is kept, however this ends."""
        async with kept_anyway(self._inquiry, self._unfinished), aclosing(self.events()) as events:
            async for event in events:
                yield event

    async def events(self) -> AsyncGenerator[Event, None]:
        """`start`, any number of `delta`, and `end`; raises what goes wrong."""
        names = {"policy": self._inquiry.asking.policy.mark, "writer": self._inquiry.writer.name}
        yield Event("start", {"id": self._inquiry.id, **names, "hold": self._hold}, 0)
        texts = {"answer": self._whole, "claim": self._claims, "none": self._at_once}[self._hold]()
        try:
            async with aclosing(texts) as told:
                async for said in told:
                    yield await self._end(said) if isinstance(said, Answered) else self._delta(said)
        except Unreadable:  # told before any text: what is not read is not written from
            yield await self._end(unread())
        except WriterFailed as failed:
            self._inquiry.note_failure(failed)
            raise writer_away(failed) from failed

    def _unfinished(self, *, failed: bool) -> Answered | None:
        """What was told of an answer that has no end; None where nothing was, or its end is kept already."""
        if self._is_ending or not self._told:
            return None
        return broken_off(self._told, self._claim_by_claim.passed, failed=failed)

    def _delta(self, text: str) -> Event:
        self._told += text
        return Event("delta", {"text": text, "checked": self._hold != "none"}, len(self._told))

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
        """The last event, once it is kept."""
        self._is_ending = True
        data = reply_data(self._inquiry, answered, self._view)
        kept = None if self._reservation is None else self._reservation.completed(to_json(data))
        await keep(self._inquiry, answered, kept)
        return Event("end", data, len(self._told))


def writer_away(failed: WriterFailed) -> Problem:
    """Told when no answer was written; what the writer's endpoint said stays here."""
    says = "no answer was written, or not to its end"
    return Problem(WRITER_AWAY, says, retry_after=AFTER_FAILURE, more={"trouble": failed.trouble})


def told_again(before: Completed, hold: Hold, after: int) -> list[Event]:
    """The events of an answer that was kept; of its text, what stands after so many code points."""
    reply = from_json(before.body["text"])
    text = reply["answer"] if reply["in_selected_text"] else ""
    head = {name: reply[name] for name in ("id", "policy", "writer")}
    events = [Event("start", {**head, "hold": hold}, min(after, len(text)))]
    if text[after:]:
        events.append(Event("delta", {"text": text[after:], "checked": True}, len(text)))
    return [*events, Event("end", reply, len(text))]
