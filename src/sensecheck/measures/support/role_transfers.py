"""Who had something, and who has it now: `A sold it to B`, `B bought it from A`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.measures.support.role_phrases import Phrase, phrase_after, phrase_before
from sensecheck.measures.support.role_words import Token, stems

Found = tuple[tuple[int, int], tuple[int, int]]
_REACH = 8
"""How many words may stand between the verb and the word before the other party."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """Something that changes hands."""

    giver: Phrase
    taker: Phrase
    what: Phrase

    @property
    def span(self) -> tuple[int, int]:
        """From the first of the two parties to the last."""
        return min(self.giver.start, self.taker.start), max(self.giver.end, self.taker.end)

    def is_turned(self, other: "Transfer") -> bool:
        """Whether the same thing goes the other way."""
        return (
            self.what.is_same(other.what)
            and self.giver.is_same(other.taker)
            and self.taker.is_same(other.giver)
        )


def handed_back(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Found]:
    """Where the claim hands something to the one who, in the source, handed it over."""
    told = list(_transfers(theirs))
    for one in _transfers(mine) if told else ():
        yield from ((one.span, other.span) for other in told if one.is_turned(other))


def _transfers(tokens: Sequence[Token]) -> Iterator[Transfer]:
    for at, token in enumerate(tokens):
        giving, taking = token.stem in stems("giving"), token.stem in stems("taking")
        if at and not token.led and (giving or taking):
            there = _place(tokens, at, "to" if giving else "from")
            found = (phrase_before(tokens, at), phrase_after(tokens, there + 1), phrase_after(tokens, at + 1))
            if there and found[0] and found[1] and found[2]:
                yield Transfer(*((found[0], found[1]) if giving else (found[1], found[0])), found[2])


def _place(tokens: Sequence[Token], at: int, word: str) -> int:
    """Where a word stands soon after a place; 0 when a phrase ends before it."""
    for there in range(at + 2, min(at + 2 + _REACH, len(tokens))):
        if tokens[there].broken:
            return 0
        if tokens[there].text == word:
            return there
    return 0
