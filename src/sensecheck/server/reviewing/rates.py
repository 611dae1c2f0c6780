"""How often answers are judged wrongly, told from labels of some of them.

Labels are drawn from two strata, answers that were accepted and answers that were held back, and each stratum
weighs as much as it has messages. The interval holds the true rate with 95% confidence at least: both strata
have an exact one with 97.5%, and of all pairs within these the worst counts.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from sensecheck.stats.binomial import clopper_pearson

Stratum = Literal["accepted", "rejected"]
CONFIDENCE = 0.975
"""Of the interval of each stratum: both hold together with 95% at least."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """One stratum: how many messages it has, how many of them were drawn and labelled, how many are valid."""

    messages: int
    labels: int
    valid: int

    @property
    def share(self) -> float | None:
        """The share of valid answers among those labelled; None while there are no labels."""
        return self.valid / self.labels if self.labels else None

    @property
    def interval(self) -> tuple[float, float]:
        """The share of valid answers, as far as labels tell: anything, while there are none."""
        return _interval(self.valid, self.labels) if self.labels else (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate with its interval, as far as it can be told."""

    value: float | None
    low: float
    high: float
    labels: int


@dataclass(frozen=True, slots=True)
class Strata:
    """Both strata of a project in some days."""

    accepted: Drawn
    rejected: Drawn

    def false_negatives(self) -> Estimate:
        """The share of valid answers that were held back: it grows with the valid ones among the rejected."""
        accepted, rejected = self.accepted.interval, self.rejected.interval
        return Estimate(
            self._valid_rejected(self.accepted.share, self.rejected.share),
            _or(self._valid_rejected(accepted[1], rejected[0]), 0.0),
            _or(self._valid_rejected(accepted[0], rejected[1]), 1.0),
            self.accepted.labels + self.rejected.labels,
        )

    def false_positives(self) -> Estimate:
        """The share of invalid answers that were accepted: it shrinks with the valid ones among them."""
        accepted, rejected = self.accepted.interval, self.rejected.interval
        return Estimate(
            self._invalid_accepted(self.accepted.share, self.rejected.share),
            _or(self._invalid_accepted(accepted[1], rejected[0]), 0.0),
            _or(self._invalid_accepted(accepted[0], rejected[1]), 1.0),
            self.accepted.labels + self.rejected.labels,
        )

    def _valid_rejected(self, accepted: float | None, rejected: float | None) -> float | None:
        return _part(_times(self.rejected, rejected), _times(self.accepted, accepted))

    def _invalid_accepted(self, accepted: float | None, rejected: float | None) -> float | None:
        return _part(_times(self.accepted, _rest(accepted)), _times(self.rejected, _rest(rejected)))


@lru_cache(4096)
def _interval(valid: int, labels: int) -> tuple[float, float]:
    return clopper_pearson(valid, labels, confidence=CONFIDENCE)


def _times(stratum: Drawn, share: float | None) -> float | None:
    """How many messages the share is; an empty stratum has none, labelled or not."""
    return 0.0 if stratum.messages == 0 else None if share is None else stratum.messages * share


def _rest(share: float | None) -> float | None:
    return None if share is None else 1 - share


def _part(these: float | None, those: float | None) -> float | None:
    """Which part of both together these are; None where nobody knows, or where there are none at all."""
    if these is None or those is None or these + those == 0:
        return None
    return these / (these + those)


def _or(found: float | None, otherwise: float) -> float:
    return otherwise if found is None else found
