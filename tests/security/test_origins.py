"""Every route, for every kind of key, from every kind of page."""

import httpx
import pytest

from tests.security.conftest import House
from tests.security.doors import CLOSED, DOORS, FOR_PAGES, OPEN, Door, body_of
from tests.server.running import PAGE

OTHER = "https://evil.example.net"
ORIGINS = (None, PAGE, OTHER, PAGE + ".evil.net", PAGE + ":8443", PAGE.replace("https", "http"), "null")
ID = "01981f6a-7c00-7aaa-8bbb-0123456789ab"
KINDS = ("secret", "publishable", "unknown", "none")


def sent(house: House, door: Door, kind: str, origin: str | None) -> httpx.Response:
    """What a route says to this key from this page."""
    keys = {
        "secret": house.ours.server["Authorization"],
        "publishable": house.ours.page["Authorization"],
        "unknown": "Bearer sk_nobodys_key",
    }
    headers = {"Authorization": keys[kind]} if kind in keys else {}
    if origin is not None:
        headers["Origin"] = origin
    name = "default" if "policy" in door.path else ID
    return house.client.request(door.method, door.at(name), json=body_of(door, "cat"), headers=headers)


def wanted(door: Door, kind: str, origin: str | None) -> tuple[str, str | None]:
    """Which problem it is, if any, and who may read the answer."""
    if kind == "none":
        return "no-key", None
    if kind == "unknown":
        return "unknown-key", None
    if kind == "secret":
        return ("", None) if origin is None else ("not-allowed", None)
    if origin != PAGE:
        return "origin-not-allowed", None
    return ("" if door.path in FOR_PAGES else "not-allowed"), PAGE


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("door", CLOSED, ids=str)
def test_a_route_answers_a_key_only_where_it_may_be_used(small_house: House, door: Door, kind: str) -> None:
    for origin in ORIGINS:
        reply = sent(small_house, door, kind, origin)

        problem, reader = wanted(door, kind, origin)
        if problem:
            assert reply.status_code == (401 if problem in ("no-key", "unknown-key") else 403), origin
            assert reply.json()["type"] == f"urn:sensecheck:problem:{problem}", origin
        else:
            assert reply.status_code in (200, 204, 404, 422), (origin, reply.text)
        assert reply.headers.get("Access-Control-Allow-Origin") == reader, origin
        assert "Origin" in reply.headers["Vary"]
        assert "Access-Control-Allow-Credentials" not in reply.headers


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("path", sorted(OPEN))
def test_what_machines_ask_for_is_read_by_no_page(small_house: House, path: str, kind: str) -> None:
    for origin in ORIGINS:
        reply = sent(small_house, Door("GET", path), kind, origin)

        assert "Access-Control-Allow-Origin" not in reply.headers, origin


@pytest.mark.parametrize("origin", [PAGE, OTHER, "null"])
@pytest.mark.parametrize("door", DOORS, ids=str)
def test_a_preflight_is_let_through_and_gives_nothing_away(
    small_house: House, door: Door, origin: str
) -> None:
    asks = {
        "Origin": origin,
        "Access-Control-Request-Method": door.method,
        "Access-Control-Request-Headers": "authorization, content-type, idempotency-key",
    }

    reply = small_house.client.options(door.at(ID), headers=asks)

    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["Access-Control-Allow-Origin"] == origin
    assert door.method in reply.headers["Access-Control-Allow-Methods"].split(", ")
    assert "Access-Control-Allow-Credentials" not in reply.headers


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "TRACE"])
def test_a_method_that_a_route_does_not_have_is_read_by_no_page(small_house: House, method: str) -> None:
    headers = {**small_house.ours.page, "Origin": OTHER}

    reply = small_house.client.request(method, "/v1/answers", headers=headers)

    assert reply.status_code == 405
    assert "Access-Control-Allow-Origin" not in reply.headers
