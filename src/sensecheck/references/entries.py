"""References as entries of a prompt: a header, then a text that cannot pass for another header."""

import unicodedata
from collections.abc import Hashable
from enum import Enum

from sensecheck.references.matches import SimilarityMatch
from sensecheck.retrieval.prompt import escaped, is_seen

_BRACKETS = "(\u2768\u276a\u27ee\u2985\u2e28\ufd3e\ufd3f"
"""What opens a header, and what looks like it without being a form of it."""


def entry_of(item: Hashable, match: SimilarityMatch) -> str:
    """One reference: the item and its score in round brackets, and the text below.

    No line but the header begins with a round bracket, and none is blank: so a text can neither begin an
    entry nor end its own.
    """
    score = match.reference_score
    told = "no score" if score is None else f"score {score:.10g}"
    return "\n".join((f"({_label(item)}, {told})", *_lines(escaped(match.chunk.text))))


def _label(item: Hashable) -> str:
    name = str(item.value if isinstance(item, Enum) else item)
    return " ".join(escaped(name).split())


def _lines(text: str) -> list[str]:
    """The lines of an escaped text in which there is something to see."""
    return [_opened(line, at) for line in text.splitlines() if (at := _first_seen(line)) is not None]


def _first_seen(line: str) -> int | None:
    return next((at for at, char in enumerate(line) if is_seen(char)), None)


def _opened(line: str, at: int) -> str:
    """The line, a bracket that it begins with written as an entity: also the one in a sign such as ⑴."""
    plain = unicodedata.normalize("NFKC", line[at])
    return f"{line[:at]}&#40;{plain[1:]}{line[at + 1 :]}" if plain[0] in _BRACKETS else line
