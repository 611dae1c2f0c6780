"""Another time: a year or day from elsewhere in the article or from outside, or `before` for `after`."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import islice
from random import Random

from models.verifier.edits.date_slots import Slot, date_slots
from models.verifier.edits.date_values import fits, other_values, written
from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.number_article import near_sentences
from models.verifier.edits.number_replaced import Replacement, replaced
from models.verifier.edits.number_turns import in_turn
from models.verifier.edits.quantifier_rules import exchanges

_TRIES = 8
"""How many outside values are tried for one part of a date."""
_INSIDE_FIRST = 0.75
"""How often the article is asked first; it often has nothing, so that fewer edits come from it."""
_ORDERED = frozenset({"year", "decade", "century"})
_DIRECTED = _ORDERED | {"month", "day", "era year"}
_EVERY_FOURTH = re.compile(r"(?: [A-Z]\w+){0,3} (?:Olympic|World Cup|Games|presidential election)")
_EARLIER = re.compile(r"\b(?:before|by|until|prior to|till)(?: the)? (?:\w+ )?$", re.IGNORECASE)
_ABOUT = re.compile(r"\b(?:about|around|circa|c\.|ca\.|approximately) $", re.IGNORECASE)
_ROUGHLY = 15
"""How many years apart a year must be from one that says `about`."""
_SHORT_MONTHS = frozenset({2, 4, 6, 9, 11})
_LATER = re.compile(r"\bafter(?: the)? (?:\w+ )?$", re.IGNORECASE)


def date(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim with one part of a date changed, or a word of time exchanged."""
    slots = date_slots(claim)
    places = [_ways(claim, slot, slots, article, rng) for slot in slots]
    places += [iter([[one] for one in rng.sample(ways, len(ways))]) for ways in exchanges("date.txt", claim)]
    rng.shuffle(places)
    return (replaced("date", claim, new) for new in in_turn(places))


def _ways(
    claim: str, slot: Slot, slots: Sequence[Slot], article: Article, rng: Random
) -> Iterator[list[Replacement]]:
    """The replacements of one part of a date, in turn from the article and from outside."""
    old = claim[slot.start : slot.end]
    said = {other.value for _, other in _said(article) if other.part == slot.part == "year"}
    step = 4 if slot.part == "year" and _EVERY_FOURTH.match(claim, slot.end) else 1
    outside = (value for value in islice(other_values(slot, step, rng), _TRIES) if value not in said)
    sources = [_inside(claim, slot, article, rng), outside]
    if rng.random() > _INSIDE_FIRST:
        sources.reverse()
    seen = {slot.value}
    for value in in_turn(sources):
        if value not in seen and fits(slot, value) and _is_wrong(claim, slot, value, slots):
            seen.add(value)
            new = written(slot, old, value)
            if new.lower() != old.lower():
                yield [(slot.start, slot.end, new)]


def _inside(claim: str, slot: Slot, article: Article, rng: Random) -> Iterator[int]:
    """The values that the article says of something else."""
    near = near_sentences(claim, article)
    values = sorted(
        {other.value for at, other in _said(article) if other.part == slot.part and at not in near}
    )
    yield from rng.sample(values, len(values))


def _is_wrong(claim: str, slot: Slot, value: int, slots: Sequence[Slot]) -> bool:
    """Whether the value keeps the order of the years in the claim and is not implied by the old one."""
    before = claim[max(0, slot.start - 24) : slot.start]
    if slot.part in _DIRECTED and (_EARLIER if value > slot.value else _LATER).search(before):
        return False
    if slot.part == "year" and abs(value - slot.value) < _ROUGHLY and _ABOUT.search(before):
        return False
    if (
        slot.part == "month"
        and value in _SHORT_MONTHS
        and any(o.part == "day" and o.value > 28 for o in slots)
    ):
        return False
    return all(
        value != other.value
        and (slot.part not in _ORDERED or (value > other.value) == (slot.value > other.value))
        for other in slots
        if other is not slot and other.part == slot.part
    )


@lru_cache(maxsize=64)
def _said(article: Article) -> tuple[tuple[int, Slot], ...]:
    """The parts of dates in the article, each with the place of its sentence."""
    return tuple((at, slot) for at, text in enumerate(article.sentences) for slot in date_slots(text))
