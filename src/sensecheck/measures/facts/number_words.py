"""Numbers written as words."""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word


class Spelled(NamedTuple):
    """A number in words, and where it stands."""

    start: int
    end: int
    value: float
    weak: bool


@cache
def _values(group: str) -> dict[str, float]:
    pairs = (entry.split("=") for entry in read_groups("numberwords.txt", __package__)[group])
    return {word: float(value) for word, value in pairs}


def magnitude(word: str) -> float | None:
    """What a word multiplies the number before it with: `million`."""
    return _values("large").get(word)


def number_of(word: str) -> float | None:
    """The value of one word: `three`, `million`, or digits."""
    if word.isdigit():
        return float(word)
    return _values("small").get(word, _values("large").get(word))


def part_of(word: str) -> float | None:
    """Into how many parts a word divides: 3 for `third` and `thirds`."""
    return _values("part").get(word)


def times_of(word: str) -> float | None:
    """How often: 2 for `twice`."""
    return _values("times").get(word)


@cache
def _regular() -> dict[str, str]:
    pairs = (entry.partition("=") for entry in read_groups("numberwords.txt", __package__)["regular"])
    return {word: unit for word, _, unit in pairs}


def regular(word: str) -> str | None:
    """The unit of time that a word says by itself: `day` for `daily`."""
    return _regular().get(word)


def spelled(words: Sequence[Word]) -> Iterator[Spelled]:
    """The numbers written as words, such as `two hundred and five`."""
    split = list(at_hyphens(words))
    at = 0
    while at < len(split):
        last = _run(split, at)
        weak = _values("weak").get(split[at].text) if last - at < 2 else None
        if weak is not None:
            yield Spelled(split[at].start, split[at].end, weak, weak=True)
        elif last > at:
            yield Spelled(split[at].start, split[last - 1].end, _value(split[at:last]), weak=False)
        at = max(last, at + 1)


def at_hyphens(words: Sequence[Word]) -> Iterator[Word]:
    """The words, those with hyphens in their parts."""
    for word in words:
        if "-" not in word.text:
            yield word
            continue
        start = word.start
        for part in word.text.split("-"):
            yield Word(part, start, start + len(part))
            start += len(part) + 1


def _run(words: list[Word], at: int) -> int:
    """Where the number that starts at word `at` ends."""
    small, large, ordinal = _values("small"), _values("large"), _values("ordinal")
    last, before = at, ""
    while last < len(words):
        now = words[last].text
        near = last == at or words[last].start - words[last - 1].end == 1
        if now == "and" and before in large and last + 1 < len(words) and words[last + 1].text in small:
            last += 1
            now = words[last].text
        elif not near or not (now in large or _fits(before, now)):
            break
        last, before = last + 1, now
        if now in ordinal:
            break
    counted = any(word.text in small or word.text in ordinal for word in words[at:last])
    return last if counted or _stands_alone(words, at) else at


def _stands_alone(words: list[Word], at: int) -> bool:
    """Whether a large number has no small one before it: `dozen`, `a hundred`."""
    return words[at].text == "dozen" or (at > 0 and words[at - 1].text == "a")


def _fits(before: str, now: str) -> bool:
    """Whether a small number or an ordinal can follow: `twenty one`, `hundred five`, not `five six`."""
    small, ordinal = _values("small"), _values("ordinal")
    value = small.get(now, ordinal.get(now))
    if value is None:
        return False
    return not before or before in _values("large") or (small.get(before, 0) >= 20 and 0 < value < 10)


def _value(words: list[Word]) -> float:
    total = group = 0.0
    for word in words:
        large = _values("large").get(word.text, 0)
        if large > 100:
            total, group = total + max(group, 1) * large, 0
        elif large:
            group = max(group, 1) * large
        else:
            group += _values("small").get(word.text, _values("ordinal").get(word.text, 0))
    return total + group
