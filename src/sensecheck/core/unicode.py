"""The canonical form of a text, its printable form, and offsets as other programs count them.

A text is encoded and cached in its canonical form. In its printable form nothing in it can control a
terminal, whoever wrote it. Other programs count offsets in UTF-16 code units or in UTF-8 bytes.
"""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from sensecheck.core.errors import SpecError

if TYPE_CHECKING:  # only offsets need it, and the command line starts without
    import numpy as np
    import numpy.typing as npt

Encoding = Literal["code_points", "utf16", "utf8"]
Places = list[tuple[int, int]]
Starts: TypeAlias = "npt.NDArray[np.int64]"

_MAX_PIECE_CHARS = 64
"""Characters; the work for a piece grows with the square of its length."""
_PIECE = re.compile(r"[\x00-\x7f]+(?![^\x00-\x7f])|[\x00-\x7f]?[^\x00-\x7f]+")
"""Plain ASCII, or what follows one ASCII character: nothing composes across the borders."""
_LAST_OF_WIDTH: dict[Encoding, tuple[int, ...]] = {
    "code_points": (),
    "utf16": (0xFFFF,),
    "utf8": (0x7F, 0x7FF, 0xFFFF),
}
"""After each of these code points a character takes one unit more. A lone surrogate counts as any other."""


def canonical(text: str) -> str:
    """The text in Unicode composition (NFC): `é` written in one or in two code points is one text."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def squeezed(text: str) -> str:
    """The text without what a copy may differ in: case and the width of its spaces."""
    return " ".join(canonical(text).casefold().split())


def text_key(text: str) -> bytes:
    """A digest of the text as it is given, the same on every machine."""
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=20).digest()


def pair_key(first: str, second: str) -> bytes:
    """A digest of two texts in their order; where the first one ends is part of it."""
    one, other = (text.encode("utf-8", "surrogatepass") for text in (first, second))
    return hashlib.blake2b(len(one).to_bytes(8, "little") + one + other, digest_size=20).digest()


def original_offsets(text: str) -> list[int]:
    """Where in `text` each character of its canonical form begins; and, last, where the text ends."""
    table: list[int] = []
    for piece in _PIECE.finditer(text):
        table += [piece.start() + offset for offset in _offsets_within(piece.group())]
    return [*table, len(text)]


def printable(line: str) -> str:
    """One line, with a mark in place of everything that is not a visible character."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in line)


def readable(text: str) -> str:
    """The same for a text of several lines."""
    return "\n".join(map(printable, text.split("\n")))


@dataclass(frozen=True, slots=True)
class Offsets:
    """Where each character of one text starts in an encoding, and, last, where the text ends."""

    starts: Starts

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> "Offsets":
        """Counts the text once; any number of places can then be converted."""
        if encoding not in _LAST_OF_WIDTH:
            raise SpecError(f"`{encoding}` is not a known encoding; known: {', '.join(_LAST_OF_WIDTH)}")
        import numpy as np  # noqa: PLC0415

        if text.isascii():
            return cls(np.arange(len(text) + 1, dtype=np.int64))
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        widths = np.ones(len(text), dtype=np.int64)
        for last in _LAST_OF_WIDTH[encoding]:
            widths += points > last
        return cls(np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(widths)]))

    def encoded(self, spans: Sequence[tuple[int, int]]) -> Places:
        """Spans in code points, counted in the encoding."""
        offsets = _checked(spans, len(self.starts) - 1)
        return _pairs(self.starts[offsets])

    def decoded(self, spans: Sequence[tuple[int, int]]) -> Places:
        """Spans counted in the encoding, in code points; one that cuts a character is refused."""
        offsets = _checked(spans, int(self.starts[-1]))
        at = self.starts.searchsorted(offsets)
        within = self.starts[at] != offsets
        if within.any():
            raise SpecError(f"the offset {int(offsets[within][0])} lies within a character")
        return _pairs(at)


def encoded(text: str, spans: Sequence[tuple[int, int]], encoding: Encoding) -> Places:
    """Spans of a text in code points, counted in the encoding."""
    return Offsets.of(text, encoding).encoded(spans)


def decoded(text: str, spans: Sequence[tuple[int, int]], encoding: Encoding) -> Places:
    """Spans of a text counted in the encoding, in code points."""
    return Offsets.of(text, encoding).decoded(spans)


def _offsets_within(piece: str) -> Sequence[int]:
    """Offsets of a piece that composes with nothing around it; a very long one counts as one character."""
    count = len(canonical(piece))
    if count == len(piece):
        return range(count)
    if len(piece) > _MAX_PIECE_CHARS:
        return [0] * count
    lengths = [len(canonical(piece[:end])) for end in range(len(piece) + 1)]
    return [max(i for i, length in enumerate(lengths) if length <= offset) for offset in range(count)]


def _checked(spans: Sequence[tuple[int, int]], length: int) -> Starts:
    """The spans as rows, each of which starts and ends within the text, in this order."""
    import numpy as np  # noqa: PLC0415

    rows = np.array(spans, dtype=np.int64).reshape(-1, 2)
    wrong = (rows[:, 0] < 0) | (rows[:, 0] > rows[:, 1]) | (rows[:, 1] > length)
    if wrong.any():
        start, end = rows[wrong][0].tolist()
        raise SpecError(f"the span {start} to {end} is not within the text, which ends at {length}")
    return rows


def _pairs(rows: Starts) -> Places:
    return [(start, end) for start, end in rows.tolist()]
