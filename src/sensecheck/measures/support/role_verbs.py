"""Who acts and who is acted upon, whatever the voice of the verb."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sensecheck.measures.support.role_phrases import Phrase, phrase_after, phrase_before
from sensecheck.measures.support.role_words import Token, group, stems
from sensecheck.text.words import stem

Found = tuple[tuple[int, int], tuple[int, int]]
_BE = frozenset(("be", "is", "are", "was", "were", "been", "being", "am", "get", "gets", "got"))
_DEGREES = frozenset(("more", "less", "fewer"))
_AMOUNTS = _DEGREES | {"much", "far", "even", "bit", "significantly", "still"}
_REACH = 4
"""How many words may stand between a verb and its `by`."""


@dataclass(frozen=True, slots=True)
class Deed:
    """What someone did to someone, or is more of than someone."""

    verb: str
    doer: Phrase
    done_to: Phrase
    denied: bool

    @property
    def span(self) -> tuple[int, int]:
        """From the first of the two to the last."""
        return min(self.doer.start, self.done_to.start), max(self.doer.end, self.done_to.end)

    def agrees(self, other: "Deed") -> bool:
        """Whether one of the two plays the same part in both."""
        return self.doer.is_same(other.doer) or self.done_to.is_same(other.done_to)

    def is_turned(self, other: "Deed") -> bool:
        """Whether each plays the part of the other."""
        parts = self.doer.is_same(other.done_to) and self.done_to.is_same(other.doer)
        return (
            parts
            and self.denied is other.denied
            and not {self.doer.head, self.done_to.head} <= group("pronoun")
        )


def turned(mine: Sequence[Token], theirs: Sequence[Token], shared: frozenset[str]) -> Iterator[Found]:
    """The deeds of the claim that the source tells the other way round."""
    told = list(_deeds(theirs, shared)) if shared else []
    for one in _deeds(mine, shared) if told else ():
        same = [other for other in told if other.verb == one.verb]
        if not any(one.agrees(other) for other in same):
            yield from ((one.span, other.span) for other in same if one.is_turned(other))


def _deeds(tokens: Sequence[Token], shared: frozenset[str]) -> Iterator[Deed]:
    for at, token in enumerate(tokens):
        found = None
        if at and token.text == "than":
            found = _comparison(tokens, at)
        elif at and token.stem in shared and _is_verb(token):
            found = _deed(tokens, at)
        if found is not None:
            yield found


def _is_verb(token: Token) -> bool:
    if token.led or token.stem in stems("same"):
        return False
    return (
        token.stem in stems("verb")
        or token.stem in _links()
        or (token.text.endswith("ed") and len(token.text) > 4)
    )


def _deed(tokens: Sequence[Token], at: int) -> Deed | None:
    """The deed that a verb tells of, if both sides of it can be read."""
    first = _verb_start(tokens, at)
    helpers = {token.text for token in tokens[first:at]}
    by = _by(tokens, at, bool(helpers & _BE))
    if (first and tokens[first - 1].text == "to") or (
        helpers & _BE and not by and not tokens[at].text.endswith("ing")
    ):
        return None
    link = (
        tokens[at + 1].text
        if at + 1 < len(tokens) and tokens[at + 1].text in _links().get(tokens[at].stem, ())
        else ""
    )
    left, right = phrase_before(tokens, first), phrase_after(tokens, (by or at + bool(link)) + 1)
    if left is None or right is None or left.words & right.words:
        return None
    doer, done_to = (right, left) if by else (left, right)
    return Deed(tokens[at].stem + link, doer, done_to, _is_denied(helpers))


def _comparison(tokens: Sequence[Token], than: int) -> Deed | None:
    """`A is larger than B`, as a deed of A."""
    degree = tokens[than - 2].text if than > 1 and tokens[than - 2].text in _DEGREES else ""
    if not degree and not tokens[than - 1].text.endswith("er"):
        return None
    first = than - 1 - bool(degree)
    while first and tokens[first - 1].text in _AMOUNTS:
        first -= 1
    start = _verb_start(tokens, first)
    helpers = {token.text for token in tokens[start:first]}
    left, right = phrase_before(tokens, start), phrase_after(tokens, than + 1)
    if not helpers & _BE or left is None or right is None or left.words & right.words:
        return None
    return Deed(f"{degree} {tokens[than - 1].stem} than", left, right, _is_denied(helpers))


def _is_denied(helpers: set[str]) -> bool:
    return any(word in group("negation") or word.endswith("n't") for word in helpers)


def _by(tokens: Sequence[Token], at: int, passive: bool) -> int:
    """Where the `by` of a passive stands; 0 without one."""
    if tokens[at].text.endswith("ing"):
        return 0
    for there in range(at + 1, min(at + 2 + _REACH * passive, len(tokens))):
        if tokens[there].broken:
            return 0
        if tokens[there].text == "by":
            return there
    return 0


def _verb_start(tokens: Sequence[Token], at: int) -> int:
    """Where the helpers and adverbs before a verb start."""
    while at and not tokens[at].broken and _is_helper(tokens[at - 1].text):
        at -= 1
    return at


def _is_helper(text: str) -> bool:
    return text in group("aux") or text in group("adverb") or text.endswith(("ly", "n't"))


@cache
def _links() -> dict[str, frozenset[str]]:
    """The words after which verbs have their object."""
    pairs = [entry.split("/") for entry in sorted(group("link"))]
    return {stem(verb): frozenset(word for other, word in pairs if other == verb) for verb, _ in pairs}
