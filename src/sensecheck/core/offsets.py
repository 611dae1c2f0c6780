"""Places in a text, counted as other programs count them: in UTF-16 code units or UTF-8 bytes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError

Encoding = Literal["code_points", "utf16", "utf8"]
Places = list[tuple[int, int]]
Starts = npt.NDArray[np.int64]
_LAST_OF_WIDTH: dict[Encoding, tuple[int, ...]] = {
    "code_points": (),
    "utf16": (0xFFFF,),
    "utf8": (0x7F, 0x7FF, 0xFFFF),
}
"""After each of these code points a character takes one unit more. A lone surrogate counts as any other."""


@dataclass(frozen=True, slots=True)
class Offsets:
    """Where each character of one text starts in an encoding, and, last, where the text ends."""

    starts: Starts

    @classmethod
    def of(cls, text: str, encoding: Encoding) -> "Offsets":
        """Counts the text once; any number of places can then be converted."""
        if encoding not in _LAST_OF_WIDTH:
            raise SpecError(f"`{encoding}` is not a known encoding; known: {', '.join(_LAST_OF_WIDTH)}")
        if text.isascii():
            return cls(np.arange(len(text) + 1, dtype=np.int64))
        points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        widths = np.ones(len(text), dtype=np.int64)
        for last in _LAST_OF_WIDTH[encoding]:
            widths += points > last
        return cls(np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(widths)]))

    def encoded(self, spans: Sequence[tuple[int, int]]) -> Places:
        """Spans in code points, counted in the encoding."""
        found = _checked(spans, len(self.starts) - 1)
        return _pairs(self.starts[found])

    def decoded(self, spans: Sequence[tuple[int, int]]) -> Places:
        """Spans counted in the encoding, in code points; one that cuts a character is refused."""
        found = _checked(spans, int(self.starts[-1]))
        at = np.searchsorted(self.starts, found)
        within = self.starts[at] != found
        if within.any():
            raise SpecError(f"the offset {int(found[within][0])} lies within a character")
        return _pairs(at)


def encoded(text: str, spans: Sequence[tuple[int, int]], encoding: Encoding) -> Places:
    """Spans of a text in code points, counted in the encoding."""
    return Offsets.of(text, encoding).encoded(spans)


def decoded(text: str, spans: Sequence[tuple[int, int]], encoding: Encoding) -> Places:
    """Spans of a text counted in the encoding, in code points."""
    return Offsets.of(text, encoding).decoded(spans)


def _checked(spans: Sequence[tuple[int, int]], length: int) -> Starts:
    """The spans as rows, each of which starts and ends within the text, in this order."""
    rows = np.array(spans, dtype=np.int64).reshape(-1, 2)
    wrong = (rows[:, 0] < 0) | (rows[:, 0] > rows[:, 1]) | (rows[:, 1] > length)
    if wrong.any():
        start, end = rows[wrong][0].tolist()
        raise SpecError(f"the span {start} to {end} is not within the text, which ends at {length}")
    return rows


def _pairs(rows: Starts) -> Places:
    return [(start, end) for start, end in rows.tolist()]
