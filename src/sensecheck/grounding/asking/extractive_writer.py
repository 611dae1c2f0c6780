"""A writer that needs no model of language: it answers with sentences of the passage."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from sensecheck.grounding.asking.writer import Asked

Find = Callable[[Asked], Awaitable[Sequence[tuple[int, int]]]]
"""Finds the stretches of a passage that answer a question, as (start, end); none where it does not."""


class ExtractiveWriter:
    """Says what the passage says, in its own words and its own order."""

    name = "extractive"

    def __init__(self, find: Find) -> None:
        self._find = find

    async def write(self, asked: Asked) -> AsyncGenerator[str, None]:
        """The sentences that were found, a piece each; what lies between two of them is left out."""
        before = None
        for start, end in sorted(await self._find(asked)):
            yield (_between(asked.passage, before, start) if before is not None else "") + asked.passage[
                start:end
            ]
            before = end

    async def close(self) -> None:
        """End nothing: whoever finds the sentences is not ours."""


def _between(passage: str, end: int, start: int) -> str:
    """The space between two sentences: their own where nothing else lies between them."""
    own = passage[end:start]
    if not own.strip():
        return own
    return "\n\n" if "\n" in own else " "
