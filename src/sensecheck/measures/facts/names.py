"""Names: capitalised words that are not merely the first of their sentence, and acronyms.

In a short text without such capitals, words that no one writes but in names are taken for names.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from sensecheck.measures.facts.fact import Fact, Name, outside
from sensecheck.measures.facts.number_words import number_of
from sensecheck.measures.facts.units import unit_named
from sensecheck.text.wordlists import read_groups, read_words
from sensecheck.text.words import is_irregular, is_stop_word, stem

_TOKEN = re.compile(r"(?:[A-Z]\.){2,}|[^\W_]+(?:['’][^\W_]+)*(?:-\d+(?:\.\d+)?)?")
_OPENING = re.compile(r"[:;“”\"‘(\[*•>|–—/]\s?$")
_HEADING = re.compile(r"[^:.!?\n]{1,60}:(?=[\s*_]|$)")
_HEADLINE = 0.7
"""From this share of capitalised words on, capitals say nothing."""
_ORDER = re.compile(r"\s(?:the|an?|your|this|these|that|those|any|each|every|it|them|all|both|some|its)\b")
"""What follows the verb of an order, and no name: `Roast the`, `Note that`."""
_GAP = re.compile(r"[ \u00a0](?:[A-Z]\. |(?:of|of the|for|de|la|du|van|von|der|al) )?|-")
"""What may stand between two words of one name."""
_OWNER = ("'s", "’s", "s'")
_PEOPLE = ("ians", "ian", "ia", "ans", "an", "ese", "ish", "ic", "ns", "n", "es", "e", "s", "a", "y", "i")
"""Endings of peoples and countries."""
_EVERYDAY = ("ing", "ly", "ers", "ors", "ists", "tion", "tions", "ment", "ments", "ness", "ities", "ed")
"""Endings of everyday words: at the start of a sentence, these are no names."""
_MIN_NAME_LETTERS = 3
"""Letters in the shortest name that is seen without its capital."""
_BRIEF_CHARS = 400
"""In texts up to this length, words in small letters are looked at as names."""


class _Capital(NamedTuple):
    """A capitalised word, or one that would be if its text had capitals."""

    text: str
    start: int
    end: int
    first: bool
    """Whether its capital may come from its place."""
    orders: bool
    """Whether it is then the verb of an order."""


def names(
    text: str, sentences: Sequence[tuple[int, int]], taken: Sequence[tuple[int, int]] = ()
) -> list[Fact]:
    """The names of a text, in order, except in the stretches that are already `taken`."""
    if text.islower():
        return outside(taken, _without_capitals(text, sentences))
    capitals = [capital for start, end in sentences for capital in _capitals(text, start, end)]
    elsewhere = {capital.text for capital in capitals if not capital.first}
    guessed: list[Fact] = []
    if not elsewhere and len(text) <= _BRIEF_CHARS:  # perhaps it was written in haste: `it was jane austen`
        guessed = [replace(fact, weak=True) for fact in _without_capitals(text, sentences)]
    facts: list[Fact] = []
    run: list[_Capital] = []
    for capital in (capital for capital in capitals if _is_in_name(capital, elsewhere)):
        if run and (run[-1].text[-2:] in _OWNER or not _GAP.fullmatch(text, run[-1].end, capital.start)):
            facts.append(_name(run))
            run = []
        run.append(capital)
    facts += [_name(run)] if run else []
    facts += outside([(fact.start, fact.end) for fact in facts], guessed)
    return outside(taken, sorted(facts, key=lambda fact: fact.start))


def tokens(text: str) -> Iterator[re.Match[str]]:
    """The words of a text as they could stand in a name."""
    return _TOKEN.finditer(text)


@lru_cache(maxsize=65536)
def fold(word: str) -> str:
    """A word without accents, case, possessive and the endings of peoples: `Russian` meets `Russia`."""
    if word[-1:] == "s" and initials(word):
        return word[:-1].lower()
    bare = word.replace("’", "'").removesuffix("'s").removesuffix("'").replace(".", "")
    plain = "".join(c for c in unicodedata.normalize("NFKD", bare) if not unicodedata.combining(c)).lower()
    for ending in _PEOPLE:
        if plain.endswith(ending) and len(plain) - len(ending) >= 4:
            return plain.removesuffix(ending)
    return plain


def initials(word: str) -> str:
    """The letters of an acronym, or nothing; `NICs` are those of `NIC`."""
    letters = word.replace(".", "").removesuffix("s")
    return letters.lower() if 1 < len(letters) < 7 and letters.isupper() and letters.isalpha() else ""


def is_common(word: str) -> bool:
    """Whether a lowercase word is an everyday one rather than a name."""
    return stem(word) in _common() or is_stop_word(word)


def _capitals(text: str, start: int, end: int) -> Iterator[_Capital]:
    """The capitalised words of a sentence."""
    matches = list(_TOKEN.finditer(text, start, end))
    headline = _is_headline(matches)
    heading = _heading_end(text, start, end, matches)
    begun = False
    for match in matches:
        if any(map(str.isupper, match[0])):
            opens = not begun or _OPENING.search(text[max(start, match.start() - 2) : match.start()])
            first = bool(opens) or headline or match.end() <= heading
            orders = first and _ORDER.match(text, match.end(), end) is not None
            yield _Capital(match[0], match.start(), match.end(), first, orders)
        begun = begun or not match[0].isdigit()


def _is_headline(matches: list[re.Match[str]]) -> bool:
    """Whether the words are written as in a headline."""
    long = [match for match in matches if len(match[0]) > 3]
    return len(long) > 3 and sum(match[0][0].isupper() for match in long) / len(long) >= _HEADLINE


def _heading_end(text: str, start: int, end: int, matches: list[re.Match[str]]) -> int:
    """Where the heading before a colon ends, all of whose longer words are capitalised; else `start`."""
    first = next((token.start() for token in matches if not token[0].isdigit()), start)
    match = _HEADING.match(text, first, end)
    if match is None:
        return start
    long = [token for token in matches if token.end() <= match.end() and len(token[0]) > 3]
    return match.end() if all(token[0][0].isupper() for token in long) else start


def _is_in_name(capital: _Capital, elsewhere: set[str]) -> bool:
    """Whether a capitalised word belongs to a name; `elsewhere` are those not first in their sentence."""
    plain = capital.text.lower().replace("’", "'")
    bare = plain.split("'")[0]
    if initials(capital.text):
        return bare not in _groups()["other"]
    if len(plain) < 2 or is_stop_word(plain) or is_stop_word(bare) or bare in _groups()["other"]:
        return False
    if not capital.first or capital.text in elsewhere:
        return True
    return not (capital.orders or is_common(bare) or bare.endswith(_EVERYDAY) or _is_compound(bare))


def _without_capitals(text: str, sentences: Sequence[tuple[int, int]]) -> list[Fact]:
    """In a text without any capital: the words that no one writes but in names."""
    facts: list[Fact] = []
    run: list[_Capital] = []
    for start, end in sentences:
        for match in _TOKEN.finditer(text, start, end):
            if not match[0].islower() or not _is_strange(match[0]):
                continue
            if run and not _GAP.fullmatch(text, run[-1].end, match.start()):
                facts.append(_name(run))
                run = []
            run.append(_Capital(match[0], match.start(), match.end(), first=False, orders=False))
    return [*facts, _name(run)] if run else facts


@lru_cache(maxsize=16384)
def _is_strange(word: str) -> bool:
    """Whether a word in small letters is no everyday word, nor made of two or of one with an ending."""
    bare = word.replace("’", "'").split("'")[0]
    if len(bare) < _MIN_NAME_LETTERS or not bare.isalpha():
        return False
    if bare in _groups()["other"] or bare in _groups()["everyday"]:
        return False
    if is_common(bare) or stem(bare) in _rare() or bare.endswith(_EVERYDAY):
        return False
    if unit_named(bare) is not None or number_of(bare) is not None or is_irregular(bare):
        return False
    return not _is_compound(bare)


def _is_compound(word: str) -> bool:
    """Whether a word is two everyday words in one: `headcount`."""
    return any(is_common(word[:at]) and is_common(word[at:]) for at in range(4, len(word) - 3))


def _name(run: list[_Capital]) -> Fact:
    """The name that some words in a row make; weak, when it is one everyday word."""
    weak = len(run) == 1 and is_common(run[0].text.lower()) and not initials(run[0].text)
    name = Name(tuple(fold(word.text) for word in run), initials(run[0].text) if len(run) == 1 else "")
    return Fact("name", run[0].start, run[-1].end, name, weak)


@cache
def _common() -> frozenset[str]:
    return frozenset(stem(word) for word in read_words("commonwords.txt", __package__))


@cache
def _rare() -> frozenset[str]:
    return frozenset(stem(word) for word in read_words("rarewords.txt", __package__))


def _groups() -> dict[str, frozenset[str]]:
    return read_groups("names.txt", __package__)
