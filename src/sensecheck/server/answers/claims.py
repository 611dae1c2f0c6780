"""An answer released claim by claim, each once everything up to it was checked and accepted."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from sensecheck.grounding.streaming import Held
from sensecheck.server.answers.inquiry import NOTHING_WRITTEN, Answered, Inquiry, cut_off, decided
from sensecheck.server.engine.jobs import Checked

AT_ONCE = 8
"""Beginnings of one answer that are checked together: more would crowd out others, mostly for nothing."""


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
