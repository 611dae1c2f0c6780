"""Numbers with their units, in whatever notation."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sensecheck.measures.facts.fact import Fact, outside
from sensecheck.measures.facts.numberwords import magnitude, spelled
from sensecheck.measures.facts.units import Unit, base, currency, unit_at
from sensecheck.measures.facts.values import Quantity, Value
from sensecheck.measures.text.words import Word

_DIGITS = re.compile(
    r"(?<![\w.])(?<![A-Z]-)"
    r"(?P<sign>(?<![^\s(])[-−](?=[\d$€£¥₹]))?(?:(?P<currency>US\$|[$€£¥₹])[ ]?)?"
    r"(?P<number>\d{1,3}(?: \d{3}){2,}(?!\d)"
    r"|\d{1,3}(?:[,\u00a0\u202f'’]\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.\d+)*)"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
)
_MAGNITUDE = re.compile(
    r"[ \u00a0-]?((?i:hundred|thousand|million|billion|trillion|lakh|crore|mn|mln|bn|bln|tn))\b|([kKMBmb])\b"
)
_SHORT = {"k": 1e3, "m": 1e6, "mn": 1e6, "mln": 1e6, "b": 1e9, "bn": 1e9, "bln": 1e9, "tn": 1e12}
_RANGE = re.compile(r"\s?[-–—]\s?|\s(?:to|and|or)\s")
_HEDGE = re.compile(
    r"(?:\b(?:about|around|approximately|roughly|nearly|almost|circa|some|over|approx\.?)|~|≈)\s*[$€£¥]?$",
    re.I,
)
_POINTER = re.compile(r"\b(?:passage|source|document|step|option)s? (?:\d+(?:,|,? and|,? or| to) )*$", re.I)
"""Before a number that only says where something stands: `Passage 2`, `steps 4 and 5`."""
_LETTER = re.compile(r"[^\W\d_]")
_TOLERANCE, _HEDGED = 0.01, 0.05
"""How far amounts in two units may lie apart, and how far an amount that says `about`."""


def numbers(text: str, words: Sequence[Word], taken: Sequence[tuple[int, int]] = ()) -> list[Fact]:
    """The numbers of a text, in order, except in the stretches that are already `taken`."""
    found = sorted([*_written(text), *_in_words(text, words)], key=lambda fact: fact.start)
    return _with_shared_units(text, outside(taken, found))


def agree(mine: Quantity, theirs: Quantity) -> bool:
    """Whether two quantities say the same, as far as both say it."""
    if not mine.dimension or not theirs.dimension or "degrees" in (mine.dimension, theirs.dimension):
        return _near(mine.amount, theirs.amount, mine)
    if mine.dimension != theirs.dimension:
        return False
    loose = mine.unit.rstrip("s") != theirs.unit.rstrip("s") and mine.amount != theirs.amount
    return _near(mine.base, theirs.base, mine, _TOLERANCE if loose else 1e-9)


def readings(said: Quantity) -> Iterator[Quantity]:
    """The quantity; and, for bare degrees, what they are when Fahrenheit is meant."""
    yield said
    if said.dimension == "degrees":
        celsius = (said.amount - 32) * 5 / 9
        yield replace(said, base=celsius, dimension="temperature", unit="fahrenheit", step=0.0)


def _near(mine: float, theirs: float, said: Quantity, tolerance: float = 1e-9) -> bool:
    gap = abs(mine - theirs) if mine != theirs else 0.0
    room = max(tolerance, _HEDGED if said.hedged else 0.0) * abs(theirs)
    if said.step:
        room = max(room, min(said.step, 0.03 * abs(theirs)))
    return gap <= room or (math.isnan(gap) and math.isnan(mine))


def _written(text: str) -> Iterator[Fact]:
    """Numbers in digits."""
    for match in _DIGITS.finditer(text):
        end = match.end()
        amount, step = _amount(match["number"])
        if (times := _MAGNITUDE.match(text, end)) and (match["currency"] or times[2] not in ("m", "b")):
            word = (times[1] or times[2]).lower()
            factor = magnitude(word) or _SHORT[word]
            amount, step, end = amount * factor, step * factor or factor / 2, times.end()
        unit = (
            currency(match["currency"])
            if match["currency"]
            else None
            if match["ordinal"]
            else unit_at(text, end)
        )
        end = max(end, unit.end) if unit else end
        if not _LETTER.match(text, end):
            sign = -1 if match["sign"] else 1
            yield _fact(text, match.start(), end, sign * amount, unit, step=step)


def _amount(number: str) -> tuple[float, float]:
    """The value of a number in digits, and half of its last place when it has decimals."""
    plain = re.sub(r"[ ,\u00a0\u202f'’]", "", number)
    if plain.count(".") > 1:
        return float(plain.replace(".", "")), 0.0
    decimals = len(plain.partition(".")[2])
    return float(plain), 0.5 * 10.0**-decimals if 0 < decimals < 16 else 0.0


def _in_words(text: str, words: Sequence[Word]) -> Iterator[Fact]:
    """Numbers in words, and `a` or `an` before a unit."""
    for found in spelled(words):
        unit = unit_at(text, found.end)
        weak = found.weak and unit is None
        yield _fact(text, found.start, unit.end if unit else found.end, found.value, unit, weak=weak)
    for word in words:
        if word.text in ("a", "an", "per") and (unit := unit_at(text, word.end)):
            yield _fact(text, word.start, unit.end, 1.0, unit, weak=True)


def _fact(
    text: str,
    start: int,
    end: int,
    amount: float,
    unit: Unit | None,
    *,
    step: float = 0.0,
    weak: bool = False,
) -> Fact:
    before = text[max(0, start - 32) : start]
    hedged = _HEDGE.search(before) is not None
    weak = weak or _POINTER.search(before) is not None
    start += len(text[start:end]) - len(text[start:end].lstrip())
    if unit is None:
        return Fact("number", start, end, Quantity(amount, amount, step=step, hedged=hedged), weak)
    dimension, value = base(amount, unit)
    step *= unit.factor
    return Fact(
        "number", start, end, Quantity(amount, value, dimension, unit.name.lower(), step, hedged), weak
    )


def _with_shared_units(text: str, facts: list[Fact]) -> list[Fact]:
    """`5-10 km`: the first number of a range has the unit of the second."""
    shared = list(facts)
    for at in range(len(facts) - 2, -1, -1):
        one, two = facts[at], shared[at + 1]
        if _RANGE.fullmatch(text, one.end, two.start):
            shared[at] = replace(one, value=_with_unit(one.value, two.value))
    return shared


def _with_unit(one: Value, two: Value) -> Value:
    if not isinstance(one, Quantity) or not isinstance(two, Quantity) or one.dimension or not two.amount:
        return one
    if two.dimension == "temperature":
        return one
    return replace(one, base=one.amount * two.base / two.amount, dimension=two.dimension, unit=two.unit)
