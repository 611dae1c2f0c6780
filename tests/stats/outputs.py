"""Scored outputs, made by hand or by chance."""

import numpy as np

from sensecheck.stats.risk_coverage import ScoredOutput


def outputs(*told: tuple[float | None, float | None]) -> list[ScoredOutput]:
    """An output for each confidence and loss."""
    return [ScoredOutput(str(index), sure, lost) for index, (sure, lost) in enumerate(told)]


def drawn(rng: np.random.Generator, count: int, *, wrong: float, told: float) -> list[ScoredOutput]:
    """Outputs of which a share is wrong; the higher `told` is, the more confidence tells of it."""
    lost = rng.random(count) < wrong
    sure = rng.normal(size=count) - told * lost
    return outputs(*zip(sure.tolist(), lost.astype(float).tolist(), strict=True))
