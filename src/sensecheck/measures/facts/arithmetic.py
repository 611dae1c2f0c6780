"""Numbers that follow from others: sums, differences, products, shares, and how many things are listed."""

import re
from collections.abc import Iterator, Sequence
from itertools import combinations, permutations

from sensecheck.measures.facts.fact import Fact, Name, Quantity
from sensecheck.measures.facts.parsing import Parsed

_MAX_NUMBERS = 24
"""How many numbers of the references are calculated with."""
_LISTED = 12
"""The largest count of listed things that is looked for."""
_HEDGED, _TINY, _POINT = 0.05, 1e-6, 0.5
"""How far from what is calculated: where it says `about`; by how computers count; in percentage points."""
_ITEM = re.compile(r"\s?(?:,(?: and| or)?|;| and | or | plus | & | versus | vs\.? )\s?")


def follows(fact: Fact, answer: Parsed, references: Sequence[Parsed]) -> bool:
    """Whether a number of the answer can be calculated from those of the references, or counts items."""
    value = fact.value
    if not isinstance(value, Quantity) or not value.amount:
        return False
    given = _quantities(references)
    own = [other for other in _quantities([answer]) if other is not value and not other.dimension]
    return (
        any(_same(value, *one) for one in _calculated(given))
        or any(_same(value, *one) for one in _multiplied(given, own))
        or (not value.dimension and _is_factor(value, given, _quantities([answer])))
        or (not value.dimension and _is_count(fact, value.amount, answer, references))
    )


def _is_factor(value: Quantity, given: Sequence[Quantity], own: Sequence[Quantity]) -> bool:
    """Whether another number of the answer is this one times one of the references."""
    found = list(_multiplied(given, [value]))
    return any(_same(other, *one) for other in own if other is not value for one in found)


def _quantities(texts: Sequence[Parsed]) -> list[Quantity]:
    """The numbers of texts, each once, without weak ones."""
    found = (fact.value for text in texts for fact in text.facts if not fact.weak)
    return list(dict.fromkeys(value for value in found if isinstance(value, Quantity)))[:_MAX_NUMBERS]


def _calculated(given: Sequence[Quantity]) -> Iterator[tuple[float, str]]:
    """What two or three of them give, each with its dimension; empty where it is a bare number."""
    for one, two in permutations(given, 2):
        if one.dimension == two.dimension:
            yield one.base + two.base, one.dimension
            yield one.base - two.base, one.dimension
            if two.base:
                yield one.base / two.base, ""
                yield 100 * one.base / two.base, "percent"
                yield 100 * (one.base - two.base) / two.base, "percent"
        if two.dimension == "percent":
            for share in (two.base, 100 - two.base, 100 + two.base):
                yield one.base * share / 100, one.dimension
    for some in combinations(given, 3):
        if len({one.dimension for one in some}) == 1:
            yield sum(one.base for one in some), some[0].dimension
    for one in given:
        if one.dimension == "percent":
            yield 100 - one.base, "percent"


def _multiplied(given: Sequence[Quantity], times: Sequence[Quantity]) -> Iterator[tuple[float, str]]:
    for one in given:
        for count in (*times, *(other for other in given if other is not one and not other.dimension)):
            if count.amount not in (0.0, 1.0):
                yield one.base * count.amount, one.dimension
                yield one.base / count.amount, one.dimension


def _same(value: Quantity, amount: float, dimension: str) -> bool:
    if value.dimension and dimension and value.dimension != dimension:
        return False
    own = value.base if value.dimension else value.amount
    room = _HEDGED * abs(amount) if value.hedged else _TINY * abs(amount)
    return abs(own - amount) <= max(room, value.step, _POINT if value.dimension == "percent" else 0.0)


def _is_count(fact: Fact, amount: float, answer: Parsed, references: Sequence[Parsed]) -> bool:
    """Whether a text lists so many things: `three: Ann, Ben and Carl`; not what it counts otherwise."""
    if not amount.is_integer() or not 2 <= amount <= _LISTED:
        return False
    counted = answer.follower(fact)
    if counted and any(counted in text.stems for text in references):
        return False
    for text in (answer, *references):
        names = {fact.value for fact in text.facts if isinstance(fact.value, Name)}
        if len(names) == amount or len(text.sentences) == amount:
            return True
        pieces = (text.text[sentence.start : sentence.end] for sentence in text.sentences)
        if any(len(_ITEM.split(piece)) == amount for piece in pieces):
            return True
    return False
