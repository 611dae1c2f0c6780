"""Claims with one word replaced by its opposite."""

import re
from collections.abc import Iterator
from functools import cache
from random import Random

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.kept_forms import with_s
from models.verifier.edits.kept_words import Choice, Place, choices_in, places, put, verb_pairs

from sensecheck.text.wordlists import read_lines

_DENIED = re.compile(
    r"\b(?:not|never|no|neither|nor|hardly|either|whether|or|between|both|if)\b|n['’]t\b", re.I
)

_COURT = re.compile(
    r" (?:the |a )?(?:[\w.]+ ){0,2}(?:court|judge|committee|congress|senate|house|parliament|jury|panel)",
    re.I,
)
"""What one stands before, not in time but in place."""
_MEN = frozenset(["father", "son", "brother", "husband", "uncle", "nephew", "male", "king"])
_WOMEN = frozenset(["mother", "daughter", "sister", "wife", "aunt", "niece", "female", "queen"])


def antonym(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim with one word that says the opposite."""
    if _DENIED.search(claim) or "?" in claim:
        return
    found = [place for place in places(claim, _choices()) if _alone(claim, place)]
    rng.shuffle(found)
    for place in found:
        text = put(claim, place.start, place.end, place.choice.other)
        if text and text != claim:
            end = len(text) - (len(claim) - place.end)
            yield Edit("antonym", text, ((end - len(place.choice.other), end),))


def _alone(claim: str, place: Place) -> bool:
    """Whether a word means only itself: no fixed expression, and its opposite is not in the claim too."""
    low = claim.lower()
    if re.search(rf"\b{re.escape(place.choice.other)}\b", low):
        return False
    if place.before in ("almost", "nearly") or _COURT.match(claim, place.end) or _clashes(low, place):
        return False
    around = low[max(0, place.start - 25) : place.end + 25]
    word = low[place.start : place.end]
    if low.split().count(word) > 1 or place.before in ("and", "or") or place.after in ("and", "or"):
        return False
    return not any(word in fixed for fixed in _fixed().findall(around))


def _clashes(claim: str, place: Place) -> bool:
    """Whether a pronoun would betray the new word: `the father ... she`."""
    other = place.choice.other
    if other in _MEN:
        return re.search(r"\b(?:she|her)\b", claim) is not None
    return other in _WOMEN and re.search(r"\b(?:he|his|him)\b", claim) is not None


@cache
def _fixed() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(read_lines('antonym_fixed.txt', __package__))})\b")


@cache
def _choices() -> dict[str, tuple[Choice, ...]]:
    """The bundled opposites, under each form of each word."""
    return choices_in("antonym.txt", " / ", _inflected)


def _inflected(part: str, one: str, other: str) -> Iterator[tuple[str, str, str]]:
    if part == "verb":
        yield from verb_pairs(one, other)
        return
    yield "", one, other
    if part == "noun":
        yield "plural", with_s(one), with_s(other)
