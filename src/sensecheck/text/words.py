"""Words and where they stand in a text, their stems, English stop words, and invisible characters.

A stem is the form in which words are matched; a stop word carries grammar rather than content. Invisible are
the characters that Unicode lets a page leave out, and a few blanks as well.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from sensecheck.text.wordlists import read_lines, read_words

TAGS = "\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
"""Invisible copies of ASCII, and the unused places around them."""
SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef"
MONGOLIAN_SELECTORS = "\u180b-\u180d\u180f"
DIRECTIONS = "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"
SOFT_HYPHEN = "\u00ad"
BRAILLE_BLANK = "\u2800"
NO_WIDTH = (
    "\u034f\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200d\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0"
    "\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
)
"""Joiners, fillers and marks that only machines read; also the fillers of Hangul, which are blank."""
UNSEEN = NO_WIDTH + DIRECTIONS + TAGS + SELECTORS + MONGOLIAN_SELECTORS + SOFT_HYPHEN + BRAILLE_BLANK
"""All invisible characters, to stand within the brackets of a pattern."""

_IDEOGRAPH = "\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_MARKS = (  # signs that belong to the letter before them, which `\w` does not know
    "\u0300-\u036f\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u0900-\u0963\u0966-\u0dff\u0e00-\u0e3a\u0e40-\u0e4e"
)
_LETTERS = rf"(?:(?![{_IDEOGRAPH}_])[\w{_MARKS}])+"
_WORD = re.compile(rf"[{_IDEOGRAPH}]|\d+(?:[.,]\d+)+|{_LETTERS}(?:['’\-‐‑]{_LETTERS})*")
_PLAIN = str.maketrans({"’": "'", "‐": "-", "‑": "-"})
_VOWEL = re.compile("[aeiouy]")
_CONTRACTION_PARTS = frozenset(("n't", "ca", "wo", "sha", "'s", "'re", "'ve", "'ll", "'d", "'m"))
"""What tokenisers make of `can't`, `won't` and `it's`."""


@dataclass(frozen=True, slots=True)
class Word:
    """One word: its lowercase form, and where it stands in the text."""

    text: str
    start: int
    end: int


def words(text: str) -> list[Word]:
    """The words of a text; `snake_case` gives its parts, Chinese and Japanese each character."""
    return [Word(m[0].lower().translate(_PLAIN), m.start(), m.end()) for m in _WORD.finditer(text)]


def vocabulary(text: str) -> frozenset[str]:
    """The words of a text, each once."""
    return frozenset(word.lower().translate(_PLAIN) for word in set(_WORD.findall(text)))


def content_words(text: str) -> list[Word]:
    """The words that are not stop words."""
    return [word for word in words(text) if not is_stop_word(word.text)]


def content_stems(text: str) -> set[str]:
    """The stems of these words."""
    return {stem(word.text) for word in content_words(text)}


def is_stop_word(word: str) -> bool:
    """Whether a lowercase word is on the list, also contracted or a part of that: `they're`, `n't`."""
    return (
        word in stop_words()
        or word in _CONTRACTION_PARTS
        or ("'" in word and set(word.split("'")) <= stop_words())
    )


@cache
def stop_words() -> frozenset[str]:
    """The usual list of 179 English stop words, `don't` and `should've` among them."""
    return frozenset(read_words("stopwords.txt"))


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """What the forms of a word share: `cities` and `city`, `made` and `making`, `quick` and `quickly`.

    The result is for matching, not for reading.
    """
    bare = word.lower().removesuffix("'s").removesuffix("s'")
    if bare in _irregular():
        bare = _irregular()[bare]
    if len(bare) == 3 and bare[2] == "y" and bare[1] not in "aeiou":
        return f"{bare[:2]}i"
    if len(bare) < 4 or not bare.isalpha():
        return bare
    return _ending(_tense(_manner(_singular(bare))))


def is_irregular(word: str) -> bool:
    """Whether no ending gives away the plain form of a lowercase word: `went`, `children`."""
    return word in _irregular()


@cache
def _irregular() -> dict[str, str]:
    rows = [line.split() for line in read_lines("irregular.txt")]
    return {form: plain for plain, *forms in rows for form in forms}


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _manner(word: str) -> str:
    return word[:-2] if word.endswith("ly") and len(word) > 5 else word


def _tense(word: str) -> str:
    for suffix in ("ing", "ed"):
        base = word.removesuffix(suffix)
        if base != word and len(base) > 2 and _VOWEL.search(base) and not word.endswith("eed"):
            doubled = len(base) > 3 and base[-1] == base[-2] and base[-1] not in "lsz"
            return base[:-1] if doubled else base
    return word


def _ending(word: str) -> str:
    """Final `e` goes and `y` becomes `i`, so that `hope` meets `hoping`, and `happy` `happily`."""
    if word.endswith("ll") and len(word) > 5:
        return word[:-1]
    if word.endswith("e") and len(word) > 3:
        return word[:-1]
    return word[:-1] + "i" if word.endswith("y") and word[-2] not in "aeiou" else word
