"""What one request may cost, and whom it is charged to."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from sensecheck.sense import Sense
from sensecheck.server.settings import ServiceSettings
from sensecheck.store.service.store import ServiceStore
from tests.server.answering import Service, running
from tests.server.running import PAGE, Wanted, bearer, new_key

ROS = "ROS 2 is a robotics middleware. It has nodes. It runs on Linux. It has topics. It is free."
SETTINGS = ServiceSettings(max_claims=3, max_tokens=3_000, request_tokens=500)


@pytest.fixture
def service(wanted: Wanted, sense: Sense) -> Iterator[Service]:
    """A service with the real model and small limits."""
    with running(replace(wanted, sense=sense, settings=SETTINGS)) as found:
        yield found


def test_an_answer_with_too_many_claims_never_passes_and_says_how_many_were_not_read(
    service: Service,
) -> None:
    body = {"answer": ROS, "sources": [ROS], "policy": "fast"}
    told = service.client.post("/v1/check", json=body).json()
    whole = service.client.post("/v1/check", json={**body, "answer": ROS[:45]}).json()

    assert told["truncation"] == {"unread_chars": len(" It has topics. It is free."), "unread_claims": 2}
    assert (told["verdict"]["outcome"], told["verdict"]["accepted"]) == ("unsure", False)
    assert told["verdict"]["because"].endswith(
        "; only the first 3 claims were read, and the last 2 were not; check the answer in parts"
    )
    assert len(told["claims"]) == 3
    assert whole["verdict"]["accepted"]
    assert whole["truncation"]["unread_claims"] == 0


def test_a_check_that_costs_too_much_is_refused_before_anything_is_done(service: Service) -> None:
    body = {"answer": "It has nodes.", "sources": ["D. E. F! " * 1000], "policy": "fast"}
    refused = service.client.post("/v1/check", json=body)

    assert refused.status_code == 413
    told = refused.json()
    assert told["type"] == "urn:sensecheck:problem:too-costly"
    assert told["max_cost"] == 3_000
    assert told["cost"] > 6_000
    assert service.engine.jobs == []


def test_in_a_batch_only_the_check_that_costs_too_much_is_refused(service: Service) -> None:
    fine = {"answer": "It has nodes.", "sources": [ROS], "policy": "fast"}
    costly = {**fine, "sources": ["D. E. F! " * 1000]}
    results = service.client.post("/v1/checks:batch", json={"checks": [fine, costly]}).json()["results"]

    assert results[0]["result"]["verdict"]["accepted"]
    assert results[1]["problem"]["type"] == "urn:sensecheck:problem:too-costly"


def test_a_request_counts_as_often_as_it_costs(service: Service, store: ServiceStore) -> None:
    _, key = new_key(store, "secret", per_minute=10)
    headers = bearer(key)
    left = []
    for words in (100, 1_200):
        body = {"answer": "It has nodes.", "sources": ["word " * words], "policy": "fast"}
        reply = service.client.post("/v1/check", json=body, headers=headers)
        left.append(reply.headers["RateLimit"].partition("r=")[2].partition(";")[0])

    assert left == ["9", "6"]


def test_readers_of_a_page_are_told_apart_by_address_and_servers_are_not(
    service: Service, store: ServiceStore
) -> None:
    page, public = new_key(store, "publishable")
    server, secret = new_key(store, "secret")
    question = {"query": "What is ROS 2?", "selected_text": ROS}
    service.client.post("/query-selected-text", json=question, headers={**bearer(public), "Origin": PAGE})
    body = {"answer": "It has nodes.", "sources": [ROS], "policy": "fast"}
    service.client.post("/v1/check", json=body, headers=bearer(secret))
    service.client.post("/v1/checks:batch", json={"checks": [body] * 2}, headers=bearer(secret))

    asked = [(client.key, client.name) for client in service.engine.clients]
    assert asked == [(str(page.id), "127.0.0.1"), (str(server.id), ""), (str(server.id), "large")]
