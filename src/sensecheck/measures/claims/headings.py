"""Lines that only say what comes after them."""

import re

from sensecheck.measures.claims.layout import Block
from sensecheck.measures.text.words import words

_BOLD = re.compile(r"(?P<mark>\*\*|__)(?P<said>[^*_\n]+)(?P=mark)(?P<after>:?)")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’»)\]*_]*$")
_LONGEST, _LONGEST_BOLD, _LONGEST_TITLE = 12, 8, 3
"""In words: a line that introduces a list; a bold line without a colon; a title that ends like a sentence."""
_LISTS = ("item", "row", "header", "code")


def is_heading(said: str, block: Block, following: Block | None, *, opens: bool) -> bool:
    """Whether the whole block is a heading; at the end of a text nothing is, as it heads nothing.

    `opens` says that it is the first of the text, where a bold line is more often the answer.
    """
    if following is None:
        return False
    if block.form == "title":
        return not (_SENTENCE_END.search(said[-12:]) and len(words(said)) > _LONGEST_TITLE)
    return _is_bold_heading(said, opens=opens or block.form == "item")


def introduces(said: str, following: Block | None) -> bool:
    """Whether a sentence only introduces the list, the table or the code that follows it.

    With a number in it, or longer than a dozen words, it says something of its own.
    """
    if following is None or following.form not in _LISTS or not said.rstrip("*_ ").endswith((":", "：")):
        return False
    return not any(map(str.isdigit, said)) and len(words(said)) <= _LONGEST


def _is_bold_heading(said: str, *, opens: bool) -> bool:
    match = _BOLD.fullmatch(said)
    if match is None:
        return False
    inner = match["said"].strip()
    if inner.endswith((":", "：")) or match["after"]:
        return len(words(inner)) <= _LONGEST
    short = len(words(inner)) <= _LONGEST_BOLD and not any(map(str.isdigit, inner))
    return short and not opens and not _SENTENCE_END.search(inner)
