"""Words with an opposite, used where the reference uses the opposite."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache

from sensecheck.measures.facts.alignment import Aligned
from sensecheck.measures.facts.fact import Difference, Kind
from sensecheck.measures.facts.negation import negated, negations
from sensecheck.measures.facts.parsed import Parsed, Sentence
from sensecheck.measures.text.lists import read_groups
from sensecheck.measures.text.stopwords import is_stop_word
from sensecheck.measures.text.words import Word, stem

_AROUND = 4
"""How many words on each side are compared."""


@cache
def _pairs() -> dict[str, dict[str, Kind]]:
    pairs: dict[str, dict[str, Kind]] = defaultdict(dict)
    groups = read_groups("opposites.txt", __package__)
    kinds: tuple[Kind, ...] = ("opposite", "comparison")
    for kind in kinds:
        for entry in groups[kind]:
            one, other = map(stem, entry.split("/"))
            pairs[one][other] = pairs[other][one] = kind
    return pairs


def opposites_of(word: str) -> dict[str, Kind]:
    """The stems of the opposites of a stem, each with the kind of the pair."""
    return _pairs().get(word, {})


def opposites(
    answer: Parsed, sentence: Sentence, near: Sequence[Aligned], references: Sequence[Parsed]
) -> Iterator[Difference]:
    """The words of the answer whose opposite stands in their place in the nearest sentence."""
    if not near:
        return
    best = near[0]
    source = references[best.reference].text
    held = {stem(word.text) for other in near for word in other.sentence.words}
    mine = {stem(word.text) for word in sentence.words}
    denied = negated(negations(answer.text, sentence)), negated(negations(source, best.sentence))
    for at, word in enumerate(sentence.words):
        own = stem(word.text)
        for there, other in enumerate(best.sentence.words):
            kind = opposites_of(own).get(stem(other.text))
            if kind is None or own in held or stem(other.text) in mine:
                continue
            if own in denied[0] or stem(other.text) in denied[1]:
                continue
            if _same_place(sentence.words, at, best.sentence.words, there):
                note = f"the answer says `{answer.text[word.start : word.end]}`; it says `{source[other.start : other.end]}`"
                spans = (word.start, word.end), (other.start, other.end)
                yield Difference(kind, "changed", note, *spans, best.reference)


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
