"""References as a block of a prompt, which no reference can break out of."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html.entities import html5
from typing import Literal, get_args

from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown
from sensecheck.retrieval.match import Match

Format = Callable[[Sequence[Match]], str]
"""Matches to the text that stands in the prompt for them."""
Empty = Literal["omit", "say"]
_ENTRY = "reference"
_OPENS = re.compile(
    "[<\ufe64\uff1c\u02c2\u2039\u2329\u27e8\u29fc\u3008\u276c\u276e\U0001d236\U000e003c\u1438\u16b2]"
    "(?:(?<![\u1438\u16b2])|(?=\\s*[/\u2044\u2215\u29f8\uff0f]))"
)
"""What opens a tag, and what looks so much like it that a model may read it as one.

The last two are letters of living and dead languages, which open a tag only before a slash.
"""
_LEGACY = "|".join(sorted(name for name in html5 if not name.endswith(";")))
_ENTITY = re.compile(rf"&(?=#|\w+;|{_LEGACY})")
"""What an HTML reader takes for an entity: old names need no semicolon, `&lt` is one."""
_INSTEAD = {'"': "&quot;", "\uff02": "&quot;", ">": "&gt;", "\ufe65": "&gt;", "\uff1e": "&gt;"}
_CLOSES = re.compile(f"[{''.join(_INSTEAD)}]")
_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
"""Controls that stand for nothing, and halves of characters, which no request could carry."""


def escaped(text: str) -> str:
    """The text with nothing in it that could open or close a tag.

    What nobody can read is marked as such; all the rest is as it was, and `html.unescape` gives it back.
    """
    readable = _UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return _OPENS.sub("&lt;", _ENTITY.sub("&amp;", readable))


def between_tags(tag: str, entries: Sequence[str], *, empty: Empty, said: str) -> str:
    """Escaped entries between two tags; where there are none, nothing, or what is said then."""
    if entries:
        return f"<{tag}>\n\n" + "\n\n".join(entries) + f"\n\n</{tag}>"
    return f"<{tag}>\n{escaped(said)}\n</{tag}>" if empty == "say" else ""


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
        if self.tag.casefold() == _ENTRY:
            raise SpecError(
                f"`tag` wants another word than `{_ENTRY}`, which is that of each one in the block"
            )
        if self.empty not in get_args(Empty):
            raise SpecError(unknown("value of `empty`", self.empty, get_args(Empty)))

    def __call__(self, matches: Sequence[Match]) -> str:
        """The block as it goes into the prompt."""
        entries = [_entry(number, match) for number, match in enumerate(matches, 1)]
        return between_tags(self.tag, entries, empty=self.empty, said=self.said)


def _entry(number: int, match: Match) -> str:
    source = _attribute(match.source)
    told = f' source="{source}"' if source else ""
    return f'<{_ENTRY} n="{number}"{told}>\n{escaped(match.text)}\n</{_ENTRY}>'


def _attribute(text: str) -> str:
    """On one line, and with nothing in it that could close the quotes or the tag."""
    return _CLOSES.sub(lambda found: _INSTEAD[found.group()], " ".join(escaped(text).split()))
