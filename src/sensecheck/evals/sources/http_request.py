"""One request over HTTP, for one question."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

from sensecheck.evals.node import Node
from sensecheck.evals.sources.filled import variables_of
from sensecheck.evals.sources.http_config import HttpConfig
from sensecheck.evals.sources.http_private import JSON, private_in
from sensecheck.evals.sources.secrets import brought_by
from sensecheck.evals.sources.source import NoAnswer, Question
from sensecheck.evals.templates import render
from sensecheck.io.openai import is_address


@dataclass(frozen=True, slots=True)
class Request:
    """All that is sent, and what no message may tell of it."""

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
    variables = variables_of(question, environment)
    url = render(str(config.url.held), _escaped(variables), config.url.place)
    headers = {name.lower(): _text(node, variables) for name, node in config.headers.items()}
    query = {name: _text(node, variables) for name, node in config.query.items()}
    content = None if config.body is None else config.body.filled(variables)
    if content is not None:
        headers.setdefault("content-type", _guessed(content))
    if wrong := _wrong(url, headers, content):
        return NoAnswer(f"`{config.shown}` was not asked: {wrong}")
    brought = brought_by(environment, config.texts()).values()
    private = (question.prompt, *private_in(url, headers, query, content, brought))
    return Request(config.shown, config.method, url, headers, query, content, private)


def _wrong(url: str, headers: Mapping[str, str], content: str | None) -> str:
    """What the variables have made of a request that could be sent without them; empty when it still can."""
    if not is_address(url):
        return "with the variables in it, this is no address"
    if content is not None and JSON in headers["content-type"] and not _is_json(content):
        return (
            "with the variables in it, the body is no JSON; write `{{ prompt | tojson }}` where a text goes"
        )
    if not all(value.isprintable() and value.isascii() for value in headers.values()):
        return "with the variables in it, a header holds a line break, or what is not ASCII"
    return ""


def _text(node: Node, variables: Mapping[str, Any]) -> str:
    held = node.held if isinstance(node.held, str) else json.dumps(node.held)
    return render(held, variables, node.place)


def _escaped(variables: Mapping[str, Any]) -> dict[str, Any]:
    """What goes into an address is escaped, but for what the environment brings: that may be an address."""
    return {
        name: quote(value, safe="", errors="surrogatepass") if isinstance(value, str) else value
        for name, value in variables.items()
    }


def _guessed(content: str) -> str:
    return JSON if content.lstrip().startswith(("{", "[")) else "text/plain; charset=utf-8"


def _is_json(content: str) -> bool:
    try:
        json.loads(content)
    except (ValueError, RecursionError):
        return False
    return True
