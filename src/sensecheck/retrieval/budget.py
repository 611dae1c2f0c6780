"""Filling a budget: the matches that fit, and what becomes of one that does not."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Literal, Protocol, get_args

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Cut, Dropped, Spent, Step

Over = Literal["stop", "skip", "truncate"]
"""At a match that does not fit: end there, go on to the next, or keep its beginning and end there."""
_REACH = 40
"""This many characters are given up, at most, for a cut to fall between two words, or two characters."""
_JOINER = "\N{ZERO WIDTH JOINER}"


class Budget(Protocol):
    """How much there is to spend, and what matches cost."""

    @property
    def name(self) -> str:
        """The stage's."""
        ...

    @property
    def unit(self) -> Literal["chars", "tokens"]:
        """What is counted."""
        ...

    @property
    def size(self) -> int:
        """How many there are."""
        ...

    @property
    def over(self) -> Over:
        """What becomes of a match that does not fit."""
        ...

    def used_with(self, kept: Sequence[Match], used: int, match: Match) -> int:
        """What would be used if this one joined those that are kept, which use `used`."""
        ...

    def beginning(self, kept: Sequence[Match], used: int, match: Match) -> str:
        """As much of this one's text as still fits; none at all where nothing does."""
        ...


def validate_budget(stage: str, size: int, over: Over) -> None:
    """Raise `SpecError` unless there is something to spend, and a known way to go on."""
    if not size >= 1:
        raise SpecError(f"`{stage}` must be at least 1; got {size}")
    if over not in get_args(Over):
        raise SpecError(did_you_mean("value of `over`", over, get_args(Over)))


def fitted(matches: Sequence[Match], budget: Budget, *, used: int = 0) -> Step:
    """The matches that fit, in their order; `used` is what the budget spends on none."""
    kept: list[Match] = []
    dropped: list[Dropped] = []
    cut: tuple[Cut, ...] = ()
    for index, match in enumerate(matches):
        total = budget.used_with(kept, used, match)
        if total <= budget.size:
            kept.append(match)
            used = total
            continue
        because = f"with it {total} {budget.unit} would be used; wanted at most {budget.size}"
        begun = budget.beginning(kept, used, match) if budget.over == "truncate" else ""
        if begun:
            cut = (_cut(match, begun, budget.name, because),)
            used = budget.used_with(kept, used, cut[0].kept)
            kept.append(cut[0].kept)
        else:
            dropped.append(Dropped(match, budget.name, because))
        if budget.over != "skip":
            after = "an earlier one did not fit whole, and the budget ends there"
            dropped += [Dropped(later, budget.name, after) for later in matches[index + 1 :]]
            break
    return Step(tuple(kept), tuple(dropped), cut, Spent(budget.name, budget.unit, used, budget.size))


def cut_at(text: str, end: int) -> str:
    """The first `end` characters at most: up to the end of a word if one is near, and no half character."""
    if end >= len(text):
        return text
    for at in range(end, end - min(_REACH, end // 2) - 1, -1):
        if text[at].isspace():
            return text[:at].rstrip()
    near = range(end, max(end - _REACH, 0) - 1, -1)
    return text[: next((at for at in near if not _belongs_to_the_one_before(text, at)), end)].rstrip()


def longest_beginning(text: str, fits: Callable[[str], bool]) -> str:
    """The longest beginning, short of the whole, that fits; each that is given back was tried."""
    best, low, high = "", 1, len(text) - 1
    while low <= high:
        middle = (low + high) // 2
        begun = cut_at(text, middle)
        if fits(begun):
            best, low = begun, middle + 1
        else:
            high = middle - 1
    return best


def _cut(match: Match, begun: str, stage: str, because: str) -> Cut:
    """A beginning is another text with another vector; its similarity stays that of the whole."""
    explanation = f"{because}; kept are the first {len(begun)} of its {len(match.text)} characters"
    return Cut(match, replace(match, text=begun, vector=None), stage, explanation)


def _belongs_to_the_one_before(text: str, at: int) -> bool:
    char = text[at]
    return at > 0 and (
        unicodedata.category(char).startswith("M")
        or _JOINER in (char, text[at - 1])
        or "\U0001f3fb" <= char <= "\U0001f3ff"  # the colours of skin
        or "\udc00" <= char <= "\udfff"  # the second half of a pair
    )
