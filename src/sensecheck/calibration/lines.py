"""Where the line goes: just beyond the last reading that must not be on the wrong side.

Everything is worked out for readings that are good above their line, where a value passes if it is at least
the line; readings that are good below it are turned over once, and their line is turned back.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from sensecheck.calibration.allowance import Promising, allowed, fewest
from sensecheck.calibration.decimals import shortest
from sensecheck.calibration.target import Errors, Method, Target
from sensecheck.core.errors import SpecError

Values = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Placed:
    """A line, and its band of doubt where two promises need two lines."""

    line: float
    doubt: tuple[float, float] | None = None

    def turned(self) -> "Placed":
        """The same for readings of the opposite sign."""
        doubt = None if self.doubt is None else (_turned(self.doubt[1]), _turned(self.doubt[0]))
        return Placed(_turned(self.line), doubt)


def place_line(
    good: Values, bad: Values, *, side: Literal["above", "below"], method: Method, targets: Sequence[Target]
) -> Placed:
    """The line that keeps the targets, fitted on these readings; `SpecError` if there are too few of them."""
    if side == "below":
        return place_line(-good, -bad, side="above", method=method, targets=targets).turned()
    if method == "best_f1":
        return Placed(_best_f1(good, bad))
    everything = np.concatenate((good, bad))
    lines: dict[Errors, float] = {}
    for target in targets:
        if target.errors == "false_accepts":
            lines[target.errors] = _pass_line(bad, everything, _most(method, target, len(bad)))
        else:
            lines[target.errors] = _fail_line(good, everything, _most(method, target, len(good)))
    return _together(lines)


def _most(method: Promising, target: Target, n: int) -> int:
    most = allowed(method, target, n)
    if most is None:
        least = fewest(method, target)
        raise SpecError(f"a line for {target.in_words()} wants at least {least} rows; found {n}")
    return most


def _pass_line(bad: Values, everything: Values, most: int) -> float:
    """At most so many bad readings reach it: it lies strictly above the next one, and above all its ties."""
    return _beyond(_ranked(bad, most), everything, with_edge=False)


def _fail_line(good: Values, everything: Values, most: int) -> float:
    """At most so many good readings stay below it: the next one still reaches it."""
    return _turned(_beyond(_ranked(-good, most), -everything, with_edge=True))


def _ranked(values: Values, most: int) -> float:
    """The value that exactly `most` others come before, from the largest on."""
    place = len(values) - 1 - most
    return float(np.partition(values, place)[place])


def _beyond(edge: float, everything: Values, *, with_edge: bool) -> float:
    """A short number a little above a reading, by at most an eighth of the way to the next one.

    Near, so that hardly a new reading falls between the two; short, so that people can read the line.
    """
    larger = everything[everything > edge]
    if larger.size:
        room = float(larger.min()) / 8 - edge / 8
    else:
        spread = float(everything.max()) - float(everything.min())
        room = (spread or max(abs(edge), 1.0)) / 64
    return shortest(edge, edge + room, near=edge, with_low=with_edge)


def _together(lines: Mapping[Errors, float]) -> Placed:
    """One line where one will do; else what lies between the two is in doubt."""
    if len(lines) == 1:
        (line,) = lines.values()
        return Placed(line)
    passes, fails = lines["false_accepts"], lines["false_rejects"]
    if fails < passes:
        return Placed(passes, (fails, passes))
    return Placed(shortest(passes, fails, near=passes / 2 + fails / 2, with_low=True))


def _best_f1(good: Values, bad: Values) -> float:
    """The line that finds the bad readings best, among those it is fitted on; of several, the lowest."""
    everything = np.concatenate((good, bad))
    edges = np.unique(everything)  # what is at most the edge fails
    caught = np.searchsorted(np.sort(bad), edges, side="right")
    blamed = np.searchsorted(np.sort(good), edges, side="right")
    f1 = 2 * caught / (caught + blamed + len(bad))
    return _beyond(float(edges[np.argmax(f1)]), everything, with_edge=False)


def _turned(value: float) -> float:
    return 0.0 - value  # and not -value: a line at zero is 0, never -0
