"""Small pictures of the same kind, beside and below each other."""

from collections.abc import Iterator
from dataclasses import dataclass

from sensecheck.evals.qa.pictures.sheet import EDGE, TOP

COLUMNS, WIDTH = 3, 900
_HIGH, _GAP, _ROOM = 116, 36, 68
"""How high a picture is, how far two are apart, and the room for its title and numbers."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Where one of them is drawn."""

    left: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        """The lower edge."""
        return self.top + self.height


def cells(count: int) -> Iterator[Cell]:
    """So many places, row by row."""
    width = (WIDTH - 2 * EDGE - (COLUMNS - 1) * _GAP) / COLUMNS
    for at in range(count):
        row, column = divmod(at, COLUMNS)
        yield Cell(EDGE + column * (width + _GAP), TOP + 30 + row * (_HIGH + _ROOM), width, _HIGH)


def height_of(count: int) -> float:
    """How high a sheet with so many of them is."""
    return TOP + 30 + -(-count // COLUMNS) * (_HIGH + _ROOM)
