"""A writer of answers behind any server that streams `/v1/chat/completions` as OpenAI does.

The first token has a time of its own, since a model may have to be loaded or may reason first; after it each
piece must come within its time, and the answer must come to a proper end.
"""

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.errors import SensecheckError, SpecError
from sensecheck.grounding.writer import (
    LONGEST_ANSWER,
    Trouble,
    WriterFailed,
    WriterRequest,
    fresh_delimiter,
    is_fallback,
    may_be_fallback,
    messages_for,
)
from sensecheck.io.openai import AsyncEndpoint, is_address
from sensecheck.io.retry import CircuitBreaker
from sensecheck.judges.openai import Sampling

_UNTIL_CLOSED = 0.2
"""Seconds that a server has to end its stream properly; then the connection can be used again."""
_BROKEN: dict[str, tuple[Trouble, str]] = {
    "length": ("too_long", "cut its answer for its length"),
    "content_filter": ("refused", "held its answer back with a content filter"),
}

_ROUTE = "/v1/chat/completions"
_UNAVAILABLE = ("unreachable", "broke_off")
"""Failures of the endpoint, not of what it was asked; one that is only slow may answer the next reader."""
_REASONING = ("reasoning_content", "reasoning", "thinking")
"""The fields of a delta in which servers send what a model thinks before it answers."""


@dataclass(frozen=True, slots=True)
class WriterTimeouts:
    """How long an endpoint may take, in seconds."""

    whole: float = 30.0
    """For the answer, from its first token on."""
    piece: float = 10.0
    """Between two pieces of the answer."""
    first_token: float = 60.0
    """Until the first token; each piece of reasoning before it starts this wait anew."""
    reasoning: float = 240.0
    """Until the first token of a model that reasons, in all."""

    @property
    def until_first_token(self) -> float:
        """The longest possible wait for the first token."""
        return max(self.first_token, self.reasoning)


class OpenAIWriter:
    """A language model behind an endpoint, which is left alone for a while when it fails again and again."""

    def __init__(
        self,
        endpoint: AsyncEndpoint,
        model: str,
        *,
        patience: WriterTimeouts,
        parameters: dict[str, Any],
        breaker: CircuitBreaker,
    ) -> None:
        self.name = f"openai:{model}"
        self._endpoint = endpoint
        self._model = model
        self._patience = patience
        self._parameters = parameters
        self._breaker = breaker

    async def write(self, asked: WriterRequest) -> AsyncGenerator[str, None]:
        """The answer as it is written; closing the iterator closes the connection."""
        number = self._breaker.begin()
        if number is None:
            raise WriterFailed(
                "resting", f"`{self._endpoint.url}` failed too often, and is left alone a while"
            )
        end = self._breaker.abandon
        try:
            async with aclosing(self._answer(asked)) as pieces:
                async for piece in pieces:
                    yield piece
            end = self._breaker.succeeded
        except WriterFailed as failed:
            if failed.trouble in _UNAVAILABLE:
                end = self._breaker.failed
            elif failed.trouble != "too_slow":
                end = self._breaker.succeeded
            raise
        finally:
            end(number)

    async def close(self) -> None:
        """End every connection."""
        await self._endpoint.close()

    async def _answer(self, request: WriterRequest) -> AsyncGenerator[str, None]:
        """The pieces of an answer that is one, and not too long; none where it is the fallback."""
        waiting, length, is_released = "", 0, False
        async with aclosing(self._pieces(request)) as pieces:
            async for piece in pieces:
                length += len(piece)
                if length > LONGEST_ANSWER:
                    raise WriterFailed(
                        "too_long", f"`{self._endpoint.url}` wrote more than {LONGEST_ANSWER:,} characters"
                    )
                waiting += piece
                if is_released or not may_be_fallback(waiting):
                    is_released = True
                    yield waiting
                    waiting = ""
        if not (is_released or waiting.strip()):
            raise WriterFailed("refused", f"`{self._endpoint.url}` answered with nothing")
        if waiting and not is_fallback(waiting):
            yield waiting

    async def _pieces(self, request: WriterRequest) -> AsyncGenerator[str, None]:
        """The pieces as they come; a connection that fails before the first one is tried once more."""
        began = asyncio.get_running_loop().time()
        for tried in (1, 2):
            try:
                async with aclosing(self._tried(request, tried, began)) as pieces:
                    async for piece in pieces:
                        yield piece
            except NotConnected as broken:
                if tried > 1:
                    raise broken.failed from broken
            else:
                return

    def _tried(self, request: WriterRequest, tried: int, began: float) -> AsyncGenerator[str, None]:
        messages = messages_for(request, fresh_delimiter(request))
        private = [request.question, request.passage, *(message["content"] for message in messages)]
        chunks = self._endpoint.chunks(self._model, messages, **self._parameters)
        return Listening(self._endpoint, self._patience, private, began, tried).pieces(chunks)


def openai_writer(
    url: str,
    model: str,
    *,
    api_key: str | None = None,
    patience: WriterTimeouts | None = None,
    sampling: Sampling | None = None,
    breaker: CircuitBreaker | None = None,
) -> OpenAIWriter:
    """The writer behind an address such as `http://localhost:1234/v1`."""
    if not (is_address(url) and model):
        raise SpecError("the writer `openai` needs `openai:http://HOST:PORT/v1#MODEL`")
    patience = patience or WriterTimeouts()
    slowest = max(patience.first_token, patience.piece)
    endpoint = AsyncEndpoint.at(url, _ROUTE, api_key=api_key, timeout=slowest, retries=1)
    endpoint.listener()  # now, since the first reader should not wait for imports
    return OpenAIWriter(
        endpoint,
        model,
        patience=patience,
        parameters=(sampling or Sampling()).parameters(),
        breaker=breaker or CircuitBreaker(),
    )


class NotConnected(SensecheckError):
    """The connection broke before anything was said: it may be tried once more."""

    def __init__(self, failed: WriterFailed) -> None:
        super().__init__(str(failed))
        self.failed = failed


@dataclass(slots=True)
class Listening:
    """One try to have one answer."""

    endpoint: AsyncEndpoint
    patience: WriterTimeouts
    private: Sequence[str] = field(repr=False)
    """What no message may tell."""
    began: float
    """When the first try began, by the clock of the loop."""
    tried: int = 1
    first_at: float | None = None
    """When the first piece came."""

    async def pieces(self, chunks: AsyncGenerator[Any, None]) -> AsyncGenerator[str, None]:
        """What is said, piece by piece."""
        async with aclosing(chunks):
            while True:
                content, reason = await self._next(chunks)
                if content:
                    if self.first_at is None:
                        self.first_at = asyncio.get_running_loop().time()
                    yield content
                if reason is not None:
                    if reason in _BROKEN:
                        raise self._failure(*_BROKEN[reason])
                    await _drained(chunks)
                    return

    async def _next(self, chunks: AsyncGenerator[Any, None]) -> tuple[str, str | None]:
        """The next piece, and why it is the last one if it is."""
        import openai  # noqa: PLC0415 - the client is there by now, and only then

        try:
            async with asyncio.timeout_at(self._deadline()) as limit:
                async for chunk in chunks:
                    content, reason = self._chunk_content(chunk)
                    if content or reason is not None:
                        return content, reason
                    if _is_reasoning(chunk):
                        limit.reschedule(self._deadline())
        except TimeoutError as late:
            raise self._failure("too_slow", "took too long for its answer") from late
        except (openai.OpenAIError, ValueError, RecursionError) as error:
            raise self._failure_of(error) from error
        raise self._failure("broke_off", "broke off its answer")

    def _deadline(self) -> float:
        """When the next sign of life must have come."""
        now, patience = asyncio.get_running_loop().time(), self.patience
        if self.first_at is None:
            return min(now + patience.first_token, self.began + patience.until_first_token)
        return min(now + patience.piece, self.first_at + patience.whole)

    def _chunk_content(self, chunk: Any) -> tuple[str, str | None]:
        """What a chunk says, and why it is the last; both are nothing in chunks about something else."""
        choices = getattr(chunk, "choices", None)
        if not isinstance(choices, list):
            raise self._failure("refused", "did not answer with pieces of a completion")
        if not choices:
            return "", None
        delta, reason = getattr(choices[0], "delta", None), getattr(choices[0], "finish_reason", None)
        if getattr(delta, "refusal", None):
            raise self._failure("refused", "answered with a refusal of the model")
        content = getattr(delta, "content", None)
        return content if isinstance(content, str) else "", reason if isinstance(reason, str) else None

    def _failure_of(self, error: Exception) -> WriterFailed | NotConnected:
        """What an error of the client means."""
        import openai  # noqa: PLC0415

        failure = self.endpoint.failure(error, self.private, self.tried)
        if isinstance(error, openai.APITimeoutError) and type(error.__cause__).__name__ != "ConnectTimeout":
            return WriterFailed("too_slow", failure.says)
        if isinstance(error, openai.APIConnectionError):
            has_begun = self.first_at is not None
            failed = WriterFailed("broke_off" if has_begun else "unreachable", failure.says)
            return failed if has_begun else NotConnected(failed)
        return WriterFailed("unreachable" if failure.unreachable else "refused", failure.says)

    def _failure(self, trouble: Trouble, how: str) -> WriterFailed:
        return WriterFailed(trouble, f"`{self.endpoint.url}` {how}")


def _is_reasoning(chunk: Any) -> bool:
    """Whether a chunk holds a piece of what a model thinks before it answers."""
    delta = getattr(chunk.choices[0], "delta", None) if chunk.choices else None
    return any(getattr(delta, name, None) for name in _REASONING)


async def _drained(chunks: AsyncGenerator[Any, None]) -> None:
    """Read what follows the answer, so that the connection can be used again; it may be nothing."""
    import openai  # noqa: PLC0415

    with suppress(TimeoutError, openai.OpenAIError, ValueError):
        async with asyncio.timeout(_UNTIL_CLOSED):
            async for _ in chunks:
                pass
