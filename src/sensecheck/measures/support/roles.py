"""Claims that tell who did what to whom the other way round than a sentence of the source.

Beside verbs and phrases, which have modules of their own: who had something and who has it now (`A sold it to
B`, `B bought it from A`), and two clauses joined by what tells cause from effect, or earlier from later.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.measures.support.role_exchanges import exchanges
from sensecheck.measures.support.role_tokens import Found, Span, Token, sentence_of, stems
from sensecheck.measures.support.role_verbs import NounPhrase, phrase_after, phrase_before, turned

_MIN_CONTENT_WORDS = 2
"""How many content words both must have: there are two sides to exchange."""
_JOINING = {
    "because": ("cause", True),
    "after": ("time", True),
    "before": ("time", False),
    "until": ("time", False),
}
"""What a joining word tells of, and whether the clause after it comes first."""
_FEWEST_WORDS, _SHARE = 2, 0.6
"""How many content words a clause has at least, and how many of them the other has, too."""
_REACH = 8
"""How many words may stand between the verb and the word before the other party."""


def role_swaps(claim: str, sentence: str) -> list[Found]:
    """Where the claim exchanges who acts and who is acted upon, and where the source tells of them.

    Each place is a span of the claim and a span of the sentence. What cannot be read for certain is left out.
    """
    mine, theirs = sentence_of(claim), sentence_of(sentence)
    shared = mine.content & theirs.content
    if len(shared) < _MIN_CONTENT_WORDS:
        return []
    swaps = [
        *exchanges(mine.tokens, theirs.tokens),
        *turned(mine.tokens, theirs.tokens, shared),
        *_handed_back(mine.tokens, theirs.tokens),
        *_reordered(mine.tokens, theirs.tokens),
    ]
    return sorted(set(swaps))


def _handed_back(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Found]:
    """Where the claim hands something to the one who, in the source, handed it over."""
    source_transfers = list(_transfers(theirs))
    for transfer in _transfers(mine) if source_transfers else ():
        yield from ((transfer.span, other.span) for other in source_transfers if transfer.is_turned(other))


@dataclass(frozen=True, slots=True)
class _Transfer:
    """Something that changes hands."""

    giver: NounPhrase
    taker: NounPhrase
    what: NounPhrase

    @property
    def span(self) -> Span:
        """From the first of the two parties to the last."""
        return min(self.giver.start, self.taker.start), max(self.giver.end, self.taker.end)

    def is_turned(self, other: "_Transfer") -> bool:
        """Whether the same thing goes the other way."""
        return (
            self.what.is_same(other.what)
            and self.giver.is_same(other.taker)
            and self.taker.is_same(other.giver)
        )


def _transfers(tokens: Sequence[Token]) -> Iterator[_Transfer]:
    for at, token in enumerate(tokens):
        giving, taking = token.stem in stems("giving"), token.stem in stems("taking")
        if at and not token.led and (giving or taking):
            there = _place_of(tokens, at, "to" if giving else "from")
            phrases = (
                phrase_before(tokens, at),
                phrase_after(tokens, there + 1),
                phrase_after(tokens, at + 1),
            )
            if there and phrases[0] and phrases[1] and phrases[2]:
                yield _Transfer(
                    *((phrases[0], phrases[1]) if giving else (phrases[1], phrases[0])), phrases[2]
                )


def _place_of(tokens: Sequence[Token], at: int, word: str) -> int:
    """Where a word stands soon after a place; 0 when a phrase ends before it."""
    for there in range(at + 2, min(at + 2 + _REACH, len(tokens))):
        if tokens[there].broken:
            return 0
        if tokens[there].text == word:
            return there
    return 0


def _reordered(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Found]:
    """Where the claim puts first what the source puts second, and the other way round."""
    for order in _orders(mine):
        for other in _orders(theirs):
            crossed = min(_share(order.first, other.second), _share(order.second, other.first))
            uncrossed = max(_share(order.first, other.first), _share(order.second, other.second))
            if order.kind == other.kind and crossed >= _SHARE and uncrossed < _SHARE / 2:
                yield (order.start, order.end), (other.start, other.end)


@dataclass(frozen=True, slots=True)
class _Order:
    """What comes first and what comes of it or after it."""

    kind: str
    first: frozenset[str]
    second: frozenset[str]
    start: int
    end: int


def _orders(tokens: Sequence[Token]) -> Iterator[_Order]:
    joints = [at for at, token in enumerate(tokens) if token.text in _JOINING]
    if len(joints) != 1:
        return
    at = joints[0]
    before, after = tokens[:at], tokens[at + 1 :]
    if not before:  # `After X, Y`
        cut = next((k for k, token in enumerate(after) if k and token.broken), 0)
        before, after = after[cut:], after[:cut]
    first, second = _content(after), _content(before)
    if min(len(first), len(second)) < _FEWEST_WORDS:
        return
    kind, leads = _JOINING[tokens[at].text]
    pair = (first, second) if leads else (second, first)
    yield _Order(kind, *pair, tokens[0].start, tokens[-1].end)


def _content(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.stem for token in tokens if not token.small)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))
