"""References as a block of a prompt, which no reference can break out of."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown
from sensecheck.retrieval.match import Match

Format = Callable[[Sequence[Match]], str]
"""Matches to the text that stands in the prompt for them."""
Empty = Literal["omit", "say"]
_OPENS = re.compile("[<\ufe64\uff1c\u2039\u2329\u27e8\u3008\u276c\u276e]")
"""What opens a tag, and what looks so much like it that a model may read it as one."""
_ENTITY = re.compile(r"&(?=#?\w+;)")


def escaped(text: str) -> str:
    """The text with nothing in it that could open or close a tag; the rest is as it was."""
    return _OPENS.sub("&lt;", _ENTITY.sub("&amp;", text))


def between_tags(tag: str, entries: Sequence[str], *, empty: Empty, said: str) -> str:
    """Escaped entries between two tags; where there are none, nothing, or what is said then."""
    if entries:
        return f"<{tag}>\n\n" + "\n\n".join(entries) + f"\n\n</{tag}>"
    return f"<{tag}>\n{said}\n</{tag}>" if empty == "say" else ""


@dataclass(frozen=True, slots=True)
class Block:
    """Each reference in an element of its own, all of them in one; nothing at all where there are none.

    A wrapper around no evidence is something that a model reads, so it is left out unless asked for.
    """

    tag: str = "references"
    empty: Empty = "omit"
    said: str = "No valid evidence found"

    def __post_init__(self) -> None:
        if not re.fullmatch(r"[A-Za-z][\w.-]*( [\w.-]+)*", self.tag):
            raise SpecError(f"`tag` wants words such as `references`; found `{self.tag}`")
        if self.empty not in get_args(Empty):
            raise SpecError(unknown("value of `empty`", self.empty, get_args(Empty)))

    def __call__(self, matches: Sequence[Match]) -> str:
        """The block as it goes into the prompt."""
        entries = [_entry(number, match) for number, match in enumerate(matches, 1)]
        return between_tags(self.tag, entries, empty=self.empty, said=self.said)


def _entry(number: int, match: Match) -> str:
    source = " ".join(escaped(match.source).replace('"', "&quot;").split())
    told = f' source="{source}"' if source else ""
    return f'<reference n="{number}"{told}>\n{escaped(match.text)}\n</reference>'
