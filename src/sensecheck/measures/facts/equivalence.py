"""Texts that are the same but for how amounts and dates are written."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from sensecheck.measures.facts import dates
from sensecheck.measures.facts.fact import Fact, Moment, Quantity, Value
from sensecheck.measures.facts.parsing import Parsed

PREPOSITIONS = frozenset(
    {
        *("after", "at", "before", "by", "during", "for", "from"),
        *("in", "on", "since", "to", "until", "with", "within"),
    }
)
"""Words that begin a phrase which says the same at either end of a sentence."""
_REMEMBERED_CHARS = 1_000
"""Amounts of longer texts than that are not remembered."""
_ORDINAL = re.compile(r"(?:st|(?<!thousa)nd|rd|th)$", re.I)


def written_alike(answer: str, expected: str) -> bool:
    """Whether they are the same words but for how amounts and dates are written: `12 kg` and `12000 g`.

    Capitals, spaces and the last stop do not count, nor whether a phrase stands first or last: `on Sundays`.
    """
    if _is_moved(answer, expected):
        return True
    mine, theirs = amounts_in(answer), amounts_in(expected)
    around = [_between(text, facts) for text, facts in ((answer, mine), (expected, theirs))]
    if around[0] != around[1]:
        return _plain(answer) == _plain(expected)
    if not mine:
        return any(around[0])
    return all(same_value(one.value, other.value) for one, other in zip(mine, theirs, strict=True))


@lru_cache(maxsize=1024)
def spelled_as(text: str, other: str) -> str:
    """The text, with amounts and dates that the other has too written as there: `14 days` for `two weeks`.

    Words around them such as `about` stay as they are.
    """
    theirs = [fact for fact in amounts_in(other) if _is_spelled(fact, other)]
    pieces, end = [], 0
    for fact in amounts_in(text) if theirs else ():
        same = [other[one.start : one.end] for one in theirs if _is_same_but_for_hedges(fact, one)]
        if same and _is_spelled(fact, text) and text[fact.start : fact.end] not in same:
            pieces += [text[end : fact.start], same[0]]
            end = fact.end
    return "".join((*pieces, text[end:]))


def _is_spelled(fact: Fact, text: str) -> bool:
    """Whether it can be written in other ways: a date, an amount with a unit, a number that counts."""
    if not isinstance(fact.value, Quantity) or fact.value.dimension:
        return True
    return not fact.weak and _ORDINAL.search(text, fact.start, fact.end) is None


def _is_same_but_for_hedges(one: Fact, other: Fact) -> bool:
    values = [
        replace(fact.value, hedged=False) if isinstance(fact.value, Quantity) else fact.value
        for fact in (one, other)
    ]
    return one.rate == other.rate and same_value(*values)


def same_value(one: Value, other: Value) -> bool:
    """Whether both say all of the same amount or moment, and neither only a part: `3 May` of `3 May 2020`."""
    if isinstance(one, Quantity) and isinstance(other, Quantity):
        alike = (one.dimension, one.hedged) == (other.dimension, other.hedged)
        return alike and math.isclose(one.base, other.base)
    if isinstance(one, Moment) and isinstance(other, Moment):
        return dates.fields(one) == dates.fields(other) or _same_time(one, other)
    return False


def _same_time(one: Moment, other: Moment) -> bool:
    """Whether both are times of day, of which one leaves open which half: `half past five` and `17:30`."""
    if one.minute is None or other.minute is None or not (one.loose or other.loose):
        return False
    mine, theirs = ({**dates.fields(each), "minute": (each.minute or 0) % 720} for each in (one, other))
    return mine == theirs


def _is_moved(answer: str, expected: str) -> bool:
    """Whether one sentence is the other with its first phrase, behind a preposition, at the end."""
    mine, theirs = (_plain(text).replace(",", " ").split() for text in (answer, expected))
    if len(mine) != len(theirs) or any(word[-1] in ".!?:;" for word in (*mine, *theirs)):
        return False
    return any(
        one[0] in PREPOSITIONS and one[at:] + one[:at] == other
        for one, other in ((mine, theirs), (theirs, mine))
        for at in range(2, len(one))
    )


def amounts_in(text: str) -> tuple[Fact, ...]:
    """Its amounts and dates, none within another."""
    return _remembered(text) if len(text) <= _REMEMBERED_CHARS else _parsed(text)


def _parsed(text: str) -> tuple[Fact, ...]:
    amounts: list[Fact] = []
    for fact in Parsed.of(text).facts:
        if isinstance(fact.value, Quantity | Moment) and (not amounts or fact.start >= amounts[-1].end):
            amounts.append(fact)
    return tuple(amounts)


_remembered = lru_cache(maxsize=4096)(_parsed)  # each claim is compared with the same sentences


def _between(text: str, facts: Sequence[Fact]) -> list[str]:
    """What stands before, between and after these facts."""
    edges = [0, *(edge for fact in facts for edge in (fact.start, fact.end)), len(text)]
    return [_plain(text[start:end]) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).rstrip(" .!…")
