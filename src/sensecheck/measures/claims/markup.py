"""Markup that a page does not show, and that speaks all the same."""

import re
from collections.abc import Iterator

from sensecheck.measures.claims.ordering import speaks_to_someone

WHY = "hidden markup that speaks"
_INSIDE = r"(?s:.){0,1500}?"
_REGIONS = re.compile(
    rf"<!--{_INSIDE}-->|\{{#{_INSIDE}#\}}|%%{_INSIDE}%%"
    r"|^\[(?://|comment)\]:[^\n]{0,1500}"
    r"|<[a-z]{1,12}\b[^<>]{0,200}\b(?:hidden|display:\s?none|visibility:\s?hidden|opacity:\s?0|color:\s?white"
    r"|font-size:\s?[01](?:px|pt|em)?|size=\"?0)[^<>]{0,500}>(?:[^<]{0,1500}</[a-z]{1,12}>)?"
    r"|<(?:template|noscript|details)\b[^<>]{0,100}>(?:(?!</(?:template|noscript|details)).){0,1500}"
    r"|<(?:meta|img|input)\b[^<>]{0,800}>|!\[[^\]\n]{12,800}\]\([^)\n]{0,400}\)",
    re.IGNORECASE | re.MULTILINE,
)


def hidden_markup(text: str) -> Iterator[tuple[int, int, str]]:
    """Comments, elements that are not shown, and descriptions of pictures that tell somebody something."""
    for match in _REGIONS.finditer(text):
        if speaks_to_someone(match[0]):
            yield match.start(), match.end(), WHY
