"""Numbers with their units, in whatever notation."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sensecheck.measures.facts.compounds import put_together, regular_words, spelled_parts, written_parts
from sensecheck.measures.facts.fact import Fact, Quantity, Value, outside
from sensecheck.measures.facts.number_words import magnitude, spelled
from sensecheck.measures.facts.units import Unit, base, currency, unit_at
from sensecheck.text.words import Word

_CURRENCY = r"(?:US|C|A)\$|[$€£¥₹]|(?:USD|EUR|GBP|CHF|JPY|INR|CNY|CAD|AUD|Rs)\b\.?"
_DIGITS = re.compile(
    r"(?<![\w.])(?<![A-Z]-)"
    rf"(?P<sign>(?<![^\s(])[-−](?=[\d$€£¥₹])|(?i:minus )(?=[\d$€£¥₹]))?(?:(?P<currency>{_CURRENCY})[ ]?)?"
    r"(?P<number>\d{1,3}(?:[,\u00a0\u202f'’]\d{3})+(?!\d)(?:\.\d+)?"
    r"|\d{1,3}(?: ?, ?\d{3})+(?!\d)(?:\.\d+)?"
    r"|\d{1,3}(?: \d{3})+(?!\d)(?:[.,]\d+)?"
    r"|\d+,\d\d?(?=[ \u00a0]?(?:[€%]|EUR\b|euros?\b|percent\b|Mio\b|Mrd\b))"
    r"|\d+(?:\.\d+)+|\d+(?: \. |\. | \.)\d{1,2}(?!\d)|\d+)"
    r"(?P<ordinal>(?:st|nd|rd|th)\b)?"
)
_LIST_BEFORE, _LIST_AFTER = re.compile(r"\d\s?,\s?$"), re.compile(r"\s?(?:,\s?(?:and|or)?|and|or|&)\s?\d")
_CAPITAL = re.compile(r"[A-Z]\w*\s$")
_DECIMAL_AFTER = re.compile(
    r"\s?(?:[%°$€£)\],;:]|\.?\s*$)|\s(?:per ?cent|percent|degrees?|million|billion|thousand|trillion)\b"
)
_BELOW = re.compile(r"\s(?:degrees )?below (?:zero|freezing)\b", re.I)
_PAIRS = re.compile(r"\spairs?\s(?:of\s)?", re.I)
_MAGNITUDE = re.compile(
    r"[ \u00a0-]?((?i:hundred|thousand|million|billion|trillion|lakh|crore|mn|mln|mio|bn|bln|mrd|tn))\b"
    r"|([kKMBTmb])\b"
)
_SHORT = {
    "k": 1e3, "m": 1e6, "mn": 1e6, "mln": 1e6, "mio": 1e6, "b": 1e9, "bn": 1e9, "bln": 1e9, "mrd": 1e9,
    "t": 1e12, "tn": 1e12,
}  # fmt: skip
_RANGE = re.compile(r"\s?[-–—]\s?|\s(?:to|and|or)\s")
_HEDGE = re.compile(
    r"(?:\b(?:about|around|approximately|roughly|nearly|almost|circa|some|over|approx\.?)|~|≈)\s*[$€£¥]?$",
    re.I,
)
_POINTER = re.compile(r"\b(?:passage|source|document|step|option)s? (?:\d+(?:,|,? and|,? or| to) )*$", re.I)
"""Before a number that only says where something stands: `Passage 2`, `steps 4 and 5`."""
_ONE_OF = frozenset(("a", "an", "per", "each", "every"))
_COUNTED = re.compile(
    r"(?:\d|\b(?:once|twice|times|euros?|dollars?|pounds|cents|hours|minutes|days)|[$€£]\S+)\s$", re.I
)
_TIMES = re.compile(r"x(?=\s)")
_PAIR = "pair"
_LETTER = re.compile(r"[^\W\d_]")
_TOLERANCE, _CONVERTED, _HEDGED, _TINY = 0.01, 0.025, 0.05, 1e-6
"""How far apart two amounts may lie: of time in two units; of another dimension; where one says `about`."""
_MONTHS = 0.02
"""The same of time in months and in another unit: `a month` is 30 days, or 31."""
_POINTS = 0.7
"""How many percentage points a share such as `two thirds` may be from a round percentage."""


def numbers(text: str, words: Sequence[Word], taken: Sequence[tuple[int, int]] = ()) -> list[Fact]:
    """The numbers of a text, in order, except in the stretches that are already `taken`."""
    facts = [*written_parts(text)]
    for more in (spelled_parts(text, words), _written(text), _in_words(text, words), regular_words(words)):
        facts += outside(sorted((fact.start, fact.end) for fact in facts), more)
    ordered = sorted(facts, key=lambda fact: fact.start)
    return _with_shared_units(text, put_together(text, outside(taken, ordered)))


def agree(mine: Quantity, theirs: Quantity) -> bool:
    """Whether two quantities say the same, as far as both say it."""
    if {mine.dimension, theirs.dimension} == {"", "percent"} and _same_share(mine, theirs):
        return True
    if not mine.dimension or not theirs.dimension or "degrees" in (mine.dimension, theirs.dimension):
        return _near(mine.amount, theirs.amount, mine, theirs)
    if mine.dimension != theirs.dimension:
        return _same_money(mine, theirs)
    if "share" in (mine.unit, theirs.unit):
        if mine.hedged or theirs.hedged:
            return abs(mine.base - theirs.base) <= _HEDGED * theirs.base
        return abs(mine.base - theirs.base) <= (
            _TOLERANCE * theirs.base if mine.step or theirs.step else _POINTS
        )
    loose = mine.unit.rstrip("s") != theirs.unit.rstrip("s") and mine.amount != theirs.amount
    room = _CONVERTED
    if mine.dimension == "time":
        room = _MONTHS if any(one.unit.startswith("month") for one in (mine, theirs)) else _TOLERANCE
    return _near(mine.base, theirs.base, mine, theirs, room if loose else 1e-9)


def _same_share(mine: Quantity, theirs: Quantity) -> bool:
    """Whether one says `0.4` and the other `40%`."""
    bare, share = (mine, theirs) if not mine.dimension else (theirs, mine)
    return 0 < bare.amount < 1 and abs(100 * bare.amount - share.base) <= 100 * bare.step + _TINY


def _same_money(mine: Quantity, theirs: Quantity) -> bool:
    """Whether one says cents, or pounds, and the other a currency that has them."""
    for one, other in ((mine, theirs), (theirs, mine)):
        if other.dimension.isupper() and len(other.dimension) == 3:
            if one.dimension == "cents":
                return _near(mine.base, theirs.base, mine, theirs)
            if one.unit in ("pound", "pounds") and other.dimension == "GBP":
                return one.amount == other.base
    return False


def readings(said: Quantity) -> Iterator[Quantity]:
    """The quantity; for bare degrees also what they are when Fahrenheit is meant; for pairs, the things."""
    yield said
    if said.dimension == "degrees":
        celsius = (said.amount - 32) * 5 / 9
        yield replace(said, base=celsius, dimension="temperature", unit="fahrenheit", step=0.0)
    if said.unit == _PAIR:
        yield replace(said, amount=2 * said.amount, base=2 * said.amount, unit="")


def _near(mine: float, theirs: float, quantity: Quantity, other: Quantity, tolerance: float = 1e-9) -> bool:
    gap = abs(mine - theirs) if mine != theirs else 0.0
    hedged = _HEDGED if quantity.hedged else _TOLERANCE if other.hedged else 0.0
    room = max(tolerance, hedged) * abs(theirs)
    if quantity.step:
        room = max(room, min(quantity.step, 0.03 * abs(theirs)))
    return gap <= room or (math.isnan(gap) and math.isnan(mine))


def _written(text: str) -> Iterator[Fact]:
    """Numbers in digits."""
    at = 0
    while match := _DIGITS.search(text, at):
        at, number = match.end(), match["number"]
        if " " in number and not _is_one_number(text, match):
            number = re.match(r"\d+", number)[0]  # type: ignore[index]  # a number starts with a digit
            at = match.start("number") + len(number)
        yield from _with_unit_after(text, match, number, at)


def _is_one_number(text: str, match: re.Match[str]) -> bool:
    """Whether digits with spaces between them are one number, and not a list or two sentences."""
    number, before = match["number"], text[max(0, match.start() - 24) : match.start()]
    if "." in number:
        tokenised = " ." in number or number.startswith("0")
        return tokenised or _DECIMAL_AFTER.match(text, match.end()) is not None
    if " , " in number:
        return not _LIST_BEFORE.search(before)
    if "," in number:
        return not (_LIST_BEFORE.search(before) or _LIST_AFTER.match(text, match.end()))
    return number.count(" ") > 1 or not (number[0] == "0" or _CAPITAL.search(before))


def _with_unit_after(text: str, match: re.Match[str], number: str, end: int) -> Iterator[Fact]:
    """The number with its magnitude and its unit; nothing when letters follow directly."""
    amount, step = _amount(number)
    if (times := _MAGNITUDE.match(text, end)) and (match["currency"] or times[2] not in ("m", "b")):
        word = (times[1] or times[2]).lower()
        factor = magnitude(word) or _SHORT[word]
        amount, step, end = amount * factor, step * factor or factor / 2, times.end()
    unit: Unit | None = None
    if match["currency"]:
        unit = currency(match["currency"].rstrip("."))
    elif not match["ordinal"] or end < match.end():
        unit = unit_at(text, end)
    end = max(end, unit.end) if unit else end
    if _LETTER.match(text, end) and not _TIMES.match(text, end):
        return
    below = _BELOW.match(text, end)
    sign = -1 if match["sign"] or below else 1
    yield _fact(text, match.start(), below.end() if below else end, sign * amount, unit, step=step)


def _amount(number: str) -> tuple[float, float]:
    """The value of a number in digits, and half of its last place when it has decimals."""
    if re.fullmatch(r"[\d ]+,\d\d?", number):
        number = number.replace(",", ".")
    plain = re.sub(r"[ ,\u00a0\u202f'’]", "", number)
    if plain.count(".") > 1:
        return float(plain.replace(".", "")), 0.0
    decimals = len(plain.partition(".")[2])
    return float(plain), 0.5 * 10.0**-decimals if 0 < decimals < 16 else 0.0


def _in_words(text: str, words: Sequence[Word]) -> Iterator[Fact]:
    """Numbers in words, and `a` or `an` before a unit."""
    for number in spelled(words):
        unit = unit_at(text, number.end)
        weak = number.weak and unit is None
        yield _fact(text, number.start, unit.end if unit else number.end, number.value, unit, weak=weak)
    for word in words:
        if word.text in _ONE_OF and (unit := unit_at(text, word.end)):
            fact = _fact(text, word.start, unit.end, 1.0, unit, weak=True)
            yield replace(fact, rate=word.text in ("per", "each", "every") or _is_rated(text, fact))


def _is_rated(text: str, fact: Fact) -> bool:
    """Whether `a day` says how often: a thing, a number or a sum stands before it."""
    return _COUNTED.search(text[max(0, fact.start - 24) : fact.start]) is not None


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
        name = _PAIR if _PAIRS.match(text, end) else ""
        return Fact("number", start, end, Quantity(amount, amount, "", name, step, hedged), weak)
    dimension, value = base(amount, unit)
    step *= unit.factor
    return Fact(
        "number", start, end, Quantity(amount, value, dimension, unit.name.lower(), step, hedged), weak
    )


def _with_shared_units(text: str, facts: list[Fact]) -> list[Fact]:
    """`5-10 km`: the first number of a range has the unit of the second."""
    shared = list(facts)
    for at in range(len(facts) - 2, -1, -1):
        first, second = facts[at], shared[at + 1]
        if _RANGE.fullmatch(text, first.end, second.start):
            shared[at] = replace(first, value=_with_unit(first.value, second.value))
    return shared


def _with_unit(first: Value, second: Value) -> Value:
    if (
        not isinstance(first, Quantity)
        or not isinstance(second, Quantity)
        or first.dimension
        or not second.amount
    ):
        return first
    if second.dimension == "temperature":
        celsius = second.base == second.amount
        degrees = first.amount if celsius else (first.amount - 32) * 5 / 9
        return replace(first, base=degrees, dimension="temperature", unit=second.unit)
    return replace(
        first, base=first.amount * second.base / second.amount, dimension=second.dimension, unit=second.unit
    )
