"""Two phrases that stand on either side of the same words, in each other's place."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sensecheck.measures.support.role_tokens import Found, Token, group, stems

_MAX_WORDS_APART = 16
"""How many words the two phrases may stand apart."""
_SIDE = 8
"""How many words a phrase may have."""
_HINGES = frozenset(("than", "not"))
"""Small words that tell the two sides apart on their own: `more men than women`, `the cat, not the dog`."""
_ONTO = frozenset(("on", "upon", "over", "against", "by", "to", "into", "from", "for"))
_EITHER = frozenset(("and", "or", "as", "with", "nor", "both", "each", "between"))
_FRONTED = frozenset(
    ("in", "on", "at", "during", "since", "until", "with", "for", "by", "under", "after", "before")
)


@dataclass(frozen=True, slots=True)
class Exchange:
    """The same words in a claim and in a source, between phrases that have changed places."""

    mine: Sequence[Token]
    theirs: Sequence[Token]
    at: int
    """Where the words between the phrases start in the claim."""
    there: int
    """Where they start in the source."""
    length: int
    left: int
    """How many words the phrase before them has in the claim; in the source it comes after them."""
    right: int
    """How many words the phrase after them has in the claim; in the source it comes before them."""

    @property
    def between(self) -> Sequence[Token]:
        """The words between the phrases."""
        return self.mine[self.at : self.at + self.length]

    @property
    def before(self) -> tuple[Token | None, Token | None]:
        """The word before it all, in the claim and in the source."""
        first, other = self.at - self.left - 1, self.there - self.right - 1
        return self.mine[first] if first >= 0 else None, self.theirs[other] if other >= 0 else None

    @property
    def after(self) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
        """The two words after it all, in the claim and in the source."""
        last, other = self.at + self.length + self.right, self.there + self.length + self.left
        return tuple(self.mine[last : last + 2]), tuple(self.theirs[other : other + 2])

    @property
    def place(self) -> Found:
        """From the first phrase to the second, in the claim and in the source."""
        last, other = self.at + self.length + self.right, self.there + self.length + self.left
        return (
            (self.mine[self.at - self.left].start, self.mine[last - 1].end),
            (self.theirs[self.there - self.right].start, self.theirs[other - 1].end),
        )


def exchanges(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[Found]:
    """Where the claim has `X … Y` and the source `Y … X`, with the same words between them."""
    for at, there, length in _runs(mine, theirs):
        left = _same(mine, at, theirs, there + length)
        right = _same(theirs, there, mine, at + length) if left else 0
        if right:
            one = Exchange(mine, theirs, at, there, length, left, right)
            if _differ(one) and _tells(one) and _is_whole(one) and not _is_repeated(one):
                yield one.place


def _runs(mine: Sequence[Token], theirs: Sequence[Token]) -> Iterator[tuple[int, int, int]]:
    """The longest stretches that both have, as (place in the claim, place in the source, length)."""
    where: dict[str, list[int]] = defaultdict(list)
    for there, token in enumerate(theirs[:-1]):
        if there:
            where[token.stem].append(there)
    for at in range(1, len(mine) - 1):
        for there in where.get(mine[at].stem, ()):
            if mine[at - 1].stem == theirs[there - 1].stem:
                continue
            length = _run(mine, at, theirs, there)
            if length <= _MAX_WORDS_APART:
                yield at, there, length


def _run(mine: Sequence[Token], at: int, theirs: Sequence[Token], there: int) -> int:
    """How many words two texts share from two places on, as far as it matters."""
    length = 0
    while (
        length <= _MAX_WORDS_APART
        and max(at + length - len(mine), there + length - len(theirs)) < 0
        and (mine[at + length].stem == theirs[there + length].stem)
    ):
        length += 1
    return length


def _same(left: Sequence[Token], end: int, right: Sequence[Token], start: int) -> int:
    """How many words end at one place and start at the other; 0 when they name no one."""
    for length in range(min(_SIDE, end, len(right) - start), 0, -1):
        if all(left[end - length + k].stem == right[start + k].stem for k in range(length)):
            phrase = left[end - length : end]
            told = any(not token.small for token in phrase) or phrase[0].stem in group("pronoun")
            return length if told else 0
    return 0


def _differ(one: Exchange) -> bool:
    """Whether the two phrases share no content word, and are not both pronouns."""
    last = one.at + one.length
    first = {token.stem for token in one.mine[one.at - one.left : one.at] if not token.small}
    second = {token.stem for token in one.mine[last : last + one.right] if not token.small}
    return bool(first or second) and not first & second


def _tells(one: Exchange) -> bool:
    """Whether the words between the two tell who is who."""
    between = one.between
    if between[0].text in _EITHER or between[-1].text in _EITHER or _is_listed(one):
        return False
    if any(token.stem in stems("same") for token in between):
        return False
    if any(not token.small or token.text in _HINGES for token in between):
        return True
    return _is_owned(one) or (one.length == 1 and _is_led_to(one))


def _is_listed(one: Exchange) -> bool:
    """Whether commas stand on both sides, as in a list."""
    return one.mine[one.at].broken and one.mine[one.at + one.length].broken


def _is_owned(one: Exchange) -> bool:
    """Whether it is `A was B's teacher` against `B was A's teacher`."""
    mine, theirs = one.after
    if [token.stem for token in mine] != [token.stem for token in theirs] or len(mine) < 2:
        return False
    return mine[0].text == "'s" and not mine[1].small and mine[1].stem not in stems("same")


def _is_led_to(one: Exchange) -> bool:
    """Whether it is `from A to B` or `the effect of A on B`."""
    first, joint = one.before[0], one.between[0].text
    if first is not None and first.text == "from":
        start = one.at - one.left
        near = one.mine[max(0, start - 4) : start]
        return joint in ("to", "into") and not any(token.stem in stems("stretch") for token in near)
    return first is not None and first.text == "of" and joint in _ONTO


def _is_whole(one: Exchange) -> bool:
    """Whether neither phrase is cut out of a longer one, and nothing was only moved to the front."""
    before, after = one.before, tuple(words[0] if words else None for words in one.after)
    if not _alike(*before) and any(map(_governs, before)):
        return False
    if not _alike(*after) and any(map(_goes_on, after)):
        return False
    apart = one.mine[one.at].broken and one.between[-1].text != "of"  # but `A, a pupil of B`
    return not (apart or (before[0] is not None and before[0].broken and before[0].text in _FRONTED))


def _is_repeated(one: Exchange) -> bool:
    """Whether one of the two texts says it both ways, as in `from A to B and from B to A`."""
    size = one.left + one.length + one.right
    mine = one.mine[one.at - one.left :][:size]
    theirs = one.theirs[one.there - one.right :][:size]
    return _holds(one.theirs, mine) or _holds(one.mine, theirs)


def _holds(tokens: Sequence[Token], run: Sequence[Token]) -> bool:
    wanted, held = [token.stem for token in run], [token.stem for token in tokens]
    return any(held[at : at + len(wanted)] == wanted for at in range(len(held) - len(wanted) + 1))


def _alike(one: Token | None, other: Token | None) -> bool:
    return one is not None and other is not None and one.stem == other.stem


def _governs(before: Token | None) -> bool:
    """Whether the phrase after it belongs to another phrase: `the king of …`."""
    return before is not None and (before.text in group("preposition") or before.text == "'s")


def _goes_on(after: Token | None) -> bool:
    """Whether a phrase continues with this word: `cat owners`, `the cat's owner`."""
    if after is None or after.broken or after.text == "'s":
        return after is not None and after.text == "'s"
    return not (after.small or after.led or after.text.endswith("ly") or after.text[0].isdigit())
