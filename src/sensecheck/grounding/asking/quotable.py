"""What of a passage can be given as an answer."""

import re
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from sensecheck.measures.claims.claims import Claim, claims
from sensecheck.measures.claims.evidence import rarity
from sensecheck.measures.facts.fact import Fact
from sensecheck.measures.facts.names import fold
from sensecheck.measures.facts.parsing import Parsed
from sensecheck.text.words import is_stop_word, stem, words

_WORD = re.compile(r"[^\W_]+")
_LED = ("item", "row", "code")
"""What is read together with the line that leads to it: a list's introduction, a table's head."""
_LONGEST_LEAD = 200


@dataclass(frozen=True, slots=True)
class Quotable:
    """A sentence, a list item, a table row or a block of code: its characters `start` to `end`."""

    start: int
    end: int
    read: str
    """What is placed: its text, after the line that leads to it."""
    prose: bool
    """Whether it is a sentence of running text."""
    stems: frozenset[str]
    around: frozenset[str]
    """Its own words, those of what leads to it, and those of its neighbour before."""
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Quotables:
    """All of them in the order of the passage, and what the passage says as a whole."""

    each: tuple[Quotable, ...]
    rarity: Mapping[str, float]
    """How much each word says."""
    folded: frozenset[str]
    """All words of the passage, as names are matched."""
    openings: str
    """The first letters of its words, in which an acronym can be found."""
    facts: tuple[Fact, ...]


@lru_cache(maxsize=64)
def quotables_of(passage: str) -> Quotables:
    """The quotables of a passage; headings, questions and pleasantries are none, unless all else is.

    Whom to ask is an offer in an answer; in a passage it may be what is wanted.
    """
    found = [claim for claim in claims(passage) if any(map(str.isalnum, claim.text))]
    parsed = Parsed.of(passage)
    some = any(_is_told(claim) for claim in found)
    each: list[Quotable] = []
    lead, before = "", frozenset[str]()
    for claim in found:
        if _is_told(claim) or not some:
            made = _quotable(claim, lead if claim.kind in _LED else "", before, parsed)
            each.append(made)
            before = made.stems
        lead = claim.text if claim.kind == "heading" else lead if claim.kind in _LED else ""
    said = _WORD.findall(passage)
    return Quotables(
        tuple(each),
        rarity([one.stems for one in each]),
        frozenset(map(fold, said)),
        "".join(word[0].lower() if word[0].isupper() else " " for word in said),
        parsed.facts,
    )


def _is_told(claim: Claim) -> bool:
    return claim.checked or (claim.kind == "offer" and not claim.text.endswith("?"))


def _quotable(claim: Claim, lead: str, before: frozenset[str], parsed: Parsed) -> Quotable:
    own = _stems(claim.text)
    first, last = (
        bisect_left(parsed.facts, at, key=lambda fact: fact.start) for at in (claim.start, claim.end)
    )
    read = f"{lead[-_LONGEST_LEAD:]}\n{claim.text}" if lead else claim.text
    prose = claim.kind == "sentence"
    return Quotable(
        claim.start, claim.end, read, prose, own, own | _stems(lead) | before, parsed.facts[first:last]
    )


def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(word.text) for word in words(text) if not is_stop_word(word.text))
