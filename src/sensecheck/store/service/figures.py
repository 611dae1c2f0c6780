"""Counts and sums of messages by day and policy; those of days that are over are stored."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, bindparam, func, select

from sensecheck.core.errors import SpecError
from sensecheck.stats.latency import bin_of
from sensecheck.store.bulk import insert_into
from sensecheck.store.columns import now
from sensecheck.store.retry import allow
from sensecheck.store.service.records import first_id
from sensecheck.store.service_tables import daily_figures, messages

_COUNTS = ("messages", "judged", "passed", "truncated", "similarities", "overlaps")
_SUMS = ("similarity_sum", "overlap_sum")
AGAIN = 3
"""Days that are counted once more: messages that waited while the database was away come late."""
SECONDS = 600.0
"""A large day takes its time; no one waits for it."""


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days in UTC, from the first one up to, and with, the last one."""

    first: date
    last: date

    @classmethod
    def until(cls, last: date, count: int) -> "Days":
        """So many days, the last of which is this one."""
        return cls(last - timedelta(days=count - 1), last)

    def each(self) -> list[date]:
        """Every one of them."""
        return [self.first + timedelta(days=day) for day in range((self.last - self.first).days + 1)]

    @property
    def begin(self) -> datetime:
        """The first moment."""
        return datetime(self.first.year, self.first.month, self.first.day, tzinfo=UTC)

    @property
    def end(self) -> datetime:
        """The first moment after them."""
        return Days(self.last, self.last).begin + timedelta(days=1)

    @property
    def names(self) -> tuple[str, str]:
        """Ids of messages of these days are at least the first of these texts, and less than the second."""
        return first_id(self.begin), first_id(self.end)


@dataclass(slots=True)
class Figures:
    """What is counted of some messages; two of them add up to one."""

    messages: int = 0
    judged: int = 0
    """Messages with an answer that was judged."""
    passed: int = 0
    truncated: int = 0
    similarities: int = 0
    similarity_sum: float = 0.0
    overlaps: int = 0
    overlap_sum: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    validation_ms: Counter[int] = field(default_factory=Counter)
    """How long judging took, in the bins of `stats.latency`."""

    def add(self, other: "Figures") -> None:
        """Count the other's messages too."""
        for name in (*_COUNTS, *_SUMS):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.outcomes.update(other.outcomes)
        self.validation_ms.update(other.validation_ms)

    def to_data(self) -> dict[str, Any]:
        """As JSON keeps it."""
        plain = {name: getattr(self, name) for name in (*_COUNTS, *_SUMS)}
        bins = {str(bin_number): count for bin_number, count in sorted(self.validation_ms.items())}
        return {**plain, "outcomes": dict(self.outcomes), "validation_ms": bins}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Figures":
        """What `to_data` gave."""
        plain = {name: data[name] for name in (*_COUNTS, *_SUMS)}
        bins = Counter({int(bin_number): count for bin_number, count in data["validation_ms"].items()})
        return cls(**plain, outcomes=Counter(data["outcomes"]), validation_ms=bins)


def together(some: Iterable[Figures]) -> Figures:
    """All of these as one."""
    whole = Figures()
    for figures in some:
        whole.add(figures)
    return whole


def figures_of(connection: Connection, project: int, days: Days) -> dict[date, dict[str, Figures]]:
    """The figures of a project by day and policy: as they were rolled up, or else counted now."""
    figures_by_day = _rolled_up(connection, project, days)
    for run in runs_of([day for day in days.each() if day not in figures_by_day]):
        for (_, day), policies in counted(connection, run, project).items():
            figures_by_day[day] = policies
    return {day: figures_by_day.get(day, {}) for day in days.each()}


def roll_up(connection: Connection, day: date) -> int:
    """Store the figures of a day that is over, for all projects; how many rows that are.

    Doing it again counts again. A project without messages of that day keeps the figures that it has: what
    was counted outlives what it was counted from.
    """
    if now() < Days(day, day).end:
        raise SpecError(f"the day {day} is not over yet; its figures cannot be stored before")
    allow(connection, SECONDS)
    rows = [
        {
            "project": project,
            "day": day,
            "policy": policy,
            "figures": figures.to_data(),
            "rolled_up_at": now(),
        }
        for (project, _), policies in counted(connection, Days(day, day)).items()
        for policy, figures in policies.items()
    ]
    if rows:
        _upsert(connection, rows)
    return len(rows)


def days_to_roll_up(moment: datetime) -> tuple[date, ...]:
    """The last days that are over at this moment, oldest first."""
    return tuple((moment - timedelta(days=back)).date() for back in range(AGAIN, 0, -1))


def counted(
    connection: Connection, days: Days, project: int | None = None
) -> dict[tuple[int, date], dict[str, Figures]]:
    """The figures of each project and day that have any, by policy, counted from the messages there are."""
    query = _count_query(connection.dialect.name, of_one=project is not None)
    parameters = {"begin": days.begin, "end": days.end, "of_project": project}
    figures: dict[tuple[int, date], dict[str, Figures]] = {}
    for row in connection.execute(query, parameters).mappings():
        day = row["day"] if isinstance(row["day"], date) else date.fromisoformat(row["day"])
        of_policy = figures.setdefault((row["project"], day), {}).setdefault(row["policy"], Figures())
        of_policy.add(_figures_in(row))
    return figures


@dataclass(frozen=True, slots=True)
class ModelUse:
    """How many messages of some days were written by one writer, and judged with one encoder."""

    encoder: str | None
    writer: str | None
    before: int
    since: int


def models_used(connection: Connection, project: int, days: Days, turn: datetime) -> list[ModelUse]:
    """Which models were in use in these days, with the messages before a moment and since then."""
    query = (
        select(
            messages.c.encoder,
            messages.c.writer,
            func.count().filter(messages.c.at < turn).label("before"),
            func.count().filter(messages.c.at >= turn).label("since"),
        )
        .where(messages.c.project == project, messages.c.at >= days.begin, messages.c.at < days.end)
        .group_by(messages.c.encoder, messages.c.writer)
    )
    return [ModelUse(**row) for row in connection.execute(query).mappings()]


def runs_of(days: Iterable[date]) -> list[Days]:
    """Days in order, each stretch without a gap as one."""
    runs: list[Days] = []
    for day in days:
        if runs and day - runs[-1].last == timedelta(days=1):
            runs[-1] = Days(runs[-1].first, day)
        else:
            runs.append(Days(day, day))
    return runs


def _rolled_up(connection: Connection, project: int, days: Days) -> dict[date, dict[str, Figures]]:
    query = select(daily_figures.c.day, daily_figures.c.policy, daily_figures.c.figures).where(
        daily_figures.c.project == project, daily_figures.c.day.between(days.first, days.last)
    )
    stored: dict[date, dict[str, Figures]] = {}
    for day, policy, figures in connection.execute(query):
        stored.setdefault(day, {})[policy] = Figures.from_data(figures)
    return stored


def _upsert(connection: Connection, rows: list[dict[str, object]]) -> None:
    insert = insert_into(connection, daily_figures)
    newer = {"figures": insert.excluded.figures, "rolled_up_at": insert.excluded.rolled_up_at}
    keys = [daily_figures.c.project, daily_figures.c.day, daily_figures.c.policy]
    connection.execute(insert.on_conflict_do_update(index_elements=keys, set_=newer), rows)


@cache
def _count_query(dialect: str, *, of_one: bool) -> Select[Any]:
    """One row for each project, day, policy, decision and bin of time."""
    in_utc = func.timezone("UTC", messages.c.at) if dialect == "postgresql" else messages.c.at
    day = func.date(in_utc).label("day")
    time = bin_of(messages.c.latency_validation_ms).label("time")
    kinds = (
        messages.c.project,
        messages.c.policy,
        messages.c.outcome,
        messages.c.validation_passed,
        messages.c.truncated,
    )
    query = (
        select(
            *kinds,
            day,
            time,
            func.count().label("count"),
            func.count(messages.c.response_similarity_score).label("similarities"),
            func.sum(messages.c.response_similarity_score).label("similarity_sum"),
            func.count(messages.c.keyword_overlap_ratio).label("overlaps"),
            func.sum(messages.c.keyword_overlap_ratio).label("overlap_sum"),
        )
        .where(messages.c.at >= bindparam("begin"), messages.c.at < bindparam("end"))
        .group_by(*kinds, "day", "time")
    )
    return query.where(messages.c.project == bindparam("of_project")) if of_one else query


def _figures_in(row: RowMapping) -> Figures:
    count: int = row["count"]
    return Figures(
        messages=count,
        judged=count if row["validation_passed"] is not None else 0,
        passed=count if row["validation_passed"] else 0,
        truncated=count if row["truncated"] else 0,
        similarities=row["similarities"],
        similarity_sum=row["similarity_sum"] or 0.0,
        overlaps=row["overlaps"],
        overlap_sum=row["overlap_sum"] or 0.0,
        outcomes=Counter({row["outcome"]: count}),
        validation_ms=Counter() if row["time"] is None else Counter({row["time"]: count}),
    )
