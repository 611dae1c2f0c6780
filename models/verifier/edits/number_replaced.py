"""A claim with some of its stretches said otherwise, with capitals and `a`/`an` made to fit."""

import re
from collections.abc import Sequence

from models.verifier.edits.edit import Edit, Kind

Replacement = tuple[int, int, str]
"""Where the old words start and end, and the new words."""

_ARTICLE = re.compile(r"\b(an?) $", re.IGNORECASE)
_VOWEL_SOUND = re.compile(
    r"(?:8|1[18](?!\d)|(?:hour|honest|heir|honou?r)|(?!one\b|once|uni|us[aeiu]|eu|ut[aeiou])[aeiou])",
    re.IGNORECASE,
)


def replaced(kind: Kind, claim: str, replacements: Sequence[Replacement]) -> Edit:
    """The claim with each old stretch replaced; the new words are marked."""
    parts: list[str] = []
    changed: list[tuple[int, int]] = []
    done = length = 0
    for start, end, new in sorted(_fitting(claim, one) for one in replacements):
        parts += [claim[done:start], new]
        length += start - done
        changed.append((length, length + len(new)))
        length, done = length + len(new), end
    return Edit(kind, "".join([*parts, claim[done:]]), tuple(changed))


def starts_with_vowel_sound(words: str) -> bool:
    """Whether `an` stands before these words."""
    return _VOWEL_SOUND.match(words) is not None


def _fitting(claim: str, replacement: Replacement) -> Replacement:
    """The replacement with the capital of the old words, and with the `a` or `an` that belongs to it."""
    start, end, new = replacement
    if claim[start].isupper() and not claim[start:end].isupper():
        new = new[0].upper() + new[1:]
    article = _ARTICLE.search(claim, max(0, start - 3), start)
    wanted = "an" if starts_with_vowel_sound(new) else "a"
    if article is None or article[1].lower() == wanted:
        return start, end, new
    return article.start(), end, f"{wanted.capitalize() if article[1][0] == 'A' else wanted} {new}"
