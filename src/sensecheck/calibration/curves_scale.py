"""From readings to places on a picture, and the round numbers that are written at its edge."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

_ROUND = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True, slots=True)
class Scale:
    """A stretch of numbers; the first lies at 0 and the last at 1."""

    low: float
    high: float

    @classmethod
    def over(cls, values: Iterable[float]) -> "Scale":
        """The stretch that holds them all, with some room where they are all the same."""
        held = list(values)
        low, high = min(held), max(held)
        room = max(abs(low), abs(high)) * 1e-6 or 1.0
        return cls(low, high) if high / 2 - low / 2 > room / 4 else cls(low - room, high + room)

    @property
    def half(self) -> float:
        """Half the stretch; the whole of it may be larger than any float."""
        return self.high / 2 - self.low / 2

    def place(self, value: float) -> float:
        """Where a number lies, from 0 to 1; one from outside lies at the edge."""
        return min(max((value / 2 - self.low / 2) / self.half, 0.0), 1.0)

    def ticks(self, most: int) -> tuple[float, ...]:
        """Round numbers on the stretch, evenly spaced, and no more of them than that."""
        rough = self.half / (most - 1) * 2
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * times for times in _ROUND if power * times >= rough * (1 - 1e-9))
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        return tuple(n * step for n in range(first, last + 1))


SHARES = Scale(0.0, 1.0)
"""From none to all."""
