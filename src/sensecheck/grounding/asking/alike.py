"""Words that readers take for the same: their forms, their accents, and how the British write them."""

import re
from collections.abc import Container, Iterable
from unicodedata import combining, normalize

from sensecheck.measures.facts.names import fold
from sensecheck.text.words import is_irregular, stem

_OUR = re.compile(r"([aeiouy][a-z]+?)our")
_ISE = re.compile(r"([aeiouy].*[iy])s(e[srd]?|ers|ing|ations?)$")
_RE = re.compile(r"([aeiouy][a-z]*[bt])re(s?)$")
_START = 2
"""So many letters at its start a regular word shares with its forms."""


def forms(word: str) -> tuple[str, str]:
    """As a lowercase word, and as a name.

    `Zürich` meets `Zurich`, 5,000 meets 5000, and `colour` meets `color`.
    """
    plain = word.replace(",", "") if word[:1].isdigit() else _american(word)
    return stem(plain), fold(plain)


def forms_like(wanted: Iterable[str], among: Iterable[str]) -> frozenset[str]:
    """The forms of those words that could match one that is wanted; of a long text, these are few."""
    starts = {form[:_START] for word in wanted for form in forms(word)}
    return frozenset(form for word in among if _could_match(word, starts) for form in forms(word))


def without_accents(word: str) -> str:
    """The letters alone."""
    return (
        word if word.isascii() else "".join(sign for sign in normalize("NFKD", word) if not combining(sign))
    )


def _could_match(word: str, starts: Container[str]) -> bool:
    if not word.isalpha() or is_irregular(word):
        return True
    start = word[:_START]
    return start in starts or without_accents(start).lower()[:_START] in starts


def _american(word: str) -> str:
    """`colour`, `organise` and `theatre` as Americans write them; words such as `hour` and `prise` stay."""
    return _RE.sub(r"\1er\2", _ISE.sub(r"\1z\2", _OUR.sub(r"\1or", word)))
