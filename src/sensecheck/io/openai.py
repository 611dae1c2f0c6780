"""A client of servers with OpenAI's API, for complete answers and for streams.

What goes wrong is described without what was asked, the key or a password. A stream is read piece by piece,
and no longer than a limit allows.
"""

import re
import weakref
from base64 import b64encode
from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from importlib.util import find_spec
from ipaddress import ip_address
from threading import Lock
from typing import TYPE_CHECKING, Any, Self, TypeVar
from urllib.parse import SplitResult, parse_qsl, unquote, urljoin, urlsplit

from sensecheck.core.extras import extra
from sensecheck.io.redaction import SHARED, quotes, spellings

if TYPE_CHECKING:
    import openai

# ruff: noqa: PLC0415 - importing the client takes a second, which only who asks should pay

KEYLESS = "not-needed"
"""Sent as the key to servers that want none; the client insists on sending something."""
T = TypeVar("T")

_MAX_REASON_CHARS = 200
"""Characters of a server's reason that are shown."""
_NUMBERED = re.compile(r"[\d.]+")
"""A host of digits and dots, which must then be an IP address."""
_OVERLOADED = (HTTPStatus.REQUEST_TIMEOUT, HTTPStatus.TOO_MANY_REQUESTS)
"""What a server answers that has too much to do; asking it more, or otherwise, does not help."""
_MIDWAY = ("RemoteProtocolError", "ReadError")
"""What the client's transport calls an answer that ends too soon."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Why an endpoint gave no answer, in words that hold neither what was asked nor the key."""

    says: str
    unreachable: bool = False
    """Whether the endpoint, rather than the question, is the reason."""
    absent: bool = False
    """Whether the endpoint is unreachable: the connection was refused, or the name is not known."""


class Endpoint:
    """One address, asked by a client that waits and tries again as it was told to."""

    def __init__(self, url: str, route: str, *, api_key: str | None, timeout: float, retries: int) -> None:
        self._route = route
        self._key = api_key or KEYLESS
        self._timeout = timeout
        self._retries = retries
        self._client: openai.OpenAI | None = None
        self._connecting = Lock()
        split = urlsplit(url)
        host = split.netloc.rpartition("@")[2]
        self._base = split._replace(netloc=host, query="", fragment="").geturl()
        self._headers = _headers(split)
        self._query = dict(parse_qsl(split.query, keep_blank_values=True))
        self._secrets = _secrets(split, self._key)
        self.url = f"{split.scheme}://{host.lower()}{split.path.rstrip('/')}"
        """The address as messages show it: without a password, and without its query."""
        self.asked = f"{self.url}?{split.query}" if split.query else self.url
        """The address with its query, which may name what is served, or hold a key: never shown."""

    @classmethod
    def at(cls, url: str, route: str, *, api_key: str | None, timeout: float, retries: int) -> Self:
        """The endpoint at an address, once it is sure that there is a client to ask it with."""
        if find_spec("openai") is None:
            with extra("openai"):
                raise ModuleNotFoundError(name="openai")
        return cls(url, route, api_key=api_key, timeout=timeout, retries=retries)

    def ask(self, question: "Callable[[openai.OpenAI], T]", private: Sequence[str]) -> T | Failure:
        """What the question gets from the client, or why nothing; what is private is not told."""
        client = self._connected()
        import openai

        try:
            return question(client)
        except (openai.OpenAIError, ValueError, RecursionError) as error:
            return self.failure(error, private)

    def _connected(self) -> "openai.OpenAI":
        """The client, made at the first question; nothing of the environment is told to the endpoint."""
        with self._connecting:
            if self._client is None:
                with extra("openai"):
                    import openai

                    from sensecheck.io.bounded_http import BoundedClient
                bounded = BoundedClient(self._timeout)
                weakref.finalize(self, bounded.close)
                client = openai.OpenAI(**self._options(), http_client=bounded)
                self._forget_environment(client)
                self._client = client
            return self._client

    def _options(self) -> dict[str, Any]:
        """How a client is made, whether it waits or not."""
        return {
            "base_url": self._base,
            "api_key": self._key,
            "timeout": self._timeout,
            "max_retries": self._retries,
            "default_query": self._query,  # left in the address, the client would add the route to it
            "project": "",
            "organization": "",
        }

    def _forget_environment(self, client: "openai.OpenAI | openai.AsyncOpenAI") -> None:
        """Take from a client what it found in the environment."""
        client.organization = client.project = None  # empty above, or the environment's are taken
        client._custom_headers = self._headers  # not the environment's, which may hold another key

    def failure(self, error: Exception, private: Sequence[str], tried: int | None = None) -> Failure:
        """Why there is no answer, in words that hold neither what was asked nor the key."""
        import openai

        from sensecheck.io.bounded_http import MAX_BODY_BYTES, TooLarge

        tries = f"tried {tried or self._retries + 1} x"
        match error:
            case openai.APITimeoutError():
                return Failure(f"`{self.url}` did not answer within {self._timeout} s, {tries}", True)
            case openai.APIConnectionError():
                why = type(error.__cause__ or error).__name__
                how = "broke off its answer" if why in _MIDWAY else "could not be reached"
                return Failure(f"`{self.url}` {how}, {tries}: {why}", True, why == "ConnectError")
            case openai.APIStatusError(status_code=status) if status < 400:
                answered = f"`{self.url}` answered {_status(status)}"
                host = _redirect_host(error)
                return Failure(f"{answered}: it sends people to {host}, which is not followed")
            case openai.APIStatusError(status_code=status) if status >= 500:
                reason = self._reason(error, private)
                return Failure(f"`{self.url}` answered {_status(status)}, {tries}{reason}", True)
            case openai.APIStatusError(status_code=status):
                reason = self._reason(error, private)
                return Failure(f"`{self.url}` answered {_status(status)}{reason}", status in _OVERLOADED)
            case TooLarge():
                return Failure(f"`{self.url}` answered with more than {MAX_BODY_BYTES:,} bytes")
            case UnicodeEncodeError():
                return Failure(f"`{self.url}` was not asked: the text holds half a surrogate pair")
            case _:
                return Failure(f"`{self.url}` did not answer as `{self._route}` does")

    def _reason(self, error: "openai.APIStatusError", private: Sequence[str]) -> str:
        """What the server gave as the reason, unless that might quote a text, the key or a password."""
        body = error.body
        reason = body.get("message") if isinstance(body, dict) else body
        if not isinstance(reason, str) or error.status_code in (401, 403):
            return ""
        reason = " ".join(reason.split())[: 2 * _MAX_REASON_CHARS]  # twice: a secret may be on the cut
        if not reason or any(quotes(reason, secret) for secret in (*private, *self._secrets)):
            return ""
        return f": {reason[:_MAX_REASON_CHARS]}"


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

                from sensecheck.io.bounded_http import BoundedAsyncClient
            bounded = BoundedAsyncClient(self._timeout)
            options = self._options() | {"max_retries": 0, "timeout": bounded.timeout}
            self._listening = openai.AsyncOpenAI(**options, http_client=bounded)
            self._forget_environment(self._listening)
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

    async def close(self) -> None:
        """End every connection."""
        listening, self._listening = self._listening, None
        if listening is not None:
            await listening.close()


def is_address(url: str) -> bool:
    """Whether this is an address such as `http://localhost:1234/v1`."""
    try:
        split = urlsplit(url)
        if _NUMBERED.fullmatch(split.hostname or ""):
            ip_address(split.hostname or "")
        return (
            url.isprintable()
            and split.scheme in ("http", "https")
            and bool(split.hostname)
            and split.port != 0
        )
    except ValueError:
        return False


def _headers(split: SplitResult) -> dict[str, str]:
    """The user and password of an address, as the header that they become; in an address they are logged."""
    if not (split.username or split.password):
        return {}
    credentials = unquote(f"{split.username or ''}:{split.password or ''}")
    return {"Authorization": f"Basic {b64encode(credentials.encode()).decode()}"}


def _secrets(split: SplitResult, key: str) -> set[str]:
    """What no message may tell: the key, what the address holds before its host, long values of its query."""
    user, password = split.username or "", split.password or ""
    credentials = [password or user, f"{user}:{password}"] if user or password else []
    query_values = [value for _, value in parse_qsl(split.query) if len(value) >= SHARED]
    keys = [key] if key != KEYLESS else []
    return {spelling for secret in (*keys, *credentials, *query_values) for spelling in spellings(secret)}


def _redirect_host(error: "openai.APIStatusError") -> str:
    """The host that a server names instead of answering; the rest of that address may hold a secret."""
    try:
        split = urlsplit(urljoin(str(error.request.url), error.response.headers.get("Location", "")))
    except ValueError:
        return "what is no address"
    return f"`{split.scheme}://{split.hostname}`"


def _status(code: int) -> str:
    is_known = code in HTTPStatus.__members__.values()
    return f"{code} {HTTPStatus(code).phrase}" if is_known else str(code)
