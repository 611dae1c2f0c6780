"""Texts that are the same but for how amounts and dates are written, or from which side they compare."""

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from sensecheck.measures.facts import dates
from sensecheck.measures.facts.fact import Fact, Moment, Quantity, Value
from sensecheck.measures.facts.opposites import opposites_of
from sensecheck.measures.facts.parsing import Parsed
from sensecheck.text.words import content_stems, is_stop_word, stem, words

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
_MAX_TURNED_WORDS = 30
"""In words, of the longest sentence that is turned."""
_SIDE = r"[^\s,;:.!?()]+(?: [^\s,;:.!?()]+){0,7}?"
_STATE_COMPARED = re.compile(
    rf"(?P<one>{_SIDE}) (?P<verb>is|are|was|were) (?P<how>(?:much|far|even|slightly|a (?:little|bit|lot)) )?"
    rf"(?P<word>\w+) than (?P<other>{_SIDE})",
    re.IGNORECASE,
)
_COUNT_COMPARED = re.compile(
    r"(?P<how>)(?P<word>more|fewer|less) (?P<one>\w+) than (?P<other>\w+) (?P<rest>\w[^,;:.!?]*)",
    re.IGNORECASE,
)
_TIME_COMPARED = re.compile(
    rf"(?P<one>{_SIDE})(?P<how>(?: (?:\d+|[a-z]+) (?:minute|hour|day|week|month|year|decade)s?)?)"
    rf" (?P<word>before|after) (?P<other>{_SIDE})",
    re.IGNORECASE,
)
_NO_CONVERSE = re.compile(
    r"\b(?:not|no|never|nobody|none|nor|neither|cannot|only|just|if|unless|and|or|but|because|so|which|who|that)\b"
    r"|n['’]t\b|\d+ ?(?:a|p)\.?m",
    re.IGNORECASE,
)
"""What makes of a comparison more than one thing, or another one."""


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


def turned_as(text: str, other: str) -> str:
    """The text, its one sentence turned where the other text compares from the other side.

    `B is longer than A` for `A is shorter than B`: a reader is often mistaken there, since all that differs
    is a word and the order. It is turned only where the other text has the opposite word between the same
    two sides, and where it is one comparison and nothing is denied.
    """
    bare = text.strip()
    end = bare[-1:] if bare[-1:] in ".!" else ""
    sentence = bare.removesuffix(end)
    if len(sentence.split()) > _MAX_TURNED_WORDS or any(map(_NO_CONVERSE.search, (sentence, other))):
        return text
    theirs = [word.text for word in words(other)]
    for pattern in (_STATE_COMPARED, _COUNT_COMPARED, _TIME_COMPARED):
        found = pattern.fullmatch(sentence)
        if found is None:
            continue
        word = found["word"].lower()
        at = _opposite(word, theirs)
        if at is not None and word not in theirs and _is_exchanged(found, theirs, at):
            return _turned(found, theirs[at]) + end
    return text


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


def _opposite(word: str, among: Sequence[str]) -> int | None:
    """Where the opposite of a word stands among these."""
    known = opposites_of(stem(word))
    return next((at for at, each in enumerate(among) if stem(each) in known), None)


def _is_exchanged(found: re.Match[str], theirs: Sequence[str], at: int) -> bool:
    """Whether what stands before the word in one text stands behind it in the other, and the reverse."""
    one, other = content_stems(found["one"]), content_stems(found["other"])
    if "than" in theirs[at:]:
        between = theirs.index("than", at)
        before, behind = {*map(stem, theirs[:at]), *map(stem, theirs[at + 1 : between])}, theirs[between:]
    else:
        before, behind = set(map(stem, theirs[:at])), theirs[at + 1 :]
    after = set(map(stem, behind))
    return bool((one - other) & after and (other - one) & before) and not (one & before or other & after)


def _turned(found: re.Match[str], opposite: str) -> str:
    parts = found.groupdict()
    one, other, how = _inside(parts["one"]), parts["other"], parts["how"]
    if "rest" in parts:
        return f"{opposite.capitalize()} {other} than {one} {parts['rest']}"
    if "verb" in parts:
        how = how or ""
        return f"{_first(other)} {parts['verb']} {how}{opposite} than {one}"
    return f"{_first(other)}{how} {opposite} {one}"


def _first(phrase: str) -> str:
    return phrase[:1].upper() + phrase[1:]


def _inside(phrase: str) -> str:
    """A phrase that stood first, as it stands within a sentence."""
    return phrase[0].lower() + phrase[1:] if is_stop_word(phrase.split()[0].lower()) else phrase
