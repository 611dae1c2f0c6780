"""Another number: from elsewhere in the article, or a plausible one from outside."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, islice
from random import Random

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.number_article import near_sentences
from models.verifier.edits.number_replaced import Replacement, replaced
from models.verifier.edits.number_slots import Slot, number_slots
from models.verifier.edits.number_turns import in_turn
from models.verifier.edits.number_values import fits, other_values, written
from models.verifier.edits.quantifier_rules import exchanges

_TRIES, _SPREAD, _SPREAD_IN_WORDS = 12, 30, 8
"""How many outside values are tried for a number, and the largest factor between two of one group."""

_INSIDE_FIRST = 0.75
"""How often the article is asked first; it often has nothing, so that fewer edits come from it."""


def number(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim with one number changed, or with two of its numbers exchanged."""
    slots = number_slots(claim)
    places = [_ways(claim, slot, slots, article, rng) for slot in slots]
    places += [
        iter([[one] for one in rng.sample(ways, len(ways))]) for ways in exchanges("number.txt", claim)
    ]
    places.append(_swaps(claim, slots))
    rng.shuffle(places)
    return (replaced("number", claim, new) for new in in_turn(places))


def _ways(
    claim: str, slot: Slot, slots: Sequence[Slot], article: Article, rng: Random
) -> Iterator[list[Replacement]]:
    """The replacements of one number, in turn from the article and from outside."""
    old = claim[slot.start : slot.end]
    said = {other.value for _, other in _said(article)}
    outside = (value for value in islice(other_values(slot, old, rng), _TRIES) if value not in said)
    sources = [_inside(claim, slot, article, rng), outside]
    if rng.random() > _INSIDE_FIRST:
        sources.reverse()
    seen = {old}
    for value in in_turn(sources):
        new = written(slot, old, value) if fits(slot, value) and _keeps_order(slot, value, slots) else None
        if new and new not in seen:
            seen.add(new)
            yield [(slot.start, slot.end, new)]


def _inside(claim: str, slot: Slot, article: Article, rng: Random) -> Iterator[float]:
    """The numbers of the same group that the article says of something else."""
    near = near_sentences(claim, article)
    values = {other.value for at, other in _said(article) if other.group == slot.group and at not in near}
    whole = slot.value == int(slot.value)
    spread = _SPREAD if slot.style == "digits" else _SPREAD_IN_WORDS
    close = sorted(
        value
        for value in values
        if slot.value / spread < value < slot.value * spread and (value == int(value) or not whole)
    )
    yield from rng.sample(close, len(close))


def _keeps_order(slot: Slot, value: float, slots: Sequence[Slot]) -> bool:
    """Whether the value stays above and below the same other numbers of the claim: `three of the five`."""
    return all(
        (value > other.value) == (slot.value > other.value) and value != other.value
        for other in slots
        if other is not slot and other.group == slot.group
    )


def _swaps(claim: str, slots: Sequence[Slot]) -> Iterator[list[Replacement]]:
    """Two numbers exchanged, when a few words stand between them: `5 men and 8 women`."""
    for one, two in combinations(slots, 2):
        between = claim[one.end : two.start]
        alike = one.group == two.group and one.style == two.style and not one.bound and not two.bound
        listed = " of " in between[:5] or len(between.split()) < 3 or " to " in between or "total" in claim
        if alike and one.value != two.value and not listed and 0.1 < one.value / max(two.value, 0.1) < 10:
            yield [
                (one.start, one.end, claim[two.start : two.end].lower()),
                (two.start, two.end, claim[one.start : one.end].lower()),
            ]


@lru_cache(maxsize=64)
def _said(article: Article) -> tuple[tuple[int, Slot], ...]:
    """The numbers of the article, each with the place of its sentence."""
    return tuple((at, slot) for at, text in enumerate(article.sentences) for slot in number_slots(text))
