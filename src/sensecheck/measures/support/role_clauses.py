"""Two clauses joined by what tells cause from effect, or earlier from later."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.measures.support.role_words import Token

Found = tuple[tuple[int, int], tuple[int, int]]
_ORDER = {
    "because": ("cause", True),
    "after": ("time", True),
    "before": ("time", False),
    "until": ("time", False),
}
"""What a joining word tells of, and whether the clause after it comes first."""
_FEWEST, _SHARE = 2, 0.6
"""How many content words a clause has at least, and how many of them the other has, too."""


@dataclass(frozen=True, slots=True)
class Order:
    """What comes first and what comes of it or after it."""

    kind: str
    first: frozenset[str]
    second: frozenset[str]
    start: int
    end: int


def reordered(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Found]:
    """Where the claim puts first what the source puts second, and the other way round."""
    for one in _orders(mine):
        for other in _orders(theirs):
            crossed = min(_share(one.first, other.second), _share(one.second, other.first))
            kept = max(_share(one.first, other.first), _share(one.second, other.second))
            if one.kind == other.kind and crossed >= _SHARE and kept < _SHARE / 2:
                yield (one.start, one.end), (other.start, other.end)


def _orders(tokens: Sequence[Token]) -> Iterator[Order]:
    joints = [at for at, token in enumerate(tokens) if token.text in _ORDER]
    if len(joints) != 1:
        return
    at = joints[0]
    before, after = tokens[:at], tokens[at + 1 :]
    if not before:  # `After X, Y`
        cut = next((k for k, token in enumerate(after) if k and token.broken), 0)
        before, after = after[cut:], after[:cut]
    first, second = _content(after), _content(before)
    if min(len(first), len(second)) < _FEWEST:
        return
    kind, leads = _ORDER[tokens[at].text]
    pair = (first, second) if leads else (second, first)
    yield Order(kind, *pair, tokens[0].start, tokens[-1].end)


def _content(tokens: Sequence[Token]) -> frozenset[str]:
    return frozenset(token.stem for token in tokens if not token.small)


def _share(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / max(1, min(len(one), len(other)))
