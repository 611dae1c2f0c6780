"""`POST /v1/checks:batch`: many checks, each with its own end."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from sensecheck.sense import Sense
from tests.server.answering import Service, running
from tests.server.running import Wanted

ROS = "ROS 2 is a robotics middleware. It has nodes."
GOOD, BAD = "ROS 2 is a robotics middleware.", "Kubernetes runs 3 nodes."


@pytest.fixture
def service(wanted: Wanted, sense: Sense) -> Iterator[Service]:
    """A service with the real model."""
    with running(replace(wanted, sense=sense)) as found:
        yield found


def batch(service: Service, *checks: Any) -> list[dict[str, Any]]:
    """The results of these checks."""
    reply = service.client.post("/v1/checks:batch", json={"checks": checks})
    assert reply.status_code == 200
    results: list[dict[str, Any]] = reply.json()["results"]
    return results


def test_results_come_in_the_order_of_the_checks_and_a_bad_one_fails_alone(service: Service) -> None:
    found = batch(
        service,
        {"answer": GOOD, "sources": [ROS]},
        {"answer": 3, "sources": [ROS]},
        "no check at all",
        {"answer": BAD, "sources": [ROS], "policy": "unknown"},
        {"answer": BAD, "sources": [ROS]},
    )

    outcomes = [one["result"]["verdict"]["outcome"] for one in (found[0], found[4])]
    assert outcomes == ["pass", "fail"]
    assert [one["problem"]["status"] for one in found[1:4]] == [422, 422, 422]
    assert found[1]["problem"]["errors"] == [{"pointer": "#/answer", "detail": "must be a string"}]
    assert "no check at all" not in str(found)


def test_a_check_of_a_batch_is_told_as_it_is_alone(service: Service) -> None:
    body = {"answer": f"{GOOD} {BAD}", "sources": [{"id": "a", "text": ROS}], "offsets": "utf8"}
    (found,) = batch(service, body)
    alone = service.client.post("/v1/check", json=body).json()

    different = ("id", "timing")
    assert {name: value for name, value in found["result"].items() if name not in different} == {
        name: value for name, value in alone.items() if name not in different
    }


def test_checks_of_a_batch_are_kept_on_request(service: Service) -> None:
    found = batch(
        service, {"answer": GOOD, "sources": [ROS], "store": True}, {"answer": BAD, "sources": [ROS]}
    )

    assert [message.id for message in service.kept()] == [found[0]["result"]["id"]]


def test_an_engine_that_is_full_turns_the_whole_batch_away(service: Service) -> None:
    service.engine.is_full = True
    reply = service.client.post("/v1/checks:batch", json={"checks": [{"answer": GOOD, "sources": [ROS]}] * 3})

    assert (reply.status_code, reply.headers["Retry-After"]) == (503, "3")
    assert reply.json()["type"] == "urn:sensecheck:problem:overloaded"


@pytest.mark.parametrize(
    ("count", "claims", "source", "told"),
    [(100, 100, "x", "2000 answers and claims"), (2, 90, "x" * 200_000, "20000000 characters of sources")],
)
def test_a_batch_that_multiplies_beyond_bounds_is_refused(
    service: Service, count: int, claims: int, source: str, told: str
) -> None:
    checks = [{"claims": ["a"] * claims, "sources": [source]}] * count
    reply = service.client.post("/v1/checks:batch", json={"checks": checks})

    (error,) = reply.json()["errors"]
    assert (reply.status_code, error["pointer"]) == (422, "#/checks")
    assert told in error["detail"]


@pytest.mark.parametrize("checks", [[], [{}] * 101, None, {}])
def test_a_batch_of_none_or_too_many_is_refused(service: Service, checks: Any) -> None:
    reply = service.client.post("/v1/checks:batch", json={"checks": checks})

    assert (reply.status_code, reply.json()["errors"][0]["pointer"]) == (422, "#/checks")
