"""Stages that limit what passes: the first k, so many characters or tokens, and wanted metadata."""

import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, get_args

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.retrieval.filters import Scalar, Wanted, alternatives, missing
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.prompt import Block, Format
from sensecheck.retrieval.selection import Cut, Dropped, Spent, Step
from sensecheck.retrieval.stage import StageContext

Counter = Callable[[str], int]
"""A text to the number of its tokens: a `TokenCounter`, or `lambda text: len(encoding.encode(text))`."""
Over = Literal["stop", "skip", "truncate"]
"""At a match that does not fit: end there, go on to the next, or keep its beginning and end there."""
_REACH = 40
"""This many characters are given up, at most, for a cut to fall between two words, or two characters."""
_JOINER = "\N{ZERO WIDTH JOINER}"
_BLOCK = Block()


@dataclass(frozen=True, slots=True)
class Top:
    """Keeps the first `k`, in the order in which they come."""

    name: ClassVar[str] = "top"
    k: int

    def __post_init__(self) -> None:
        if not isinstance(self.k, int) or isinstance(self.k, bool) or self.k < 1:
            raise SpecError(f"`top` must be a whole number, at least 1; got {self.k!r:.40}")

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """The first `k`."""
        because = f"ranked below the first {self.k}"
        dropped = tuple(Dropped(match, self.name, because) for match in matches[self.k :])
        return Step(tuple(matches[: self.k]), dropped)


def top(k: int) -> Top:
    """Keep the first `k`."""
    return Top(k)


@dataclass(frozen=True, slots=True)
class WithinChars:
    """Keeps the first matches whose texts have at most so many characters together.

    A match costs the length of its text; what the prompt writes around it is not counted.
    """

    name: ClassVar[str] = "within_chars"
    unit: ClassVar[Literal["chars"]] = "chars"
    chars: int
    over: Over = "stop"

    def __post_init__(self) -> None:
        _validate_budget(self.name, self.chars, self.over)

    @property
    def size(self) -> int:
        """How many characters there are."""
        return self.chars

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """Those that fit; exactly at the budget fits."""
        return _fitted(matches, self)

    def used_with(self, kept: Sequence[Match], used: int, match: Match) -> int:
        """The characters of those that are kept, and of this one."""
        return used + len(match.text)

    def beginning(self, kept: Sequence[Match], used: int, match: Match) -> str:
        """As much of the text as there is room for."""
        return cut_at(match.text, self.chars - used)


def within_chars(chars: int, *, over: Over = "stop") -> WithinChars:
    """Keep what fits in so many characters; `over` says how to go on at one that does not."""
    return WithinChars(chars, over)


@dataclass(frozen=True, slots=True)
class WithinTokens:
    """Keeps the first matches whose block has at most so many tokens, all of them if all fit.

    Two texts together may have other tokens than each alone, so the whole block is counted each time. The
    promise is about the block of what this stage keeps, in this order: put it last in the chain.
    """

    name: ClassVar[str] = "within_tokens"
    unit: ClassVar[Literal["tokens"]] = "tokens"
    tokens: int
    counter: Counter
    over: Over = "stop"
    formatted: Format = _BLOCK
    """What makes the block: the same as in the prompt, or the count is of something else."""

    def __post_init__(self) -> None:
        _validate_budget(self.name, self.tokens, self.over)
        if not callable(self.counter):
            raise SpecError(
                f"`{self.name}` must be a counter, such as `token_counter('minilm')`; "
                f"got {type(self.counter).__name__}"
            )

    @property
    def size(self) -> int:
        """How many tokens there are."""
        return self.tokens

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """Those that fit; exactly at the budget fits."""
        empty_count = self._count(())
        if empty_count > self.tokens:
            raise SpecError(
                f"`{self.name}` allows at most {self.tokens} tokens, and the block without any reference "
                f"has {empty_count}; allow more, or leave an empty block out"
            )
        full_count = self._count(matches)
        if full_count <= self.tokens:
            return Step(tuple(matches), spent=Spent(self.name, self.unit, full_count, self.tokens))
        return _fitted(matches, self, used=empty_count)

    def used_with(self, kept: Sequence[Match], used: int, match: Match) -> int:
        """The tokens of the whole block, with this one in it."""
        return self._count((*kept, match))

    def beginning(self, kept: Sequence[Match], used: int, match: Match) -> str:
        """As much of the text as the block has room for, found by trying."""
        return longest_beginning(
            match.text,
            lambda begun: self.used_with(kept, used, replace(match, text=begun)) <= self.tokens,
        )

    def _count(self, matches: Sequence[Match]) -> int:
        count = self.counter(self.formatted(matches))
        if not isinstance(count, int) or isinstance(count, bool):
            raise SpecError(f"the counter of `{self.name}` gave a {type(count).__name__}; wanted an int")
        if count < 0:
            raise SpecError(f"the counter of `{self.name}` gave {count}; wanted 0 or more")
        return count


def within_tokens(
    tokens: int, counter: Counter, *, over: Over = "stop", formatted: Format = _BLOCK
) -> WithinTokens:
    """Keep what fits in so many tokens, counted by `counter` in the block that `formatted` makes."""
    return WithinTokens(tokens, counter, over, formatted)


@dataclass(frozen=True, slots=True)
class Tagged:
    """Keeps the matches whose metadata has, for each key, one of the values."""

    name: ClassVar[str] = "tagged"
    wanted: Mapping[str, tuple[Scalar, ...]]

    def __post_init__(self) -> None:
        if not self.wanted:
            raise SpecError("`tagged` must have at least one key, such as `{lang: en}`")
        for key, values in self.wanted.items():
            if not isinstance(values, tuple):
                raise SpecError(f"`{key}` must be a tuple of values; `tagged` makes one of what it is given")

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """Those that have them all."""
        lacking = [missing(match.metadata, self.wanted) for match in matches]
        kept = tuple(match for match, key in zip(matches, lacking, strict=True) if key is None)
        dropped = tuple(
            Dropped(match, self.name, self._because(match, key))
            for match, key in zip(matches, lacking, strict=True)
            if key is not None
        )
        return Step(kept, dropped)

    def _because(self, match: Match, key: str) -> str:
        actual = f"`{match.metadata[key]}`" if key in match.metadata else "nothing"
        return f"its `{key}` is {actual}; wanted {' or '.join(f'`{value}`' for value in self.wanted[key])}"


def tagged(wanted: Wanted | None = None, **more: Scalar | Sequence[Scalar]) -> Tagged:
    """Keep what has these tags: `tagged(lang="en", year=[2025, 2026])`."""
    return Tagged(alternatives({**(wanted or {}), **more}))


def _validate_budget(stage: str, size: int, over: Over) -> None:
    """Raise `SpecError` unless there is something to spend, and a known way to go on."""
    if not size >= 1:
        raise SpecError(f"`{stage}` must be at least 1; got {size}")
    if over not in get_args(Over):
        raise SpecError(did_you_mean("value of `over`", over, get_args(Over)))


def _fitted(matches: Sequence[Match], budget: WithinChars | WithinTokens, *, used: int = 0) -> Step:
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
