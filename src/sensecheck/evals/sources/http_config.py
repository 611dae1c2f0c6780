"""What a battery may say about a server that is asked over HTTP."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.evals.battery import SourceSpec
from sensecheck.evals.node import Node
from sensecheck.evals.sources.http_body import Body
from sensecheck.evals.sources.keys import keys_of
from sensecheck.evals.sources.response_path import ResponsePath
from sensecheck.io.openai import is_address

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
KNOWN = (
    "url",
    "method",
    "headers",
    "body",
    "queryParams",
    "transformResponse",
    "responseParser",
    "maxRetries",
)
FOREIGN = (
    *("request", "validateStatus", "transformRequest", "sessionParser", "sessionSource", "session", "auth"),
    *("signatureAuth", "tls", "tokenEstimation", "multipart", "stream", "useHttps", "pagination"),
)


@dataclass(frozen=True, slots=True)
class HttpConfig:
    """The description of a server, read; its texts still have places for variables."""

    url: Node
    method: str
    headers: Mapping[str, Node]
    query: Mapping[str, Node]
    body: Body | None
    answer_at: ResponsePath
    retries: int | None

    @property
    def shown(self) -> str:
        """The address as it stands in the battery, without secrets."""
        return shown(str(self.url.held))

    def texts(self) -> list[Any]:
        """All that the battery writes about a request, as plain data."""
        body = None if self.body is None else self.body.node.plain()
        return [node.plain() for node in (self.url, *self.headers.values(), *self.query.values())] + [body]

    @classmethod
    def read(cls, spec: SourceSpec) -> Self:
        """The config of a source; what makes no sense is an error with its place."""
        held = keys_of(spec.config, shown(spec.id), KNOWN, foreign=FOREIGN)
        body = Body.read(held["body"]) if "body" in held else None
        method = held["method"].text("`method`").upper() if "method" in held else "POST" if body else "GET"
        if method not in METHODS:
            raise held["method"].wrong(f"`method` wants one of {', '.join(METHODS)}; found `{method}`")
        if body and method == "GET":
            raise spec.config.wrong("a `body` is not sent with GET; wanted `method: POST`")
        return cls(
            _url(spec, held),
            method,
            _texts(held, "headers"),
            _texts(held, "queryParams"),
            body,
            _path(spec.config, held),
            held["maxRetries"].whole("`maxRetries`") if "maxRetries" in held else None,
        )


def _url(spec: SourceSpec, held: Mapping[str, Node]) -> Node:
    if spec.id in ("http", "https"):
        if "url" not in held:
            raise spec.config.wrong(f"`{spec.id}` wants `url` under `config`")
        url = held["url"]
    else:
        url = held.get("url", Node(spec.id, spec.config.place))
    text = url.text("`url`")
    if "{{" not in text and not is_address(text):
        raise url.wrong("`url` wants an address such as `https://example.org/ask`")
    return url


def _path(config: Node, held: Mapping[str, Node]) -> ResponsePath:
    named = [key for key in ("transformResponse", "responseParser") if key in held]
    if len(named) > 1:
        raise config.wrong("`transformResponse` and `responseParser` are the same; wanted one", key=named[1])
    return ResponsePath.read(held[named[0]]) if named else ResponsePath()


def _texts(held: Mapping[str, Node], key: str) -> Mapping[str, Node]:
    if key not in held:
        return {}
    entries = held[key].entries(f"`{key}`")
    for name, node in entries.items():
        if isinstance(node.held, Mapping | tuple) or node.held is None:
            raise node.wrong(f"`{name}` of `{key}` wants a text; found {node.kind}")
    return entries


def shown(address: str) -> str:
    """An address as messages show it: without a password, and without its query."""
    scheme, mark, rest = address.partition("?")[0].partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
