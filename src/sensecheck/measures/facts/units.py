"""Units, and what a number is in the base unit of its dimension."""

import re
from functools import cache
from typing import NamedTuple

from sensecheck.text.wordlists import read_lines

_AFTER = re.compile(
    r"[ \t\u00a0\u202f]?-?(° ?[CFcf]?(?![\w°])|[%$€£¥₹])|[ \t\u00a0\u202f-]?([^\W\d_][\w/²³]*(?:-old)?)"
)
_MORE = re.compile(r"[ \t\u00a0]([^\W\d_]\w*)")
_MAX_UNIT_WORDS = 3
"""Words in the longest name of a unit."""


class Unit(NamedTuple):
    """A unit, and where its name ends in the text."""

    name: str
    dimension: str
    factor: float
    end: int


@cache
def _units() -> dict[str, tuple[str, float]]:
    rows = (line.split() for line in read_lines("units.txt", __package__))
    return {name.replace("_", " "): (row[0], float(row[1])) for row in rows for name in row[2:]}


@cache
def _small_units() -> dict[str, tuple[str, float]]:
    """The same in small letters: `5 gb`; of two that differ in capitals only, the last."""
    return {name.lower(): unit for name, unit in _units().items() if len(name) > 1}


def unit_at(text: str, position: int) -> Unit | None:
    """The unit that follows a number ending at `position`."""
    match = _AFTER.match(text, position)
    if match is None:
        return None
    candidates = [((match[1] or match[2]).replace("° ", "°"), match.end())]
    while match[2] and len(candidates) < _MAX_UNIT_WORDS and (more := _MORE.match(text, candidates[-1][1])):
        candidates.append((f"{candidates[-1][0]} {more[1]}", more.end()))
    for name, end in reversed(candidates):
        if values := _unit_values(name):
            return Unit(name, *values, end)
    return None


def currency(symbol: str) -> Unit:
    """The unit of a currency sign that stands before its number."""
    return Unit(symbol, *_units()[symbol.lower()], 0)


def unit_named(name: str) -> tuple[str, float] | None:
    """The dimension and the factor of a unit by its name alone."""
    return _unit_values(name)


def base(amount: float, unit: Unit) -> tuple[str, float]:
    """The dimension, and the amount in its base unit; temperatures all become degrees Celsius."""
    if unit.dimension == "fahrenheit":
        return "temperature", (amount - 32) * 5 / 9
    if unit.dimension == "kelvin":
        return "temperature", amount - 273.15
    return unit.dimension, amount * unit.factor


def _unit_values(name: str) -> tuple[str, float] | None:
    units = _units()
    return units.get(name) or (_small_units().get(name.lower()) if len(name) > 1 else None)
