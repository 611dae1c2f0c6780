"""The phrases on either side of a verb."""

from collections.abc import Sequence
from dataclasses import dataclass

from sensecheck.measures.support.role_words import Token, group

_WHO = frozenset(("who", "which", "that"))
_JOINTS = frozenset(("of", "'s"))
_LONGEST = 6
"""How many words of a phrase are looked at."""

_ASIDE = 10
"""How many words an aside may have."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Someone or something."""

    head: str
    named: bool
    words: frozenset[str]
    start: int
    end: int

    def is_same(self, other: "Phrase") -> bool:
        """Whether two phrases name the same, a name maybe at greater length in one of them."""
        if self.head == other.head:
            return True
        return self.named and other.named and (self.words <= other.words or other.words <= self.words)


def phrase_before(tokens: Sequence[Token], end: int) -> Phrase | None:
    """The phrase that ends before a verb, or that `who` before the verb stands for."""
    if end and tokens[end - 1].text in _WHO:
        end -= 1
    elif end and tokens[end].broken:
        end = _before_aside(tokens, end)
    if not end:
        return None
    if tokens[end - 1].stem in group("pronoun"):
        return _pronoun(tokens[end - 1])
    first = end
    while (
        first and end - first < _LONGEST and _is_inside(tokens[first - 1]) and not _opens(tokens, first, end)
    ):
        first -= 1
    return _phrase(tokens[first:end])


def _before_aside(tokens: Sequence[Token], end: int) -> int:
    """Where the aside before a comma starts: `Ann, who is ill, …`, `Ann, the baker, …`; 0 without one."""
    for at in range(end - 1, max(0, end - _ASIDE), -1):
        if tokens[at].broken:
            return at if tokens[at].text in _WHO or tokens[at].led else 0
    return 0


def phrase_after(tokens: Sequence[Token], start: int) -> Phrase | None:
    """The phrase that starts after a verb."""
    if _is_owner(tokens, start):
        start += 1
    if start >= len(tokens) or tokens[start].broken:
        return None
    if tokens[start].stem in group("pronoun"):
        return _pronoun(tokens[start])
    last = start
    while last < len(tokens) and last - start < _LONGEST and _is_inside(tokens[last]):
        if last > start and _opens(tokens, last, len(tokens)):
            break
        last += 1
    return _phrase(tokens[start:last])


def _is_owner(tokens: Sequence[Token], at: int) -> bool:
    """Whether `his`, `some` or the like stands before a phrase, so that `her` is not someone."""
    if at + 1 >= len(tokens) or tokens[at].broken or tokens[at].text not in group("possessive"):
        return False
    return _is_inside(tokens[at + 1])


def _opens(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether a new phrase starts at a place."""
    return at < end and (tokens[at].broken or (tokens[at].led and tokens[at - 1].text != "of"))


def _is_inside(token: Token) -> bool:
    return not token.small or token.text in _JOINTS


def _pronoun(token: Token) -> Phrase:
    return Phrase(token.stem, False, frozenset((token.stem,)), token.start, token.end)


def _phrase(tokens: Sequence[Token]) -> Phrase | None:
    """The words as a phrase; what an owner owns is meant, not the owner."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].text in _JOINTS:
        first += 1
    while first < last and (tokens[last - 1].text in _JOINTS or tokens[last - 1].text.endswith("ly")):
        last -= 1
    owned = max((at + 1 for at in range(first, last) if tokens[at].text == "'s"), default=first)
    own = tokens[owned:last]
    if not own or _is_doing(own[0].text) or own[-1].text[0].isdigit() or own[0].text == "of":
        return None
    head = next((at for at, token in enumerate(own) if token.text == "of"), len(own)) - 1
    content = frozenset(token.stem for token in own if not token.small)
    return Phrase(own[head].stem, own[head].named, content, tokens[first].start, own[-1].end)


def _is_doing(text: str) -> bool:
    """Whether it is a form such as `building`, and no `king`."""
    return text.endswith("ing") and len(text) > len("thing")
