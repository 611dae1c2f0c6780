"""Words that turn a statement around: opposites, bounds and quantifiers; and what has changed places.

`open` against `closed`, `at least 5` against `at most 5`, `all` against `some`; `30 breaths and 2 pushes`
against the reverse, where each of the two is in both texts, so that nothing else differs.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from typing import NamedTuple

from sensecheck.measures.facts.fact import EXCHANGED, Difference, Fact, Kind, Moment, Name, Quantity
from sensecheck.measures.facts.negation import denies, negated, negations
from sensecheck.measures.facts.numbers import agree
from sensecheck.measures.facts.parsing import Parsed, Sentence
from sensecheck.measures.facts.references import SentenceBeside
from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word, is_stop_word, stem, words

_AROUND = 4
"""How many words on each side are compared."""
_SOME = 2
"""From `some` upwards, the weaker word follows from the stronger one."""
_FOLLOWING = 3
"""Among so many words behind a number stands what it counts."""
_MOST = 12
"""So many numbers, and names, of a sentence are compared with each other."""
Span = tuple[int, int]
_SIDES = {"up": "or more", "down": "or less"}
"""What a number stands for, by the side on which others may lie."""


class _Bound(NamedTuple):
    """A number that is the least or the most."""

    amount: Quantity
    side: str
    """`up` or `down`."""
    start: int
    end: int


class _CountOf(NamedTuple):
    """A number, and the content words behind it that may be what it counts."""

    amount: Quantity
    things: frozenset[str]
    place: Span


def opposites(beside: SentenceBeside) -> Iterator[Difference]:
    """The words of the answer whose opposite stands in their place in the nearest sentence."""
    best, mine = beside.near[0], beside.sentence.words
    theirs = best.sentence.words
    reference_stems = {stem(word.text) for other in beside.near for word in other.sentence.words}
    answer_stems = {stem(word.text) for word in mine}
    own_denied = negated(negations(beside.answer.text, beside.sentence))
    their_denied = negated(negations(best.parsed.text, best.sentence))
    for at, there, kind in _facing(mine, theirs):
        one, other = stem(mine[at].text), stem(theirs[there].text)
        both = one in own_denied and other in their_denied and other in _complements().get(one, ())
        if not both and (one in own_denied or other in their_denied):
            continue
        said = not reference_stems.isdisjoint(opposites_of(other))  # the word, or `closed` for `shut`
        if said or not answer_stems.isdisjoint(opposites_of(one)):
            continue
        if _is_emptied(mine, at) or _is_emptied(theirs, there) or _is_exchanged(mine, at, theirs, there):
            continue
        if best.framed or _same_place(mine, at, theirs, there):
            spans = (mine[at].start, mine[at].end), (theirs[there].start, theirs[there].end)
            yield beside.changed(kind, spans[0], best, spans[1])


def opposites_of(word: str) -> dict[str, Kind]:
    """The stems of the opposites of a stem, each with the kind of the pair."""
    return _pairs().get(word, {})


def bound_flips(beside: SentenceBeside) -> Iterator[Difference]:
    """The numbers that are a lower bound on one side and an upper bound on the other."""
    theirs = [(other, bound) for other in beside.near for bound in _bounds(other.parsed, other.sentence)]
    for mine in _bounds(beside.answer, beside.sentence):
        same = [(other, bound) for other, bound in theirs if agree(mine.amount, bound.amount)]
        if same and all(bound.side != mine.side for _, bound in same):
            other, bound = same[0]
            if denies(beside.answer.text, beside.sentence) != denies(other.parsed.text, other.sentence):
                continue  # `less than 25 is accepted` and `25 or more is declined` say the same
            found = beside.changed("comparison", (mine.start, mine.end), other, (bound.start, bound.end))
            said = f"`{beside.answer.text[mine.start : mine.end]}` {_SIDES[mine.side]}"
            instead = f"`{other.parsed.text[bound.start : bound.end]}` {_SIDES[bound.side]}"
            yield replace(found, note=f"{said} instead of {instead}")


def quantifier_flips(beside: SentenceBeside) -> Iterator[Difference]:
    """The quantifiers of the answer that claim more than the reference, or few where it has many."""
    theirs = [(other, word, head) for other in beside.near for word, head in _quantified(other.sentence)]
    for mine, head in _quantified(beside.sentence):
        same = [(other, word) for other, word, their_head in theirs if their_head == head]
        if same and all(_contradicts(mine.text, word.text) for _, word in same):
            other, word = same[0]
            yield beside.changed("quantifier", (mine.start, mine.end), other, (word.start, word.end))


def exchanged_amounts(beside: SentenceBeside) -> Iterator[Difference]:
    """Two numbers of a sentence, each of which counts what the other one does in the nearest sentence."""
    best = beside.near[0]
    theirs = _counted_once(best.parsed, best.sentence)
    for one, other in combinations(_counted_once(beside.answer, beside.sentence), 2):
        for first, second in combinations(theirs, 2):
            if _same(one, second):
                first, second = second, first
            if not (_same(one, first) and _same(other, second)):
                continue
            is_crossed = one.things & second.things and other.things & first.things
            if is_crossed and not (one.things & first.things or other.things & second.things):
                yield beside.changed(EXCHANGED, one.place, best, second.place)
                yield beside.changed(EXCHANGED, other.place, best, first.place)


def exchanged_names(beside: SentenceBeside) -> Iterator[Difference]:
    """Two people of a sentence who have each other's last name in the nearest sentence."""
    best = beside.near[0]
    mine, theirs = _named(beside.answer, beside.sentence), _named(best.parsed, best.sentence)
    for one, other in combinations(list(mine)[:_MOST], 2):
        first, second = (*one[:-1], other[-1]), (*other[:-1], one[-1])
        if first in theirs and second in theirs and one not in theirs and other not in theirs:
            yield beside.changed(EXCHANGED, mine[one], best, theirs[first])
            yield beside.changed(EXCHANGED, mine[other], best, theirs[second])


def _facing(mine: Sequence[Word], theirs: Sequence[Word]) -> Iterator[tuple[int, int, Kind]]:
    """Each pair of opposite words, and its kind."""
    where = {stem(word.text): at for at, word in reversed(list(enumerate(theirs)))}
    for at, word in enumerate(mine):
        for opposite, kind in opposites_of(stem(word.text)).items():
            if opposite in where:
                yield at, where[opposite], kind


def _is_exchanged(mine: Sequence[Word], at: int, theirs: Sequence[Word], there: int) -> bool:
    """Whether the two sides of `than` are exchanged: `A is faster than B`, `B is slower than A`."""
    if not all(_than(words, place) for words, place in ((mine, at), (theirs, there))):
        return False
    before, after = _content(mine[:at]), _content(mine[at + 1 :])
    their_before, their_after = _content(theirs[:there]), _content(theirs[there + 1 :])
    return bool((before - their_before) & their_after and (after - their_after) & their_before)


def _is_emptied(words: Sequence[Word], at: int) -> bool:
    """Whether a small word is taken back by the next: `with no exceptions` is `without`."""
    return (
        words[at].text == "with" and at + 1 < len(words) and words[at + 1].text in ("no", "zero", "nothing")
    )


def _same_place(mine: Sequence[Word], at: int, theirs: Sequence[Word], there: int) -> bool:
    """Whether two words stand among the same words; small words want the same next word."""
    if is_stop_word(mine[at].text) or is_stop_word(theirs[there].text):
        following = _next_content(mine, at)
        return bool(following) and following == _next_content(theirs, there)
    return bool(_around(mine, at) & _around(theirs, there))


def _around(words: Sequence[Word], at: int) -> set[str]:
    return _content((*words[max(0, at - _AROUND) : at], *words[at + 1 : at + 1 + _AROUND]))


def _than(words: Sequence[Word], at: int) -> bool:
    return any(word.text == "than" for word in words[at + 1 : at + 1 + _AROUND])


def _content(words: Sequence[Word]) -> set[str]:
    return {stem(word.text) for word in words if not is_stop_word(word.text)}


def _next_content(words: Sequence[Word], at: int) -> str:
    """The stem of the next content word, if it comes soon."""
    return next((stem(word.text) for word in words[at + 1 : at + 4] if not is_stop_word(word.text)), "")


def _bounds(parsed: Parsed, sentence: Sentence) -> Iterator[_Bound]:
    for fact in parsed.within(sentence):
        if not fact.weak and isinstance(fact.value, Quantity) and (side := _side(parsed.text, fact)):
            yield _Bound(fact.value, side, fact.start, fact.end)


def _side(text: str, fact: Fact) -> str:
    """`up` for a lower bound, `down` for an upper one; empty for a number that is neither."""
    before = [word.text for word in words(text[max(0, fact.start - 24) : fact.start])][-3:]
    after = [word.text for word in words(text[fact.end : fact.end + 24])][:2]
    phrases = ["+".join(before[-count:]) for count in (3, 2, 1) if len(before) >= count]
    for phrase in (*phrases, "+".join(after)):
        for side in ("up", "down"):
            if phrase in _cues()[side]:
                denied = phrase in phrases and _is_denied(text, fact, phrase)
                return {"up": "down", "down": "up"}[side] if denied else side
    return ""


def _is_denied(text: str, fact: Fact, phrase: str) -> bool:
    """Whether a negation before a bound turns it: `may not be shorter than`, `nobody under`."""
    if phrase.startswith(("no+", "not+")):
        return False
    before = [word.text for word in words(text[max(0, fact.start - 60) : fact.start])]
    cut = before[: len(before) - phrase.count("+") - 1][-4:]
    return any(word in _cues()["negation"] or word.endswith("n't") for word in cut)


def _quantified(sentence: Sentence) -> Iterator[tuple[Word, str]]:
    """The quantifiers of a sentence, each with the next content word; `a few` is left out."""
    for at, word in enumerate(sentence.words):
        few = word.text == "few" and at and sentence.words[at - 1].text == "a"
        if word.text in _scale() and not few and (head := _next_content(sentence.words, at)):
            yield word, head


def _contradicts(mine: str, theirs: str) -> bool:
    one, other = _scale()[mine], _scale()[theirs]
    return one > other or (one < other and one < _SOME)


def _named(parsed: Parsed, sentence: Sentence) -> dict[tuple[str, ...], Span]:
    """The names of several words, with their places."""
    return {
        fact.value.words: _place(fact)
        for fact in parsed.within(sentence)
        if isinstance(fact.value, Name) and len(fact.value.words) > 1
    }


def _place(fact: Fact) -> Span:
    return fact.start, fact.end


def _same(one: _CountOf, other: _CountOf) -> bool:
    return (one.amount.dimension, one.amount.base) == (other.amount.dimension, other.amount.base)


def _counted_once(parsed: Parsed, sentence: Sentence) -> list[_CountOf]:
    """The numbers of a sentence that stand in it once."""
    facts = [fact for fact in parsed.within(sentence) if isinstance(fact.value, Quantity | Moment)]
    counted = [
        _CountOf(fact.value, _things(parsed.text, sentence, fact, facts), _place(fact))
        for fact in facts
        if isinstance(fact.value, Quantity)
    ]
    return [one for one in counted[:_MOST] if sum(_same(one, other) for other in counted) == 1]


def _things(text: str, sentence: Sentence, fact: Fact, facts: Sequence[Fact]) -> frozenset[str]:
    """The content words behind a number, up to the next one or a mark."""
    until = min((other.start for other in facts if other.start >= fact.end), default=sentence.end)
    behind = [word for word in sentence.words if fact.end <= word.start < until][:_FOLLOWING]
    things, at = set[str](), fact.end
    for word in behind:
        if any(mark in text[at : word.start] for mark in ",;:.()–—"):
            break
        at = word.end
        if not is_stop_word(word.text):
            things.add(stem(word.text))
    return frozenset(things)


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


@cache
def _complements() -> dict[str, set[str]]:
    """Opposites of which one always holds."""
    complements: dict[str, set[str]] = defaultdict(set)
    for entry in read_groups("opposites.txt", __package__)["complement"]:
        one, other = map(stem, entry.split("/"))
        complements[one].add(other)
        complements[other].add(one)
    return complements


@cache
def _scale() -> dict[str, int]:
    """The quantifiers, by how much they claim."""
    return {word: int(rank) for word, rank in (entry.split("=") for entry in _cues()["quantifier"])}


def _cues() -> dict[str, frozenset[str]]:
    return read_groups("cues.txt", __package__)
