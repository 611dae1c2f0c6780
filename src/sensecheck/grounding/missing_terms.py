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
    beginning = start[0] if start else ""
    question_words = words(beginning)
    foreign_words = _foreign_small_words({word.text for word in question_words})
    meaningful = [
        word for word in question_words if word.text not in foreign_words and _is_meaningful(word.text)
    ]
    distinct = vocabulary(passage)
    passage_forms = _forms_in(distinct, meaningful)
    missing = [word for word in meaningful if not _has(passage_forms, word.text)]
    if foreign_words:
        comparable = bool(_foreign_small_words(distinct))
    else:
        comparable = len(missing) < len(meaningful) or not _is_foreign_sentence(beginning, question_words)
    terms: dict[str, str] = {}
    for first, last in _term_spans(beginning, meaningful, missing) if comparable else ():
        terms.setdefault(beginning[first:last].casefold(), beginning[first:last])
    return tuple(terms.values())[:MAX_TERMS]


def _foreign_small_words(distinct: Set[str]) -> Set[str]:
    """The small words of a text in German, French, Spanish or Italian; none of an English one."""
    small = {word for word in distinct if is_small_abroad(word)}
    english = {word for word in distinct if _is_small(word)}
    return small if len(small - english) > 2 * len(english - small) else frozenset()


def _is_foreign_sentence(question: str, question_words: Sequence[Word]) -> bool:
    """Whether it is a whole question without a single small word of English."""
    ends = question.rstrip().endswith(("?", "؟", "？"))
    return (
        ends and len(question_words) >= _SENTENCE and not any(_is_small(word.text) for word in question_words)
    )


def _is_small(word: str) -> bool:
    """Whether a word, or every part of one with hyphens, belongs to English grammar or to the asking."""
    return all(is_stop_word(part) or asks_only(part) for part in word.split("-"))


def _is_meaningful(word: str) -> bool:
    """Whether it matters that a word is missing; a single ideograph is only a part of one."""
    return not (_is_small(word) or (len(word) == 1 and not word.isascii()))


def _forms_in(distinct: frozenset[str], question_words: Sequence[Word]) -> frozenset[str]:
    """The words of a passage, and the parts of those with hyphens, in the forms in which they could match."""
    parts = {part for word in distinct if "-" in word for part in word.split("-")}
    word_parts = {part for word in question_words for part in (word.text, *word.text.split("-"))}
    return forms_like(word_parts, distinct | parts)


def _has(passage_forms: frozenset[str], word: str) -> bool:
    if "-" in word and all(_has(passage_forms, part) for part in word.split("-")):
        return True
    return not passage_forms.isdisjoint(forms(word))


def _term_spans(question: str, meaningful: Sequence[Word], missing: Sequence[Word]) -> list[tuple[int, int]]:
    """The spans of missing words; those of one name, date or amount as one, if all its words are missing."""
    if not missing:
        return []
    places = {(word.start, word.end) for word in missing}
    for fact in Parsed.of(question).facts:
        inside = (word for word in meaningful if fact.start <= word.start and word.end <= fact.end)
        within = {(word.start, word.end) for word in inside}
        if len(within) > 1 and within <= places:
            places = (places - within) | {(fact.start, fact.end)}
    return sorted(places)
