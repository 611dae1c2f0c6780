"""Any server that streams `/v1/chat/completions` as OpenAI does, as a writer of answers."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.grounding.asking.listening import Listening, NotConnected, Patience
from sensecheck.grounding.asking.prompting import fresh_delimiter, is_fallback, may_be_fallback, messages_for
from sensecheck.grounding.asking.writer import LONGEST_ANSWER, Asked, WriterFailed
from sensecheck.io.openai import AsyncEndpoint, is_address
from sensecheck.io.retry import CircuitBreaker
from sensecheck.judges.openai import Sampling

ROUTE = "/v1/chat/completions"
_AWAY = ("unreachable", "too_slow", "broke_off")
"""Troubles that lie in the endpoint, not in what it was asked."""


class OpenAIWriter:
    """A language model behind an endpoint, which is left alone for a while when it fails again and again."""

    def __init__(
        self,
        endpoint: AsyncEndpoint,
        model: str,
        *,
        patience: Patience,
        parameters: dict[str, Any],
        breaker: CircuitBreaker,
    ) -> None:
        self.name = f"openai:{model}"
        self._endpoint = endpoint
        self._model = model
        self._patience = patience
        self._parameters = parameters
        self._breaker = breaker

    async def write(self, asked: Asked) -> AsyncGenerator[str, None]:
        """The answer as it is written; closing the iterator closes the connection."""
        number = self._breaker.begin()
        if number is None:
            raise WriterFailed(
                "resting", f"`{self._endpoint.url}` failed too often, and is left alone a while"
            )
        end = self._breaker.given_up
        try:
            async with aclosing(self._answer(asked)) as pieces:
                async for piece in pieces:
                    yield piece
            end = self._breaker.succeeded
        except WriterFailed as failed:
            end = self._breaker.failed if failed.trouble in _AWAY else self._breaker.succeeded
            raise
        finally:
            end(number)

    async def close(self) -> None:
        """End every connection."""
        await self._endpoint.close()

    async def _answer(self, asked: Asked) -> AsyncGenerator[str, None]:
        """The pieces of an answer that is one, and not too long; none where it is the fallback."""
        waiting, length, begun = "", 0, False
        async with aclosing(self._pieces(asked)) as pieces:
            async for piece in pieces:
                length += len(piece)
                if length > LONGEST_ANSWER:
                    raise WriterFailed(
                        "too_long", f"`{self._endpoint.url}` wrote more than {LONGEST_ANSWER:,} characters"
                    )
                waiting += piece
                if begun or not may_be_fallback(waiting):
                    begun = True
                    yield waiting
                    waiting = ""
        if not (begun or waiting.strip()):
            raise WriterFailed("refused", f"`{self._endpoint.url}` answered with nothing")
        if waiting and not is_fallback(waiting):
            yield waiting

    async def _pieces(self, asked: Asked) -> AsyncGenerator[str, None]:
        """The pieces as they come; a connection that fails before the first one is tried once more."""
        until = asyncio.get_running_loop().time() + self._patience.whole
        for tried in (1, 2):
            try:
                async with aclosing(self._tried(asked, tried, until)) as pieces:
                    async for piece in pieces:
                        yield piece
            except NotConnected as broken:
                if tried > 1:
                    raise broken.failed from broken
            else:
                return

    def _tried(self, asked: Asked, tried: int, until: float) -> AsyncGenerator[str, None]:
        messages = messages_for(asked, fresh_delimiter(asked))
        private = [asked.question, asked.passage, *(message["content"] for message in messages)]
        chunks = self._endpoint.chunks(self._model, messages, **self._parameters)
        return Listening(self._endpoint, self._patience, private, tried).pieces(chunks, until)


def openai_writer(
    url: str,
    model: str,
    *,
    api_key: str | None = None,
    patience: Patience | None = None,
    sampling: Sampling | None = None,
    breaker: CircuitBreaker | None = None,
) -> OpenAIWriter:
    """The writer behind an address such as `http://localhost:1234/v1`."""
    if not (is_address(url) and model):
        raise SpecError("the writer `openai` wants `openai:http://HOST:PORT/v1#MODEL`")
    patience = patience or Patience()
    endpoint = AsyncEndpoint.at(url, ROUTE, api_key=api_key, timeout=patience.whole, retries=1)
    endpoint.listener()  # now, since the first reader should not wait for imports
    return OpenAIWriter(
        endpoint,
        model,
        patience=patience,
        parameters=(sampling or Sampling()).parameters(),
        breaker=breaker or CircuitBreaker(),
    )
