"""What a message takes in PostgreSQL, and how many can be kept in a second when many come at once."""

from dataclasses import dataclass
from datetime import UTC, datetime
from time import perf_counter

from benchmarks.serving.pairs import Pair, numbered
from sqlalchemy import text
from tests.databases import postgresql_database

from sensecheck.store.service.records import EXCERPT, Entry, Message, moment_of, new_id
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.upgrade import upgrade

_SIZE = text(
    "SELECT SUM(pg_total_relation_size(inhrelid)) FROM pg_inherits WHERE inhparent = to_regclass('messages')"
)


@dataclass(frozen=True, slots=True)
class KeptMessages:
    """What was measured."""

    count: int
    bytes_each: float
    """With its indexes."""
    each_second: float
    """Committed a hundred at a time, by one writer."""


def measure(pairs: list[Pair], count: int) -> KeptMessages:
    """Keep so many messages, with texts of real lengths."""
    with postgresql_database() as address:
        upgrade(address)
        store = ServiceStore.open(address)
        project = store.project("capacity")
        entries = [_entry(project, numbered(pairs[at % len(pairs)], at)) for at in range(count)]
        before = perf_counter()
        for first in range(0, count, 100):
            store.write(entries[first : first + 100])
        seconds = perf_counter() - before
        with store.reading() as connection:
            size = float(connection.execute(_SIZE).scalar_one())
        store.close()
    return KeptMessages(count, size / count, count / seconds)


def _entry(project: int, pair: Pair) -> Entry:
    name = new_id(datetime.now(UTC))
    moment = moment_of(name)
    assert moment is not None
    message = Message(
        id=name,
        at=moment,
        project=project,
        api_key="capacity0001",
        session_id=name[:8],
        mode="selected_text",
        user_message="What does this passage say about it?",
        assistant_response=pair[0],
        selected_text=pair[1][:EXCERPT],
        in_selected_text=True,
        outcome="pass",
        policy="default@1",
        writer="extractive",
        encoder="minilm:onnx-fp32:9a87554087555c55",
        support=0.75,
        response_similarity_score=0.8,
        keyword_overlap_ratio=0.9,
        validation_passed=True,
        latency_validation_ms=12.5,
        latency_ms=40.0,
    )
    return Entry(message)
