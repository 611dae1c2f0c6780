"""Where claims end for good in a text that is still being written."""

import re
from collections.abc import Iterator
from itertools import islice

from sensecheck.measures.claims.citations import blanked, citation_marks
from sensecheck.text.sentences import blocks, is_fenced, sentences

_LINE = 8
"""A line of fewer characters may still become a list item, a title or a fence."""
_INDENTED = ("    ", "\t")
_MARK = re.compile(r"[\s>]*(?:[-*+•–]\s+(?:\[[ xX]\]\s+)?|\(?(?:\d{1,3}|[A-Za-z])[.)]\s+)?")
_TITLE = re.compile(r"[\s>]*#{1,6}\s")
_BOLD = re.compile(r"(?:\*\*|__)[^*_\n]*(?:[*_]{1,2}:?)?")
"""A block that is bold so far: all of it may come to be a heading."""
_AHEAD = re.compile(r"\s*[\"'“‘«(\[*_]*\w{0,20}")
"""What is looked at after a full stop, to tell the end of a sentence from an abbreviation."""
_OPENS, _CLOSES = "([（【", ")]）】"
_LONGEST_MARK = 300
"""Characters; what stands in longer brackets is no citation, of several authors or with a title either."""
_CODE = re.compile(r"`[^`\n]+`")


class Borders:
    """Ends of claims that stay ends of claims whatever follows, in a text that grows; each is told once.

    They are the first of those of any longer text. Where only what follows will tell (an indented block, a
    table, a title, a line before a list), there is none: it waits for the next one. Blocks that have ended
    are not read again.
    """

    def __init__(self) -> None:
        self._start = 0
        """Where the last block ended that nothing can be added to."""
        self._barred = False
        """Whether what touches that block may be a row of its table."""
        self._told = 0
        """How many borders were told of the block that is still open."""

    def more(self, text: str, *, whole: bool) -> Iterator[tuple[int, int]]:
        """Those not known before, each after where its claim begins; the text is the one before, and more."""
        known = text if whole else _known(text)
        for start, end in list(_blocks(known, self._start)):
            barred = self._barred and start == self._start
            is_open = end == len(known) and not whole
            for border in islice(
                _within(known, start, end, barred=barred, is_open=is_open), self._told, None
            ):
                self._told += 1
                yield border
            if not is_open:
                self._start, self._told = end, 0
                self._barred = barred or "|" in known[start:end]


def _blocks(known: str, since: int) -> Iterator[tuple[int, int]]:
    """The blocks from there on in which something is written."""
    for start, end in blocks(known[since:]):
        if known[since + start : since + end].strip():
            yield since + start, since + end


def _within(known: str, start: int, end: int, *, barred: bool, is_open: bool) -> Iterator[tuple[int, int]]:
    """The borders in one block."""
    if barred or known.startswith(_INDENTED, start) or _TITLE.match(known, start, end):
        return
    pieces = _pieces(known, start, end)
    for begun, ending in pieces:
        if is_open and (ending == pieces[-1][1] or not _is_certain(known, ending)):
            return
        if _stands(known, start, ending):
            yield begun, ending


def _known(text: str) -> str:
    """The text without a last line that is too short to tell what it will be."""
    start = text.rfind("\n") + 1
    return text if len(text[start:].strip()) >= _LINE else text[:start]


def _pieces(known: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of a paragraph; any other block, whole."""
    block = known[start:end].strip()
    body = known.index(block, start)
    if is_fenced(known, start, end) or _said(known, start, end).strip() != block:
        return [(body, body + len(block))]
    said = blanked(block, citation_marks(block))  # as claims are cut
    return [(body + begun, body + ending) for begun, ending in sentences(said)]


def _stands(known: str, start: int, ending: int) -> bool:
    """Whether a block up to there is no row of a table, is not all bold, and introduces nothing."""
    block = known[start:ending]
    introduces = block.rstrip("*_ ").endswith((":", "："))
    return not ("|" in block or introduces or _BOLD.fullmatch(_said(known, start, ending)))


def _said(known: str, start: int, end: int) -> str:
    """A block without the marks of quotations and lists before it."""
    mark = _MARK.match(known, start, end)
    return known[mark.end() if mark else start : end]


def _may_cite(known: str, border: int) -> bool:
    """Whether a bracket follows that is still open, and short enough to become a citation."""
    ahead = known[border : border + _LONGEST_MARK + 1].lstrip()
    if not ahead.startswith(tuple(_OPENS)) or border + _LONGEST_MARK < len(known) or "\n" in ahead:
        return False
    depth = 0
    for char in ahead:
        depth += (char in _OPENS) - (char in _CLOSES)
        if depth == 0:
            return False
    return True


def _is_certain(known: str, border: int) -> bool:
    """Whether enough follows, and no code that is still open may yet swallow the end of the sentence."""
    ahead = _AHEAD.match(known, border)
    if ahead is None or ahead.end() == len(known) or _may_cite(known, border):
        return False
    line = known.rfind("\n", 0, border) + 1
    last = known.rfind("`", line)
    if last < 0 or last > border or known.find("\n", border) >= 0:
        return True
    return any(match.end() - 1 == last for match in _CODE.finditer(known, line))
