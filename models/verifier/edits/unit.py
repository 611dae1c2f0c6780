"""The same number with another unit: miles for kilometres, billions for millions, pounds for dollars."""

import re
from collections.abc import Iterator
from functools import cache
from random import Random

from models.verifier.edits.edit import Article, Edit
from models.verifier.edits.number_replaced import Replacement, replaced
from models.verifier.edits.number_turns import in_turn
from models.verifier.edits.number_words import CARDINALS
from models.verifier.edits.quantifier_rules import exchanges

from sensecheck.text.wordlists import read_lines

_COUNT = rf"(?:\d[\d,.]*[ -]?|(?:{'|'.join(CARDINALS)}|hundred|thousand|million|billion|half a|a)[ -])"
_SIGN = re.compile(r"(?<![\w$€£])(?P<sign>US\$|[$€£])(?= ?\d)")
_SIGNS = {"$": "€£", "US$": "€£", "€": "$£", "£": "$€"}
_CHANGE_BY_PERCENT = re.compile(
    r"\bby (?:[a-z]+ ){0,2}(?P<number>\d[\d.]*)(?: percent| per cent|%)(?! of| in)"
)
_CONVERSION = re.compile(r" ?\([^)]*\d")
_OPENED = re.compile(r"\((?:about |approximately |around |roughly |c\. )?$")
_VAST = re.compile(r"(?:\d{4,}|\d,\d{3}|thousand|million|billion|trillion)[ -]$")
_TIME = re.compile(r"second|minute|hour|day|week|month|year|decade|centur")
_OLD = re.compile(
    r"[- ]old\b|['’]| (?:BC|AD)\b| of age"
    r"|,? (?:and )?(?:\d+|[a-z]+) (?:hour|minute|second|month|day|week)s?\b"
)
_REST = re.compile(r"(?:hour|minute|year|month|week|day)s?,? (?:and )?\w+[ -]$")
"""Before the second part of a length of time: `nine hours 55 minutes`."""
_SMALL = re.compile(r"(?:^|[^\d.,])(?:[2-9]|two|three|four|five|six|seven|eight|nine)[ -]$")
_ROUND = re.compile(r"(?:^|[^\d.,$€£])(?:\d+|[a-z]+)[ -]$")


def unit(claim: str, article: Article, rng: Random) -> Iterator[Edit]:
    """The claim with the unit of one number changed."""
    text = " ".join(article.sentences)
    found = [*_measured(claim), *_percent(claim), *exchanges("unit_rhythm.txt", claim)]
    places = [([way] for way in _ordered(claim, ways, text, rng)) for ways in found]
    places.append(way for way in _currencies(claim, rng))
    rng.shuffle(places)
    return (replaced("unit", claim, new) for new in in_turn(places))


def _ordered(claim: str, ways: list[Replacement], text: str, rng: Random) -> list[Replacement]:
    """The ways in random order, in half of the cases with the units of the article first."""
    start = ways[0][0]
    number = claim[:start].rpartition(" ")[2] or claim[:start].rstrip().rpartition(" ")[2]
    free = [way for way in ways if f"{number} {way[2]}".strip() not in text or not number]
    rng.shuffle(free)
    return sorted(free, key=lambda way: f" {way[2]}" not in text) if rng.random() < 0.5 else free


def _measured(claim: str) -> Iterator[list[Replacement]]:
    for match in _after_number().finditer(claim):
        start, end = match.span("unit")
        before = claim[max(0, start - 24) : start]
        if not _is_said_twice(claim, match.start(), end) and not (
            _TIME.match(match["unit"]) and _fixed(claim, before, end)
        ):
            others = [other for other in _units()[match["unit"]] if _is_usual(before, other)]
            if others:
                yield [(start, end, other) for other in others]


def _is_said_twice(claim: str, start: int, end: int) -> bool:
    """Whether the amount is followed by the same in another unit, or is that other amount."""
    return bool(_CONVERSION.match(claim, end) or _OPENED.search(claim, max(0, start - 16), start))


def _fixed(claim: str, before: str, end: int) -> bool:
    """Whether another unit of time would read badly: `66 million years ago`, `27 years old`."""
    return any((_VAST.search(before), _REST.search(before), _OLD.match(claim, end)))


def _is_usual(before: str, unit: str) -> bool:
    """Whether one would say it: `three decades`, not `40 decades`; `18 thousand`, not `4.3 thousand`."""
    if before[-1].isdigit() and len(unit) > 2 and unit.isalpha():
        return False
    if unit in ("decade", "decades"):
        return _SMALL.search(before) is not None
    return unit != "thousand" or _ROUND.search(before) is not None


def _currencies(claim: str, rng: Random) -> Iterator[list[Replacement]]:
    """All currency signs of the claim exchanged for another one, so that it stays of one piece."""
    found = list(_SIGN.finditer(claim))
    if len({match["sign"] for match in found}) == 1:
        others = _SIGNS[found[0]["sign"]]
        for other in rng.sample(others, len(others)):
            yield [(match.start(), match.end(), other) for match in found]


def _percent(claim: str) -> Iterator[list[Replacement]]:
    """`by 5 percent` and `by 5 percentage points` are not the same."""
    for match in _CHANGE_BY_PERCENT.finditer(claim):
        yield [(match.start("number"), match.end(), f"{match['number']} percentage points")]


@cache
def _units() -> dict[str, tuple[str, ...]]:
    rows = (line.partition(" => ") for line in read_lines("unit.txt", __package__))
    return {unit: tuple(others.split(" | ")) for unit, _, others in rows}


@cache
def _after_number() -> re.Pattern[str]:
    names = "|".join(re.escape(name) for name in sorted(_units(), key=len, reverse=True))
    return re.compile(rf"(?<![\w.,(-])(?:[$€£])?{_COUNT}(?P<unit>{names})(?![\w²³/'’]| per (?:gallon|lit))")
