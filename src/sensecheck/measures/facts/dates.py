"""Dates, years and times of day, in whatever notation."""

import re
from collections.abc import Iterator
from functools import cache

from sensecheck.measures.facts.fact import Fact
from sensecheck.measures.facts.units import unit_at
from sensecheck.measures.facts.values import Moment
from sensecheck.measures.text.lists import read_groups

_MONTH = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\b"
_YEAR = r"(?:1\d|20)\d\d\b"
_PATTERNS = tuple(
    re.compile(rf"(?<![\w.,/:$€£])(?<![A-Z]-){pattern}")
    for pattern in (
        rf"(?P<year>{_YEAR})[-/.](?P<number>0?[1-9]|1[0-2])[-/.](?P<day>{_DAY})",
        rf"(?P<one>\d\d?)[/.-](?P<two>\d\d?)[/.-](?P<year>{_YEAR})",
        rf"(?P<month>{_MONTH}) (?:the )?(?P<day>{_DAY})(?:,? (?P<year>{_YEAR}))?",
        rf"(?:the )?(?P<day>{_DAY}) (?:day )?(?:of )?(?P<month>{_MONTH})(?:,? (?:of )?(?P<year>{_YEAR}))?",
        rf"(?P<month>{_MONTH}),? (?:of )?(?P<year>{_YEAR})",
        r"(?P<hour>\d\d?)(?::(?P<minute>[0-5]\d))?(?::[0-5]\d)? ?(?P<half>[AaPp])\.?[Mm]\b\.?",
        r"(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])(?: ?h(?:rs|ours)?\b)?",
        r"(?P<word>[Nn]oon|[Mm]idday|[Mm]idnight)\b",
        r"(?:the )?(?P<decade>(?:1\d|20)\d0)['’]?s\b",
        r"['’](?P<short>[2-9]0)s\b",
        r"(?P<decade>[2-9]0)s\b",
        r"(?P<spelled>(?:twen|thir|for|fif|six|seven|eigh|nine)ties)\b",
        r"(?P<weekday>(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?\b",
        rf"(?<=in )(?P<month>{_MONTH})",
        r"(?P<month>January|February|April|June|July|August|September|October|November|December)\b",
        rf"(?P<year>{_YEAR})(?![,.:'’]?\d|[-–]?[a-zA-Z%°])",
    )
)
_PLURAL = re.compile(r" (?:[a-z]+ )?[a-z]{2,}(?<![sui])s\b| people\b")


def dates(text: str) -> list[Fact]:
    """The dates and times of a text, in order; the fuller reading wins where two overlap."""
    found: list[Fact] = []
    taken = bytearray(len(text))
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            moment = _moment(match)
            if moment and not any(taken[match.start() : match.end()]) and not _counts(text, match, moment):
                taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                end = match.end() - (match[0][-1] == "." and match[0].count(".") == 1)
                found.append(Fact("date", match.start(), end, moment))
    return sorted(found, key=lambda fact: fact.start)


def agree(mine: Moment, theirs: Moment) -> bool:
    """Whether two moments share a field and contradict each other in none."""
    if mine.decade is not None and theirs.decade is None and theirs.year is not None:
        return theirs.year // 10 == mine.decade // 10 or theirs.year % 100 // 10 * 10 == mine.decade
    options = [theirs, *_exchanged(theirs)]
    return any(_fits(reading, other) for reading in (mine, *_exchanged(mine)) for other in options)


def fields(moment: Moment) -> dict[str, int]:
    """The fields that are given."""
    return {name: value for name in _FIELDS if (value := getattr(moment, name)) is not None}


_FIELDS = ("year", "month", "day", "weekday", "minute", "decade")


def _fits(mine: Moment, theirs: Moment) -> bool:
    one, two = fields(mine), fields(theirs)
    shared = one.keys() & two.keys()
    return bool(shared) and all(_same(name, one[name], two[name]) for name in shared)


def _same(name: str, one: int, two: int) -> bool:
    return one == two or (name == "decade" and one % 100 == two % 100 and min(one, two) < 100)


def _exchanged(moment: Moment) -> Iterator[Moment]:
    """The other reading of `05/07/1969`."""
    if moment.other_day is not None:
        yield Moment(moment.year, moment.day, moment.other_day)


def _counts(text: str, match: re.Match[str], moment: Moment) -> bool:
    """Whether a bare year is a number of things after all: `1500 people`, `1200 km`."""
    bare = fields(moment).keys() == {"year"}
    return bare and bool(_PLURAL.match(text, match.end()) or unit_at(text, match.end()))


def _moment(match: re.Match[str]) -> Moment | None:
    part = match.groupdict()
    if part.get("one"):
        return _numeric(int(part["one"]), int(part["two"]), int(part["year"]))
    if part.get("hour") or part.get("word"):
        return _time(part)
    if decade := part.get("decade") or part.get("short"):
        return Moment(decade=int(decade))
    if part.get("spelled"):
        return Moment(decade=_calendar("decade")[part["spelled"]])
    if part.get("weekday"):
        return Moment(weekday=_calendar("weekday")[part["weekday"].lower()])
    month = part.get("number") or part.get("month")
    return Moment(_whole(part.get("year")), _month(month) if month else None, _whole(part.get("day")))


def _numeric(one: int, two: int, year: int) -> Moment | None:
    """A date such as 20/07/1969; where both readings are possible, both are kept."""
    if not (1 <= one <= 31 and 1 <= two <= 31) or min(one, two) > 12:
        return None
    if max(one, two) > 12:
        return Moment(year, min(one, two), max(one, two))
    return Moment(year, one, two, other_day=one)


def _time(part: dict[str, str | None]) -> Moment | None:
    if part.get("word"):
        return Moment(minute=0 if (part["word"] or "").lower() == "midnight" else 720)
    hour, minute = int(part["hour"] or 0), int(part.get("minute") or 0)
    half = (part.get("half") or "").lower()
    if half and not 1 <= hour <= 12:
        return None
    return Moment(minute=((hour % 12 + 12 * (half == "p")) if half else hour % 24) * 60 + minute)


def _whole(digits: str | None) -> int | None:
    return int(re.sub(r"\D", "", digits)) if digits else None


def _month(month: str) -> int:
    return int(month) if month.isdigit() else _calendar("month")[month.rstrip(".").lower()]


@cache
def _calendar(group: str) -> dict[str, int]:
    pairs = (entry.split("=") for entry in read_groups("calendar.txt", __package__)[group])
    return {word: int(value) for word, value in pairs}
