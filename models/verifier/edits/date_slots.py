"""The parts of dates in a sentence that can be exchanged: a year, a month, a day, a weekday, a century."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from models.verifier.edits.number_words import NAMES_OF_ORDINALS

from sensecheck.measures.facts.dates import dates
from sensecheck.measures.facts.fact import Moment
from sensecheck.text.wordlists import read_lines

Part = Literal["year", "month", "day", "weekday", "decade", "century", "hour", "half", "era year", "era"]

MONTHS, WEEKDAYS = (line.split() for line in read_lines("date_names.txt", __package__))

_LOWERCASE = re.compile(rf"\b(?:{'|'.join([*MONTHS, *WEEKDAYS]).lower()})(?=s?\b)")
_PLACES: dict[Part, re.Pattern[str]] = {
    "year": re.compile(r"(?:1\d|20)\d\d(?!\d|[-–/]\d\d(?!\d))"),
    "month": re.compile(rf"\b(?:{'|'.join(MONTHS)}|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\b"),
    "day": re.compile(r"(?<!\d)(?:[12]\d|3[01]|0?[1-9])(?=(?:st|nd|rd|th)?(?!\d))(?:st|nd|rd|th)?"),
    "weekday": re.compile(rf"(?:{'|'.join(WEEKDAYS)})s?"),
    "decade": re.compile(r"(?:1\d|20)?\d0['’]?s"),
    "hour": re.compile(r"(?<!\d)\d\d?(?!\d)"),
    "half": re.compile(r"[AaPp](?=\.?[Mm])"),
}
_CENTURY = re.compile(
    rf"(?<!and )(?<!to )(?<!or )(?<![-–])\b(?P<number>\d{{1,2}}(?:st|nd|rd|th)|{'|'.join(NAMES_OF_ORDINALS)})"
    r"[- ](?:century|centuries)\b(?! (?:fox|studios))",
    re.IGNORECASE,
)
_ERA = re.compile(
    r"(?<![\w,.–-])(?P<year>\d{1,4}) (?P<after>BCE?|AD|CE|B\.C\.(?:E\.)?|A\.D\.|C\.E\.)(?!\w)"
    r"|\bAD (?P<late>\d{1,4})\b"
)
_PLAIN_YEAR = re.compile(
    r"\b(?:in|since|by|until|during|from|to|year|after|before) "
    r"(?P<year>(?:1[1-9]|20)\d\d)(?![\w%°]|[-–,.:/'’]\d)"
    r"(?= (?:it|he|she|this|was|were|is|and|to|which|with|his|its|as|has)\b|[,.;])",
    re.IGNORECASE,
)
"""A year that could be taken for a count, since words on `s` follow: `in 1989 it was`."""
_FEAST = re.compile(
    r"\b(?:Good|Black|Easter|Ash|Super|Bloody|Cyber|Palm|Holy|Giving|Shrove|Fourth of) $", re.I
)


@dataclass(frozen=True, slots=True)
class Slot:
    """One part of a date, and where it stands."""

    start: int
    end: int
    part: Part
    value: int


def date_slots(text: str) -> list[Slot]:
    """The parts of the dates of a text, in order."""
    sure = [*_in_dates(text), *_centuries(text), *_eras(text)]
    taken = {slot.start for slot in sure}
    more = [slot for slot in _plain_years(text) if slot.start not in taken]
    return sorted([*sure, *more], key=lambda slot: slot.start)


@lru_cache(maxsize=4096)
def date_stretches(text: str) -> tuple[tuple[int, int], ...]:
    """Where the dates of a text stand."""
    whole = [(fact.start, fact.end) for fact in dates(_capitalized(text))]
    return (
        *whole,
        *(match.span() for finder in (_CENTURY, _ERA, _PLAIN_YEAR) for match in finder.finditer(text)),
    )


def _capitalized(text: str) -> str:
    """The text with capitals on months and weekdays, for texts that have none at all."""
    return _LOWERCASE.sub(lambda match: match[0].capitalize(), text) if text.islower() else text


def _in_dates(text: str) -> Iterator[Slot]:
    shown = _capitalized(text)
    for fact in dates(shown):
        if isinstance(fact.value, Moment) and not _FEAST.search(shown, max(0, fact.start - 12), fact.start):
            yield from _parts(shown, fact.start, fact.end, fact.value)


def _parts(text: str, start: int, end: int, moment: Moment) -> Iterator[Slot]:
    numeric = moment.month is not None and not _PLACES["month"].search(text, start, end)
    hour = None if moment.minute is None else moment.minute // 60
    said: dict[Part, int | None] = {"year": moment.year, "decade": moment.decade, "weekday": moment.weekday}
    if not numeric:
        said |= {"month": moment.month, "day": moment.day}
    if hour is not None:
        said |= {"hour": hour % 12 or 12, "half": hour // 12}
    for part, value in said.items():
        if value is not None and (match := _PLACES[part].search(text, start)) and match.end() <= end:
            yield Slot(match.start(), match.end(), part, value)


def _centuries(text: str) -> Iterator[Slot]:
    for match in _CENTURY.finditer(text):
        name = match["number"].lower()
        value = int(name[:-2]) if name[0].isdigit() else NAMES_OF_ORDINALS.index(name)
        yield Slot(match.start("number"), match.end("number"), "century", value)


def _plain_years(text: str) -> Iterator[Slot]:
    for match in _PLAIN_YEAR.finditer(text):
        yield Slot(match.start("year"), match.end("year"), "year", int(match["year"]))


def _eras(text: str) -> Iterator[Slot]:
    for match in _ERA.finditer(text):
        group = "year" if match["year"] else "late"
        yield Slot(match.start(group), match.end(group), "era year", int(match[group]))
        if match["after"]:
            yield Slot(match.start("after"), match.end("after"), "era", int(match["after"][0] == "B"))
