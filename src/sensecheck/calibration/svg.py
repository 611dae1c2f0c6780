"""Markup by small functions: what is text is always escaped, and the type checker sees to it."""

import html
import re
from collections.abc import Iterable
from typing import NewType

Markup = NewType("Markup", str)
"""Text that is ready to stand in an SVG or an HTML file; `said` makes it of any other."""

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)
"""What no XML file may hold, and what would turn the writing direction of all that follows."""


def said(text: str) -> Markup:
    """A text as it is to be read, whatever stands in it."""
    return Markup(html.escape(_UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)))


def tag(name: str, *inside: Markup, **attributes: float | str | None) -> Markup:
    """An element; `class_` is written `class`, `text_anchor` is `text-anchor`, and None is left out."""
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="{said(_plain(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    return Markup(f"<{name}{written}>{''.join(inside)}</{name}>")


def together(parts: Iterable[Markup]) -> Markup:
    """One after the other."""
    return Markup("\n".join(parts))


def words(text: str, x: float, y: float, kind: str = "", *, anchor: str | None = None) -> Markup:
    """A line of text in a picture."""
    return tag("text", said(text), x=x, y=y, class_=kind or None, text_anchor=anchor)


def stroke(x1: float, y1: float, x2: float, y2: float, kind: str) -> Markup:
    """A straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, class_=kind)


def box(x: float, y: float, width: float, height: float, kind: str, about: str = "") -> Markup:
    """A rectangle; `about` is shown to who points at it."""
    told = (tag("title", said(about)),) if about else ()
    return tag("rect", *told, x=x, y=y, width=width, height=height, class_=kind)


def dot(x: float, y: float, radius: float, kind: str, about: str = "") -> Markup:
    """A circle."""
    told = (tag("title", said(about)),) if about else ()
    return tag("circle", *told, cx=x, cy=y, r=radius, class_=kind)


def _plain(value: float | str) -> str:
    return value if isinstance(value, str) else f"{round(value, 2):g}"
