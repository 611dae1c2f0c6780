"""Figures by day: counted, kept, and the same either way."""

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import delete

from sensecheck.core.errors import SpecError
from sensecheck.stats.latency import percentile
from sensecheck.store.columns import now
from sensecheck.store.service.figures import (
    Days,
    Figures,
    ModelUse,
    days_to_roll_up,
    figures_of,
    models_used,
    roll_up,
    together,
)
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import daily_figures, messages
from tests.store.service.made import count, entry

YESTERDAY = now().replace(hour=12, minute=0, second=0, microsecond=0) - timedelta(days=1)
DAY = YESTERDAY.date()


@pytest.fixture
def kept(store: ServiceStore, project: int) -> None:
    """Six messages of yesterday: three accepted, two held back, one without an answer."""
    passed: dict[str, Any] = {"validation_passed": True, "outcome": "pass", "response_similarity_score": 0.8}
    failed: dict[str, Any] = {"validation_passed": False, "outcome": "fail", "response_similarity_score": 0.2}
    at: dict[str, Any] = {"at": YESTERDAY}
    store.write(
        [
            entry(project, **at, **passed, latency_validation_ms=10.0),
            entry(project, **at, **passed, latency_validation_ms=20.0, truncated=True),
            entry(project, **at, **passed, latency_validation_ms=40.0, policy="mine@2"),
            entry(project, **at, **failed, latency_validation_ms=10.0),
            entry(project, **at, **failed, latency_validation_ms=500_000.0, keyword_overlap_ratio=0.5),
            entry(project, **at, validation_passed=None, outcome="unsure"),
            entry(store.project("other"), **at, **passed),
        ]
    )


def _of(store: ServiceStore, project: int, day: date = DAY) -> dict[str, Figures]:
    with store.reading() as connection:
        return figures_of(connection, project, Days(day, day))[day]


@pytest.mark.usefixtures("kept")
def test_messages_are_counted_by_policy(store: ServiceStore, project: int) -> None:
    found = _of(store, project)

    assert sorted(found) == ["default@2", "mine@2"]
    whole = together(found.values())
    assert (whole.messages, whole.judged, whole.passed, whole.truncated) == (6, 5, 3, 1)
    assert whole.outcomes == {"pass": 3, "fail": 2, "unsure": 1}
    assert (whole.similarities, whole.overlaps, whole.overlap_sum) == (5, 1, 0.5)
    assert whole.similarity_sum == pytest.approx(2.8)
    assert sum(whole.validation_ms.values()) == 5


@pytest.mark.usefixtures("kept")
def test_what_was_rolled_up_is_what_was_counted_and_twice_is_as_good_as_once(
    store: ServiceStore, project: int
) -> None:
    before = _of(store, project)
    for _ in range(2):
        with store.writing() as connection:
            assert roll_up(connection, DAY) == 3

    assert count(store, daily_figures) == 3
    assert _of(store, project) == before


@pytest.mark.usefixtures("kept")
def test_figures_outlive_the_messages_and_are_not_counted_away(store: ServiceStore, project: int) -> None:
    before = _of(store, project)
    with store.writing() as connection:
        roll_up(connection, DAY)
    with store.writing() as connection:
        connection.execute(delete(messages))
        assert roll_up(connection, DAY) == 0

    assert _of(store, project) == before


@pytest.mark.usefixtures("kept")
def test_a_message_that_came_late_is_counted_the_next_time(store: ServiceStore, project: int) -> None:
    with store.writing() as connection:
        roll_up(connection, DAY)
    store.write([entry(project, at=YESTERDAY, validation_passed=True)])
    with store.writing() as connection:
        roll_up(connection, DAY)

    assert together(_of(store, project).values()).messages == 7


def test_a_day_that_is_not_over_is_not_rolled_up(store: ServiceStore) -> None:
    with store.writing() as connection, pytest.raises(SpecError, match="not over"):
        roll_up(connection, now().date())


def test_the_last_three_days_that_are_over_are_rolled_up() -> None:
    days = days_to_roll_up(YESTERDAY)

    assert days == tuple(DAY - timedelta(days=back) for back in (3, 2, 1))


@pytest.mark.usefixtures("kept")
def test_days_without_messages_are_there_and_empty(store: ServiceStore, project: int) -> None:
    with store.reading() as connection:
        found = figures_of(connection, project, Days.until(DAY, 3))

    assert [len(policies) for policies in found.values()] == [0, 0, 2]


def test_figures_as_data_are_the_same_figures() -> None:
    made = Figures(messages=2, judged=1, similarity_sum=0.25)
    made.outcomes.update({"pass": 2})
    made.validation_ms.update({3: 1, 12: 4})

    assert Figures.from_data(made.to_data()) == made


@pytest.mark.parametrize("value", [0.05, 1.0, 7.3, 120.0, 9_999.0])
def test_a_percentile_is_off_by_an_eighth_at_most_of_its_bin(
    store: ServiceStore, project: int, value: float
) -> None:
    store.write([entry(project, at=YESTERDAY, latency_validation_ms=value) for _ in range(4)])

    found = percentile(together(_of(store, project).values()).validation_ms, 0.5)
    assert found == pytest.approx(value, rel=0.13, abs=0.1)


def test_there_is_no_percentile_of_nothing() -> None:
    assert percentile({}, 0.95) is None


@pytest.mark.usefixtures("kept")
def test_models_are_counted_before_a_moment_and_since_then(store: ServiceStore, project: int) -> None:
    store.write([entry(project, at=YESTERDAY - timedelta(days=1), encoder="mark-2"),
                 entry(project, at=YESTERDAY - timedelta(days=3), encoder="mark-3"),
                 entry(project, at=YESTERDAY - timedelta(days=1), writer=None)])  # fmt: skip
    turn = Days(DAY, DAY).begin

    with store.reading() as connection:
        found = models_used(connection, project, Days(DAY - timedelta(days=1), DAY), turn)

    assert sorted(found, key=str) == [
        ModelUse("mark-1", "extractive", before=0, since=6),
        ModelUse("mark-1", None, before=1, since=0),
        ModelUse("mark-2", "extractive", before=1, since=0),
    ]
