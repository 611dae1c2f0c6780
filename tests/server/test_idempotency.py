"""A request that is sent again is done once, and answered as it was the first time."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from sensecheck.sense import Sense
from sensecheck.store.service.store import ServiceStore
from tests.databases import postgresql_database
from tests.faults.kinds import REFUSE
from tests.faults.proxy import fault_proxy
from tests.ready_tables import make_tables
from tests.server.answering import EVENTS, Service, events_in, recorded, running, text_of
from tests.server.running import Wanted, bearer, new_key

ROS = "ROS 2 is a robotics middleware."
ANSWERS = (
    {"question": "What is it?", "answer": ROS},
    {"question": "Slowly?", "answer": ROS, "pieces": [ROS], "pause_ms": 1500},
)
BODIES: dict[str, dict[str, Any]] = {
    "/query-selected-text": {"query": "What is it?", "selected_text": ROS, "session_id": "s"},
    "/v1/answers": {"question": "What is it?", "passage": ROS},
    "/v1/check": {"answer": ROS, "sources": [ROS], "store": True},
}


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, wanted: Wanted) -> Iterator[str]:
    """The address of a database of each kind."""
    if request.param == "sqlite":
        yield wanted.store
    else:
        with postgresql_database() as address:
            make_tables(address)
            yield address


def with_answers(wanted: Wanted, sense: Sense, folder: Path) -> Wanted:
    """A service with the real model and these answers."""
    return replace(wanted, sense=sense, writer=recorded(folder, *ANSWERS))


@pytest.fixture
def service(wanted: Wanted, sense: Sense, tmp_path: Path) -> Iterator[Service]:
    """A service with recorded answers."""
    with running(with_answers(wanted, sense, tmp_path)) as found:
        yield found


def send(service: Service, path: str, name: str, **more: Any) -> httpx.Response:
    """A request with an idempotency key."""
    body = {**BODIES[path], **more}
    return service.client.post(path, json=body, headers={"Idempotency-Key": f"{path} {name}"})


def test_what_is_sent_again_gets_the_same_bytes_and_is_kept_once(
    wanted: Wanted, sense: Sense, tmp_path: Path, database: str
) -> None:
    with running(replace(with_answers(wanted, sense, tmp_path), store=database)) as service:
        for path in BODIES:
            first, again = send(service, path, "one"), send(service, path, "two")
            repeated = send(service, path, "one")

            assert first.status_code == again.status_code == repeated.status_code == 200
            assert repeated.content == first.content
            for name in ("sensecheck-decision", "sensecheck-outcome", "sensecheck-message-id"):
                assert repeated.headers.get(name) == first.headers.get(name)
        assert len(service.kept()) == 2 * len(BODIES)


@pytest.mark.parametrize("path", BODIES)
def test_the_same_key_with_another_body_is_refused(service: Service, path: str) -> None:
    send(service, path, "one")
    other = send(service, path, "one", session_id="another")

    assert (other.status_code, other.json()["type"]) == (422, "urn:sensecheck:problem:idempotency-mismatch")
    assert len(service.kept()) == 1


def test_of_two_that_are_sent_at_once_one_is_told_to_wait(service: Service) -> None:
    def slowly(_: int) -> httpx.Response:
        body = {"question": "Slowly?", "passage": ROS}
        return httpx.post(f"{service.address}/v1/answers", json=body, headers={"Idempotency-Key": "one"})

    with ThreadPoolExecutor(2) as threads:
        replies = sorted(threads.map(slowly, range(2)), key=lambda reply: reply.status_code)

    assert [reply.status_code for reply in replies] == [200, 409]
    assert replies[1].headers["retry-after"] == "1"
    assert replies[1].json()["type"] == "urn:sensecheck:problem:under-way"
    assert len(service.kept()) == 1


def test_a_request_that_failed_can_be_sent_again(service: Service) -> None:
    service.engine.alive = 0
    failed = [send(service, path, "one").status_code for path in BODIES]
    service.engine.alive = 1

    assert failed == [503, 503, 503]
    assert [send(service, path, "one").status_code for path in BODIES] == [200, 200, 200]


def test_a_stream_that_was_cut_goes_on_where_it_was(service: Service) -> None:
    def stream(**more: str) -> httpx.Response:
        headers = {**EVENTS, "Idempotency-Key": "/v1/answers one", **more}
        return service.client.post("/v1/answers", json=BODIES["/v1/answers"], headers=headers)

    first, all_again = events_in(stream().text), events_in(stream().text)
    rest = events_in(stream(**{"Last-Event-ID": "6"}).text)

    assert text_of(all_again) == text_of(first) == ROS
    assert text_of(rest) == ROS[6:]
    assert [event.id for event in rest] == [6, len(ROS), len(ROS)]
    assert rest[-1] == all_again[-1] == first[-1]
    assert len(service.kept()) == 1
    assert send(service, "/v1/answers", "one").json() == first[-1].data


@pytest.mark.parametrize("sent", ["x", "-1", "٣", "1" * 10])
def test_a_last_event_that_is_no_number_of_ours_is_refused(service: Service, sent: str) -> None:
    headers = httpx.Headers({**EVENTS, "Last-Event-ID": sent}, encoding="utf-8")
    reply = service.client.post("/v1/answers", json=BODIES["/v1/answers"], headers=headers)

    assert (reply.status_code, reply.json()["errors"][0]["pointer"]) == (422, "header: Last-Event-ID")


@pytest.mark.parametrize("name", ["", "x" * 256, "ü"])
def test_a_key_that_is_too_long_or_not_printable_is_refused(service: Service, name: str) -> None:
    headers = httpx.Headers({"Idempotency-Key": name}, encoding="utf-8")
    reply = service.client.post("/v1/answers", json=BODIES["/v1/answers"], headers=headers)

    assert (reply.status_code, reply.json()["errors"][0]["pointer"]) == (422, "header: Idempotency-Key")


def test_a_check_that_is_not_kept_can_be_sent_as_often_as_anybody_likes(service: Service) -> None:
    replies = [send(service, "/v1/check", "one", store=False) for _ in range(2)]

    assert [reply.status_code for reply in replies] == [200, 200]
    assert service.kept() == []


def test_an_answer_that_is_not_kept_cannot_be_told_again(service: Service) -> None:
    reply = send(service, "/v1/answers", "one", store=False)

    assert (reply.status_code, reply.json()["errors"][0]["pointer"]) == (422, "header: Idempotency-Key")


def test_keys_do_not_meet_those_of_other_callers(
    wanted: Wanted, sense: Sense, store: ServiceStore, tmp_path: Path
) -> None:
    keys = [new_key(store, "secret")[1], new_key(store, "secret")[1], new_key(store, "secret", "other")[1]]
    with running(with_answers(wanted, sense, tmp_path)) as service:
        body = BODIES["/v1/answers"]
        replies = [
            service.client.post("/v1/answers", json=body, headers={**bearer(key), "Idempotency-Key": "one"})
            for key in keys
        ]

    assert len({reply.json()["id"] for reply in replies}) == 3


@pytest.mark.database
def test_without_the_database_nothing_is_promised(wanted: Wanted, sense: Sense, tmp_path: Path) -> None:
    """The same request without a key is answered, and waits on this machine for the database."""
    with postgresql_database() as address:
        make_tables(address)
        place = urlsplit(address)
        with fault_proxy((place.hostname or "", place.port or 5432)) as proxy:
            through = place._replace(netloc=place.netloc.replace(f":{place.port}", f":{proxy.port}")).geturl()
            with running(replace(with_answers(wanted, sense, tmp_path), store=through)) as service:
                proxy.now(REFUSE)
                promised = send(service, "/v1/answers", "one")
                plain = service.client.post("/v1/answers", json=BODIES["/v1/answers"])

    assert (promised.status_code, promised.json()["type"]) == (503, "urn:sensecheck:problem:store-away")
    assert plain.status_code == 200
