"""Asking the RAG system for its answer, however it is called."""

from collections.abc import Awaitable, Callable
from inspect import isawaitable
from time import perf_counter

from sensecheck.core.errors import AnswererError, SampleError
from sensecheck.core.run import Pair
from sensecheck.evals.qa.given import Given

_LONGEST_REASON = 200

Said = str | Given
Generate = Callable[[str], Said | Awaitable[Said]]
"""A question to its answer, async or not: a text, or a `Given` that also names the passages of the prompt."""


async def generated(pair: Pair, generate: Generate) -> Given:
    """The answer to a question, and how long it took."""
    began = perf_counter()
    coming = generate(pair.question or "")
    said = await coming if isawaitable(coming) else coming
    took = (perf_counter() - began) * 1000
    if isinstance(said, Given):
        return said
    if not isinstance(said, str):
        raise SampleError(f"`generate` wants to return a text or a `Given`; found {type(said).__name__}")
    return Given(said, latency_ms=took)


async def generated_or_why(pair: Pair, generate: Generate) -> Given:
    """The answer to a question, or why there is none: one that fails must not end the others."""
    try:
        return await _generated(pair, generate)
    except AnswererError as wrong:
        return Given(None, str(wrong))


async def _generated(pair: Pair, generate: Generate) -> Given:
    """The answer; whatever goes wrong in somebody's `generate` is an error of ours."""
    try:
        return await generated(pair, generate)
    except Exception as wrong:
        said = " ".join(str(wrong).split())[:_LONGEST_REASON]
        raise AnswererError(f"{type(wrong).__name__}: {said}") from wrong
