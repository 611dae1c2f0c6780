"""Bare hours: `at nine` is a time of day, `nine rooms` is not."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from sensecheck.measures.facts.fact import Fact
from sensecheck.measures.facts.values import Moment, Quantity
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import is_stop_word

_HALF_DAY = 12 * 60
_BEFORE = re.compile(r"([^\W\d_]+)\s$")
_AFTER = re.compile(r"[\s-]?([^\W\d_]+(?:['’][^\W\d_]+)?)?")
_RANGE = re.compile(r"\s?[-–—]\s?|\s(?:to|and|until|till)\s")
_WIDEST = len(" until ")


def with_hours(text: str, amounts: Sequence[Fact], moments: Sequence[Fact]) -> list[Fact]:
    """The numbers, those marked that say an hour: after `at` or the like, or in a range with a time."""
    times = {fact.start for fact in moments if is_time(fact.value)}
    ends = {fact.end for fact in moments if is_time(fact.value)}
    marked = list(amounts)
    for at, fact in enumerate(amounts):
        if _possible(fact) and (_cued(text, fact) or _ranged(text, fact, times, ends)):
            marked[at] = replace(fact, hour=True)
            ends.add(fact.end)
    return marked


def is_time(value: object) -> bool:
    """Whether it is a time of day and nothing else."""
    if not isinstance(value, Moment) or value.minute is None:
        return False
    return value == Moment(minute=value.minute, loose=value.loose)


def same_time(hour: float, minute: int) -> bool:
    """Whether a bare hour can mean a time of day, in the morning or in the afternoon."""
    return hour * 60 % _HALF_DAY == minute % _HALF_DAY


def _possible(fact: Fact) -> bool:
    value = fact.value
    whole = isinstance(value, Quantity) and not value.dimension and value.amount in range(1, 13)
    return whole and not fact.weak


def _cued(text: str, fact: Fact) -> bool:
    """Whether a word before or after it says that it is an hour, and nothing follows that it counts."""
    before, after = _BEFORE.search(text[max(0, fact.start - 12) : fact.start]), _AFTER.match(text, fact.end)
    following = after[1].lower().replace("’", "'") if after and after[1] else ""
    if following == "o'clock":
        return True
    free = not following or following in _group("hour-then") or is_stop_word(following)
    return before is not None and before[1].lower() in _group("hour") and free and following != "of"


def _ranged(text: str, fact: Fact, times: set[int], ends: set[int]) -> bool:
    """Whether it is one end of a range of which the other end is a time: `9 to 5 pm`."""
    after = _RANGE.match(text, fact.end)
    if after and after.end() in times:
        return True
    begun = (fact.start - gap for gap in range(1, _WIDEST + 1) if fact.start - gap in ends)
    return any(_RANGE.fullmatch(text, end, fact.start) for end in begun)


@cache
def _group(name: str) -> frozenset[str]:
    return read_groups("cues.txt", __package__)[name]
