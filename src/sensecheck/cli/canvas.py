"""Curves in characters: eight dots to a cell where the terminal knows Braille, else one star."""

from collections.abc import Iterable

_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bit of each dot of a Braille cell: four rows of two."""
_BLANK = 0x2800


class Canvas:
    """A square from 0 to 1 on both sides, drawn on cells."""

    def __init__(self, columns: int, rows: int, *, unicode: bool) -> None:
        self._unicode = unicode
        self._cells = [[0] * columns for _ in range(rows)]
        self._marks: dict[tuple[int, int], str] = {}
        self._width, self._height = (2 * columns, 4 * rows) if unicode else (columns, rows)

    def curve(self, points: Iterable[tuple[float, float]]) -> None:
        """Straight lines from each point to the next."""
        last: tuple[float, float] | None = None
        for point in points:
            start = last or point
            across, down = (abs(b - a) for a, b in zip(start, point, strict=True))
            steps = 1 + round(max(across * self._width, down * self._height))
            for step in range(steps + 1):
                share = step / steps
                self._dot(*(a + (b - a) * share for a, b in zip(start, point, strict=True)))
            last = point

    def mark(self, x: float, y: float, sign: str) -> None:
        """A sign that stands over whatever is drawn there."""
        row, column = self._place(x, y)
        across, down = (2, 4) if self._unicode else (1, 1)
        self._marks[row // down, column // across] = sign

    def lines(self) -> list[str]:
        """The drawing from top to bottom."""
        return [
            "".join(self._marks.get((r, c)) or self._cell(bits) for c, bits in enumerate(row))
            for r, row in enumerate(self._cells)
        ]

    def _dot(self, x: float, y: float) -> None:
        row, column = self._place(x, y)
        if self._unicode:
            self._cells[row // 4][column // 2] |= _DOTS[row % 4][column % 2]
        else:
            self._cells[row][column] = 1

    def _place(self, x: float, y: float) -> tuple[int, int]:
        return round((1 - y) * (self._height - 1)), round(x * (self._width - 1))

    def _cell(self, bits: int) -> str:
        if not bits:
            return " "
        return chr(_BLANK + bits) if self._unicode else "*"
