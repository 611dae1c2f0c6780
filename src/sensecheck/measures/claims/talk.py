"""Sentences that claim nothing: questions, greetings, offers of help."""

import re
from collections.abc import Iterator
from functools import cache

from sensecheck.measures.claims.finite import has_verb
from sensecheck.measures.claims.headings import only_announces
from sensecheck.measures.claims.phrases import Phrase
from sensecheck.measures.claims.questions import only_asks
from sensecheck.measures.text.lists import read_lines, read_words
from sensecheck.measures.text.stopwords import is_stop_word
from sensecheck.measures.text.words import words

_FURTHER = 4
"""In words: what a pleasantry may have of its own; more than that must be words of courtesy."""
_MARKS = " \t\r\n*_\"'“”‘’()[]#>!.…,:;。！？"


def is_talk(said: str) -> bool:
    """Whether a sentence is a question, a pleasantry, or has neither a letter nor a digit."""
    if not any(map(str.isalnum, said)):
        return True
    return only_asks(said) or _is_pleasantry(said)


def _is_pleasantry(said: str) -> bool:
    bare = said.strip(_MARKS)
    if any(map(str.isdigit, bare)):
        return False
    if any(_is_courteous(match["further"]) for match in _matches(bare, opening=False)):
        return True
    announces = said.rstrip("*_ ").endswith((":", "：")) and only_announces(said)
    return announces and any(_matches(bare, opening=True))


def _matches(bare: str, *, opening: bool) -> Iterator[re.Match[str]]:
    return (match for each in _phrases(opening=opening) if (match := each.fullmatch(bare)))


def _is_courteous(further: str) -> bool:
    """Whether the words after a phrase of courtesy claim nothing."""
    spoken = [word.text for word in words(further)]
    if all(word in _courtesy() or is_stop_word(word) for word in spoken):
        return "that" not in spoken
    return len(spoken) <= _FURTHER and not has_verb(further) and "that" not in spoken


@cache
def _courtesy() -> frozenset[str]:
    return frozenset(read_words("courtesy.txt", __package__))


@cache
def _phrases(*, opening: bool) -> tuple[re.Pattern[str], ...]:
    """The phrases that open something and end in a colon, or all the others."""
    lines = (line for line in read_lines("talk.txt", __package__) if line.endswith(":") == opening)
    return tuple(_with_further(line.removesuffix(":")) for line in lines)


def _with_further(line: str) -> re.Pattern[str]:
    """The phrase, and as `further` whatever may follow it."""
    fixed = line.removesuffix("…")
    rest = "(?P<further>.{0,200})" if fixed != line else "(?P<further>)"
    return re.compile(Phrase.of(fixed, gap=14).pattern.pattern + rest, re.IGNORECASE | re.DOTALL)
