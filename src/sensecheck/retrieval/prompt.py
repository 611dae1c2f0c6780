"""References as a block of a prompt, which no reference can break out of."""

import re
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html.entities import html5
from typing import Literal, get_args

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.retrieval.match import Match

Format = Callable[[Sequence[Match]], str]
"""Matches to the text that stands in the prompt for them."""
Empty = Literal["omit", "say"]
_ENTRY = "reference"
_SAME = "\ufe64\uff1c\U000e003c"
"""Forms of the sign that opens a tag: where characters are made alike, they become it."""
_ALIKE = (
    "\u02c2\u1438\u16b2\u2039\u226e\u227a\u22d6\u2329\u276c\u276e\u2770\u27e8"
    "\u2989\u2991\u29fc\u3008\ufe3f\U0001d236"
)
"""What only looks like it, and is also a letter, a quotation mark, or the bracket around a title."""
_OPENS = re.compile(f"[<{_SAME}{_ALIKE}]")
_SLASHES = "/\u2041\u2044\u2215\u2571\u27cb\u29f8\uff0f\U0001d23a\U000e002f"
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that leave no mark."""
_UNSEEN = ("Cc", "Cf", "Mn", "Zl", "Zp", "Zs")
"""Categories of what is not seen on its own: controls, joiners, accents without a letter, spaces."""
_LEGACY = "|".join(sorted(name for name in html5 if not name.endswith(";")))
_ENTITY = re.compile(rf"&(?=#|\w+;|{_LEGACY})")
"""What an HTML reader takes for an entity: old names need no semicolon, `&lt` is one."""
_INSTEAD = {'"': "&quot;", "\uff02": "&quot;", ">": "&gt;", "\ufe65": "&gt;", "\uff1e": "&gt;"}
_CLOSES = re.compile(f"[{''.join(_INSTEAD)}]")
_UNREADABLE = re.compile("[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f\ud800-\udfff]")
"""Controls that stand for nothing, and halves of characters, which no request could carry."""


def escaped(text: str) -> str:
    """The text with nothing in it that could open or close a tag.

    What only looks like the beginning of a tag is left alone, unless a slash follows. What no one can read
    is marked as such; all the rest is as it was, and `html.unescape` gives it back.
    """
    readable = _UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return _OPENS.sub(_not_opening, _ENTITY.sub("&amp;", readable))


def is_seen(char: str) -> bool:
    """Whether a reader would notice the character on its own."""
    return char not in _BLANKS and unicodedata.category(char) not in _UNSEEN


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
            raise SpecError(f"`tag` must be words such as `references`; got `{self.tag}`")
        if self.tag.split()[0].casefold() == _ENTRY:
            raise SpecError(
                f"`tag` must be another first word than `{_ENTRY}`, the name of the element that each one in "
                f"the block has to itself; got `{self.tag}`"
            )
        if self.empty not in get_args(Empty):
            raise SpecError(did_you_mean("value of `empty`", self.empty, get_args(Empty)))

    def __call__(self, matches: Sequence[Match]) -> str:
        """The block as it goes into the prompt."""
        entries = [_entry(number, match) for number, match in enumerate(matches, 1)]
        return between_tags(self.tag, entries, empty=self.empty, said=self.said)


def _not_opening(match: re.Match[str]) -> str:
    char = match.group()
    if char == "<":
        return "&lt;"
    opens = char in _SAME or _is_before_slash(match.string, match.end())
    return f"&#{ord(char)};" if opens else char


def _is_before_slash(text: str, at: int) -> bool:
    """Whether the next that can be seen is a slash; one of its forms is itself unseen."""
    after = (text[index] for index in range(at, len(text)))
    return next((char in _SLASHES for char in after if char in _SLASHES or is_seen(char)), False)


def _entry(number: int, match: Match) -> str:
    # on one line, and with nothing in it that could close the quotes or the tag
    source = _CLOSES.sub(lambda match: _INSTEAD[match.group()], " ".join(escaped(match.source).split()))
    attribute = f' source="{source}"' if source else ""
    return f'<{_ENTRY} n="{number}"{attribute}>\n{escaped(match.text)}\n</{_ENTRY}>'
