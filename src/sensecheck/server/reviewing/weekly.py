"""The figures of some days, put together from what is kept of messages, labels and thumbs."""

from datetime import date

from sqlalchemy import Connection

from sensecheck.server.reviewing.labels_needed import MOST, Rate, labels_needed
from sensecheck.server.reviewing.rates import Drawn, Estimate, Strata
from sensecheck.server.shapes.stats import Day, Figure, Labels, LabelsNeeded, Latency, Stats
from sensecheck.stats.binomial import clopper_pearson
from sensecheck.stats.latency import percentile
from sensecheck.store.service.days import Days
from sensecheck.store.service.feedback import thumbs
from sensecheck.store.service.figures import Figures, figures_of, together
from sensecheck.store.service.reviews import LabelledMessage, labelled_messages

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


def strata_of(whole: Figures, labelled: list[LabelledMessage]) -> Strata:
    """Both strata, with the labels that were drawn at random."""
    at_random = [one for one in labelled if one.at_random]
    accepted = [one.grounded for one in at_random if one.accepted]
    rejected = [one.grounded for one in at_random if not one.accepted]
    return Strata(
        Drawn(whole.passed, len(accepted), sum(accepted)),
        Drawn(whole.judged - whole.passed, len(rejected), sum(rejected)),
    )


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


def _mean(value: float | None, least: float, n: int) -> Figure:
    met = None if value is None else value >= least
    return Figure(value=value, target=f"at least {least:g}", met=met, n=n)


def _estimated(found: Estimate, below: float, done: str, messages: int) -> Figure:
    """A rate of answers with which this was done wrongly, in so many messages at all."""
    met = True if found.high < below else False if found.low >= below else None
    return Figure(
        note=f"no answer was {done}, so none was wrongly" if messages == 0 and found.labels > 0 else None,
        value=found.value,
        interval=(found.low, found.high),
        target=f"below {below:g}",
        met=met,
        n=found.labels,
    )


def _labels(strata: Strata, labelled: list[LabelledMessage]) -> Labels:
    rates: dict[str, tuple[Rate, float]] = {
        "false_negative_rate": ("false_negatives", FALSE_NEGATIVES),
        "false_positive_rate": ("false_positives", FALSE_POSITIVES),
    }
    needed = {name: labels_needed(strata, rate, target) for name, (rate, target) in rates.items()}
    return Labels(
        accepted=strata.accepted.labels,
        rejected=strata.rejected.labels,
        not_at_random=sum(not one.at_random for one in labelled),
        needed={
            name: None if more is None else LabelsNeeded(accepted=more.accepted, rejected=more.rejected)
            for name, more in needed.items()
        },
        notes={name: _NEVER for name, more in needed.items() if more is None},
    )


def _latency(whole: Figures) -> Latency:
    bins = whole.validation_ms
    return Latency(p50=percentile(bins, 0.5), p95=percentile(bins, 0.95), n=sum(bins.values()))


def _day(day: date, figures: Figures) -> Day:
    return Day(
        day=day,
        messages=figures.messages,
        validation_success_rate=_share(figures.passed, figures.judged),
        avg_similarity_score=_mean_similarity(figures),
        latency_validation_p95_ms=percentile(figures.validation_ms, 0.95),
    )


def _by_policy(by_day: dict[date, dict[str, Figures]]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for policies in by_day.values():
        for policy, figures in policies.items():
            counts[policy] = counts.get(policy, 0) + figures.messages
    return counts


def _mean_similarity(figures: Figures) -> float | None:
    return figures.similarity_sum / figures.similarities if figures.similarities else None


def _share(hits: int, n: int) -> float | None:
    return hits / n if n else None
