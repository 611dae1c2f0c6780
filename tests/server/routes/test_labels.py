"""Feedback and labels through the door."""

import re
from collections.abc import Iterator

import httpx
import pytest
from sqlalchemy import select

from sensecheck.server.caller import SECRET_SCOPES
from sensecheck.store.service.reviews import way_of
from sensecheck.store.service.store import ServiceStore
from sensecheck.store.service_tables import feedback, reviews
from tests.server.labelled import keep, keep_many
from tests.server.running import PAGE, Wanted, bearer, new_key, service
from tests.store.service.made import count

UNKNOWN = "01981f6a-7c00-7aaa-8bbb-0123456789ab"


@pytest.fixture
def closed(wanted: Wanted, store: ServiceStore) -> Iterator[httpx.Client]:
    """A client of a service of which `store` is the database."""
    with service(wanted) as address, httpx.Client(base_url=address, timeout=30) as asking:
        yield asking


def test_a_thumb_and_a_word_are_kept(closed: httpx.Client, store: ServiceStore) -> None:
    key, whole = new_key(store, "secret")
    message = keep(store, key.project)

    reply = closed.post(
        f"/v1/messages/{message.id}/feedback", json={"thumb": "down", "note": "no"}, headers=bearer(whole)
    )

    assert reply.status_code == 204, reply.text
    with store.reading() as connection:
        row = connection.execute(select(feedback)).one()
    assert (row.project, row.message, row.thumb, row.note) == (key.project, message.id, "down", "no")


@pytest.mark.parametrize(
    "body", [{"thumb": "sideways"}, {}, {"thumb": "up", "note": "x" * 1001}, {"thumb": "up", "more": 1}]
)
def test_feedback_that_is_not_as_described_is_not_kept(
    closed: httpx.Client, store: ServiceStore, body: dict[str, object]
) -> None:
    key, whole = new_key(store, "secret")
    message = keep(store, key.project)

    reply = closed.post(f"/v1/messages/{message.id}/feedback", json=body, headers=bearer(whole))

    assert reply.status_code == 422
    assert "sideways" not in reply.text
    assert count(store, feedback) == 0


def test_messages_of_others_are_as_if_they_were_not_there(closed: httpx.Client, store: ServiceStore) -> None:
    _, whole = new_key(store, "secret")
    theirs = keep(store, store.project("theirs"))

    told = []
    for name in (theirs.id, UNKNOWN):
        for path, body in (
            ("feedback", {"thumb": "up"}),
            ("labels", {"grounded": True, "reviewer": "ann"}),
        ):
            reply = closed.post(f"/v1/messages/{name}/{path}", json=body, headers=bearer(whole))
            told.append((reply.status_code, reply.json()["type"], reply.json()["detail"]))

    assert len(set(told)) == 1
    assert told[0][:2] == (404, "urn:sensecheck:problem:not-found")
    assert count(store, feedback) == count(store, reviews) == 0


def test_a_key_of_pages_speaks_of_its_own_messages_alone(closed: httpx.Client, store: ServiceStore) -> None:
    mine, whole = new_key(store, "publishable")
    other, _ = new_key(store, "publishable")
    headers = {**bearer(whole), "Origin": PAGE}

    replies = [
        closed.post(
            f"/v1/messages/{keep(store, mine.project, api_key=key).id}/feedback",
            json={"thumb": "up"},
            headers=headers,
        ).status_code
        for key in (mine.id, other.id, None)
    ]

    assert replies == [204, 404, 404]


@pytest.mark.parametrize(
    ("method", "path", "scope"),
    [
        ("GET", "/v1/reviews/next", "review"),
        ("POST", f"/v1/messages/{UNKNOWN}/labels", "review"),
        ("POST", f"/v1/messages/{UNKNOWN}/feedback", "feedback"),
        ("GET", "/v1/stats", "stats"),
        ("GET", "/v1/policies", "policies"),
        ("GET", "/v1/policies/default", "policies"),
        ("POST", "/v1/policies/mine:calibrate", "policies"),
        ("DELETE", "/v1/sessions/s1", "sessions"),
    ],
)
def test_each_door_wants_its_scope(
    closed: httpx.Client, store: ServiceStore, method: str, path: str, scope: str
) -> None:
    _, without = new_key(store, "secret", scopes=frozenset[str](SECRET_SCOPES) - {scope})

    assert closed.request(method, path, headers=bearer(without)).status_code == 403
    if scope != "feedback":
        _, page = new_key(store, "publishable")
        assert closed.request(method, path, headers={**bearer(page), "Origin": PAGE}).status_code == 403


def test_a_reviewer_draws_labels_and_does_not_see_the_message_again(
    closed: httpx.Client, store: ServiceStore
) -> None:
    key, whole = new_key(store, "secret")
    keep_many(store, key.project, 40, bad_every=2)

    first = closed.get("/v1/reviews/next?limit=8", headers=bearer(whole)).json()["items"]
    for item in first:
        said = {"grounded": True, "reviewer": "ann", "drawn": item["drawn"]}
        reply = closed.post(f"/v1/messages/{item['message_id']}/labels", json=said, headers=bearer(whole))
        assert reply.status_code == 204, reply.text
    again = closed.get("/v1/reviews/next?limit=100", headers=bearer(whole)).json()["items"]

    assert {item["stratum"] for item in first} == {"accepted", "rejected"}
    assert len(first) == 8
    assert len(again) == 32
    assert not {item["message_id"] for item in first} & {item["message_id"] for item in again}


def test_a_label_cannot_pretend_to_be_drawn_at_random(closed: httpx.Client, store: ServiceStore) -> None:
    key, whole = new_key(store, "secret")
    message = keep(store, key.project)
    other = "near" if way_of(message.id) == "random" else "random"

    said = {"grounded": True, "reviewer": "ann", "drawn": other}
    reply = closed.post(f"/v1/messages/{message.id}/labels", json=said, headers=bearer(whole))

    assert reply.status_code == 422
    assert reply.json()["errors"][0]["pointer"] == "#/drawn"
    assert count(store, reviews) == 0


def test_a_session_is_erased_with_all_that_was_said_of_it(closed: httpx.Client, store: ServiceStore) -> None:
    key, whole = new_key(store, "secret")
    mine = keep(store, key.project, session_id="a/b c")
    keep(store, store.project("theirs"), session_id="a/b c")
    closed.post(f"/v1/messages/{mine.id}/feedback", json={"thumb": "up"}, headers=bearer(whole))

    path = "/v1/sessions/a%2Fb%20c"
    assert closed.delete(path, headers=bearer(whole)).json() == {"erased": 1}
    assert closed.delete(path, headers=bearer(whole)).json() == {"erased": 0}
    assert count(store, feedback) == 0
    late = closed.post(f"/v1/messages/{mine.id}/feedback", json={"thumb": "up"}, headers=bearer(whole))
    assert late.status_code == 404


@pytest.mark.parametrize("accepted", [True, False])
def test_labels_of_randomly_drawn_answers_are_counted_for_prometheus(
    closed: httpx.Client, store: ServiceStore, accepted: bool
) -> None:
    key, whole = new_key(store, "secret")
    messages = [keep(store, key.project, validation_passed=accepted) for _ in range(12)]
    at_random = [one for one in messages if way_of(one.id) == "random"]
    for message in messages:
        body = {"grounded": True, "reviewer": "ann", "drawn": way_of(message.id)}
        closed.post(f"/v1/messages/{message.id}/labels", json=body, headers=bearer(whole)).raise_for_status()

    page = closed.get("/metrics", headers=bearer(whole)).text

    counted = dict(
        re.findall(r'^sensecheck_labels_total\{accepted="(\w+)",grounded="true"\} (\d+)', page, re.M)
    )
    expected = {"true": "0", "false": "0"} | {str(accepted).lower(): str(len(at_random))}
    assert counted == expected
