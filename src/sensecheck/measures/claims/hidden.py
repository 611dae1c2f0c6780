"""Characters that a reader does not see and a model does."""

import re
from collections.abc import Iterator

_TAGS = re.compile(r"(?<![\U0001F3F4\U000E0000-\U000E007F])[\U000E0000-\U000E007F]+")
"""Invisible copies of ASCII; after a black flag they are part of a picture, such as the flag of Wales."""
_SELECTORS = re.compile(r"[\ufe00-\ufe0f\U000E0100-\U000E01EF]{3,}")
"""One of these chooses the form of the character before it; a row of them can only hide bytes."""
_OVERRIDES = re.compile(r"[\u202d\u202e][^\u202c\n]*\u202c?")
_EMBEDDINGS = re.compile(r"[\u202a\u202b\u2066-\u2068]+")
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_UNSEEN = "\u200b\u2060-\u2064\u180e"
_WITHIN_WORDS = re.compile(rf"(?:[a-zA-Z][{_UNSEEN}\u200c\u200d\u00ad]+){{3,}}[a-zA-Z]")
"""Letters kept apart: `i·g·n·o·r·e`. One break within a word only says where a line may end."""
_ROW = re.compile(rf"[{_UNSEEN}\u200c\u200d]{{4,}}")
_BITS = frozenset("\u200b\u200c\u200d\u2060\u2061\u2062\u2063\u2064\u180e")


def hidden(text: str) -> Iterator[tuple[int, int, str]]:
    """Where hidden characters stand, and what they are; ordinary uses of such characters are left out."""
    if text.isascii():
        return
    for found, why in (
        (_TAGS, "hidden tag characters"),
        (_SELECTORS, "hidden variation selectors"),
        (_OVERRIDES, "text shown in reverse order"),
        (_WITHIN_WORDS, "words broken by hidden characters"),
    ):
        yield from ((match.start(), match.end(), why) for match in found.finditer(text))
    for match in _ROW.finditer(text):
        if len(_BITS.intersection(match[0])) > 1:  # a row of one kind is padding, two kinds can be bits
            yield match.start(), match.end(), "a row of hidden characters"
    if not _RIGHT_TO_LEFT.search(text):
        for match in _EMBEDDINGS.finditer(text):
            yield match.start(), match.end(), "a change of direction where nothing runs from right to left"
