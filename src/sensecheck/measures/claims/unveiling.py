"""Text out of its disguise: letters that only look like letters, are kept apart, or are written as signs."""

import html
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from sensecheck.text.words import UNSEEN

_ALIKE = dict(
    zip(
        "аеорсухіјѕһԁԛԝАВЕКМНОРСТХІЅЈΑΒΕΖΗΙΚΜΝΟΡΤΥΧοα",
        "aeopcyxijshdqwABEKMHOPCTXISJABEZHIKMNOPTYXoa",
        strict=True,
    )
)
_SIGNS = str.maketrans({"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s"})
_ENTITY = re.compile(r"&#x?[0-9a-fA-F]{1,6};")
_UNSEEN = re.compile(f"[{UNSEEN}]")
_MIXED = re.compile(r"\b(?=\w{0,30}[A-Za-z])(?=[\w@$]{0,30}[0-9@$])[\w@$]{3,30}\b")
_APART = re.compile(r"(?<!\w)[^\W\d_]([ .\-_*])[^\W\d_](?:\1[^\W\d_])+(?!\w)")
_DOT = re.compile(r"(?<=\w\s)[.·•|](?=\s\w)")
_HUMPS = re.compile(r"\b[A-Z]?[a-z]+(?:[A-Z][a-z]+){2,}\b")
_SNAKE = re.compile(r"\b[a-z]+(?:_[a-z]+){2,}\b", re.IGNORECASE)


_SUSPECT = re.compile(
    r"&#|[^\W\d_][0134579@$]+[^\W\d_][^\0]{0,200}?[^\W\d_][0134579@$]+[^\W\d_]"
    f"|[{UNSEEN}\uff21-\uff5a\U0001d400-\U0001d7ff\u0370-\u0556]"
)
"""Most texts have nothing of this, and are not looked at letter by letter."""


@dataclass(frozen=True, slots=True)
class Unveiled:
    """A text that a machine may read out of another, and where each of its characters stands there."""

    text: str
    places: tuple[int, ...]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where a stretch of it stands in the text as written."""
        return self.places[start], self.places[end - 1] + 1


def unveiled(text: str) -> Unveiled | None:
    """The text without its disguise; None when it has none."""
    if not any(found.search(text) for found in (_SUSPECT, _APART, _HUMPS, _SNAKE)):
        return None
    letters = list(_letters(text))
    for step in (_with_letters_for_signs, _together, _words_apart):
        letters = step(letters)
    plain = "".join(letter for letter, _ in letters)
    return None if plain == text else Unveiled(plain, tuple(at for _, at in letters))


Letters = list[tuple[str, int]]


def _letters(text: str) -> Iterator[tuple[str, int]]:
    entities = {match.start(): match for match in _ENTITY.finditer(text)} if "&#" in text else {}
    until = 0
    for at, letter in enumerate(text):
        if at < until:
            continue
        if at in entities:
            until = entities[at].end()
            yield from ((one, at) for one in html.unescape(entities[at][0]))
        elif letter.isascii():
            yield letter, at
        elif not _UNSEEN.match(letter):
            plain = _ALIKE.get(letter) or unicodedata.normalize("NFKC", letter)
            yield (plain if plain.isascii() and len(plain) == 1 else letter), at


def _with_letters_for_signs(letters: Letters) -> Letters:
    """`1gn0r3` as `ignore`: only in words that have letters too."""
    text, changed = "".join(letter for letter, _ in letters), list(letters)
    for match in _MIXED.finditer(text):
        for at, letter in enumerate(match[0].translate(_SIGNS), match.start()):
            changed[at] = letter, letters[at][1]
    return changed


def _together(letters: Letters) -> Letters:
    """`i g n o r e` as `ignore`."""
    text = "".join(letter for letter, _ in letters)
    gone = {at for match in _APART.finditer(text) for at in range(match.start() + 1, match.end(), 2)}
    left = [one for at, one in enumerate(letters) if at not in gone]
    if gone:  # then dots may keep the words apart
        for match in _DOT.finditer("".join(letter for letter, _ in left)):
            left[match.start()] = " ", left[match.start()][1]
    return left


def _words_apart(letters: Letters) -> Letters:
    """`IgnoreAllRules` and `ignore_all_rules` as words."""
    text, made = "".join(letter for letter, _ in letters), list(letters)
    for match in _SNAKE.finditer(text):
        for at in range(match.start(), match.end()):
            made[at] = (" ", letters[at][1]) if text[at] == "_" else letters[at]
    humps = {
        at
        for match in _HUMPS.finditer(text)
        for at in range(match.start() + 1, match.end())
        if text[at].isupper()
    }
    return [
        one for at, each in enumerate(made) for one in ([(" ", each[1]), each] if at in humps else [each])
    ]
