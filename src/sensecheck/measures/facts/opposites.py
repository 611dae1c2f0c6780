"""Words with an opposite, used where the reference uses the opposite."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from sensecheck.measures.facts.alignment import Beside
from sensecheck.measures.facts.fact import Difference, Kind
from sensecheck.measures.facts.negation import negated, negations
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word, is_stop_word, stem

_AROUND = 4
"""How many words on each side are compared."""


@cache
def _pairs() -> dict[str, dict[str, Kind]]:
    pairs: dict[str, dict[str, Kind]] = defaultdict(dict)
    groups = read_groups("opposites.txt", __package__)
    kinds: tuple[Kind, ...] = ("opposite", "comparison")
    for kind in kinds:
        for entry in sorted(groups[kind]):
            one, other = map(stem, entry.split("/"))
            pairs[one][other] = pairs[other][one] = kind
    return pairs


def opposites_of(word: str) -> dict[str, Kind]:
    """The stems of the opposites of a stem, each with the kind of the pair."""
    return _pairs().get(word, {})


def opposites(beside: Beside) -> Iterator[Difference]:
    """The words of the answer whose opposite stands in their place in the nearest sentence."""
    best, mine = beside.near[0], beside.sentence.words
    theirs = best.sentence.words
    held = {stem(word.text) for other in beside.near for word in other.sentence.words}
    own = {stem(word.text) for word in mine}
    own_denied = negated(negations(beside.answer.text, beside.sentence))
    their_denied = negated(negations(best.parsed.text, best.sentence))
    for at, there, kind in _facing(mine, theirs):
        one, other = stem(mine[at].text), stem(theirs[there].text)
        both = one in own_denied and other in their_denied and other in _complements().get(one, ())
        if not both and (one in own_denied or other in their_denied):
            continue
        if one in held or other in own or _is_emptied(mine, at) or _is_emptied(theirs, there):
            continue
        if best.framed or _same_place(mine, at, theirs, there):
            spans = (mine[at].start, mine[at].end), (theirs[there].start, theirs[there].end)
            yield beside.changed(kind, spans[0], best, spans[1])


@cache
def _complements() -> dict[str, set[str]]:
    """Opposites of which one always holds."""
    found: dict[str, set[str]] = defaultdict(set)
    for entry in read_groups("opposites.txt", __package__)["complement"]:
        one, other = map(stem, entry.split("/"))
        found[one].add(other)
        found[other].add(one)
    return found


def _is_emptied(words: Sequence[Word], at: int) -> bool:
    """Whether a small word is taken back by the next: `with no exceptions` is `without`."""
    return (
        words[at].text == "with" and at + 1 < len(words) and words[at + 1].text in ("no", "zero", "nothing")
    )


def _facing(mine: Sequence[Word], theirs: Sequence[Word]) -> Iterator[tuple[int, int, Kind]]:
    """Each pair of opposite words, and its kind."""
    where = {stem(word.text): at for at, word in reversed(list(enumerate(theirs)))}
    for at, word in enumerate(mine):
        for opposite, kind in opposites_of(stem(word.text)).items():
            if opposite in where:
                yield at, where[opposite], kind


def _same_place(mine: Sequence[Word], at: int, theirs: Sequence[Word], there: int) -> bool:
    """Whether two words stand among the same words; small words want the same next word."""
    if is_stop_word(mine[at].text) or is_stop_word(theirs[there].text):
        return bool(_next(mine, at)) and _next(mine, at) == _next(theirs, there)
    return bool(_around(mine, at) & _around(theirs, there))


def _around(words: Sequence[Word], at: int) -> set[str]:
    near = (*words[max(0, at - _AROUND) : at], *words[at + 1 : at + 1 + _AROUND])
    return {stem(word.text) for word in near if not is_stop_word(word.text)}


def _next(words: Sequence[Word], at: int) -> str:
    return next((stem(word.text) for word in words[at + 1 : at + 4] if not is_stop_word(word.text)), "")
