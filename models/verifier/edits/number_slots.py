"""The numbers of a sentence that can be exchanged: what they are, and how they are written."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from models.verifier.edits.date_slots import date_stretches
from models.verifier.edits.number_words import CARDINALS, NAMES_OF_ORDINALS, ORDINALS

from sensecheck.measures.facts.units import unit_at

Style = Literal["digits", "word", "ordinal", "ordinal word"]
Bound = Literal["", "above", "below", "about"]

_DIGITS = re.compile(
    r"(?<![\w.,:/–—−#@^*+='’\[\\-])(?<!\d )(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"(?:(?P<ordinal>st|nd|rd|th)\b(?![-–/ ]{0,3}\d)"
    r"|(?=(?:bn|[mkMBK]|km|kg|cm|mm|mph|ft|GB|MB|g)\b)"
    r"|(?![\w:/×+=^*\\]|[.,]\d|[-–—−][\dA-Z]|\]| ?[-–—−+×=/x] ?\d))"
)
_UNITS = "|".join(word for word, value in CARDINALS.items() if value < 10)
_WORDS = re.compile(
    rf"(?<![\w-])(?P<word>(?:(?:twen|thir|for|fif|six|seven|eigh|nine)ty[- ](?:one|{_UNITS}))"
    rf"|{'|'.join(sorted(CARDINALS, key=len, reverse=True))})"
    r"(?!\w|[- ](?:thirds?|quarters?|fourths?|fifths?|tenths?|eighths?)\b|-(?:and|to|or)-)",
    re.IGNORECASE,
)
_ORDINAL_WORD = re.compile(
    rf"\b(?:the|his|her|its|their|our|a|finished|placed|ranked|came|'s|’s) (?P<word>{'|'.join(ORDINALS)})\b"
    r"(?! (?:of|half|quarter|part(?:y|ies)|person|[Ww]orld|hand|nature|thoughts?|time|and|or)\b|-)"
)
_BOUNDS = re.compile(
    r"(?:\b(?P<above>(?:more|greater|higher) than|over|at least|above|exceed\w*|minimum of)"
    r"|\b(?P<below>(?:less|fewer|lower) than|under|at most|below|up to|maximum of|within|as many as)"
    r"|(?P<about>\b(?:about|around|approximately|roughly|nearly|almost|some|approx\.?|circa|estimated)|[~≈]))\W*$",
    re.IGNORECASE,
)
_AFTER_LARGE = re.compile(r"(?:hundred|thousand|million)(?: and)? $", re.IGNORECASE)
_LARGE = re.compile(r"[ -]?(hundred|thousand|million|billion|trillion|dozen|bn|[mkMBK]\b)", re.IGNORECASE)
_POINTER = re.compile(
    r"\b(?:figs?|figures?|tables?|passages?|sources?|steps?|refs?|pages?|pp?|no|line)\.? $", re.I
)
_LABEL = re.compile(r"(?<=[\w,;:] )([A-Z][a-zA-Z]+) $")
_CONVERTED = re.compile(r"[ -]?[\w/²]+(?: [A-Za-z]+)? \([^)\d]*\d[\d.,]* ?[a-z]")
"""After a number that is said again in another unit, which would no longer fit: `13,000 mile (21,000 km)`."""
_AGE = re.compile(r"[- ]years?(?:[- ]old| of age)")
_AGED = re.compile(r"\baged? (?:of )?$", re.IGNORECASE)
_PLAIN = frozenset({"count", "age", "percent"})
_MONEY = re.compile(r"[$€£¥₹] ?$")


@dataclass(frozen=True, slots=True)
class Slot:
    """A number, where it stands and what kind of number could stand there instead."""

    start: int
    end: int
    value: float
    style: Style
    group: str
    """Numbers of one group can stand in each other's place: percentages, lengths, plain counts."""
    bound: Bound = ""
    """Whether it says `more than`, `up to` or `about`, so that not every other value is wrong."""


def number_slots(text: str) -> list[Slot]:
    """The numbers of a text that are no dates, in order."""
    taken = date_stretches(text)
    found = [*_in_digits(text), *_in_words(text), *_ordinal_words(text)]
    free = [slot for slot in found if not any(start < slot.end and slot.start < end for start, end in taken)]
    return sorted(free, key=lambda slot: slot.start)


def _in_digits(text: str) -> Iterator[Slot]:
    for match in _DIGITS.finditer(text):
        before = text[max(0, match.start() - 24) : match.start()]
        value = float(match["number"].replace(",", ""))
        listed = match.start() == 0 and text[match.end() : match.end() + 2] in (". ", ") ")
        if _POINTER.search(before) or listed or value >= 1e12 or _CONVERTED.match(text, match.end()):
            continue
        if match["ordinal"]:
            yield Slot(match.start(), match.end(), value, "ordinal", "ordinal")
            continue
        group = _group(text, before, match.end())
        if (group not in _PLAIN and before.endswith("(")) or (
            group.startswith("label") and _is_last(text, match)
        ):
            continue
        if _may_be_year(match["number"], group):
            continue
        if value not in (0, 1) or group not in ("count", "time", "length"):
            yield Slot(match.start(), match.end(), value, "digits", group, _bound(before))


def _may_be_year(number: str, group: str) -> bool:
    return group in ("count", "age") and number.isdigit() and 1100 <= int(number) < 2100


def _is_last(text: str, match: re.Match[str]) -> bool:
    """Whether nothing but a stop follows, as after the number of the next list item."""
    return not text[match.end() :].strip(". ")


def _in_words(text: str) -> Iterator[Slot]:
    for match in _WORDS.finditer(text):
        before = text[max(0, match.start() - 24) : match.start()]
        named = match[0][0].isupper() and (
            match.start() > 0 or text[match.end() + 1 : match.end() + 2].isupper()
        )
        value = _value(match["word"].lower())
        if not named and not _AFTER_LARGE.search(before) and value > 1:
            yield Slot(
                match.start(), match.end(), value, "word", _group(text, before, match.end()), _bound(before)
            )


def _ordinal_words(text: str) -> Iterator[Slot]:
    for match in _ORDINAL_WORD.finditer(text):
        value = float(NAMES_OF_ORDINALS.index(match["word"]))
        yield Slot(match.start("word"), match.end("word"), value, "ordinal word", "ordinal")


def _value(word: str) -> float:
    tens, _, rest = word.replace(" ", "-").partition("-")
    return float(CARDINALS[tens] + (CARDINALS.get(rest, 1) if rest else 0))


def _group(text: str, before: str, end: int) -> str:
    """What is counted: percent, money, a length, …"""
    large = _LARGE.match(text, end)
    factor = large[1].lower() if large else ""
    if _MONEY.search(before):
        return f"money {factor}"
    if factor:
        return factor
    if _AGE.match(text, end) or _AGED.search(before):
        return "age"
    if unit := unit_at(text, end):
        return unit.dimension
    if before.endswith(", ") and text[end : end + 1] == ",":
        return "age"
    label = _LABEL.search(before)
    return f"label {label[1]}" if label and "," not in text[end - 4 : end] else "count"


def _bound(before: str) -> Bound:
    match = _BOUNDS.search(before)
    if match is None:
        return ""
    return "above" if match["above"] else "below" if match["below"] else "about"
