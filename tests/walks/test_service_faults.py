"""Whatever breaks around the service: what it acknowledged is kept, and whoever asks is told in time.

The same more often, and written down: `just faults`.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.faults.kinds import Fault
from tests.faults.service.cluster import cluster
from tests.faults.service.ending import ended_under_load, engines_killed
from tests.faults.service.filling import filled
from tests.faults.service.killing import killed_often
from tests.faults.service.reader import WAYS, Reader
from tests.faults.service.stopping import stopped
from tests.faults.service.surroundings import WRITER_SECONDS, Surroundings, surroundings
from tests.faults.service.unit import Unit
from tests.faults.service.wires import FAULTS, PARTS, Part, Suffered, suffered

pytestmark = [pytest.mark.fault, pytest.mark.database]


WELL = 10.0
LONGEST: dict[Part, float] = {"database": 9.0, "redis": 5.0, "writer": WRITER_SECONDS + 3.0}
"""Seconds within which everybody is told something."""


@pytest.fixture(scope="module")
def around() -> Iterator[Surroundings]:
    with surroundings() as made:
        yield made


@pytest.fixture(scope="module")
def unit(around: Surroundings, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Unit]:
    folder = tmp_path_factory.mktemp("service")
    with Unit(folder, around.settings(folder)) as made:
        reader = Reader(made.url, around.key)
        assert {reader.ask(way, 1).kind for way in WAYS} == {"accepted"}
        reader.close()
        yield made


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.kind)
@pytest.mark.parametrize("part", PARTS)
def test_a_wire_that_misbehaves_is_told_in_time_and_forgotten_soon(
    part: Part, fault: Fault, around: Surroundings, unit: Unit
) -> None:
    rounds = 2 if part == "writer" and fault.kind == "reset" else 1  # so many failures that it is left alone
    found = suffered(around, unit, part, fault, rounds=rounds)

    _MUST[part](found)
    assert found.slowest < LONGEST[part]
    assert found.recovery < WELL


def _database(found: Suffered) -> None:
    """Who is known is answered from the spool; who is not known is never called unknown."""
    assert {kind for way in WAYS for kind in found.kinds(way)} == {"200 accepted"}
    late = {"401 unknown-key"} if found.fault == "latency" else set()
    assert set(found.kinds("stranger")) <= {"503 store-away"} | late
    assert set(found.kinds("stats")) <= {"503 store-away"}


def _redis(found: Suffered) -> None:
    """Limits are counted here, and nobody notices."""
    assert {kind for way in WAYS for kind in found.kinds(way)} == {"200 accepted"}


def _writer(found: Suffered) -> None:
    """A writer that is late is waited for; else the contract has its sentence, and the others a problem."""
    if found.fault == "latency":
        assert {kind for way in WAYS for kind in found.kinds(way)} == {"200 accepted"}
        return
    assert set(found.kinds("contract")) == {"200 writer-failed"}
    assert {kind for way in ("whole", "events") for kind in found.kinds(way)} == {"503 writer-away"}
    troubles = {told.trouble for way, told in found.told if way != "contract"}
    assert troubles <= {"unreachable", "too_slow", "broke_off", "resting"}


_MUST = {"database": _database, "redis": _redis, "writer": _writer}


def test_a_service_that_is_killed_again_and_again_has_lost_and_doubled_nothing(tmp_path: Path) -> None:
    found = killed_often(3, tmp_path, seed=2)

    assert found.kept.all_well
    assert found.kept.acknowledged > 3 * found.kills
    assert set(found.told) <= {"200 accepted"}


def test_a_database_that_is_stopped_loses_nothing_and_is_caught_up_with(tmp_path: Path) -> None:
    with cluster() as database:
        found = stopped(database, tmp_path, database.crash)

    assert found.kept.all_well
    assert found.ready
    assert found.spooled > 0
    assert (found.stranger.status, found.stranger.kind) == (503, "store-away")
    assert (found.stranger_after.status, found.stranger_after.kind) == (401, "unknown-key")
    assert set(found.told) == {"200 accepted"}
    assert found.recovery < WELL


def test_a_full_disk_is_told_and_loses_nothing(around: Surroundings, tmp_path: Path) -> None:
    found = filled(around, tmp_path)

    assert found.refused >= 12
    assert found.other_problems == {}
    assert found.kept.all_well
    assert found.recovery < WELL


def test_a_service_that_is_asked_to_end_answers_what_it_has_taken(
    around: Surroundings, tmp_path: Path
) -> None:
    found = ended_under_load(around, tmp_path)

    assert found.code == 0
    assert found.unanswered == 0
    assert found.kept.all_well
    assert set(found.told) <= {"200 accepted", "503 stopping"}


def test_an_engine_that_is_killed_leaves_nobody_waiting(around: Surroundings, tmp_path: Path) -> None:
    found = engines_killed(around, tmp_path, times=2, engines=1)

    assert found.broken == 0
    assert found.kept.all_well
    assert set(found.told) <= {"200 accepted", "503 engine-away", "503 overloaded"}
    assert found.slowest < WELL
    assert found.worst_recovery < WELL
