"""What a question asks for, as far as its words say it."""

import re
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from sensecheck.grounding.asking.alike import without_accents
from sensecheck.measures.facts.fact import Fact
from sensecheck.measures.facts.parsing import Parsed
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import is_stop_word, stem, words

Wanted = Literal["date", "number", "name"]
_MEASURED = (
    "many|much|long|old|far|large|big|tall|high|deep|wide|often|fast|heavy|few|early|late|soon|hot|cold"
)
_COUNTED = (
    "percentage|percent|number|amount|proportion|share|fraction|distance|age|price|cost|temperature|size"
    "|length|height|weight|population|rate|speed|sum|total|area|depth"
)
_WHO = (
    "person|people|man|woman|country|city|town|king|queen|emperor|company|state|nation|river|team|author"
    "|president|organi[sz]ation|treaty|university|province|scientist|philosopher|war|battle"
)
_KINDS: tuple[tuple[Wanted, re.Pattern[str]], ...] = (
    ("date", re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|decade|century|time)\b", re.I)),
    ("number", re.compile(rf"\bhow (?:{_MEASURED})\b|\b(?:what|which) (?:\w+ )?(?:{_COUNTED})\b", re.I)),
    ("name", re.compile(rf"\b(?:who|whom|whose|where)\b|\b(?:what|which) (?:\w+ )?(?:{_WHO})\b", re.I)),
)
_MARKS = re.compile(r"[^\w'’-]+")


@dataclass(frozen=True, slots=True)
class Question:
    """A question: its words, the kind of thing that would answer it, and what it takes for granted."""

    stems: frozenset[str]
    """The words that carry content, in the form in which they match."""
    wanted: Wanted | None
    facts: tuple[Fact, ...]
    """The names and dates that it speaks of; a passage that lacks one is probably about something else."""
    whole: bool
    """Whether it is about the passage as a whole: `What is this?`, `Summarise`."""
    sums: bool
    """Whether it wants more than a sentence of it."""


@lru_cache(maxsize=64)
def question_of(text: str) -> Question:
    """The question taken apart."""
    said = [word.text for word in words(text)]
    facts = (fact for fact in Parsed.of(text).facts if fact.kind in ("name", "date") and not fact.weak)
    return Question(
        frozenset(stem(word) for word in said if not is_stop_word(word)),
        next((kind for kind, pattern in _KINDS if pattern.search(text)), None),
        tuple(facts),
        is_whole(text),
        not _group("sums").isdisjoint(said),
    )


def asks_only(word: str) -> bool:
    """Whether a lowercase word belongs to the asking, and not to what is asked about: `many`, `passage`.

    So do words that say little of anything (`use`, `like`) and numbers that are spelled out.
    """
    return any(word in _group(name) for name in ("asks", "points", "sums", "light", "numbers"))


def is_small_abroad(word: str) -> bool:
    """Whether a lowercase word, with or without its accents, carries grammar in German, French, Spanish or
    Italian: `wie`, `où`, `cuando`. Some of them are English words too.
    """
    return without_accents(word) in _small_abroad()


def is_whole(text: str) -> bool:
    """Whether every word only points at the passage, or only says that it is to be told again."""
    said = [word.text for word in words(text)]
    plain = "_".join(_MARKS.sub(" ", text.casefold().replace("’", "'")).split())
    if plain in _group("elsewhere"):
        return True
    points, sums = _group("points"), _group("sums")
    if not any(word in points or word in sums for word in said):
        return False
    return all(is_stop_word(word) or word in points | sums | _group("fills") for word in said)


@cache
def _small_abroad() -> frozenset[str]:
    return frozenset(map(without_accents, _group("abroad")))


def _group(name: str) -> frozenset[str]:
    return read_groups("question.txt", __package__)[name]
