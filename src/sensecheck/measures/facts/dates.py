"""Dates, years and times of day, in whatever notation, and bare hours.

`At nine` is a time of day, `nine rooms` is not.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from sensecheck.measures.facts.fact import Fact, Kind, Moment, Quantity
from sensecheck.measures.facts.units import unit_at
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import is_stop_word

_MONTH = (
    r"(?i:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?"
    r"|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)\b\.?"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])(?:st|nd|rd|th)?\b"
_DAY_WORD = (
    r"(?i:twenty-(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth)|thirty-first|first|second|third"
    r"|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|thir(?:teen|tie)th|fourteenth|fifteenth"
    r"|sixteenth|seventeenth|eighteenth|nineteenth|twentieth)"
)
_YEAR = r"(?:1\d|20)\d\d\b"
_WEEKDAY = r"(?i:(?:mon|tues|wednes|thurs|fri|satur|sun)day)s?\b"
_WEEKDAY_SHORT = (
    rf"(?:{_WEEKDAY}|(?:Mon|Tues?|Wed|Thur?s?|Fri|Sat|Sun|mon|tues?|wed|thur?s?|fri|sat|sun)\b\.?)"
)
_HOUR = r"(?i:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b"
_CLOCK = rf"(?:{_HOUR}|(?i:noon|midnight)\b|1[0-2]\b|[1-9]\b)"
_MINUTES = r"(?i:five|ten|twenty-five|twenty)"
_HALF = (
    r"(?: ?(?P<half>[AaPp])(?: ?\. ?)?[Mm]\b\.?"
    r"| (?:in the |at )(?P<part>(?i:morning|afternoon|evening|night)))"
)
_GATES = {
    "digit": re.compile(r"\d"),
    "month": re.compile(r"\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"),
    "month_word": re.compile(
        r"\bof (?:jan|feb|mar|apr|may|ju|aug|sep|oct|nov|dec)|\blast day\b|y (?:the )?\w+(?:st|nd|rd|th)\b"
    ),
    "century": re.compile("centur"),
    "half_day": re.compile(r"[ap] ?\.? ?m\b|\b(?:morning|afternoon|evening|night)"),
    "colon": re.compile(r"\d:\d"),
    "hours": re.compile(r"\d ?h"),
    "past": re.compile(r"\bpast\b|\bquarter\b|\bat (?:five|ten|twenty)"),
    "noon": re.compile("noon|midday|midnight"),
    "decade": re.compile(r"0['’]?s\b|ties\b"),
    "weekday": re.compile(r"(?:mon|tue|wed|thu|fri|sat|sun)"),
    "apostrophe": re.compile(r"['’]\d\d"),
}
"""What a text in small letters must have somewhere for a pattern to be tried."""
_PATTERNS = tuple(
    (gate, re.compile(rf"(?<![\w.,/:$€£])(?<![A-Z]-){pattern}"))
    for gate, pattern in (
        ("digit", rf"(?P<year>{_YEAR})[-/.](?P<number>0?[1-9]|1[0-2])[-/.](?P<day>{_DAY})"),
        ("digit", rf"(?P<one>\d\d?)[/.-](?P<two>\d\d?)[/.-](?P<year>{_YEAR})"),
        ("digit", r"(?P<one>\d\d?)(?P<mark>[/.])(?P<two>\d\d)(?P=mark)(?P<young>\d\d)(?![\d/]|\.\d)"),
        (
            "month",
            rf"(?P<month>{_MONTH}) (?:the )?(?P<day>{_DAY})"
            rf"(?: ?,? (?:(?P<year>{_YEAR})|['’](?P<young>\d\d)\b))?",
        ),
        (
            "month",
            rf"(?:the )?(?P<day>{_DAY}) (?:day )?(?:of )?(?P<month>{_MONTH})"
            rf"(?:,? (?:of )?(?:(?P<year>{_YEAR})|['’](?P<young>\d\d)\b))?",
        ),
        (
            "month_word",
            rf"(?:(?i:the) )?(?P<day_word>{_DAY_WORD}) (?:day )?of (?P<month>{_MONTH})"
            rf"(?:,? (?:of )?(?P<year>{_YEAR}))?",
        ),
        (
            "month_word",
            rf"(?P<month>{_MONTH}) (?:the )?(?P<day_word>{_DAY_WORD})\b(?!-)(?: ?,? (?P<year>{_YEAR}))?",
        ),
        (
            "month_word",
            rf"(?:(?i:the) )?(?P<last>(?i:last day)) (?:of|in) (?P<month>{_MONTH})"
            rf"(?: ?,? (?:of )?(?P<year>{_YEAR}))?",
        ),
        ("month", rf"(?P<month>{_MONTH}) ?,? (?:of )?(?P<year>{_YEAR})"),
        ("century", r"(?P<century>\d\d?)(?:st|nd|rd|th)[ -](?i:century|centuries)\b(?P<bc> B\.?C\b\.?)?"),
        ("century", rf"(?P<century_word>{_DAY_WORD})[ -](?i:century|centuries)\b(?P<bc> B\.?C\b\.?)?"),
        ("half_day", rf"(?P<hour>\d\d?)(?:[:.](?P<minute>[0-5]\d))?(?::[0-5]\d)?(?: o['’]clock)?{_HALF}"),
        (
            "colon",
            r"(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::[0-5]\d)?(?![\d:])(?: ?h(?:rs|ours)?\b)?",
        ),
        ("hours", r"(?P<hour>[01]?\d|2[0-4])[hH](?P<minute>[0-5]\d)?(?![\w:]| ?\d+ ?m)"),
        (
            "hours",
            r"(?:(?<=at )|(?<=by )|(?<=from )|(?<=until )|(?<=to ))"
            r"(?P<hour>[01]\d|2[0-4])(?P<minute>[0-5]\d) ?(?:hours|hrs|h)\b",
        ),
        ("past", rf"(?P<off>(?i:half)) (?P<side>(?i:past)) (?P<clock>{_CLOCK})(?:{_HALF})?"),
        (
            "past",
            rf"(?P<off>(?i:(?:a )?quarter)) (?P<side>(?i:past|to|till|after)) (?P<clock>{_CLOCK})"
            rf"(?:{_HALF})?",
        ),
        (
            "past",
            rf"(?P<off>{_MINUTES}|\d\d?)(?: (?i:minutes))? (?P<side>(?i:past)) (?P<clock>{_CLOCK})"
            rf"(?:{_HALF})?",
        ),
        ("past", rf"(?<=[Aa]t )(?P<off>{_MINUTES}) (?P<side>(?i:to)) (?P<clock>{_CLOCK})(?:{_HALF})?"),
        ("half_day", rf"(?:(?<=at )|(?<=At ))(?P<clock>{_HOUR}){_HALF}"),
        ("half_day", rf"(?P<clock>{_HOUR})(?: o['’]clock{_HALF}| ?(?P<short_half>[ap])\.?m\b\.?)"),
        ("noon", r"(?P<word>[Nn]oon|[Mm]idday|[Mm]idnight)\b"),
        ("decade", r"(?:the )?(?P<decade>(?:1\d|20)\d0)['’]?s\b"),
        ("decade", r"['’](?P<short>[2-9]0)s\b"),
        ("decade", r"(?P<decade>[2-9]0)s\b"),
        ("decade", r"(?P<spelled>(?i:(?:twen|thir|for|fif|six|seven|eigh|nine)ties))\b"),
        (
            "weekday",
            rf"(?P<weekday>{_WEEKDAY_SHORT})(?: ?[-–—] ?| (?:to|through|thru|until|till) )"
            rf"(?P<last_weekday>{_WEEKDAY_SHORT})",
        ),
        ("weekday", rf"(?P<weekday>{_WEEKDAY})"),
        ("weekday", r"(?P<weekday>(?:Mon|Tues?|Wed|Thur?s?|Fri)\b(?!\w))\.?"),
        (
            "weekday",
            r"(?P<weekday>(?:Sat|Sun)\b)(?= ?[-–/&+,])"
            r"|(?:(?<=[-–/&+,])|(?<=[-–/&+,] ))(?P<day_end>(?:Sat|Sun)\b)",
        ),
        ("month", rf"(?<=[Ii]n )(?P<month>{_MONTH})"),
        (
            "month",
            r"(?:(?<=of )|(?<=by )|(?<=to )|(?<=mid-)|(?<=late )"
            r"|(?<=from )|(?<=since )|(?<=until )|(?<=early ))"
            r"(?P<month>May|March)\b",
        ),
        (
            "month",
            r"(?P<month>(?i:January|February|April|June|July|August|September|October|November|December))\b",
        ),
        ("apostrophe", r"(?:(?<=[Ii]n )|(?<=of )|(?<=^))['’](?P<young>\d\d)\b(?!['’])"),
        ("digit", rf"(?P<year>{_YEAR})(?![,.:'’]?\d|[-–]?[a-zA-Z%°])"),
    )
)
_WEEK = re.compile(r"\b(?:(?P<working>weekdays?)|weekends?)\b", re.I)
_PLURAL = re.compile(r" (?:[a-z]+ )?[a-z]{2,}(?<![sui])s\b| people\b")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\s$")
_WORD_AFTER = re.compile(r"[\s-]?([^\W\d_]+(?:['’][^\W\d_]+)?)?")
_RANGE = re.compile(r"\s?[-–—]\s?|\s(?:to|and|until|till)\s")
_WIDEST = len(" until ")
"""Characters in the longest sign of a range."""
_FIELDS = ("year", "month", "day", "weekday", "minute", "decade", "century", "last_weekday")
_TURN, _RECENT, _CENTURIES, _FEBRUARY = 40, 2000, 21, 2
"""Two digits from here on are a year of the last century; `2000s` is a decade; the last century; a month."""
_LENGTHS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_HALF_DAY = 12 * 60
"""Minutes."""


def dates(text: str) -> list[Fact]:
    """The dates and times of a text, in order; the fuller reading wins where two overlap."""
    facts: list[Fact] = []
    covered = bytearray(len(text))
    lowercase = text.lower()
    open_gates = {gate for gate, cue in _GATES.items() if cue.search(lowercase)}
    for pattern in (pattern for gate, pattern in _PATTERNS if gate in open_gates):
        for match in pattern.finditer(text):
            moment = _moment(match)
            if (
                moment
                and not any(covered[match.start() : match.end()])
                and not _is_count(text, match, moment)
            ):
                covered[match.start() : match.end()] = b"\1" * (match.end() - match.start())
                end = match.end() - (match[0][-1] == "." and match[0].count(".") == 1)
                facts.append(Fact(_moment_kind(match), match.start(), end, moment))
    for match in _WEEK.finditer(text):
        stretch = Moment(weekday=1, last_weekday=5) if match["working"] else Moment(weekday=6, last_weekday=7)
        if not any(covered[match.start() : match.end()]) and not text[: match.start()][-2:].strip().isdigit():
            facts.append(Fact("date", match.start(), match.end(), stretch, weak=True))
    return sorted(facts, key=lambda fact: fact.start)


def with_hours(text: str, amounts: Sequence[Fact], moments: Sequence[Fact]) -> list[Fact]:
    """The numbers, those marked that say an hour: after `at` or the like, or in a range with a time."""
    times = {fact.start for fact in moments if is_time(fact.value)}
    ends = {fact.end for fact in moments if is_time(fact.value)}
    marked = list(amounts)
    for at, fact in enumerate(amounts):
        if _may_be_hour(fact) and (_is_cued(text, fact) or _is_ranged(text, fact, times, ends)):
            marked[at] = replace(fact, hour=True)
            ends.add(fact.end)
    return marked


def agree(mine: Moment, theirs: Moment) -> bool:
    """Whether two moments share a field and contradict each other in none."""
    if mine.decade is not None and theirs.decade is None and theirs.year is not None:
        return theirs.year // 10 == mine.decade // 10 or theirs.year % 100 // 10 * 10 == mine.decade
    if mine.century is not None and theirs.century is None:
        return mine.century in (at // 100 for at in (theirs.year, theirs.decade) if at is not None)
    if mine.weekday is not None and theirs.last_weekday is not None and mine.last_weekday is None:
        return mine.weekday in weekdays(theirs)
    options = [theirs, *_exchanged(theirs)]
    return any(_fits(reading, other) for reading in (mine, *_exchanged(mine)) for other in options)


def fields(moment: Moment) -> dict[str, int]:
    """The fields that are given."""
    return {name: value for name in _FIELDS if (value := getattr(moment, name)) is not None}


def weekdays(moment: Moment) -> frozenset[int]:
    """The days of the week that it names."""
    if moment.weekday is None:
        return frozenset()
    last = moment.last_weekday or moment.weekday
    return frozenset(
        (day - 1) % 7 + 1 for day in range(moment.weekday, last + 1 + 7 * (last < moment.weekday))
    )


def is_time(value: object) -> bool:
    """Whether it is a time of day and nothing else."""
    if not isinstance(value, Moment) or value.minute is None:
        return False
    return value == Moment(minute=value.minute, loose=value.loose)


def same_time(hour: float, minute: int) -> bool:
    """Whether a bare hour can mean a time of day, in the morning or in the afternoon."""
    return hour * 60 % _HALF_DAY == minute % _HALF_DAY


def _moment_kind(match: re.Match[str]) -> Kind:
    """`date`; for an hour in words, such as `five in the afternoon`, `number`, which bare hours are too."""
    part = match.groupdict()
    return "number" if part.get("clock") and part.get("part") else "date"


def _is_count(text: str, match: re.Match[str], moment: Moment) -> bool:
    """Whether a bare year is a number of things after all: `1500 people`, `1200 km`."""
    bare = fields(moment).keys() == {"year"}
    return bare and bool(_PLURAL.match(text, match.end()) or unit_at(text, match.end()))


def _moment(match: re.Match[str]) -> Moment | None:
    """What a match says, by the groups of its pattern; None where there is no such date."""
    part = match.groupdict()
    year = _whole(part.get("year"))
    if young := part.get("young"):
        year = int(young) + (2000 if int(young) < _TURN else 1900)
    if part.get("one"):
        return _numeric_date(int(part["one"]), int(part["two"]), year or 0)
    if part.get("hour") or part.get("word") or part.get("clock"):
        return _time(part)
    if "century" in part or "century_word" in part:
        return _century(part)
    if decade := part.get("decade") or part.get("short"):
        by_hundred = int(decade) % 100 == 0 and int(decade) < _RECENT
        return Moment(century=int(decade) // 100) if by_hundred else Moment(decade=int(decade))
    if part.get("spelled"):
        return Moment(decade=_calendar("decade")[part["spelled"].lower()])
    if weekday := part.get("weekday") or part.get("day_end"):
        last = part.get("last_weekday")
        return Moment(weekday=_weekday_number(weekday), last_weekday=_weekday_number(last) if last else None)
    month_text = part.get("number") or part.get("month")
    month = _month_number(month_text) if month_text else None
    day = _whole(part.get("day"))
    if word := part.get("day_word"):
        day = _calendar("day")[word.lower()]
    if part.get("last") and month:
        day = 28 if month == _FEBRUARY and year and year % 4 else _LENGTHS[month - 1]
    return Moment(year, month, day)


def _numeric_date(one: int, two: int, year: int) -> Moment | None:
    """A date such as 20/07/1969; where both readings are possible, both are kept."""
    if not (1 <= one <= 31 and 1 <= two <= 31) or min(one, two) > 12:
        return None
    if max(one, two) > 12:
        return Moment(year, min(one, two), max(one, two))
    return Moment(year, one, two, other_day=one)


def _time(part: dict[str, str | None]) -> Moment | None:
    if part.get("word"):
        return Moment(minute=0 if (part["word"] or "").lower() == "midnight" else 720)
    half = _half_of_day(part)
    if part.get("clock"):
        return _spoken_time(part, half)
    hour, minute = int(part["hour"] or 0), int(part.get("minute") or 0)
    if half and not 1 <= hour <= 12:
        return None
    return Moment(minute=((hour % 12 + 12 * (half == "p")) if half else hour % 24) * 60 + minute)


def _half_of_day(part: dict[str, str | None]) -> str:
    """`a` or `p`; empty when neither is said."""
    if part_of_day := part.get("part"):
        return "a" if part_of_day.lower() == "morning" else "p"
    return (part.get("half") or part.get("short_half") or "").lower()


def _spoken_time(part: dict[str, str | None], half: str) -> Moment | None:
    """`half past five`, `ten to three pm`, `three in the afternoon`."""
    clock = (part["clock"] or "").lower()
    hour = int(clock) if clock.isdigit() else _calendar("clock")[clock]
    fixed = clock in ("noon", "midnight")
    off = (part.get("off") or "").lower().removeprefix("a ")
    minutes = 0 if not off else int(off) if off.isdigit() else _calendar("clock")[off]
    before = (part.get("side") or "").lower() in ("to", "till")
    if minutes >= 60 or (off == "half" and before):
        return None
    full = 60 * (hour if fixed else hour % 12 + 12 * (half == "p"))
    at = (full - minutes if before else full + minutes) % (2 * _HALF_DAY)
    return Moment(minute=at, loose=not half and not fixed)


def _century(part: dict[str, str | None]) -> Moment | None:
    if digits := part.get("century"):
        count = int(digits)
    else:
        count = _calendar("day")[(part["century_word"] or "").lower()]
    if not 1 <= count <= _CENTURIES:
        return None
    return Moment(century=-count if part.get("bc") else count - 1)


def _weekday_number(name: str) -> int:
    plain = name.rstrip(".").lower()
    return _calendar("weekday").get(plain) or _calendar("weekday")[plain.removesuffix("s")]


def _month_number(month: str) -> int:
    return int(month) if month.isdigit() else _calendar("month")[month.rstrip(".").lower()]


def _whole(digits: str | None) -> int | None:
    return int(re.sub(r"\D", "", digits)) if digits else None


def _fits(mine: Moment, theirs: Moment) -> bool:
    one, two = fields(mine), fields(theirs)
    shared = one.keys() & two.keys()
    loose = mine.loose or theirs.loose
    return bool(shared) and all(_same_field(name, one[name], two[name], loose) for name in shared)


def _same_field(name: str, one: int, two: int, loose: bool) -> bool:
    if loose and name == "minute":
        return one % _HALF_DAY == two % _HALF_DAY
    return one == two or (name == "decade" and one % 100 == two % 100 and min(one, two) < 100)


def _exchanged(moment: Moment) -> Iterator[Moment]:
    """The other reading of `05/07/1969`."""
    if moment.other_day is not None:
        yield Moment(moment.year, moment.day, moment.other_day)


def _may_be_hour(fact: Fact) -> bool:
    if fact.weak or not isinstance(fact.value, Quantity):
        return False
    return not fact.value.dimension and fact.value.amount in range(1, 13)


def _is_cued(text: str, fact: Fact) -> bool:
    """Whether a word before or after it says that it is an hour, and nothing follows that it counts."""
    before = _WORD_BEFORE.search(text[max(0, fact.start - 12) : fact.start])
    after = _WORD_AFTER.match(text, fact.end)
    following = after[1].lower().replace("’", "'") if after and after[1] else ""
    if following == "o'clock":
        return True
    free = not following or following in _group("hour-then") or is_stop_word(following)
    return before is not None and before[1].lower() in _group("hour") and free and following != "of"


def _is_ranged(text: str, fact: Fact, times: set[int], ends: set[int]) -> bool:
    """Whether it is one end of a range of which the other end is a time: `9 to 5 pm`."""
    after = _RANGE.match(text, fact.end)
    if after and after.end() in times:
        return True
    earlier_ends = (fact.start - gap for gap in range(1, _WIDEST + 1) if fact.start - gap in ends)
    return any(_RANGE.fullmatch(text, end, fact.start) for end in earlier_ends)


@cache
def _calendar(group: str) -> dict[str, int]:
    pairs = (entry.split("=") for entry in read_groups("calendar.txt", __package__)[group])
    return {word: int(value) for word, value in pairs}


@cache
def _group(name: str) -> frozenset[str]:
    return read_groups("cues.txt", __package__)[name]
