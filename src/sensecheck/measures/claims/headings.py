"""Lines that only say what comes after them."""

import re

from sensecheck.measures.claims.finite import has_past, has_verb
from sensecheck.measures.claims.layout import Block
from sensecheck.measures.claims.leaning import without_source
from sensecheck.measures.claims.questions import only_asks
from sensecheck.measures.text.words import words

_BOLD = re.compile(r"(?P<mark>\*\*|__)(?P<said>[^*_\n]+)(?P=mark)(?P<after>:?)")
_SENTENCE_END = re.compile(r"[.!?。！？][\"'”’»)\]*_]*$")
_LONGEST, _LONGEST_TITLE, _LONGEST_SENTENCE = 12, 6, 3
"""In words: a line that introduces a list; a title or a bold line; a title that ends like a sentence."""
_THAT = re.compile(
    r"\bthat\s+(?:(?i:the|an?|his|her|its|their|this|these|it|they|he|she|we|you|there)\b|[A-Z])"
)
"""After it, something is said: `the proof that the mayor fled`."""
_LISTS = ("item", "row", "header", "code")


def is_heading(said: str, block: Block, following: Block | None, *, opens: bool) -> bool:
    """Whether the whole block is a heading; at the end of a text nothing is, as it heads nothing.

    `opens` says that it is the first of the text, where a bold line is more often the answer.
    """
    if following is None:
        return False
    if block.form == "title":
        return only_asks(said) or _is_title(said)
    return _is_bold_heading(said, opens=opens or block.form == "item")


def introduces(said: str, following: Block | None) -> bool:
    """Whether a sentence only introduces the list, the table or the code that follows it.

    With a number in it, or longer than a dozen words, it says something of its own.
    """
    if following is None or following.form not in _LISTS or not said.rstrip("*_ ").endswith((":", "：")):
        return False
    return len(words(said)) <= _LONGEST and only_announces(said)


def only_announces(said: str) -> bool:
    """Whether a line before a colon is short, and has no number, no `that` and nothing that happened."""
    bare = without_source(said)
    if any(map(str.isdigit, bare)) or len(words(bare)) > _LONGEST:
        return False
    return not _THAT.search(bare) and not has_past(bare)


def _is_title(said: str) -> bool:
    """Whether a line names something and says nothing of it."""
    count = len(words(said))
    if count > _LONGEST_TITLE or any(map(str.isdigit, said)) or has_verb(said):
        return False
    return not (_SENTENCE_END.search(said[-12:]) and count > _LONGEST_SENTENCE)


def _is_bold_heading(said: str, *, opens: bool) -> bool:
    match = _BOLD.fullmatch(said)
    if match is None:
        return False
    inner = match["said"].strip()
    if inner.endswith((":", "：")) or match["after"]:
        return _is_title(inner)
    return _is_title(inner) and not opens and not _SENTENCE_END.search(inner)


def is_table_head(said: str) -> bool:
    """Whether the first row of a table only names its columns."""
    return not any(
        len(words(cell)) > _LONGEST_SENTENCE and (has_verb(cell) or any(map(str.isdigit, cell)))
        for cell in said.split("|")
    )
