"""Claims that say that the passage does not say: `The passage does not mention it`, `Unable to answer`."""

import re
from collections.abc import Iterator
from functools import cache

from sensecheck.measures.claims.phrases import Phrase, bare_words
from sensecheck.measures.claims.stretches import stated
from sensecheck.measures.text.lists import read_lines

_SUPPOSED = re.compile(
    r"\b(?:if|whether|when|where|unless)\s+(?:the|this|these|any|there|all)?\s*$", re.IGNORECASE
)
"""Before it, nothing is said to be so: `if the passage does not mention it`."""
_ANOTHER = re.compile(
    r"(?<!mention)(?<!indication)(?<!reference)\s+"
    r"(?:of\s+(?!what|how|this|it\b)|messages?\b|books?\b|editors?\b|technology|desk)",
    re.IGNORECASE,
)
"""After it, `text` and the like name something in the world: `the text of the treaty`, `text messages`."""


def abstention(claim_text: str) -> tuple[int, int] | None:
    """Where a claim says that the passage leaves something open; None where it does not say so.

    A sentence about the world that has a negation is none: `the contract does not name a date`.
    """
    found = sorted(_places(claim_text))
    return found[0] if found else None


def excused(claim_text: str) -> tuple[int, int] | None:
    """The part of a claim that says so; what else it says has to be held against the passages."""
    found = sorted(_places(claim_text))
    return stated(claim_text, found) if found else None


def _places(said: str) -> Iterator[tuple[int, int]]:
    words = bare_words(said)
    for phrase in _phrases():
        for start, end in phrase.places(said, words):
            if not _SUPPOSED.search(said, max(0, start - 24), start) and not _ANOTHER.match(said, end):
                yield start, end


@cache
def _phrases() -> tuple[Phrase, ...]:
    """The phrases of the list, with the words that its names stand for."""
    names: dict[str, str] = {}
    phrases: list[str] = []
    for line in read_lines("abstaining.txt", __package__):
        name, is_name, given = line.partition(" = ")
        if is_name:
            names[name] = "/".join((*names.get(name, "").split(), *given.split())).replace("//", "/")
        else:
            phrases.append(line)
    return tuple(Phrase.of(" ".join(_spelled(token, names) for token in line.split())) for line in phrases)


def _spelled(token: str, names: dict[str, str]) -> str:
    """A token with each name in it replaced: `THE/more`, `PLACED?`."""
    parts = token.removesuffix("?").split("/")
    return "/".join(names.get(part, part) for part in parts) + "?" * token.endswith("?")
