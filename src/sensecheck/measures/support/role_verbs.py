"""Who acts and who is acted upon, whatever the voice of the verb, and the phrases on either side of it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from sensecheck.measures.support.role_tokens import Found, Span, Token, group, stems
from sensecheck.text.words import stem

_MAX_PHRASE_WORDS = 6
"""How many words of a phrase are looked at."""
_ASIDE = 10
"""How many words an aside may have."""
_REACH = 4
"""How many words may stand between a verb and its `by`."""
_WHO = frozenset(("who", "which", "that"))
_JOINTS = frozenset(("of", "'s"))
_BE = frozenset(("be", "is", "are", "was", "were", "been", "being", "am", "get", "gets", "got"))
_DEGREES = frozenset(("more", "less", "fewer"))
_AMOUNTS = _DEGREES | {"much", "far", "even", "bit", "significantly", "still"}


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """Someone or something."""

    head: str
    named: bool
    words: frozenset[str]
    start: int
    end: int

    def is_same(self, other: "NounPhrase") -> bool:
        """Whether two phrases name the same, a name maybe at greater length in one of them."""
        if self.head == other.head:
            return True
        return self.named and other.named and (self.words <= other.words or other.words <= self.words)


def phrase_before(tokens: Sequence[Token], end: int) -> NounPhrase | None:
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
        first
        and end - first < _MAX_PHRASE_WORDS
        and _is_inside(tokens[first - 1])
        and not _opens(tokens, first, end)
    ):
        first -= 1
    return _phrase(tokens[first:end])


def phrase_after(tokens: Sequence[Token], start: int) -> NounPhrase | None:
    """The phrase that starts after a verb."""
    if _is_owner(tokens, start):
        start += 1
    if start >= len(tokens) or tokens[start].broken:
        return None
    if tokens[start].stem in group("pronoun"):
        return _pronoun(tokens[start])
    last = start
    while last < len(tokens) and last - start < _MAX_PHRASE_WORDS and _is_inside(tokens[last]):
        if last > start and _opens(tokens, last, len(tokens)):
            break
        last += 1
    return _phrase(tokens[start:last])


@dataclass(frozen=True, slots=True)
class _Deed:
    """What someone did to someone, or is more of than someone."""

    verb: str
    doer: NounPhrase
    done_to: NounPhrase
    denied: bool

    @property
    def span(self) -> Span:
        """From the first of the two to the last."""
        return min(self.doer.start, self.done_to.start), max(self.doer.end, self.done_to.end)

    def agrees(self, other: "_Deed") -> bool:
        """Whether one of the two plays the same part in both."""
        return self.doer.is_same(other.doer) or self.done_to.is_same(other.done_to)

    def is_turned(self, other: "_Deed") -> bool:
        """Whether each plays the part of the other."""
        parts = self.doer.is_same(other.done_to) and self.done_to.is_same(other.doer)
        return (
            parts
            and self.denied is other.denied
            and not {self.doer.head, self.done_to.head} <= group("pronoun")
        )


def turned(mine: Sequence[Token], theirs: Sequence[Token], shared: frozenset[str]) -> Iterator[Found]:
    """The deeds of the claim that the source tells the other way round."""
    source_deeds = list(_deeds(theirs, shared)) if shared else []
    for deed in _deeds(mine, shared) if source_deeds else ():
        same = [other for other in source_deeds if other.verb == deed.verb]
        if not any(deed.agrees(other) for other in same):
            yield from ((deed.span, other.span) for other in same if deed.is_turned(other))


def _deeds(tokens: Sequence[Token], shared: frozenset[str]) -> Iterator[_Deed]:
    for at, token in enumerate(tokens):
        deed = None
        if at and token.text == "than":
            deed = _comparison(tokens, at)
        elif at and token.stem in shared and _is_verb(token):
            deed = _deed(tokens, at)
        if deed is not None:
            yield deed


def _is_verb(token: Token) -> bool:
    if token.led or token.stem in stems("same"):
        return False
    return (
        token.stem in stems("verb")
        or token.stem in _links()
        or (token.text.endswith("ed") and len(token.text) > 4)
    )


def _deed(tokens: Sequence[Token], at: int) -> _Deed | None:
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
    return _Deed(tokens[at].stem + link, doer, done_to, _is_denied(helpers))


def _comparison(tokens: Sequence[Token], than: int) -> _Deed | None:
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
    return _Deed(f"{degree} {tokens[than - 1].stem} than", left, right, _is_denied(helpers))


def _verb_start(tokens: Sequence[Token], at: int) -> int:
    """Where the helpers and adverbs before a verb start."""
    while at and not tokens[at].broken and _is_helper(tokens[at - 1].text):
        at -= 1
    return at


def _is_helper(text: str) -> bool:
    return text in group("aux") or text in group("adverb") or text.endswith(("ly", "n't"))


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


def _is_denied(helpers: set[str]) -> bool:
    return any(word in group("negation") or word.endswith("n't") for word in helpers)


@cache
def _links() -> dict[str, frozenset[str]]:
    """The words after which verbs have their object."""
    pairs = [entry.split("/") for entry in sorted(group("link"))]
    return {stem(verb): frozenset(word for other, word in pairs if other == verb) for verb, _ in pairs}


def _before_aside(tokens: Sequence[Token], end: int) -> int:
    """Where the aside before a comma starts: `Ann, who is ill, …`, `Ann, the baker, …`; 0 without one."""
    for at in range(end - 1, max(0, end - _ASIDE), -1):
        if tokens[at].broken:
            return at if tokens[at].text in _WHO or tokens[at].led else 0
    return 0


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


def _pronoun(token: Token) -> NounPhrase:
    return NounPhrase(token.stem, False, frozenset((token.stem,)), token.start, token.end)


def _phrase(tokens: Sequence[Token]) -> NounPhrase | None:
    """The words as a phrase; what an owner owns is meant, not the owner."""
    first, last = 0, len(tokens)
    while first < last and tokens[first].text in _JOINTS:
        first += 1
    while first < last and (tokens[last - 1].text in _JOINTS or tokens[last - 1].text.endswith("ly")):
        last -= 1
    start = max((at + 1 for at in range(first, last) if tokens[at].text == "'s"), default=first)
    phrase = tokens[start:last]
    if not phrase or _is_doing(phrase[0].text) or phrase[-1].text[0].isdigit() or phrase[0].text == "of":
        return None
    head = next((at for at, token in enumerate(phrase) if token.text == "of"), len(phrase)) - 1
    content = frozenset(token.stem for token in phrase if not token.small)
    return NounPhrase(phrase[head].stem, phrase[head].named, content, tokens[first].start, phrase[-1].end)


def _is_doing(text: str) -> bool:
    """Whether it is a form such as `building`, and no `king`."""
    return text.endswith("ing") and len(text) > len("thing")
