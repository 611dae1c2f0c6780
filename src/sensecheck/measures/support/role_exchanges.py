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
            exchange = Exchange(mine, theirs, at, there, length, left, right)
            if (
                _differ(exchange)
                and _tells_apart(exchange)
                and _is_whole(exchange)
                and not _is_repeated(exchange)
            ):
                yield exchange.place


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
            length = _run_length(mine, at, theirs, there)
            if length <= _MAX_WORDS_APART:
                yield at, there, length


def _run_length(mine: Sequence[Token], at: int, theirs: Sequence[Token], there: int) -> int:
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
            names_someone = any(not token.small for token in phrase) or phrase[0].stem in group("pronoun")
            return length if names_someone else 0
    return 0


def _differ(exchange: Exchange) -> bool:
    """Whether the two phrases share no content word, and are not both pronouns."""
    last = exchange.at + exchange.length
    first = {
        token.stem for token in exchange.mine[exchange.at - exchange.left : exchange.at] if not token.small
    }
    second = {token.stem for token in exchange.mine[last : last + exchange.right] if not token.small}
    return bool(first or second) and not first & second


def _tells_apart(exchange: Exchange) -> bool:
    """Whether the words between the two tell who is who."""
    between = exchange.between
    if between[0].text in _EITHER or between[-1].text in _EITHER or _is_listed(exchange):
        return False
    if any(token.stem in stems("same") for token in between):
        return False
    if any(not token.small or token.text in _HINGES for token in between):
        return True
    return _is_owned(exchange) or (exchange.length == 1 and _is_led_to(exchange))


def _is_listed(exchange: Exchange) -> bool:
    """Whether commas stand on both sides, as in a list."""
    return exchange.mine[exchange.at].broken and exchange.mine[exchange.at + exchange.length].broken


def _is_owned(exchange: Exchange) -> bool:
    """Whether it is `A was B's teacher` against `B was A's teacher`."""
    mine, theirs = exchange.after
    if [token.stem for token in mine] != [token.stem for token in theirs] or len(mine) < 2:
        return False
    return mine[0].text == "'s" and not mine[1].small and mine[1].stem not in stems("same")


def _is_led_to(exchange: Exchange) -> bool:
    """Whether it is `from A to B` or `the effect of A on B`."""
    first, joint = exchange.before[0], exchange.between[0].text
    if first is not None and first.text == "from":
        start = exchange.at - exchange.left
        near = exchange.mine[max(0, start - 4) : start]
        return joint in ("to", "into") and not any(token.stem in stems("stretch") for token in near)
    return first is not None and first.text == "of" and joint in _ONTO


def _is_whole(exchange: Exchange) -> bool:
    """Whether neither phrase is cut out of a longer one, and nothing was only moved to the front."""
    before, after = exchange.before, tuple(words[0] if words else None for words in exchange.after)
    if not _alike(*before) and any(map(_governs, before)):
        return False
    if not _alike(*after) and any(map(_continues, after)):
        return False
    apart = exchange.mine[exchange.at].broken and exchange.between[-1].text != "of"  # but `A, a pupil of B`
    return not (apart or (before[0] is not None and before[0].broken and before[0].text in _FRONTED))


def _is_repeated(exchange: Exchange) -> bool:
    """Whether one of the two texts says it both ways, as in `from A to B and from B to A`."""
    size = exchange.left + exchange.length + exchange.right
    mine = exchange.mine[exchange.at - exchange.left :][:size]
    theirs = exchange.theirs[exchange.there - exchange.right :][:size]
    return _holds(exchange.theirs, mine) or _holds(exchange.mine, theirs)


def _holds(tokens: Sequence[Token], run: Sequence[Token]) -> bool:
    run_stems, token_stems = [token.stem for token in run], [token.stem for token in tokens]
    return any(
        token_stems[at : at + len(run_stems)] == run_stems
        for at in range(len(token_stems) - len(run_stems) + 1)
    )


def _alike(one: Token | None, other: Token | None) -> bool:
    return one is not None and other is not None and one.stem == other.stem


def _governs(before: Token | None) -> bool:
    """Whether the phrase after it belongs to another phrase: `the king of …`."""
    return before is not None and (before.text in group("preposition") or before.text == "'s")


def _continues(after: Token | None) -> bool:
    """Whether a phrase continues with this word: `cat owners`, `the cat's owner`."""
    if after is None or after.broken or after.text == "'s":
        return after is not None and after.text == "'s"
    return not (after.small or after.led or after.text.endswith("ly") or after.text[0].isdigit())
