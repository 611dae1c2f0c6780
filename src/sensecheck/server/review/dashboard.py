"""The figures of some days, with error rates estimated from labels.

Labels are drawn from two strata, answers that were accepted and answers that were held back, and each stratum
weighs as much as it has messages. The interval holds the true rate with 95% confidence at least: both strata
have an exact one with 97.5%, and of all pairs within these the worst counts.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from typing import Literal

from sqlalchemy import Connection

from sensecheck.server.schemas.review import Day, Figure, Labels, LabelsNeeded, LatencyPercentiles, Stats
from sensecheck.stats.binomial import clopper_pearson
from sensecheck.stats.latency import percentile
from sensecheck.store.service.figures import Days, Figures, figures_of, together
from sensecheck.store.service.reviews import LabelledMessage, labelled_messages, thumbs

Stratum = Literal["accepted", "rejected"]
CONFIDENCE = 0.975
"""Of the interval of each stratum: both hold together with 95% at least."""
SHARE_OF_TARGET = 0.5
"""An interval is narrow enough when it is half as wide as the target, or all on one side of it."""
STEP = 1.25
"""How much larger each guess is than the one before: an order of magnitude is wanted, not a promise."""
MOST = 100_000
"""Labels of both strata; nobody gives more."""
LEAST = 30
"""Labels of each stratum; from fewer, nobody can foresee how many it will take."""
Rate = Literal["false_negatives", "false_positives"]
SUCCESS, SIMILARITY = 0.95, 0.7
FALSE_NEGATIVES, FALSE_POSITIVES = 0.05, 0.01
"""What the figures of a week should be."""
_NEVER = (
    f"not even {MOST:,} labels would tell: the rate is too near its target, or too few messages are of "
    "the kind that it is about"
)


def stats_of(connection: Connection, project: int, days: Days) -> Stats:
    """All figures of a project in these days."""
    by_day = figures_of(connection, project, days)
    whole = together(figures for policies in by_day.values() for figures in policies.values())
    labelled = labelled_messages(connection, project, days)
    strata = strata_of(whole, labelled)
    return Stats(
        first_day=days.first,
        last_day=days.last,
        messages=whole.messages,
        judged=whole.judged,
        validation_success_rate=_success(whole),
        avg_similarity_score=_mean(_mean_similarity(whole), SIMILARITY, whole.similarities),
        false_negative_rate=_estimated(
            strata.false_negatives(), FALSE_NEGATIVES, "held back", strata.rejected.messages
        ),
        false_positive_rate=_estimated(
            strata.false_positives(), FALSE_POSITIVES, "accepted", strata.accepted.messages
        ),
        latency_validation_ms=_latency(whole),
        outcomes=dict(whole.outcomes),
        policies=_by_policy(by_day),
        feedback=thumbs(connection, project, days),
        labels=_labels(strata, labelled),
        days=[_day(day, together(policies.values())) for day, policies in by_day.items()],
    )


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
        """The share of valid answers, as far as labels show: anything, while there are none."""
        return _interval(self.valid, self.labels) if self.labels else (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class RateEstimate:
    """A rate with its interval, as far as it is known."""

    value: float | None
    low: float
    high: float
    labels: int


@dataclass(frozen=True, slots=True)
class Strata:
    """Both strata of a project in some days."""

    accepted: Drawn
    rejected: Drawn

    def false_negatives(self) -> RateEstimate:
        """The share of valid answers that were held back: it grows with the valid ones among the rejected."""
        return self._estimated(self._valid_rejected)

    def false_positives(self) -> RateEstimate:
        """The share of invalid answers that were accepted: it shrinks with the valid ones among them."""
        return self._estimated(self._invalid_accepted)

    def _estimated(self, rate: Callable[[float | None, float | None], float | None]) -> RateEstimate:
        """A rate, which grows with the valid ones among the rejected and shrinks with the other ones."""
        accepted, rejected = self.accepted.interval, self.rejected.interval
        return RateEstimate(
            rate(self.accepted.share, self.rejected.share),
            _default(rate(accepted[1], rejected[0]), 0.0),
            _default(rate(accepted[0], rejected[1]), 1.0),
            self.accepted.labels + self.rejected.labels,
        )

    def _valid_rejected(self, accepted: float | None, rejected: float | None) -> float | None:
        return _proportion(_messages_in(self.rejected, rejected), _messages_in(self.accepted, accepted))

    def _invalid_accepted(self, accepted: float | None, rejected: float | None) -> float | None:
        return _proportion(
            _messages_in(self.accepted, _complement(accepted)),
            _messages_in(self.rejected, _complement(rejected)),
        )


def strata_of(whole: Figures, labelled: list[LabelledMessage]) -> Strata:
    """Both strata, with the labels that were drawn at random."""
    at_random = [message for message in labelled if message.at_random]
    accepted = [message.grounded for message in at_random if message.accepted]
    rejected = [message.grounded for message in at_random if not message.accepted]
    return Strata(
        Drawn(whole.passed, len(accepted), sum(accepted)),
        Drawn(whole.judged - whole.passed, len(rejected), sum(rejected)),
    )


def labels_needed(strata: Strata, rate: Rate, target: float) -> LabelsNeeded | None:
    """The fewest, about, with which the rate can be compared with its target; None if nobody gives so many.

    Those to come are taken to look like those that are there; without any, to be as the service judged.
    """
    if _is_narrow(strata, rate, target):
        return LabelsNeeded(accepted=0, rejected=0)
    part, total = _part_of_accepted(strata, rate), 10.0
    while total <= MOST:
        accepted = _at_least(strata.accepted, math.ceil(total * part))
        rejected = _at_least(strata.rejected, math.ceil(total * (1 - part)))
        guess = Strata(
            _with_labels(strata.accepted, accepted, otherwise=1.0),
            _with_labels(strata.rejected, rejected, otherwise=0.0),
        )
        if _is_narrow(guess, rate, target):
            return LabelsNeeded(
                accepted=accepted - strata.accepted.labels, rejected=rejected - strata.rejected.labels
            )
        total *= STEP
    return None


def _success(whole: Figures) -> Figure:
    """The share that passed; what it says of messages to come is in the interval."""
    n = whole.judged
    low, high = clopper_pearson(whole.passed, n) if n else (0.0, 1.0)
    return Figure(
        value=_share(whole.passed, n),
        interval=(low, high),
        target=f"at least {SUCCESS:g}",
        met=True if low >= SUCCESS else False if high < SUCCESS else None,
        n=n,
    )


def _share(hits: int, n: int) -> float | None:
    return hits / n if n else None


def _mean(value: float | None, least: float, n: int) -> Figure:
    met = None if value is None else value >= least
    return Figure(value=value, target=f"at least {least:g}", met=met, n=n)


def _mean_similarity(figures: Figures) -> float | None:
    return figures.similarity_sum / figures.similarities if figures.similarities else None


def _estimated(estimate: RateEstimate, below: float, done: str, messages: int) -> Figure:
    """A rate of answers with which this was done wrongly, in so many messages at all."""
    met = True if estimate.high < below else False if estimate.low >= below else None
    return Figure(
        note=f"no answer was {done}, so none was wrongly" if messages == 0 and estimate.labels > 0 else None,
        value=estimate.value,
        interval=(estimate.low, estimate.high),
        target=f"below {below:g}",
        met=met,
        n=estimate.labels,
    )


def _latency(whole: Figures) -> LatencyPercentiles:
    bins = whole.validation_ms
    return LatencyPercentiles(p50=percentile(bins, 0.5), p95=percentile(bins, 0.95), n=sum(bins.values()))


def _by_policy(by_day: dict[date, dict[str, Figures]]) -> dict[str, int]:
    counts: Counter[str] = Counter()
    for policies in by_day.values():
        counts.update({policy: figures.messages for policy, figures in policies.items()})
    return dict(counts)


def _labels(strata: Strata, labelled: list[LabelledMessage]) -> Labels:
    rates: dict[str, tuple[Rate, float]] = {
        "false_negative_rate": ("false_negatives", FALSE_NEGATIVES),
        "false_positive_rate": ("false_positives", FALSE_POSITIVES),
    }
    needed = {name: labels_needed(strata, rate, target) for name, (rate, target) in rates.items()}
    return Labels(
        accepted=strata.accepted.labels,
        rejected=strata.rejected.labels,
        not_at_random=sum(not message.at_random for message in labelled),
        needed=needed,
        notes={name: _NEVER for name, more in needed.items() if more is None},
    )


def _day(day: date, figures: Figures) -> Day:
    return Day(
        day=day,
        messages=figures.messages,
        validation_success_rate=_share(figures.passed, figures.judged),
        avg_similarity_score=_mean_similarity(figures),
        latency_validation_p95_ms=percentile(figures.validation_ms, 0.95),
    )


@lru_cache(4096)
def _interval(valid: int, labels: int) -> tuple[float, float]:
    return clopper_pearson(valid, labels, confidence=CONFIDENCE)


def _default(value: float | None, default: float) -> float:
    return default if value is None else value


def _proportion(part: float | None, rest: float | None) -> float | None:
    """The share of `part` in both together; None where one is unknown, or where both are 0."""
    if part is None or rest is None or part + rest == 0:
        return None
    return part / (part + rest)


def _messages_in(stratum: Drawn, share: float | None) -> float | None:
    """How many messages the share is; an empty stratum has none, labelled or not."""
    return 0.0 if stratum.messages == 0 else None if share is None else stratum.messages * share


def _complement(share: float | None) -> float | None:
    return None if share is None else 1 - share


def _is_narrow(strata: Strata, rate: Rate, target: float) -> bool:
    estimate = strata.false_negatives() if rate == "false_negatives" else strata.false_positives()
    return (
        estimate.high < target
        or estimate.low > target
        or estimate.high - estimate.low <= target * SHARE_OF_TARGET
    )


def _part_of_accepted(strata: Strata, rate: Rate) -> float:
    """Which part of the labels is best given to accepted answers.

    An interval is about as wide as the sum of `slope * deviation / sqrt(labels)` of both strata, and that is
    the least for labels in proportion to the power 2/3 of `slope * deviation`. The slope of a stratum is as
    the share that the other one has of the answers which the rate is about.
    """
    if strata.accepted.messages == 0 or strata.rejected.messages == 0:
        return 0.0 if strata.accepted.messages == 0 else 1.0
    accepted, rejected = _labelled_share(strata.accepted), _labelled_share(strata.rejected)
    slopes = (rejected, accepted) if rate == "false_negatives" else (1 - rejected, 1 - accepted)
    accepted_weight = math.pow(slopes[0] * math.sqrt(accepted * (1 - accepted)), 2 / 3)
    rejected_weight = math.pow(slopes[1] * math.sqrt(rejected * (1 - rejected)), 2 / 3)
    return accepted_weight / (accepted_weight + rejected_weight)


def _labelled_share(stratum: Drawn) -> float:
    """With one label of each kind imagined: a share of 0 or 1 would deviate by nothing."""
    return (stratum.valid + 1) / (stratum.labels + 2)


def _at_least(stratum: Drawn, labels: int) -> int:
    return max(labels, stratum.labels, LEAST) if stratum.messages > 0 else 0


def _with_labels(stratum: Drawn, labels: int, *, otherwise: float) -> Drawn:
    share = otherwise if stratum.share is None else stratum.share
    return replace(stratum, labels=labels, valid=round(labels * share))
