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
    reference_quantities = _quantities(references)
    bare_quantities = [other for other in _quantities([answer]) if other is not value and not other.dimension]
    return (
        any(_same(value, *result) for result in _calculated(reference_quantities))
        or any(_same(value, *result) for result in _multiplied(reference_quantities, bare_quantities))
        or (not value.dimension and _is_factor(value, reference_quantities, _quantities([answer])))
        or (not value.dimension and _is_count(fact, value.amount, answer, references))
    )


def _is_factor(
    value: Quantity, reference_quantities: Sequence[Quantity], answer_quantities: Sequence[Quantity]
) -> bool:
    """Whether another number of the answer is this one times one of the references."""
    products = list(_multiplied(reference_quantities, [value]))
    return any(
        _same(other, *product) for other in answer_quantities if other is not value for product in products
    )


def _quantities(texts: Sequence[Parsed]) -> list[Quantity]:
    """The numbers of texts, each once, without weak ones."""
    values = (fact.value for text in texts for fact in text.facts if not fact.weak)
    return list(dict.fromkeys(value for value in values if isinstance(value, Quantity)))[:_MAX_NUMBERS]


def _calculated(quantities: Sequence[Quantity]) -> Iterator[tuple[float, str]]:
    """What two or three of them give, each with its dimension; empty where it is a bare number."""
    for first, second in permutations(quantities, 2):
        if first.dimension == second.dimension:
            yield first.base + second.base, first.dimension
            yield first.base - second.base, first.dimension
            if second.base:
                yield first.base / second.base, ""
                yield 100 * first.base / second.base, "percent"
                yield 100 * (first.base - second.base) / second.base, "percent"
        if second.dimension == "percent":
            for share in (second.base, 100 - second.base, 100 + second.base):
                yield first.base * share / 100, first.dimension
    for triple in combinations(quantities, 3):
        if len({quantity.dimension for quantity in triple}) == 1:
            yield sum(quantity.base for quantity in triple), triple[0].dimension
    for quantity in quantities:
        if quantity.dimension == "percent":
            yield 100 - quantity.base, "percent"


def _multiplied(quantities: Sequence[Quantity], times: Sequence[Quantity]) -> Iterator[tuple[float, str]]:
    for quantity in quantities:
        for count in (
            *times,
            *(other for other in quantities if other is not quantity and not other.dimension),
        ):
            if count.amount not in (0.0, 1.0):
                yield quantity.base * count.amount, quantity.dimension
                yield quantity.base / count.amount, quantity.dimension


def _same(value: Quantity, amount: float, dimension: str) -> bool:
    if value.dimension and dimension and value.dimension != dimension:
        return False
    stated_amount = value.base if value.dimension else value.amount
    room = _HEDGED * abs(amount) if value.hedged else _TINY * abs(amount)
    return abs(stated_amount - amount) <= max(
        room, value.step, _POINT if value.dimension == "percent" else 0.0
    )


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
