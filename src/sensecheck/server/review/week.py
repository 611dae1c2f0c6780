"""A week of a project beside the week before: rates with intervals, what changed, and one page to share.

The figures are those of `GET /v1/stats`, for seven days of UTC each. A rate has changed where the interval of
its difference, made from the intervals of both weeks, does not contain zero.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from datetime import date, timedelta
from typing import Any, Literal

from sqlalchemy import Connection

from sensecheck import __version__
from sensecheck.core.cutoff import Cutoff, Rate
from sensecheck.core.errors import SpecError
from sensecheck.io.pages import blob, built_page, json_bytes, readable
from sensecheck.server.review.dashboard import stats_of
from sensecheck.server.schemas.review import Figure, Stats
from sensecheck.stats.binomial import difference, rate
from sensecheck.store.columns import now
from sensecheck.store.service.figures import Days, ModelUse, models_used
from sensecheck.store.service.policies import find_policy, policies_made
from sensecheck.store.service.records import FittedPolicy

FORMAT = 1
"""Of the data in the page; `ui/src/data/week.ts` reads it."""
WEEK_DAYS = 7
FIRST_DAY = date(2000, 1, 1)
"""No week ends before it."""
GoodDirection = Literal["up", "down"]
Direction = Literal["better", "worse", "changed"]
Part = Literal["policy", "encoder", "reader", "writer"]


@dataclass(frozen=True, slots=True)
class WeekFigure:
    """One figure of a week and of the week before; means and percentiles have no interval."""

    name: str
    good: GoodDirection | None
    """Which way it should go; None for a figure that is neither good nor bad."""
    of: str
    """What was counted."""
    figure: Figure
    before: Figure

    def to_data(self) -> dict[str, Any]:
        """With the change, and whether it is for better or worse as far as that is known."""
        change = _change(self.before, self.figure)
        return {
            "name": self.name,
            "good": self.good,
            "of": self.of,
            **self.figure.model_dump(mode="json"),
            "before": self.before.model_dump(mode="json", include={"value", "interval", "n"}),
            "change": change,
            "direction": None if change is None else self._direction(change),
        }

    def _direction(self, change: Mapping[str, float | None]) -> Direction | None:
        """Which way it went; None where the interval contains zero, or where there is none."""
        low, high = change["low"], change["high"]
        if low is None or high is None or low <= 0 <= high:
            return None
        if self.good is None:
            return "changed"
        return "better" if (low > 0) == (self.good == "up") else "worse"


@dataclass(frozen=True, slots=True)
class InUse:
    """A policy or a model, with how many messages it had in the week and in the week before."""

    part: Part
    name: str
    messages: int
    before: int


def week_until(last: date | None) -> Days:
    """The week that ends with this day, today unless it is named."""
    today = now().date()
    if last is not None and not FIRST_DAY <= last <= today:
        raise SpecError(f"`until` must be a day from {FIRST_DAY} to today, {today}; got {last}")
    return Days.until(last or today, WEEK_DAYS)


def week_data(connection: Connection, project: int, name: str, week: Days) -> dict[str, Any]:
    """All that the page shows of a project, whose name is `name`."""
    both = Days(week.first - timedelta(days=WEEK_DAYS), week.last)
    before = Days(both.first, week.first - timedelta(days=1))
    new, old = (stats_of(connection, project, days) for days in (week, before))
    models = models_used(connection, project, both, week.begin)
    new_policies = policies_made(connection, project, week.begin, week.end)
    data = {
        "format": FORMAT,
        "version": __version__,
        "project": name,
        "made_at": now().isoformat(timespec="seconds"),
        "is_over": now() >= week.end,
        "figures": [figure.to_data() for figure in _figures(new, old)],
        "week": _facts(new),
        "before": _facts(old),
        "labels": new.labels.model_dump(mode="json"),
        "in_use": [asdict(use) for use in (*_policies(new, old), *_models(models))],
        "fitted": [_fitted(connection, policy) for policy in new_policies],
    }
    return dict(readable(data))


def week_page(data: Mapping[str, Any]) -> str:
    """The week as a whole HTML file, which needs a browser and fetches nothing."""
    before, after = built_page("sensecheck.server.review", "week_page.html")
    return before + blob("week", json_bytes(data)) + after


def _figures(new: Stats, old: Stats) -> list[WeekFigure]:
    judged, labels = "judged answers", "labels"
    return [
        WeekFigure("success", "up", judged, new.validation_success_rate, old.validation_success_rate),
        WeekFigure("false_negatives", "down", labels, new.false_negative_rate, old.false_negative_rate),
        WeekFigure("false_positives", "down", labels, new.false_positive_rate, old.false_positive_rate),
        WeekFigure("similarity", "up", judged, new.avg_similarity_score, old.avg_similarity_score),
        WeekFigure("abstentions", None, "messages", _abstentions(new), _abstentions(old)),
        WeekFigure("latency_p50", "down", judged, _latency(new, "p50"), _latency(old, "p50")),
        WeekFigure("latency_p95", "down", judged, _latency(new, "p95"), _latency(old, "p95")),
    ]


def _abstentions(stats: Stats) -> Figure:
    """The share of messages that neither passed nor failed, since no one could tell, or nothing was there."""
    if stats.messages == 0:
        return Figure(value=None, interval=(0.0, 1.0), target="", met=None, n=0)
    share = rate(stats.outcomes.get("unsure", 0), stats.messages)
    return Figure(value=share.value, interval=(share.low, share.high), target="", met=None, n=share.n)


def _latency(stats: Stats, share: Literal["p50", "p95"]) -> Figure:
    times = stats.latency_validation_ms
    return Figure(value=getattr(times, share), target="", met=None, n=times.n)


def _change(before: Figure, after: Figure) -> dict[str, float | None] | None:
    """By how much a figure has grown; None where one of both is not known."""
    if before.value is None or after.value is None:
        return None
    if before.interval is None or after.interval is None:
        return {"value": after.value - before.value, "low": None, "high": None}
    rates = (
        Rate(figure.value or 0.0, *(figure.interval or (0.0, 1.0)), figure.n) for figure in (before, after)
    )
    value, low, high = difference(*rates)
    return {"value": value, "low": low, "high": high}


def _facts(stats: Stats) -> dict[str, Any]:
    fields = {"first_day", "last_day", "messages", "judged", "outcomes", "feedback", "days"}
    return stats.model_dump(mode="json", include=fields)


def _policies(new: Stats, old: Stats) -> list[InUse]:
    marks = sorted({*new.policies, *old.policies})
    return [InUse("policy", mark, new.policies.get(mark, 0), old.policies.get(mark, 0)) for mark in marks]


def _models(uses: Iterable[ModelUse]) -> list[InUse]:
    """By part; the fingerprint of a message is that of its encoder, and after a `+` that of its reader."""
    counts: dict[tuple[Part, str], tuple[int, int]] = {}
    for use in uses:
        encoder, _, reader = (use.encoder or "").partition("+")
        parts: tuple[tuple[Part, str], ...] = (
            ("encoder", encoder),
            ("reader", reader),
            ("writer", use.writer or ""),
        )
        for key in parts:
            since, before = counts.get(key, (0, 0))
            counts[key] = since + use.since, before + use.before
    order: tuple[Part, ...] = ("encoder", "reader", "writer")
    in_use = [InUse(*key, *both) for key, both in sorted(counts.items()) if key[1]]
    return sorted(in_use, key=lambda use: order.index(use.part))


def _fitted(connection: Connection, policy: FittedPolicy) -> dict[str, Any]:
    """A version that was made, with the cutoff of the version before it."""
    before = find_policy(connection, policy.project, policy.name, policy.version - 1)
    return {
        "mark": policy.mark,
        "base": policy.base,
        "at": policy.created_at.isoformat(timespec="seconds"),
        "cutoff": Cutoff.from_data(policy.cutoff).value,
        "cutoff_before": None if before is None else Cutoff.from_data(before.cutoff).value,
        "promise": policy.card["promise"],
        "rows": policy.card["data"]["rows"],
    }
