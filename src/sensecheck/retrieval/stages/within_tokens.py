"""No more than so many tokens, with all that the prompt writes around the references."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.fitting import Over, fitted, longest_beginning, must_be_budget
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.prompt import Block, Format
from sensecheck.retrieval.selection import Spent, Step
from sensecheck.retrieval.stage import Asked

Counter = Callable[[str], int]
"""A text to the number of its tokens: a `TokenCounter`, or `lambda text: len(encoding.encode(text))`."""
_BLOCK = Block()


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
        must_be_budget(self.name, self.tokens, self.over)
        if not callable(self.counter):
            raise SpecError(
                f"`{self.name}` wants a counter, such as `token_counter('minilm')`; "
                f"found {type(self.counter).__name__}"
            )

    @property
    def size(self) -> int:
        """How many tokens there are."""
        return self.tokens

    def __call__(self, matches: Sequence[Match], asked: Asked) -> Step:
        """Those that fit; exactly at the budget fits."""
        of_none = self._count(())
        if of_none > self.tokens:
            raise SpecError(
                f"`{self.name}` wants at most {self.tokens} tokens, and the block without any reference "
                f"has {of_none}; allow more, or leave an empty block out"
            )
        of_all = self._count(matches)
        if of_all <= self.tokens:
            return Step(tuple(matches), spent=Spent(self.name, self.unit, of_all, self.tokens))
        return fitted(matches, self, used=of_none)

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
        found = self.counter(self.formatted(matches))
        if not isinstance(found, int) or isinstance(found, bool):
            raise SpecError(f"the counter of `{self.name}` gave a {type(found).__name__}; wanted an int")
        if found < 0:
            raise SpecError(f"the counter of `{self.name}` gave {found}; wanted 0 or more")
        return found


def within_tokens(
    tokens: int, counter: Counter, *, over: Over = "stop", formatted: Format = _BLOCK
) -> WithinTokens:
    """Keep what fits in so many tokens, counted by `counter` in the block that `formatted` makes."""
    return WithinTokens(tokens, counter, over, formatted)
