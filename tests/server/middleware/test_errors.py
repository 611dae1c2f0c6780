"""What is told of a request that is not as described: where, what is wanted, and nothing of what it holds."""

from typing import Any

import httpx
import pytest

from sensecheck.server.schemas.checks import CheckRequest

CHECK_KEYS = ", ".join(f"`{key}`" for key in CheckRequest.model_fields)
WITH_ANSWER = {"answer": "A cat sleeps."}


def _told(reply: httpx.Response) -> dict[str, str]:
    assert reply.status_code == 422, reply.text
    return {error["pointer"]: error["detail"] for error in reply.json()["errors"]}


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (
            {**WITH_ANSWER, "source": ["It sleeps."]},
            {"#/sources": "is required", "#": f"holds a key that is not known; known: {CHECK_KEYS}"},
        ),
        (
            {**WITH_ANSWER, "sources": [{"text": "It sleeps.", "name": "cats"}]},
            {
                "#/sources/0/id": "is required",
                "#/sources/0": "holds a key that is not known; known: `id`, `text`",
            },
        ),
        ({**WITH_ANSWER, "sources": [""]}, {"#/sources/0": "must have at least 1 character"}),
        ({**WITH_ANSWER, "sources": []}, {"#/sources": "must have at least 1 item"}),
        (
            {**WITH_ANSWER, "sources": [{"id": "a", "text": ""}]},
            {"#/sources/0/text": "must have at least 1 character"},
        ),
        (
            {**WITH_ANSWER, "sources": [{"id": 3, "text": "It sleeps."}]},
            {"#/sources/0/id": "must be a string"},
        ),
        ({**WITH_ANSWER, "sources": "It sleeps."}, {"#/sources": "must be a list"}),
    ],
    ids=lambda value: next(iter(value)) if "#" in str(value) else "",
)
def test_a_mistake_is_told_where_it_is(client: httpx.Client, body: Any, told: dict[str, str]) -> None:
    assert _told(client.post("/v1/check", json=body)) == told
    (one,) = client.post("/v1/checks:batch", json={"checks": [body]}).json()["results"]
    assert {error["pointer"]: error["detail"] for error in one["problem"]["errors"]} == told


def test_what_is_neither_of_two_kinds_is_told_both(client: httpx.Client) -> None:
    reply = client.post("/v1/check", json={**WITH_ANSWER, "sources": [5]})

    assert [error["detail"] for error in reply.json()["errors"]] == ["must be a string", "must be an object"]


def test_the_keys_of_an_object_within_another_are_told(client: httpx.Client) -> None:
    reply = client.post("/v1/policies/docs:calibrate", json={"promise": {"false_positives": 0.1}})

    assert _told(reply) == {
        "#/promise": "holds a key that is not known; known: `false_positive`, `false_negative`, `confidence`"
    }


@pytest.mark.parametrize(
    ("method", "path", "known"),
    [
        ("GET", "/v1/stats?day=3", "`days`"),
        ("GET", "/v1/reviews/next?days=3", "`limit`"),
        ("GET", "/v1/policies?page=2", "none"),
        ("GET", "/v1/limits?verbose=1", "none"),
        ("POST", "/v1/check?policy=strict", "none"),
    ],
)
def test_a_parameter_that_would_do_nothing_is_a_mistake(
    client: httpx.Client, method: str, path: str, known: str
) -> None:
    body = None if method == "GET" else {**WITH_ANSWER, "sources": ["A cat sleeps."]}

    reply = client.request(method, path, json=body)

    assert _told(reply) == {"query:": f"holds a parameter that is not known; known: {known}"}


def test_probes_may_add_what_they_like(client: httpx.Client) -> None:
    assert client.get("/livez?from=balancer").status_code == 200


@pytest.mark.parametrize("name", ["17", "x" * 36, "01981f6a7c007aaa8bbb0123456789ab"])
def test_the_id_of_a_message_is_a_uuid_and_that_is_said(client: httpx.Client, name: str) -> None:
    reply = client.post(f"/v1/messages/{name}/feedback", json={"thumb": "up"})

    assert _told(reply) == {
        "path: message_id": "must be a UUID such as `01981f6a-7c00-7aaa-8bbb-0123456789ab`"
    }


def test_what_looks_like_no_key_at_all_is_called_so(client: httpx.Client) -> None:
    for sent, told in (("Bearer hello", "is no key"), ("Basic aGVsbG8=", "must be `Bearer`")):
        reply = client.get("/v1/limits", headers={"Authorization": sent})
        assert (reply.status_code, reply.json()["type"]) == (401, "urn:sensecheck:problem:unknown-key")
        assert told in reply.json()["detail"]
