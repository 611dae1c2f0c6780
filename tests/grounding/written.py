"""What a writer writes, for tests."""

import asyncio
import time
from contextlib import aclosing
from typing import Any

from sensecheck.grounding.openai_writer import OpenAIWriter, WriterTimeouts, openai_writer
from sensecheck.grounding.writer import WriterFailed, WriterRequest

PASSAGE = "The bridge was built in 1932. It carries eight lanes of traffic and two railway lines."


def writer_at(
    address: str,
    *,
    piece: float = 10.0,
    whole: float = 30.0,
    first_token: float = 60.0,
    reasoning: float = 240.0,
    **more: Any,
) -> OpenAIWriter:
    """A writer behind an address, as impatient as wanted."""
    patience = WriterTimeouts(whole, piece, first_token, reasoning)
    return openai_writer(f"{address}/v1", "m", patience=patience, **more)


def all_of(
    writer: OpenAIWriter, question: str, passage: str = PASSAGE
) -> tuple[list[str], WriterFailed | None]:
    """The pieces that came, and what went wrong, if anything did."""

    async def listen() -> tuple[list[str], WriterFailed | None]:
        try:
            return await heard(writer, WriterRequest(question, passage))
        finally:
            await writer.close()

    return asyncio.run(listen())


async def heard(writer: Any, asked: WriterRequest) -> tuple[list[str], WriterFailed | None]:
    """The same, in a loop that runs already."""
    pieces: list[str] = []
    try:
        async with aclosing(writer.write(asked)) as written:
            async for piece in written:
                pieces.append(piece)  # noqa: PERF401 - what came before a failure is kept
    except WriterFailed as failed:
        return pieces, failed
    return pieces, None


def trouble_of(writer: OpenAIWriter, question: str) -> tuple[str, str, float]:
    """What came before it went wrong, how it went wrong, and after how long."""
    before = time.perf_counter()
    pieces, failed = all_of(writer, question)
    assert failed is not None
    return "".join(pieces), failed.trouble, time.perf_counter() - before
