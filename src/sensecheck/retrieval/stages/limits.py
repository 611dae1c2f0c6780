"""Stages that limit what passes: the first k, so many characters or tokens, and wanted metadata."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.budget import Over, cut_at, fitted, longest_beginning, validate_budget
from sensecheck.retrieval.filters import Scalar, Wanted, alternatives, missing
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.prompt import Block, Format
from sensecheck.retrieval.selection import Dropped, Spent, Step
from sensecheck.retrieval.stage import StageContext

Counter = Callable[[str], int]
"""A text to the number of its tokens: a `TokenCounter`, or `lambda text: len(encoding.encode(text))`."""
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
        validate_budget(self.name, self.chars, self.over)

    @property
    def size(self) -> int:
        """How many characters there are."""
        return self.chars

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """Those that fit; exactly at the budget fits."""
        return fitted(matches, self)

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
        validate_budget(self.name, self.tokens, self.over)
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
        return fitted(matches, self, used=empty_count)

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
