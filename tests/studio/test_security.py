"""Who can use the Studio of a laptop: who has the link, from this machine, from its own page."""

import gzip
import socket
from pathlib import Path

import httpx
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.studio.app import serve_studio
from tests.studio.served import HEADER, Served


def test_without_the_token_nothing_is_shown(studio: Served) -> None:
    for path in ("/studio", "/studio/api/me", "/studio/api/runs", "/"):
        reply = httpx.get(studio.url + path)
        assert (reply.status_code, "atlas" in reply.text) == (401, False), path


def test_a_wrong_token_sets_no_cookie(studio: Served) -> None:
    reply = httpx.get(f"{studio.url}/studio", params={"token": "x" * 43})

    assert reply.status_code == 401
    assert "set-cookie" not in reply.headers


def test_the_link_becomes_a_cookie_that_no_script_and_no_other_site_can_use(studio: Served) -> None:
    reply = httpx.get(studio.link + "&q=museum")
    cookie = reply.headers["set-cookie"].lower()

    assert reply.status_code == 303
    assert reply.headers["location"] == "/studio?q=museum"
    assert all(part in cookie for part in ("httponly", "samesite=strict", "path=/studio"))


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "192.168.1.2", "127.0.0.1.evil.example", ""]
)
def test_another_name_in_host_is_refused_though_the_cookie_is_right(studio: Served, host: str) -> None:
    reply = studio.client.get("/studio/api/runs", headers={"Host": host})

    assert reply.status_code in (400, 403)
    assert "atlas" not in reply.text


def test_a_change_needs_our_header_and_our_origin(studio: Served) -> None:
    path, body = f"/studio/api/runs/{studio.run_ids()['evaluation 2']}/labels", {"id": "q0", "value": 1}
    other = {**HEADER, "Origin": "http://evil.example"}
    beside = {**HEADER, "Origin": "http://127.0.0.1:1"}
    site = {**HEADER, "Sec-Fetch-Site": "cross-site"}

    for headers in ({}, other, beside, site):
        assert studio.client.post(path, json=body, headers=headers).status_code == 403, headers
    form = studio.client.post(path, data={"id": "q0"}, headers={"Origin": "null"})
    assert form.status_code == 403
    assert studio.client.post(path, json=body, headers=HEADER).json()["new"] == 1


def test_no_page_may_frame_it_and_nothing_of_others_is_loaded(studio: Served) -> None:
    page = studio.client.get("/studio")
    policy = page.headers["content-security-policy"]

    assert page.headers["x-frame-options"] == "DENY"
    assert "frame-ancestors 'none'" in policy
    assert "default-src 'none'" in policy
    assert "connect-src 'self'" in policy
    assert "unsafe" not in policy
    assert "//cdn" not in page.text
    reply = studio.client.get("/studio/api/me")
    assert reply.headers["x-frame-options"] == "DENY"
    assert reply.headers["cache-control"] == "no-store"


def test_the_page_stays_within_its_budget(studio: Served) -> None:
    assert len(gzip.compress(studio.client.get("/studio").content)) <= 250_000


def test_it_listens_on_loopback_alone() -> None:
    anywhere = socket.create_server(("0.0.0.0", 0))
    with anywhere, pytest.raises(SpecError, match="this machine alone"):
        serve_studio([], anywhere, lambda _: None, cache=None, folder=Path())


def test_a_run_is_not_found_by_a_path(studio: Served) -> None:
    for name in ("..%2F..%2Fetc%2Fpasswd", "zzzzzz-1", "1", "-1", "%00"):
        assert studio.client.get(f"/studio/api/runs/{name}").status_code in (404, 422), name
