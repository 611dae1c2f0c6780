"""A battery's description of an HTTP server, and the request that it makes of one question.

Bodies keep their shape whatever a prompt holds, the path to the answer is checked before anybody is asked,
and of each request it is known what no message may repeat.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import quote, urlsplit

from sensecheck.documents.node import Node, Place
from sensecheck.documents.templates import render
from sensecheck.io.openai import is_address
from sensecheck.io.redaction import SHARED, spellings
from sensecheck.sources.source import (
    NoAnswer,
    Question,
    SourceSpec,
    chat_in,
    json_in,
    keys_of,
    text_of,
    texts_in,
    used_variables,
)

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
JSON = "application/json"
_WHOLE_PROMPT = ("{{prompt}}", "{{ prompt }}")
_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NO_JSON = object()
_MARK = "\0"
"""Stands for a placeholder in what is looked at."""
_STEP = re.compile(r"\??\.([A-Za-z_$][\w$-]*)|(?:\?\.)?\[(\d+)\]|(?:\?\.)?\[(?:'([^']*)'|\"([^\"]*)\")\]")


@dataclass(frozen=True, slots=True)
class Body:
    """Data each of whose texts is filled in by itself, or one text that is filled in as a whole."""

    node: Node
    is_data: bool

    @classmethod
    def read(cls, node: Node) -> Self:
        """A mapping, a list, or a text; a text that is JSON before it is filled in is taken as that data."""
        if not isinstance(node.value, str):
            if not isinstance(node.value, Mapping | tuple):
                raise node.error(f"`body` must be a mapping or a string; got {node.kind}")
            return cls(node, is_data=True)
        if node.value.startswith("file://"):
            raise node.error("`body` from a file is not read here; write it into the battery")
        data = json_in(node.value, _NO_JSON)
        if data is _NO_JSON:
            _require_unbroken_by_prompts(node, node.value)
        if isinstance(data, dict | list):
            return cls(Node.of(data, node.place), is_data=True)
        return cls(node, is_data=False)

    def filled(self, variables: Mapping[str, Any]) -> str:
        """The body with the variables put in; a place that is all of a text takes a chat as data."""
        if not self.is_data:
            return render(str(self.node.value), variables, self.node.place)
        data = self.node.rendered(lambda text, place: _filled(text, variables, place))
        return json.dumps(data.plain())


@dataclass(frozen=True, slots=True)
class ResponsePath:
    """Steps from a reply to the answer in it: keys of mappings, and places in lists from zero."""

    written: str = ""
    steps: tuple[str | int, ...] = ()
    """Empty for the whole reply."""

    @classmethod
    def read(cls, node: Node) -> Self:
        """The path that a battery writes; what is a program rather than a path is an error."""
        written = node.text("`transformResponse`").strip()
        if written == "text":
            return cls(written)
        steps = _steps(written.removeprefix("json")) if written.startswith("json") else None
        if steps is None:
            raise node.error(
                f"`transformResponse` must be a path such as `json.choices[0].message.content`, or `text`; "
                f"got `{written}`, and JavaScript is not run here"
            )
        return cls(written, steps)

    def find(self, reply: str) -> str | None:
        """The answer; None when the reply has nothing there."""
        if not self.steps and self.written != "json":
            data = None if self.written else json_in(reply)
            return data if isinstance(data, str) else reply  # one that is a JSON text is that text
        try:
            data = json.loads(reply)
            for step in self.steps:
                data = data[step]
        except (ValueError, RecursionError, KeyError, IndexError, TypeError):
            return None
        return text_of(data)


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
        return shown_address(str(self.url.value))

    def texts(self) -> list[Any]:
        """All that the battery writes about a request, as plain data."""
        body = None if self.body is None else self.body.node.plain()
        return [node.plain() for node in (self.url, *self.headers.values(), *self.query.values())] + [body]

    @classmethod
    def read(cls, spec: SourceSpec) -> Self:
        """The config of a source; what makes no sense is an error with its place."""
        keys = keys_of(spec.config, shown_address(spec.id), KNOWN, foreign=FOREIGN)
        body = Body.read(keys["body"]) if "body" in keys else None
        method = keys["method"].text("`method`").upper() if "method" in keys else "POST" if body else "GET"
        if method not in METHODS:
            raise keys["method"].error(f"`method` must be one of {', '.join(METHODS)}; got `{method}`")
        if body and method == "GET":
            raise spec.config.error("a `body` is not sent with GET; wanted `method: POST`")
        return cls(
            _url(spec, keys),
            method,
            _texts(keys, "headers"),
            _texts(keys, "queryParams"),
            body,
            _path(spec.config, keys),
            keys["maxRetries"].whole("`maxRetries`") if "maxRetries" in keys else None,
        )


@dataclass(frozen=True, slots=True)
class Request:
    """All that is sent, and what no message may repeat of it."""

    shown: str
    """The address as messages show it."""
    method: str
    url: str = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    query: Mapping[str, str] = field(repr=False)
    content: str | None = field(repr=False)
    private: tuple[str, ...] = field(repr=False)


def request_for(config: HttpConfig, question: Question, environment: Mapping[str, str]) -> Request | NoAnswer:
    """The request that the battery describes, with the question put in; or why there can be none."""
    variables = {**question.vars, "prompt": question.prompt, "env": environment}
    url = render(str(config.url.value), _escaped(variables), config.url.place)
    headers = {name.lower(): _text(node, variables) for name, node in config.headers.items()}
    query = {name: _text(node, variables) for name, node in config.query.items()}
    content = None if config.body is None else config.body.filled(variables)
    if content is not None:
        content_type = JSON if content.lstrip().startswith(("{", "[")) else "text/plain; charset=utf-8"
        headers.setdefault("content-type", content_type)
    if wrong := _wrong(url, headers, content):
        return NoAnswer(f"`{config.shown}` was not asked: {wrong}")
    from_environment = used_variables(environment, config.texts()).values()
    private = (question.prompt, *_private_in(url, headers, query, content, from_environment))
    return Request(config.shown, config.method, url, headers, query, content, private)


def shown_address(address: str) -> str:
    """An address as messages show it: without a password, and without its query."""
    scheme, mark, rest = address.partition("?")[0].partition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"


def _require_unbroken_by_prompts(node: Node, text: str) -> None:
    """A text within quotes could end them, and continue with fields of its own."""
    if not text.lstrip().startswith(("{", "[")):
        return
    marked = _PLACEHOLDER.sub(lambda placeholder: _MARK if placeholder[0].startswith("{{") else "", text)
    if any(_MARK in quoted for quoted in _QUOTED.findall(marked)):
        raise node.error(
            "`body` has `{{ … }}` within quotes, where a prompt could add fields of its own; "
            "write the body as a mapping, or `{{ prompt | tojson }}` without quotes"
        )


def _filled(text: str, variables: Mapping[str, Any], place: Place) -> Any:
    if text.strip() in _WHOLE_PROMPT and (chat := chat_in(variables["prompt"])):
        return chat
    return render(text, variables, place)


def _steps(path: str) -> tuple[str | int, ...] | None:
    """None when this is no path."""
    steps: list[str | int] = []
    at = 0
    while at < len(path):
        step = _STEP.match(path, at)
        if step is None:
            return None
        name, place, *quoted = step.groups()
        steps.append(
            int(place) if place is not None else next(key for key in (name, *quoted) if key is not None)
        )
        at = step.end()
    return tuple(steps)


def _url(spec: SourceSpec, keys: Mapping[str, Node]) -> Node:
    if spec.id in ("http", "https"):
        if "url" not in keys:
            raise spec.config.error(f"`{spec.id}` needs `url` under `config`")
        url = keys["url"]
    else:
        url = keys.get("url", Node(spec.id, spec.config.place))
    text = url.text("`url`")
    if "{{" not in text and not is_address(text):
        raise url.error("`url` must be an address such as `https://example.org/ask`")
    return url


def _path(config: Node, keys: Mapping[str, Node]) -> ResponsePath:
    names = [key for key in ("transformResponse", "responseParser") if key in keys]
    if len(names) > 1:
        raise config.error("`transformResponse` and `responseParser` are the same; wanted one", key=names[1])
    return ResponsePath.read(keys[names[0]]) if names else ResponsePath()


def _texts(keys: Mapping[str, Node], key: str) -> Mapping[str, Node]:
    if key not in keys:
        return {}
    entries = keys[key].entries(f"`{key}`")
    for name, node in entries.items():
        if isinstance(node.value, Mapping | tuple) or node.value is None:
            raise node.error(f"`{name}` of `{key}` must be a string; got {node.kind}")
    return entries


def _private_in(
    url: str,
    headers: Mapping[str, str],
    query: Mapping[str, str],
    content: str | None,
    from_environment: Iterable[str],
) -> frozenset[str]:
    """Whatever may be a key, in each of its spellings; `from_environment` are values of its variables."""
    split = urlsplit(url)
    words = (word for value in headers.values() for word in value.split())
    candidates = (
        *headers.values(),
        *words,
        *query.values(),
        split.query,
        split.password or "",
        split.username or "",
    )
    try:
        body_texts = list(texts_in(json_in(content or "null", content)))  # what is no JSON is one text
    except RecursionError:  # JSON may be nested deeper than Python's own calls
        body_texts = [content or ""]
    long = (text for text in (*split.path.split("/"), *body_texts) if len(text) >= SHARED)
    secrets = (*(text for text in (*candidates, *from_environment) if len(text) > 3), *long)
    return frozenset(spelling for secret in secrets for spelling in spellings(secret)) - {JSON}


def _wrong(url: str, headers: Mapping[str, str], content: str | None) -> str:
    """What the variables have made of a request that could be sent without them; empty when it still can."""
    if not is_address(url):
        return "with the variables in it, this is no address"
    if content is not None and JSON in headers["content-type"] and json_in(content, _NO_JSON) is _NO_JSON:
        return (
            "with the variables in it, the body is no JSON; write `{{ prompt | tojson }}` where a text goes"
        )
    if not all(value.isprintable() and value.isascii() for value in headers.values()):
        return "with the variables in it, a header holds a line break, or what is not ASCII"
    return ""


def _text(node: Node, variables: Mapping[str, Any]) -> str:
    text = node.value if isinstance(node.value, str) else json.dumps(node.value)
    return render(text, variables, node.place)


def _escaped(variables: Mapping[str, Any]) -> dict[str, Any]:
    """What goes into an address is escaped, but for what the environment brings: that may be an address."""
    return {
        name: quote(value, safe="", errors="surrogatepass") if isinstance(value, str) else value
        for name, value in variables.items()
    }
