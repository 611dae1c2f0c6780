"""Numbers in several parts: `5 ft 6 in`, `an hour and a half`, `two thirds`, `1 in 6`, `twice a day`."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from sensecheck.measures.facts.fact import Fact, Quantity, Value
from sensecheck.measures.facts.number_words import at_hyphens, number_of, part_of, regular, times_of
from sensecheck.measures.facts.units import base, unit_at, unit_named
from sensecheck.text.words import Word

_GLYPHS = {
    "½": 1 / 2, "⅓": 1 / 3, "⅔": 2 / 3, "¼": 1 / 4, "¾": 3 / 4, "⅕": 1 / 5, "⅖": 2 / 5, "⅗": 3 / 5,
    "⅘": 4 / 5, "⅙": 1 / 6, "⅚": 5 / 6, "⅛": 1 / 8, "⅜": 3 / 8, "⅝": 5 / 8, "⅞": 7 / 8,
}  # fmt: skip
_SLASHED = re.compile(
    rf"(?<![\w./,:$€£-])(?:(?P<whole>\d{{1,4}})(?:[ -](?=\d+/)|(?=[ ]?[{''.join(_GLYPHS)}])[ ]?))?"
    rf"(?:(?P<top>\d{{1,3}})[/⁄](?P<bottom>[1-9]\d{{0,2}})|(?P<glyph>[{''.join(_GLYPHS)}]))(?![\w/]|[.,]\d|-\d)"
)
_DIVIDED = re.compile(rf"\d[/⁄]\d|[{''.join(_GLYPHS)}]")
_FOOT = re.compile(r"\d\s?['′’]|\d[ -]?f(?:t|ee|oo)")
_FEET = re.compile(
    r"(?<![\w.,])(?P<feet>\d{1,2})"
    r"(?:\s?['′’]\s?(?P<short>\d{1,2}(?:\.\d+)?)\s?(?:[\"″”]|''|’’)"
    r"|[ -]?(?:ft\.?|feet|foot)(?:,? (?:and )?|-)(?P<inches>\d{1,2}(?:\.\d+)?)"
    r"(?:[ -]?(?:inch(?:es)?|in\.?|[\"″])(?![\w])|(?=[ ]?(?:tall|long|high|wide|deep)|[.,;)]?$|[.,;)]\s)))"
)
_INCHES = re.compile(
    r"(?<![\w.,'′’])(?<!['′’] )(?P<inches>\d+(?:\.\d+)?)\s?"
    r"(?:[″](?!\w)|in\b\.?(?= (?:x|by|tall|long|wide|deep|high|thick)\b|[,;)]|\s?$))"
)
_SPAN = re.compile(r"(?<![\w.,:])(?P<hours>\d{1,3})\s?h(?:rs?)?\s?(?P<minutes>[0-5]?\d)\s?m(?:ins?)?\b")
_OF = re.compile(
    r"(?:,? out of | in (?:every )?| of (?:(?:the|its|their|our|his|her|all|these|those|every) )?)$"
)
_AND_PART = re.compile(r"[ ]and[ ](?:an?|one)[ ](half|quarter|third)\b(?![ ](?:of|an?|the)\b)", re.I)
_UNIT_OF = re.compile(r"[ -](?:of[ ])?(?:(?:an?|one)[ ])?")
_LARGE_OF = re.compile(r"[ ](?:of[ ])?an?[ ](dozen|hundred|thousand|million|billion|trillion)\b", re.I)
_SMALLER = re.compile(r",? (?:and )?|")
_EVERY = re.compile(r"\b(?:every|each)\s$", re.I)
_OFTEN = re.compile(
    r"(?:\s?(?:×|x)|[ ]times)?[ ](?:(?:an?|per|each|every)[ ](?:single[ ])?(?P<unit>\w+)"
    r"|(?P<regular>hourly|daily|nightly|weekly|monthly|yearly|annually))\b"
)
_FIRST = re.compile(r"\b(?:first|second|other|latter|last|next|previous|in|the (?:third|fourth))\s$", re.I)
_BARE = frozenset(
    ("half", "third", "quarter", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
)
_FEW, _MANY = 20, 1000
"""`1 in 6` is a share; `40 in 1200` may be people in a year."""
_JOINED = frozenset(("time", "length", "mass"))


def written_parts(text: str) -> Iterator[Fact]:
    """Fractions in digits, feet with inches, hours with minutes."""
    for match in _SLASHED.finditer(text) if _DIVIDED.search(text) else ():
        whole = float(match["whole"] or 0)
        if match["glyph"]:
            part = _GLYPHS[match["glyph"]]
        elif int(match["top"]) < int(match["bottom"]):
            part = int(match["top"]) / int(match["bottom"])
        else:
            continue
        yield share(text, match.start(), match.end(), whole + part, weak=False)
    feet = list(_FEET.finditer(text)) if _FOOT.search(text) else []
    for match in feet:
        inches = 12 * float(match["feet"]) + float(match["short"] or match["inches"])
        yield _number_fact(match, Quantity(inches, inches * 0.0254, "length", "inches"))
    tall = [match.span() for match in feet]
    for match in _INCHES.finditer(text):
        if not any(start <= match.start() < end for start, end in tall):
            inches = float(match["inches"])
            yield _number_fact(match, Quantity(inches, inches * 0.0254, "length", "inches"))
    for match in _SPAN.finditer(text):
        minutes = 60.0 * int(match["hours"]) + int(match["minutes"])
        yield _number_fact(match, Quantity(minutes, minutes * 60, "time", "minutes"))


def spelled_parts(text: str, words: Sequence[Word]) -> Iterator[Fact]:
    """`two thirds`, `a quarter of an hour`, `half a million`; alone, `half` and the like are weak."""
    if not any(part_of(word.text.rpartition("-")[2]) for word in words):
        return
    split = list(at_hyphens(words))
    for at, word in enumerate(split):
        bottom = part_of(word.text)
        if bottom is None:
            continue
        before = split[at - 1] if at and word.start - split[at - 1].end == 1 else None
        top = number_of(before.text) if before else None
        if top is not None and (word.text.endswith("s") or top == 1) and top < bottom and before:
            yield share(text, before.start, word.end, top / bottom, weak=False)
        elif word.text == "half" and not (_FIRST.search(text[: word.start][-12:])):
            yield share(text, word.start, word.end, 0.5, weak=not text.startswith(" of ", word.end))
        elif before and before.text == "a" and word.text in _BARE:
            yield share(text, before.start, word.end, 1 / bottom, weak=not text.startswith(" of ", word.end))


def share(text: str, start: int, end: int, value: float, *, weak: bool) -> Fact:
    """A part of something; with a unit or a large number after it, an amount: `half an hour`."""
    if large := _LARGE_OF.match(text, end):
        amount = value * (number_of(large[1].lower()) or 1.0)
        return Fact("number", start, large.end(), Quantity(amount, amount))
    joint = _UNIT_OF.match(text, end)
    unit = unit_at(text, joint.end() - 1) if joint else None
    if unit is not None and not (unit.name.lower() == "second" and value < 1):
        dimension, amount = base(value, unit)
        return Fact("number", start, unit.end, Quantity(value, amount, dimension, unit.name.lower()))
    if value > 1:
        return Fact("number", start, end, Quantity(value, value))
    return Fact("number", start, end, Quantity(value, 100 * value, "percent", "share"), weak)


def put_together(text: str, facts: Sequence[Fact]) -> list[Fact]:
    """The numbers of a text, in order, with those that are parts of one amount as one."""
    joined: list[Fact] = []
    for fact in facts:
        last = joined[-1] if joined else None
        if last is not None and (merged := _one_amount(text, last, fact)):
            joined[-1] = merged
        elif last is not None and (merged := _portion(text, last, fact)):
            rest = [] if text.startswith(" in ", last.end) else [replace(fact, weak=True)]
            joined[-1:] = [merged, *rest]
        else:
            joined.append(fact)
    return list(_apart(_often(text, _and_part(text, fact)) for fact in joined))


def _apart(facts: Iterable[Fact]) -> Iterator[Fact]:
    """The facts without those that a longer one before them has taken in."""
    end = -1
    for fact in facts:
        if fact.start >= end:
            yield fact
            end = fact.end


def regular_words(words: Sequence[Word]) -> Iterator[Fact]:
    """`daily`, `annual`: once in a unit of time, weak."""
    for word in words:
        if (name := regular(word.text)) and (unit := unit_named(name)):
            yield Fact(
                "number", word.start, word.end, Quantity(1.0, unit[1], "time", name), weak=True, rate=True
            )


def _one_amount(text: str, last: Fact, fact: Fact) -> Fact | None:
    """`4 hours 15 minutes`, `6 lb 4 oz`; None for two amounts."""
    one, two = last.value, fact.value
    if not isinstance(one, Quantity) or not isinstance(two, Quantity) or one.dimension not in _JOINED:
        return None
    whole = one.amount and one.base / one.amount
    smaller = two.dimension == one.dimension and two.unit != one.unit and 0 < two.base < whole
    if not smaller or fact.weak or last.rate or not _SMALLER.fullmatch(text, last.end, fact.start):
        return None
    together = one.base + two.base
    value = replace(one, amount=together / whole, base=together, step=0.0)
    return replace(last, end=fact.end, value=value, weak=False)


def _portion(text: str, last: Fact, fact: Fact) -> Fact | None:
    """`1 in 6`, `three out of four`, `two of the five`: a share, or its first number."""
    one, two = last.value, fact.value
    if not isinstance(one, Quantity) or not isinstance(two, Quantity) or two.dimension or one.dimension:
        return None
    joint = _OF.fullmatch(text, last.end, fact.start)
    if joint is None or not 0 < one.amount <= two.amount or two.amount < 2 or fact.hour:
        return None
    if joint[0].startswith(" in") and (one.amount > _FEW or two.amount > _MANY):
        return None
    value = replace(one, base=100 * one.amount / two.amount, dimension="percent", unit="share")
    return replace(last, value=value, weak=False)


def _and_part(text: str, fact: Fact) -> Fact:
    """`an hour and a half`, `two and a half`."""
    match, value = _AND_PART.match(text, fact.end), fact.value
    if match is None or not isinstance(value, Quantity):
        return fact
    more = 1 / (part_of(match[1].lower()) or 1.0)
    if value.dimension:
        whole = value.base / value.amount if value.amount else 0.0
        grown = replace(value, amount=value.amount + more, base=value.base + more * whole)
        return replace(fact, end=match.end(), value=grown, weak=False)
    return share(text, fact.start, match.end(), value.amount + more, weak=False)


def _often(text: str, fact: Fact) -> Fact:
    """`twice a day` is said of half a day, as `every 12 hours` is; what stands after `every` is a rate."""
    value = fact.value
    if not isinstance(value, Quantity):
        return fact
    if value.dimension == "time":
        return replace(fact, rate=True) if _EVERY.search(text[max(0, fact.start - 7) : fact.start]) else fact
    times = times_of(text[fact.start : fact.end].lower())
    match = _OFTEN.match(text, fact.end)
    if match is None or value.dimension or not value.amount or not (times or match[0].lstrip()[0] in "×xt"):
        return fact
    name = match["unit"] or regular(match["regular"]) or ""
    unit = unit_named(name)
    if unit is None or unit[0] != "time":
        return fact
    rate = Quantity(value.amount, unit[1] / value.amount, "time", name)
    return Fact("number", fact.start, match.end(), rate, weak=value.amount == 1, rate=True)


def _number_fact(match: re.Match[str], value: Value) -> Fact:
    return Fact("number", match.start(), match.end(), value)
