"""The body of a request, with places for the prompt: whatever a prompt holds, JSON stays JSON."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.evals.node import Node, Place
from sensecheck.evals.sources.chat import chat_in
from sensecheck.evals.templates import render

_WHOLE = ("{{prompt}}", "{{ prompt }}")
_PLACE = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_HERE = "\0"
"""Stands for a place in what is looked at."""


@dataclass(frozen=True, slots=True)
class Body:
    """Data each of whose texts is filled in by itself, or one text that is filled in as a whole."""

    node: Node
    is_data: bool

    @classmethod
    def read(cls, node: Node) -> Self:
        """A mapping, a list, or a text; a text that is JSON before it is filled in is taken as that data."""
        if not isinstance(node.held, str):
            if not isinstance(node.held, Mapping | tuple):
                raise node.wrong(f"`body` wants a mapping or a text; found {node.kind}")
            return cls(node, is_data=True)
        if node.held.startswith("file://"):
            raise node.wrong("`body` from a file is not read here; write it into the battery")
        try:
            held = json.loads(node.held)
        except (ValueError, RecursionError):
            _must_not_be_broken_by_prompts(node, node.held)
            return cls(node, is_data=False)
        return (
            cls(Node.of(held, node.place), is_data=True)
            if isinstance(held, dict | list)
            else cls(node, False)
        )

    def filled(self, variables: Mapping[str, Any]) -> str:
        """The body with the variables put in; a place that is all of a text takes a chat as data."""
        if not self.is_data:
            return render(str(self.node.held), variables, self.node.place)
        data = self.node.rendered(lambda text, place: _filled(text, variables, place))
        return json.dumps(data.plain())


def _must_not_be_broken_by_prompts(node: Node, text: str) -> None:
    """A text within quotes could end them, and go on with fields of its own."""
    if not text.lstrip().startswith(("{", "[")):
        return
    places = _PLACE.sub(lambda found: _HERE if found[0].startswith("{{") else "", text)
    if any(_HERE in quoted for quoted in _QUOTED.findall(places)):
        raise node.wrong(
            "`body` has `{{ … }}` within quotes, where a prompt could add fields of its own; "
            "write the body as a mapping, or `{{ prompt | tojson }}` without quotes"
        )


def _filled(text: str, variables: Mapping[str, Any], place: Place) -> Any:
    if text.strip() in _WHOLE and (chat := chat_in(variables["prompt"])):
        return chat
    return render(text, variables, place)
