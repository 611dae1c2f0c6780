"""Words of a question that a passage does not have, as the reader wrote them."""

import re
from collections.abc import Sequence, Set

from sensecheck.grounding.question import asks_only, forms, forms_like, is_small_abroad
from sensecheck.measures.facts.parsing import Parsed
from sensecheck.text.words import Word, is_stop_word, vocabulary, words

MAX_TERMS = 8
LOOKED_AT = 1000
"""Characters of a question, from its start: people ask shorter ones, and to take long ones apart is slow."""
_BEGINNING = re.compile(rf".{{0,{LOOKED_AT}}}(?!\S)", re.DOTALL)
_SENTENCE = 3
"""A question of fewer words may be none but the name of a thing, which belongs to no language."""


def missing_words(question: str, passage: str) -> tuple[str, ...]:
    """Each once, in the order of the question; a name or a date of which no word is there comes whole.

    None is reported where question and passage are not in the same language: all of them would be missing.
    """
    start = _BEGINNING.match(question)
    asked = start[0] if start else ""
    said = words(asked)
    small = _small_abroad({word.text for word in said})
    telling = [word for word in said if word.text not in small and _tells_something(word.text)]
    distinct = vocabulary(passage)
    held = _forms_in(distinct, telling)
    lacking = [word for word in telling if not _has(held, word.text)]
    if small:
        comparable = bool(_small_abroad(distinct))
    else:
        comparable = len(lacking) < len(telling) or not _is_sentence_elsewhere(asked, said)
    found: dict[str, str] = {}
    for first, last in _joined(asked, telling, lacking) if comparable else ():
        found.setdefault(asked[first:last].casefold(), asked[first:last])
    return tuple(found.values())[:MAX_TERMS]


def _small_abroad(distinct: Set[str]) -> Set[str]:
    """The small words of a text in German, French, Spanish or Italian; none of an English one."""
    small = {word for word in distinct if is_small_abroad(word)}
    english = {word for word in distinct if _is_small(word)}
    return small if len(small - english) > 2 * len(english - small) else frozenset()


def _is_sentence_elsewhere(asked: str, said: Sequence[Word]) -> bool:
    """Whether it is a whole question without a single small word of English."""
    ends = asked.rstrip().endswith(("?", "؟", "？"))
    return ends and len(said) >= _SENTENCE and not any(_is_small(word.text) for word in said)


def _is_small(word: str) -> bool:
    """Whether a word, or every part of one with hyphens, belongs to English grammar or to the asking."""
    return all(is_stop_word(part) or asks_only(part) for part in word.split("-"))


def _tells_something(word: str) -> bool:
    """Whether it tells something that a word is not there; a single ideograph is only a part of one."""
    return not (_is_small(word) or (len(word) == 1 and not word.isascii()))


def _forms_in(distinct: frozenset[str], wanted: Sequence[Word]) -> frozenset[str]:
    """The words of a passage, and the parts of those with hyphens, in the forms in which they could match."""
    parts = {part for word in distinct if "-" in word for part in word.split("-")}
    each = {part for word in wanted for part in (word.text, *word.text.split("-"))}
    return forms_like(each, distinct | parts)


def _has(held: frozenset[str], word: str) -> bool:
    if "-" in word and all(_has(held, part) for part in word.split("-")):
        return True
    return not held.isdisjoint(forms(word))


def _joined(question: str, telling: Sequence[Word], lacking: Sequence[Word]) -> list[tuple[int, int]]:
    """Where they stand; those of one name, date or amount together, if all that tell of it are lacking."""
    if not lacking:
        return []
    places = {(word.start, word.end) for word in lacking}
    for fact in Parsed.of(question).facts:
        inside = (word for word in telling if fact.start <= word.start and word.end <= fact.end)
        within = {(word.start, word.end) for word in inside}
        if len(within) > 1 and within <= places:
            places = (places - within) | {(fact.start, fact.end)}
    return sorted(places)
