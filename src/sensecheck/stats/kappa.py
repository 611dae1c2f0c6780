"""Cohen's kappa: how far two raters agree beyond what chance alone would make of their habits."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist


@dataclass(frozen=True, slots=True)
class Kappa:
    """The agreement of two raters on the same rows; what cannot be computed is None."""

    n: int
    """Rows that both have judged."""
    agreed: int
    value: float | None
    """1 where they always agree, 0 where chance would do as well; None where both always said the same."""
    low: float | None
    high: float | None


def cohen_kappa(first: Sequence[Hashable], second: Sequence[Hashable], *, confidence: float = 0.95) -> Kappa:
    """The kappa of two raters, with its interval by the normal approximation."""
    pairs = list(zip(first, second, strict=True))
    n, agreed = len(pairs), sum(one == other for one, other in pairs)
    if not n:
        return Kappa(0, 0, None, None, None)
    values = {value for pair in pairs for value in pair}
    chance = sum(first.count(value) * second.count(value) for value in values) / n**2
    if chance == 1:
        return Kappa(n, agreed, None, None, None)
    share = agreed / n
    value = (share - chance) / (1 - chance)
    spread = NormalDist().inv_cdf((1 + confidence) / 2) * math.sqrt(share * (1 - share) / n) / (1 - chance)
    return Kappa(n, agreed, value, max(value - spread, -1.0), min(value + spread, 1.0))
