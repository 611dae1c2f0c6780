"""Who writes answers."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from sensecheck.core.errors import AnswererError

FALLBACK = "The selected text does not contain the answer."
"""What a reader is told instead of an answer that does not come from the passage."""
LONGEST_ANSWER = 8_000
"""Characters; a writer that goes on beyond them has failed."""

Trouble = Literal["unreachable", "too_slow", "refused", "broke_off", "too_long", "resting"]


class WriterFailed(AnswererError):
    """No answer was written, or only the beginning of one."""

    def __init__(self, trouble: Trouble, says: str) -> None:
        super().__init__(says)
        self.trouble = trouble


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, and the passage that alone may answer it."""

    question: str = field(repr=False)
    passage: str = field(repr=False)


class Writer(Protocol):
    """Writes an answer piece by piece."""

    @property
    def name(self) -> str:
        """What people call it: `extractive`, `openai:MODEL`."""
        ...

    def write(self, asked: Asked) -> AsyncGenerator[str, None]:
        """The answer as it is written; nothing at all when the passage does not answer.

        Raises `WriterFailed`; or, before the first piece, `Unreadable` of texts that it cannot read. Whoever
        stops listening closes the iterator, which stops the writer at once.
        """
        ...

    async def close(self) -> None:
        """Let go of what it holds: connections, say."""
        ...
