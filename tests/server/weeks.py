"""Two weeks of messages with labels, put into the database of a service from the side."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from sensecheck.store.columns import now
from sensecheck.store.service.policies import NewPolicy, add_policy
from sensecheck.store.service.records import Entry, Message
from sensecheck.store.service.reviews import add_feedback, add_review, way_of
from sensecheck.store.service.store import ServiceStore
from tests.store.service.made import entry

CARD = {
    "promise": "at most 5% of bad answers pass, with a confidence of 95%",
    "data": {"rows": 640},
}


@dataclass(frozen=True, slots=True)
class Weeks:
    """The messages of each week, and whether reviewers found the labelled ones grounded."""

    week: list[Message]
    before: list[Message]
    labels: dict[str, bool] = field(default_factory=dict)


def keep_weeks(store: ServiceStore, project: int, *, count: int = 60, seed: int = 5) -> Weeks:
    """About so many messages a day for fourteen days, the last of which is today; this week went better."""
    chance, noon = Random(seed), now().replace(hour=0, minute=0, second=0, microsecond=0)
    made = Weeks([], [])
    for back in range(14):
        some = made.week if back < 7 else made.before
        entries = list(_day(project, chance, noon - timedelta(days=back), count, new=back < 7))
        store.write(entries)
        some.extend(one.message for one in entries)
    with store.writing() as connection:
        for one in (*made.week, *made.before):
            if one.validation_passed is None or (one.validation_passed and chance.random() < 0.4):
                continue
            right = chance.random() < (0.97 if one.support and one.support > 0.2 else 0.9)
            made.labels[one.id] = bool(one.validation_passed) == right
            grounded, drawn = made.labels[one.id], way_of(one.id)
            add_review(connection, project, one.id, reviewer="ann", grounded=grounded, drawn=drawn)
            if chance.random() < 0.3:
                add_feedback(connection, project, one.id, "up" if chance.random() < 0.8 else "down", "")
        for at_least in (0.61, 0.643):
            add_policy(connection, NewPolicy(project, "support", "default", {"at_least": at_least}, CARD))
    return made


def _day(project: int, chance: Random, at: datetime, count: int, *, new: bool) -> Iterator[Entry]:
    for number in range(chance.randint(count - count // 5, count + count // 5)):
        fate = chance.random()
        passed = None if fate < 0.06 else fate < (0.95 if new else 0.85)
        yield entry(
            project,
            at=at + timedelta(seconds=number),  # also of today, however early it is
            support=chance.random(),
            encoder="minilm-1@3fc1+reader-2" if new else "minilm-1@3fc1",
            writer="extractive",
            policy="support@2" if new and fate > 0.3 else "default@2",
            validation_passed=passed,
            outcome="unsure" if passed is None else "pass" if passed else "fail",
            response_similarity_score=None if passed is None else chance.betavariate(9, 2 if new else 3),
            latency_validation_ms=None if passed is None else chance.lognormvariate(3.2, 0.5),
        )
