"""Markup by small functions: what is text is always escaped, and the type checker sees to it."""

import html
import re
from collections.abc import Iterable
from typing import NewType

Markup = NewType("Markup", str)
"""Text that is ready to stand in an SVG or an HTML file; `escape` makes it of any other."""

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""What no XML file may hold, and what would turn the writing direction of all that follows."""


def without_controls(text: str) -> str:
    """The text with U+FFFD for each such character."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


def escape(text: str) -> Markup:
    """A text as it is to be read, whatever stands in it."""
    return Markup(html.escape(without_controls(text)))


def tag(name: str, /, *inside: Markup, **attributes: float | str | None) -> Markup:
    """An element; `class_` is written `class`, `text_anchor` is `text-anchor`, and None is left out."""
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="{escape(_plain(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{written}>{''.join(inside)}</{name}>")


def together(parts: Iterable[Markup]) -> Markup:
    """One after the other."""
    return Markup("\n".join(parts))


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{round(value, 2):g}"
