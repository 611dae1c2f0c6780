"""Listening to a server that speaks as OpenAI's do, piece by piece, and not for longer than is bearable."""

from collections.abc import AsyncGenerator, Sequence
from typing import TYPE_CHECKING, Any

from sensecheck.core.endpoint import Endpoint, Failure
from sensecheck.core.extras import extra

if TYPE_CHECKING:
    import openai

# ruff: noqa: PLC0415 - importing the client takes a second, which only who asks should pay


class AsyncEndpoint(Endpoint):
    """One address, listened to in the loop in which it is first asked."""

    _listening: "openai.AsyncOpenAI | None" = None

    def listener(self) -> "openai.AsyncOpenAI":
        """The client, made once; it tries nothing again by itself.

        Making it imports a lot, which takes seconds: do it before the loop has anything else to do.
        """
        if self._listening is None:
            with extra("openai"):
                import openai

                from sensecheck.core.bounded_stream import BoundedAsyncClient
            bounded = BoundedAsyncClient(self._timeout)
            options = self._options() | {"max_retries": 0, "timeout": bounded.timeout}
            self._listening = openai.AsyncOpenAI(**options, http_client=bounded)
            self._keep_to(self._listening)
            self._listening.chat.completions.create  # noqa: B018 - imported when first looked at
        return self._listening

    async def chunks(
        self, model: str, messages: Sequence[Any], **parameters: Any
    ) -> AsyncGenerator[Any, None]:
        """The pieces of a completion as they come; closing this iterator closes the connection."""
        stream = await self.listener().chat.completions.create(
            model=model, messages=list(messages), stream=True, **parameters
        )
        try:
            async for chunk in stream:
                yield chunk
        finally:
            await stream.close()

    def failure(self, error: Exception, private: Sequence[str], tried: int) -> Failure:
        """Why there is no answer, in words that hold neither what was asked nor the key."""
        return self._failure(error, private, tried)

    async def close(self) -> None:
        """End every connection."""
        listening, self._listening = self._listening, None
        if listening is not None:
            await listening.close()
