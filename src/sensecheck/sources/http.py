"""A source that is any server which answers over HTTP, asked through a client with limits.

The battery says what is sent and where in the reply the answer stands. The client waits when a server is
busy, follows no redirects, and reads no more than it must.
"""

import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from threading import Lock
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import read_json
from sensecheck.io.redaction import quotes
from sensecheck.io.retry import RetryPolicy, retry_after_seconds
from sensecheck.sources.http_request import HttpConfig, Request, request_for
from sensecheck.sources.source import (
    MAX_CONCURRENCY,
    Answer,
    NoAnswer,
    Question,
    SourceOptions,
    SourceSpec,
    digest,
    used_variables_but_keys,
)

if TYPE_CHECKING:
    import httpx

# ruff: noqa: PLC0415 - the client is imported by who asks

BUSY = (429, 502, 503, 504)
"""What a server answers that has too much to do for now, or what stands before it."""
MAX_REPLY_BYTES = 10_000_000
"""Bytes of a reply."""
_MAX_REASON = 200
"""Characters of a server's reason that a message repeats."""


class WebClient:
    """One client for all questions of a source, made when the first is asked."""

    def __init__(self, timeout: float, retries: int, *, sleep: Callable[[float], None] = time.sleep) -> None:
        self._timeout = timeout
        self._policy = RetryPolicy(first_pause=0.5, max_pause=8.0, attempts=retries + 1, jitter=0.25)
        self._sleep = sleep
        self._client: httpx.Client | None = None
        self._connecting = Lock()

    def send(self, request: Request) -> Answer | NoAnswer:
        """The whole reply, or why there is none, in words that hold nothing of what was sent.

        Its latency is that of the reply itself, without the waiting before it.
        """
        tried = 0
        while True:
            tried += 1
            reply = self._try_once(request)
            pause = None
            if isinstance(reply, NoAnswer):
                pause = self._policy.next_pause(tried) if reply.unreachable else None
            elif reply.status in BUSY:
                retry_after = retry_after_seconds(reply.headers.get("Retry-After", ""))
                pause = self._policy.next_pause(tried, retry_after=retry_after)
            if pause is None:
                return reply if isinstance(reply, NoAnswer) else _read(reply, request, tried)
            self._sleep(pause)

    def _try_once(self, request: Request) -> "_RawReply | NoAnswer":
        import httpx

        try:
            return self._fetch(request)
        except httpx.TimeoutException:
            return NoAnswer(f"`{request.shown}` did not answer within {self._timeout:g} s", unreachable=True)
        except httpx.TransportError as error:
            why, absent = type(error).__name__, isinstance(error, httpx.ConnectError)
            return NoAnswer(f"`{request.shown}` could not be reached: {why}", unreachable=True, absent=absent)
        except (httpx.InvalidURL, httpx.DecodingError, UnicodeError) as error:
            return NoAnswer(f"`{request.shown}` could not be asked: {type(error).__name__}")

    def _fetch(self, request: Request) -> "_RawReply | NoAnswer":
        import httpx

        url = httpx.URL(request.url).copy_merge_params(dict(request.query))
        headers = dict(request.headers)
        content = None if request.content is None else request.content.encode()
        before = time.perf_counter()
        with self._connected().stream(request.method, url, headers=headers, content=content) as reply:
            received = bytearray()
            for chunk in reply.iter_bytes():
                received += chunk
                if len(received) > MAX_REPLY_BYTES:
                    return NoAnswer(f"`{request.shown}` answered with more than {MAX_REPLY_BYTES:,} bytes")
                if time.perf_counter() - before > self._timeout:  # the client's own is for each chunk
                    raise httpx.ReadTimeout("the whole answer took too long")
        return _RawReply(
            reply.status_code, reply.headers, bytes(received), (time.perf_counter() - before) * 1000
        )

    def _connected(self) -> "httpx.Client":
        import httpx

        with self._connecting:
            if self._client is None:
                self._client = httpx.Client(timeout=self._timeout, follow_redirects=False)
                weakref.finalize(self, self._client.close)
            return self._client


@dataclass(frozen=True, slots=True)
class HttpSource:
    """Sends a request for each question, and takes the answer from where the battery says it stands."""

    label: str
    config: HttpConfig = field(repr=False)
    client: WebClient
    environment: Mapping[str, str] = field(repr=False)
    fingerprint: str
    concurrency: int = MAX_CONCURRENCY
    cacheable: bool = True

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The answer that stands in the server's reply, or why there is none."""
        request = request_for(self.config, question, self.environment)
        if isinstance(request, NoAnswer):
            return request
        if isinstance(reply := self.client.send(request), NoAnswer):
            return reply
        text = self.config.answer_at.find(reply.text)
        if text is None:
            return NoAnswer(
                f"`{self.config.shown}` answered, but there is nothing at `{self.config.answer_at.written}`"
            )
        return replace(reply, text=text)


def fits(source_id: str) -> bool:
    """Whether an id is an address, or says that the config has one."""
    return source_id in ("http", "https") or source_id.startswith(("http://", "https://"))


def load(spec: SourceSpec, options: SourceOptions) -> HttpSource:
    """The server that the battery describes."""
    with extra("http"):
        import httpx  # noqa: F401 - to say now what is missing
    config = HttpConfig.read(spec)
    retries = options.retries if config.retries is None else config.retries
    description = [spec.id, spec.config.plain()]
    description.append(used_variables_but_keys(options.environment, description))
    return HttpSource(
        spec.label,
        config,
        WebClient(options.timeout, retries),
        options.environment,
        f"http:{digest(description)}",
        concurrency=options.concurrency,
    )


@dataclass(frozen=True, slots=True)
class _RawReply:
    """What came back from one try."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    latency_ms: float


def _read(reply: _RawReply, request: Request, tried: int) -> Answer | NoAnswer:
    """The text of a good reply; any other is named by its status, and its reason where that is harmless."""
    if 200 <= reply.status < 300:
        return Answer(reply.content.decode(errors="replace"), reply.latency_ms)
    is_known = reply.status in HTTPStatus.__members__.values()
    phrase = f"{reply.status} {HTTPStatus(reply.status).phrase}" if is_known else str(reply.status)
    answered = f"`{request.shown}` answered {phrase}"
    if 300 <= reply.status < 400:
        host = _redirect_host(reply, request)
        return NoAnswer(f"{answered}: it sends people to {host}, which is not followed")
    tries = f", tried {tried} x" if tried > 1 else ""
    busy = reply.status in BUSY or reply.status >= 500
    return NoAnswer(f"{answered}{tries}{_reason(reply, request)}", unreachable=busy)


def _redirect_host(reply: _RawReply, request: Request) -> str:
    try:
        split = urlsplit(urljoin(request.url, reply.headers.get("Location", "")))
    except ValueError:
        return "what is no address"
    return f"`{split.scheme}://{split.hostname}`"


def _reason(reply: _RawReply, request: Request) -> str:
    """What the server gave as the reason, unless that might quote what was sent."""
    if reply.status in (401, 403):
        return ""
    reason = " ".join(_message(reply.content).split())[: 2 * _MAX_REASON]  # twice: a secret may be on the cut
    if not reason or any(quotes(reason, private) for private in request.private):
        return ""
    return f": {reason[:_MAX_REASON]}"


def _message(content: bytes) -> str:
    try:
        data = read_json(content.decode(errors="replace"), at="a reply")
    except SpecError:
        return ""
    for key in ("error", "message", "detail"):
        if isinstance(data, dict) and key in data:
            data = data[key]
    return data if isinstance(data, str) else ""
