"""Whether the service runs, and whether it should be sent anybody."""

from dataclasses import replace
from time import sleep

import httpx
import pytest

from sensecheck.server.settings import ServiceSettings
from tests.databases import postgresql_database
from tests.faults.service.waiting import seconds_until
from tests.ready_tables import make_tables
from tests.server.answering import running
from tests.server.locked_out import away
from tests.server.running import Wanted, service


def test_a_process_that_runs_says_so(client: httpx.Client) -> None:
    reply = client.get("/livez")

    assert (reply.status_code, reply.json()) == (200, {"alive": True})


def test_a_service_with_all_its_parts_is_ready(client: httpx.Client) -> None:
    reply = client.get("/readyz")

    assert (reply.status_code, reply.json()) == (
        200,
        {"ready": True, "engine": True, "store": True, "spool": True},
    )


def test_a_service_without_an_engine_is_not_ready_and_says_which_part_is_missing(wanted: Wanted) -> None:
    with service(replace(wanted, alive=0)) as address:
        reply = httpx.get(f"{address}/readyz")

    assert reply.status_code == 503
    assert reply.json() == {"ready": False, "engine": False, "store": True, "spool": True}


@pytest.mark.database
def test_a_service_whose_database_is_away_is_ready_as_long_as_messages_can_wait(wanted: Wanted) -> None:
    with postgresql_database() as database:
        make_tables(database)
        with service(replace(wanted, store=database)) as address, httpx.Client(base_url=address) as client:
            before = client.get("/readyz").json()
            with away(database):
                sleep(1.1)  # what was so a second ago is told again
                during = client.get("/readyz")
            seconds_until(lambda: client.get("/readyz").json()["store"], 30, "the database is back")

    assert before["store"]
    assert (during.status_code, during.json()["store"], during.json()["ready"]) == (200, False, True)


@pytest.mark.database
def test_a_service_whose_messages_can_wait_nowhere_is_not_ready(wanted: Wanted) -> None:
    small = replace(wanted, settings=ServiceSettings(spool_mb=1))
    check = {"answer": "A cat sleeps. " * 1400, "sources": ["A cat sleeps. " * 1000], "store": True}
    with postgresql_database() as database:
        make_tables(database)
        with (
            service(replace(small, store=database)) as address,
            httpx.Client(base_url=address, timeout=30) as client,
        ):
            with away(database):
                kept = [client.post("/v1/check", json=check).status_code for _ in range(100)]
                during = client.get("/readyz")
            # what the database takes needs no room here
            seconds_until(lambda: client.get("/readyz").json()["ready"], 30, "the database is back")

    assert set(kept) == {200, 503}
    assert (during.status_code, during.json()["spool"], during.json()["ready"]) == (503, False, False)


def test_a_service_that_can_keep_nothing_is_not_ready_though_its_database_answers(wanted: Wanted) -> None:
    with running(wanted) as service:
        assert service.client.get("/readyz").status_code == 200
        service.parts.write_queue.queue.stop()
        reply = service.client.get("/readyz")

    assert reply.status_code == 503
    assert reply.json() == {"ready": False, "engine": True, "store": True, "spool": False}
