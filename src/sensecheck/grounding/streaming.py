"""An answer that is checked while it is written: what is held back, and where its claims end for good."""

import re
from collections.abc import Iterator
from itertools import islice

from sensecheck.measures.claims.citations import blanked, citation_marks
from sensecheck.measures.claims.claims import claims
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
_MAX_MARK_CHARS = 300
"""Characters; what stands in longer brackets is no citation, of several authors or with a title either."""
_CODE = re.compile(r"`[^`\n]+`")

_NEWS = re.compile(
    r"[.!?…](?=(\S{0,4}\s{1,9}[^\w\s]{0,3}\w*\W))|[。｡！？．।॥؟۔](?=(.))|\n(?=(\s{0,9}(?:\n|\S.{7})))|(?=(`))"
)
"""What may settle something, up to where it is certain; without it, looking would be in vain."""
_BACK = 64
"""As far back may lie what is only now certain."""
_EACH = 32
"""After each of N claims, all up to it is offered; then after every second, fourth, eighth …"""
_FEW = 5
"""So often at each of these distances."""
_FURTHEST = 64
"""With the whole, an answer is offered in 63 beginnings at most, however many claims it has."""
_SHARE = 32
"""A text is looked at again when so small a part of it is new: looking at each piece would take too long."""


class Held:
    """An answer that is being written, of which only what was accepted is released.

    `feed` and `finish` say which beginnings of it are to be checked; each of them is then `accepted`, in this
    order, or all is over with `refused`.
    """

    def __init__(self) -> None:
        self.text = ""
        """All that was written so far."""
        self.released = ""
        """What may be known outside: a beginning that was accepted as a whole."""
        self.is_refused = False
        self._borders = Borders()
        self._claims = 0
        self._looked_at = 0
        self._has_news = False
        self._waiting: list[str] = []

    def feed(self, piece: str) -> tuple[str, ...]:
        """The beginnings to be checked now that this was written too."""
        previous_length = len(self.text)
        self.text += piece
        self._has_news = self._has_news or _is_news(self.text, previous_length)
        if not self._has_news or len(self.text) - self._looked_at < len(self.text) // _SHARE:
            return ()
        self._has_news, self._looked_at = False, len(self.text)
        return self._offered(whole=False)

    def finish(self) -> tuple[str, ...]:
        """The beginnings to be checked now that nothing follows; the last is the whole answer."""
        offered = self._offered(whole=True)
        end = len(self.text.rstrip())
        if self.is_refused or end <= len(self._waiting[-1] if self._waiting else self.released):
            return offered
        self._waiting.append(self.text[:end])
        return (*offered, self.text[:end])

    def accepted(self, prefix: str) -> str:
        """What may be released now that this beginning was checked and passed."""
        if self.is_refused or not self._waiting or self._waiting[0] != prefix:
            raise ValueError("only the first beginning that waits to be checked can be accepted")
        del self._waiting[0]
        new = prefix[len(self.released) :]
        self.released = prefix
        return new

    def refused(self) -> None:
        """Release nothing more, neither of what was refused nor of anything after it."""
        self.is_refused = True
        self._waiting.clear()

    def _offered(self, *, whole: bool) -> tuple[str, ...]:
        """What can be checked that could not before."""
        if self.is_refused:
            return ()
        offered = []
        for start, end in self._borders.more(self.text, whole=whole):
            if _is_claim(self.text[start:end]):
                self._claims += 1
                offered += [self.text[:end]] * _is_offered(self._claims)
        self._waiting += offered
        return tuple(offered)


class Borders:
    """Ends of claims that stay ends of claims whatever follows, in a text that grows; each is reported once.

    They are the first of those of any longer text. Where only what follows will tell (an indented block, a
    table, a title, a line before a list), there is none: it waits for the next one. Blocks that have ended
    are not read again.
    """

    def __init__(self) -> None:
        self._start = 0
        """Where the last block ended that nothing can be added to."""
        self._barred = False
        """Whether what touches that block may be a row of its table."""
        self._reported = 0
        """How many borders were reported of the block that is still open."""

    def more(self, text: str, *, whole: bool) -> Iterator[tuple[int, int]]:
        """Those not known before, each after where its claim begins; the text is the one before, and more."""
        settled = text if whole else _settled_text(text)
        for start, end in list(_blocks(settled, self._start)):
            barred = self._barred and start == self._start
            is_open = end == len(settled) and not whole
            for border in islice(
                _within(settled, start, end, barred=barred, is_open=is_open), self._reported, None
            ):
                self._reported += 1
                yield border
            if not is_open:
                self._start, self._reported = end, 0
                self._barred = barred or "|" in settled[start:end]


def _is_news(text: str, previous_length: int) -> bool:
    """Whether the text after the first `previous_length` characters may settle anything."""
    matches = _NEWS.finditer(text, max(0, previous_length - _BACK))
    return any(match.end(match.lastindex or 0) > previous_length for match in matches)


def _is_claim(piece: str) -> bool:
    """Whether the last sentence can be true or false: a question waits for what comes after it."""
    piece_claims = claims(piece)
    return bool(piece_claims) and piece_claims[-1].checked and piece_claims[-1].end == len(piece)


def _is_offered(number: int) -> bool:
    """Whether all up to the claim of this number is offered; the longer that is, the more rarely."""
    beyond, step = number - _EACH, 2
    while beyond > _FEW * step:
        beyond, step = beyond - _FEW * step, step * 2
    return beyond <= 0 or (step <= _FURTHEST and beyond % step == 0)


def _settled_text(text: str) -> str:
    """The text without a last line that is too short to tell what it will be."""
    start = text.rfind("\n") + 1
    return text if len(text[start:].strip()) >= _LINE else text[:start]


def _blocks(text: str, offset: int) -> Iterator[tuple[int, int]]:
    """The blocks from the offset on that are not blank."""
    for start, end in blocks(text[offset:]):
        if text[offset + start : offset + end].strip():
            yield offset + start, offset + end


def _within(text: str, start: int, end: int, *, barred: bool, is_open: bool) -> Iterator[tuple[int, int]]:
    """The borders in one block."""
    if barred or text.startswith(_INDENTED, start) or _TITLE.match(text, start, end):
        return
    pieces = _pieces(text, start, end)
    for piece_start, piece_end in pieces:
        if is_open and (piece_end == pieces[-1][1] or not _is_certain(text, piece_end)):
            return
        if _can_end_here(text, start, piece_end):
            yield piece_start, piece_end


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The sentences of a paragraph; any other block, whole."""
    block = text[start:end].strip()
    offset = text.index(block, start)
    if is_fenced(text, start, end) or _without_marks(text, start, end).strip() != block:
        return [(offset, offset + len(block))]
    masked = blanked(block, citation_marks(block))  # as claims are cut
    return [
        (offset + sentence_start, offset + sentence_end) for sentence_start, sentence_end in sentences(masked)
    ]


def _without_marks(text: str, start: int, end: int) -> str:
    """A block without the marks of quotations and lists before it."""
    mark = _MARK.match(text, start, end)
    return text[mark.end() if mark else start : end]


def _can_end_here(text: str, start: int, end: int) -> bool:
    """Whether the block from `start` to `end` is no table row, is not all bold, and introduces nothing."""
    block = text[start:end]
    introduces = block.rstrip("*_ ").endswith((":", "："))
    return not ("|" in block or introduces or _BOLD.fullmatch(_without_marks(text, start, end)))


def _is_certain(text: str, border: int) -> bool:
    """Whether enough follows, and no code that is still open may yet swallow the end of the sentence."""
    ahead = _AHEAD.match(text, border)
    if ahead is None or ahead.end() == len(text) or _may_cite(text, border):
        return False
    line_start = text.rfind("\n", 0, border) + 1
    last_backtick = text.rfind("`", line_start)
    if last_backtick < 0 or last_backtick > border or text.find("\n", border) >= 0:
        return True
    return any(match.end() - 1 == last_backtick for match in _CODE.finditer(text, line_start))


def _may_cite(text: str, border: int) -> bool:
    """Whether a bracket follows that is still open, and short enough to become a citation."""
    ahead = text[border : border + _MAX_MARK_CHARS + 1].lstrip()
    if not ahead.startswith(tuple(_OPENS)) or border + _MAX_MARK_CHARS < len(text) or "\n" in ahead:
        return False
    depth = 0
    for char in ahead:
        depth += (char in _OPENS) - (char in _CLOSES)
        if depth == 0:
            return False
    return True
