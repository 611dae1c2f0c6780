"""The strokes, boxes and words that pictures are made of."""

from sensecheck.core.markup import Markup, said, tag


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
