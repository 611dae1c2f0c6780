"""Between which numbers a measure reads, and which lines among them decide something."""

from dataclasses import dataclass
from typing import Final, Literal

from sensecheck.evals.node import Node


@dataclass(frozen=True, slots=True)
class Readings:
    """The lowest and the highest reading, and from which side of a line answers may pass."""

    least: float
    most: float
    passing: Literal["above", "below", "either"]

    def line(self, node: Node, what: str, *, turned: bool = False) -> float:
        """A number among the readings, unless all of them, or all but one, would come out alike.

        With `turned`, what is on the good side of the line fails.
        """
        line = node.number(what, least=self.least, most=self.most)
        if line in (self.least, self.most) and (why := self._idle(line, turned=turned)):
            side = "more" if line == self.least else "less"
            raise node.wrong(f"{what} wants {side} than {line:g}: {why}")
        return line

    def _idle(self, line: float, *, turned: bool) -> str:
        """Why a line at the end of the readings decides too little; nothing when it decides enough."""
        if self.passing == "either":
            return "there every answer would come out alike"
        if line == (self.least if self.passing == "above" else self.most):
            beyond = "less" if line == self.least else "more"
            return f"no reading is {beyond}, so it could never {'pass' if turned else 'fail'}"
        return f"nothing but a reading of exactly {line:g} could fail" if turned else ""


CLOSENESS: Final = Readings(-1.0, 1.0, "above")
PORTION: Final = Readings(0.0, 1.0, "above")
REPEATED: Final = Readings(0.0, 1.0, "below")
CHANCE: Final = Readings(0.0, 1.0, "either")
"""Of something that is wanted, or that must not be."""
DRIFT: Final = Readings(0.0, 2.0, "below")
"""A distance that must not be exceeded."""
NEARNESS: Final = Readings(0.0, 2.0, "above")
"""A distance that must not be fallen short of."""
