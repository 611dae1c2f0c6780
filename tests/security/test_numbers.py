"""A key in a web page is never shown a number that was read of an answer, on any route."""

import json
import re
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.security.conftest import House
from tests.security.doors import CLOSED, Door, body_of
from tests.server.answering import EVENTS, events_in
from tests.server.running import PAGE, bearer, new_key

PASSAGE = "The heron sleeps in the reeds by the lake. It wakes at dawn and hunts for fish."
ANSWERED = "Where does the heron sleep?"
NOT_ANSWERED = "A famous painter painted the ceiling of the chapel in the capital."
"""The writer repeats it as its answer, which is not in the passage."""
READINGS = re.compile("value|closeness|score|cutoff|similar|overlap|calibrat|at_least|margin|chance|reading")
PLACES = {"start", "end", "count", "code"}
"""Whole numbers that say where something stands, and how many of it there are."""


def leaves(data: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every value, and the names that lead to it."""
    if isinstance(data, dict):
        for name, below in data.items():
            yield from leaves(below, (*path, name))
    elif isinstance(data, list):
        for below in data:
            yield from leaves(below, path)
    else:
        yield path, data


def assert_no_reading(data: Any) -> None:
    for path, value in leaves(data):
        names = ".".join(path)
        assert not any(READINGS.search(name) for name in path), names
        if isinstance(value, float):
            assert path[0] == "timing", names
        elif isinstance(value, int) and not isinstance(value, bool):
            assert path[-1] in PLACES, names
        elif isinstance(value, str) and path[0] in ("because", "claims") and path[-1] != "where":
            assert not re.search(r"\d", value), f"{names}: {value}"
        elif isinstance(value, str) and path[-1] == "detail":
            assert not re.search(r"\d\.\d", value), f"{names}: {value}"


@pytest.mark.parametrize("question", [ANSWERED, NOT_ANSWERED])
@pytest.mark.parametrize("policy", ["default", "strict", "similarity-or-keywords"])
def test_an_answer_comes_without_readings(small_house: House, question: str, policy: str) -> None:
    asked = {"question": question, "passage": PASSAGE}
    page, server = (
        bearer(new_key(small_house.store, kind, "ours", policy=policy)[1])
        for kind in ("publishable", "secret")
    )
    page["Origin"] = PAGE

    shown = small_house.client.post("/v1/answers", json=asked, headers=page)
    streamed = small_house.client.post("/v1/answers", json=asked, headers={**page, **EVENTS})
    whole = small_house.client.post("/v1/answers", json=asked, headers=server)

    assert shown.status_code == 200, shown.text
    assert shown.json()["decision"] == ("accepted" if question == ANSWERED else "held-back")
    assert_no_reading(shown.json())
    for event in events_in(streamed.text):
        assert_no_reading(event.data)
    with pytest.raises(AssertionError):
        assert_no_reading(whole.json())  # a server is shown them, so that there is something to hide


def test_the_contract_tells_no_reading_in_its_body_or_its_headers(small_house: House) -> None:
    for question in (ANSWERED, NOT_ANSWERED):
        asked = {"query": question, "selected_text": PASSAGE}
        reply = small_house.client.post("/query-selected-text", json=asked, headers=small_house.ours.page)

        assert reply.status_code == 200
        assert_no_reading(reply.json())
        told = [name for name in reply.headers if name.startswith("sensecheck-")]
        assert set(told) <= {
            "sensecheck-decision",
            "sensecheck-outcome",
            "sensecheck-message-id",
            "sensecheck-request-id",
        }
        assert re.fullmatch(r"(\w+;dur=[\d.]+(, )?)+", reply.headers["server-timing"])


@pytest.mark.parametrize("include", [["scores"], ["calibration"], ["claims", "scores"]])
def test_asking_for_readings_is_refused(small_house: House, include: list[str]) -> None:
    asked = {"question": ANSWERED, "passage": PASSAGE, "include": include}

    reply = small_house.client.post("/v1/answers", json=asked, headers=small_house.ours.page)

    assert reply.status_code == 403
    assert reply.json()["type"].endswith(":not-allowed")


def test_what_was_not_checked_is_not_shown_to_a_page(small_house: House) -> None:
    asked = {"question": ANSWERED, "passage": PASSAGE, "hold": "none"}

    reply = small_house.client.post("/v1/answers", json=asked, headers={**small_house.ours.page, **EVENTS})

    assert reply.status_code == 403


@pytest.mark.parametrize("door", CLOSED, ids=str)
def test_no_route_tells_a_page_a_reading(small_house: House, door: Door) -> None:
    own = small_house.client.post(
        "/v1/answers", json={"question": ANSWERED, "passage": PASSAGE}, headers=small_house.ours.page
    ).json()["id"]
    for body in (body_of(door, "heron"), {"value": 1}, {}):
        reply = small_house.client.request(
            door.method, door.at(own), json=body, headers=small_house.ours.page
        )
        data = _without_the_public(reply)
        assert_no_reading(data)
        assert reply.status_code < 500


def _without_the_public(reply: httpx.Response) -> Any:
    """What is told, but the status of a problem, and the limits of the key itself."""
    if not reply.content:
        return {}
    data = json.loads(reply.content)
    known = {"status", "type", "errors", "per_minute", "daily_budget", "sizes"}
    return {name: value for name, value in data.items() if name not in known}
