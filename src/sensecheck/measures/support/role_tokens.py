"""A sentence as the words that tell who did what to whom."""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from sensecheck.text.wordlists import read_groups
from sensecheck.text.words import Word, is_stop_word, stem, words

Span = tuple[int, int]
Found = tuple[Span, Span]
"""Where a claim exchanges roles, and where the sentence of the source tells of them."""

_ARTICLES = frozenset(("a", "an", "the"))
_CASES = {"him": "he", "them": "they", "me": "i", "us": "we", "her": "she", "whom": "who"}
_BREAK = re.compile(r"[,;:()\[\]\"“”—–|.!?]")


class Token(NamedTuple):
    """One word other than an article; the `'s` of an owner is a word of its own."""

    text: str
    stem: str
    start: int
    end: int
    broken: bool
    """Whether punctuation stands before it."""
    led: bool
    """Whether an article stands before it."""
    named: bool
    """Whether it starts with a capital letter."""
    small: bool
    """Whether it carries grammar rather than content."""


class TokenSentence(NamedTuple):
    """The words of a sentence in their order, and those that carry content."""

    tokens: tuple[Token, ...]
    content: frozenset[str]


@lru_cache(maxsize=4096)
def sentence_of(text: str) -> TokenSentence:
    """The sentence taken apart; kept, since it is compared with many others."""
    tokens = tuple(_tokens(text))
    return TokenSentence(tokens, frozenset(token.stem for token in tokens if not token.small))


def group(name: str) -> frozenset[str]:
    """A group of the word list, as it is written."""
    return read_groups("roles.txt", __package__)[name]


@cache
def stems(name: str) -> frozenset[str]:
    """A group of the word list, in the form in which words are matched."""
    return frozenset(stem(word) for word in group(name))


def _tokens(text: str) -> Iterator[Token]:
    led, before = False, 0
    broken = True
    for word in words(text):
        broken = broken or _BREAK.search(text, before, word.start) is not None
        before = word.end
        if word.text in _ARTICLES:
            led = True
            continue
        yield from _parts(word, broken, led, text[word.start].isupper())
        led = broken = False


def _parts(word: Word, broken: bool, led: bool, named: bool) -> Iterator[Token]:
    owner = word.text.removesuffix("'s")
    small = is_stop_word(owner)
    matched_form = _CASES.get(owner, owner) if small else _forms().get(owner) or stem(owner)
    cut = word.end - len(word.text) + len(owner)
    yield Token(owner, matched_form, word.start, cut, broken, led, named, small)
    if owner != word.text:
        yield Token("'s", "'s", cut, word.end, False, False, False, True)


@cache
def _forms() -> dict[str, str]:
    pairs = (entry.split("/") for entry in group("form"))
    return {form: stem(plain) for plain, form in pairs}
