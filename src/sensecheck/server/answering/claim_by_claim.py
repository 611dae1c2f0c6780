"""An answer that goes out claim by claim, each after all up to it was checked and accepted."""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing

from sensecheck.grounding.asking.held import Held
from sensecheck.server.answering.answered import Answered, cut_off, decided, nothing_written
from sensecheck.server.answering.asking import Inquiry
from sensecheck.server.engine.jobs import Checked

AT_ONCE = 8
"""Beginnings of one answer that are checked together: more would crowd out others, mostly for nothing."""


class ClaimByClaim:
    """Releases beginnings of an answer; what was released by any moment is a text that passed."""

    def __init__(self, inquiry: Inquiry) -> None:
        self._inquiry = inquiry
        self._held = Held()
        self.passed: Checked | None = None
        """What was found of what is released."""
        self._refused: Checked | None = None

    async def released(self) -> AsyncGenerator[str, None]:
        """Texts that may go out. At the first refusal the writer is stopped, and nothing follows."""
        async with aclosing(self._inquiry.pieces()) as pieces:
            async for piece in pieces:
                async with aclosing(self._accepted(self._held.feed(piece))) as texts:
                    async for text in texts:
                        yield text
                if self._refused is not None:
                    return
        async with aclosing(self._accepted(self._held.finish())) as texts:
            async for text in texts:
                yield text

    def answered(self) -> Answered:
        """What it came to."""
        text, released = self._held.text, self._held.released
        if self._refused is None:
            return nothing_written() if self.passed is None else decided(released, self.passed)
        if self.passed is None:
            return decided(text, self._refused)
        return cut_off(released, self.passed, text, self._refused)

    async def _accepted(self, beginnings: Sequence[str]) -> AsyncGenerator[str, None]:
        """What may be released of beginnings that are now complete; the engine gets several at once."""
        for start in range(0, len(beginnings), AT_ONCE):
            few = beginnings[start : start + AT_ONCE]
            found = await self._checked(few)
            for beginning, checked in zip(few, found, strict=True):
                if not checked.accepted:
                    self._refused = checked
                    self._held.refused()
                    return
                self.passed = checked
                yield self._held.accepted(beginning)

    async def _checked(self, beginnings: Sequence[str]) -> list[Checked]:
        """What is found of each; where one cannot be checked, the others are not wanted any more."""
        checks = [asyncio.create_task(self._inquiry.check(beginning)) for beginning in beginnings]
        try:
            return await asyncio.gather(*checks)
        finally:
            for check in checks:
                check.cancel()
