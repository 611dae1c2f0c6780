"""The Studio on the service: behind keys, each of which sees its own project alone."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from sensecheck.runs.find import existing_place
from sensecheck.store.service.api_keys import revoke
from sensecheck.store.service.store import ServiceStore
from tests.runs import stores
from tests.server.running import Wanted, bearer, new_key, service

HEADER = {"Sensecheck-Studio": "1"}
SIMILAR = [0.9, 0.8, 0.4]


@pytest.fixture
def wanted(wanted: Wanted) -> Wanted:
    """A service that wants a key, with runs of two projects in its database."""
    for project in ("ours", "theirs"):
        for name in ("first", "second"):
            stores.kept(f"sqlite:///{wanted.store}", {"rouge_l": SIMILAR}, project=project, name=name)
    return replace(wanted, local=False)


@pytest.fixture
def key(store: ServiceStore) -> str:
    """A key of ours that may look and label."""
    return new_key(store, "secret", "ours", scopes=frozenset(("stats", "review")))[1]


@pytest.fixture
def page(client: httpx.Client, key: str) -> httpx.Client:
    """A page of which the key was typed in."""
    reply = client.post("/studio/api/session", json={"key": key}, headers=HEADER)
    assert reply.status_code == 204, reply.text
    return client


def runs(client: httpx.Client, **headers: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.get("/studio/api/runs", headers=headers).json()["runs"]
    return found


def test_the_page_is_served_and_tells_nothing_without_a_key(client: httpx.Client) -> None:
    page = client.get("/studio")

    assert (page.status_code, "sensecheck studio" in page.text) == (200, True)
    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
    assert page.headers["x-frame-options"] == "DENY"
    reply = client.get("/studio/api/runs")
    assert (reply.status_code, "theirs" in reply.text) == (401, False)


def test_a_key_in_the_header_sees_the_runs_of_its_project(client: httpx.Client, key: str) -> None:
    assert {one["project"] for one in runs(client, **bearer(key))} == {"ours"}


def test_a_session_sees_the_runs_of_its_project_alone(page: httpx.Client, store: ServiceStore) -> None:
    own = runs(page)
    assert [(one["project"], one["name"]) for one in own] == [("ours", "second"), ("ours", "first")]
    other = new_key(store, "secret", "theirs")[1]
    ids = [one["id"] for one in page.get("/studio/api/runs", headers=bearer(other)).json()["runs"]]
    assert ids == [one["id"] for one in own]  # the session comes first
    with httpx.Client(base_url=page.base_url) as stranger:
        theirs = [one["id"] for one in stranger.get("/studio/api/runs", headers=bearer(other)).json()["runs"]]
    assert len(theirs) == 2
    none = f"{theirs[0].partition('-')[0]}-999"
    parts = ("/rows", "/summary", "/rows/0", "/grid", "/events", "/report.html")
    for path in ("", *parts, "/review", "/review/rows/0", "/review/agreement", "/calibrate",
                 "/calibrate/wrong?cutoff=0.5", "/calibrate/drift"):  # fmt: skip
        found = [page.get(f"/studio/api/runs/{one}{path}") for one in (theirs[0], none)]
        assert {one.status_code for one in found} == {404}, path
        assert "theirs" not in found[0].text
    mixed = {"baseline": own[0]["id"], "run": theirs[0]}
    assert page.get("/studio/api/compare", params=mixed).status_code == 404
    rows = {"before": own[0]["id"], "after": theirs[0]}
    assert page.get("/studio/api/compare/rows", params=rows).status_code == 404
    as_baseline = page.get(f"/studio/api/runs/{own[0]['id']}/rows", params={"baseline": theirs[0]})
    assert as_baseline.status_code == 404
    body = {"id": "q0", "value": 1}
    for path, given in (("labels", body), ("calibrate/fit", {"name": "x", "fpr": 0.1})):
        assert (
            page.post(f"/studio/api/runs/{theirs[0]}/{path}", json=given, headers=HEADER).status_code == 404
        )


def test_a_reviewer_labels_under_the_name_of_the_key_and_a_viewer_cannot(
    page: httpx.Client, store: ServiceStore, wanted: Wanted
) -> None:
    run = next(one for one in runs(page) if one["name"] == "first")
    path, body = f"/studio/api/runs/{run['id']}/labels", {"id": "q1", "value": 1, "rater": "somebody else"}

    assert page.post(path, json=body, headers=HEADER).json()["new"] == 1
    viewer = new_key(store, "secret", "ours", scopes=frozenset(("stats",)))[1]
    with httpx.Client(base_url=page.base_url) as looking:
        refused = looking.post(path, json={**body, "id": "q2"}, headers={**HEADER, **bearer(viewer)})
        assert (refused.status_code, "review" in refused.json()["error"]) == (403, True)
        assert looking.get("/studio/api/me", headers=bearer(viewer)).json()["may_label"] is False
        for part in ("/review", "/review/rows/0"):
            reply = looking.get(f"/studio/api/runs/{run['id']}{part}", headers=bearer(viewer))
            assert reply.status_code == 403, part
        fit = f"/studio/api/runs/{run['id']}/calibrate/fit"
        assert (
            looking.post(
                fit, json={"name": "x", "fpr": 0.1}, headers={**HEADER, **bearer(viewer)}
            ).status_code
            == 403
        )
        shown = looking.get(f"/studio/api/runs/{run['id']}/calibrate", headers=bearer(viewer)).json()
        assert (shown["can_fit"], shown["can_save"]) == (False, False)
        change = {**body, "value": None}
        assert looking.post(path, json=change, headers={**HEADER, **bearer(viewer)}).status_code == 403
    place = existing_place(f"sqlite:///{wanted.store}")
    stored = [(one.question, one.value, one.rater) for one in place.labels(place.run_by_key(run["run"]))]
    place.close()
    assert stored == [("q1", 1.0, "a test")]


def test_another_site_can_change_nothing(page: httpx.Client) -> None:
    path, body = f"/studio/api/runs/{runs(page)[0]['id']}/labels", {"id": "q0", "value": 1}

    for headers in (
        {},
        {**HEADER, "Origin": "https://evil.example"},
        {**HEADER, "Sec-Fetch-Site": "cross-site"},
    ):
        assert page.post(path, json=body, headers=headers).status_code == 403, headers
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    preflight = page.options(path, headers={**asked, "Access-Control-Request-Headers": "sensecheck-studio"})
    assert "sensecheck-studio" not in preflight.headers.get("access-control-allow-headers", "").lower()


def test_a_session_cannot_be_made_up_and_ends_with_its_key(
    page: httpx.Client, store: ServiceStore, wanted: Wanted, tmp_path: Path
) -> None:
    session = page.cookies["sensecheck-studio"]
    key_id, until, signature = session.split(".")
    for made_up in (
        f"{key_id}.{int(until) + 1}.{signature}",
        f"{key_id}.{until}.{'0' * 64}",
        "x",
        "..",
        f"{key_id}.9.x",
    ):
        reply = httpx.get(f"{page.base_url}/studio/api/runs", cookies={"sensecheck-studio": made_up})
        assert reply.status_code == 401, made_up
    with store.writing() as connection:
        revoke(connection, key_id)
    with service(
        replace(wanted, spool=tmp_path / "other.sqlite3")
    ) as again:  # another process, which remembers nothing
        assert (
            httpx.get(f"{again}/studio/api/runs", cookies={"sensecheck-studio": session}).status_code == 401
        )


def test_keys_that_may_not_look_are_refused(client: httpx.Client, store: ServiceStore) -> None:
    narrow = new_key(store, "secret", "ours", scopes=frozenset(("check",)))[1]
    public = new_key(store, "publishable", "ours")[1]

    for given, status in ((narrow, 403), (public, 401), ("sk_nothing", 401)):
        reply = client.post("/studio/api/session", json={"key": given}, headers=HEADER)
        assert (reply.status_code, "set-cookie" in reply.headers) == (status, False), given
    assert client.post("/studio/api/session", json={"key": narrow}).status_code == 403


def test_patterns_are_not_searched_on_the_service(page: httpx.Client) -> None:
    query = {"q": "(a+)+$", "regex": "true"}
    reply = page.get(f"/studio/api/runs/{runs(page)[0]['id']}/rows", params=query)

    assert (reply.status_code, "plain text alone" in reply.json()["error"]) == (422, True)


def test_nothing_can_be_started(page: httpx.Client) -> None:
    reply = page.post(f"/studio/api/runs/{runs(page)[0]['id']}/rerun", json={}, headers=HEADER)

    assert reply.status_code == 403


def test_the_description_of_the_service_holds_none_of_it(client: httpx.Client) -> None:
    assert "/studio" not in client.get("/openapi.json").text
