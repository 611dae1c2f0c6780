"""Which pages may read an answer: every kind of caller, from every kind of page."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import httpx
import pytest

from sensecheck.server.settings import ServiceSettings
from sensecheck.store.service.store import ServiceStore
from tests.server.running import PAGE, Wanted, bearer, new_key, service

OTHER = "https://evil.example.net"
HERE = "http://localhost:3000"


@dataclass(frozen=True, slots=True)
class Scene:
    local: httpx.Client
    anonymous: httpx.Client
    closed: httpx.Client
    keys: dict[str, str]


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    folder = tmp_path_factory.mktemp("service")
    wanted = Wanted(str(folder / "service.sqlite3"), folder / "spool.sqlite3")
    store = ServiceStore.open(wanted.store)
    keys = {
        "secret": new_key(store, "secret")[1],
        "publishable": new_key(store, "publishable", origins=(PAGE, "https://*.wide.example.org"))[1],
    }
    store.close()
    anonymous = replace(
        wanted, local=False, settings=ServiceSettings(anonymous=True), spool=folder / "second.sqlite3"
    )
    closed = replace(wanted, local=False, spool=folder / "third.sqlite3")
    with service(wanted) as one, service(anonymous) as two, service(closed) as three:
        clients = [httpx.Client(base_url=address) for address in (one, two, three)]
        yield Scene(clients[0], clients[1], clients[2], keys)
        for client in clients:
            client.close()


MATRIX = [
    # who                     from            status  problem                may read
    ("publishable", PAGE, 200, None, True),
    ("publishable", "https://a.wide.example.org", 200, None, True),
    ("publishable", "https://wide.example.org", 403, "origin-not-allowed", False),
    ("publishable", "https://a.wide.example.org.evil.net", 403, "origin-not-allowed", False),
    ("publishable", PAGE + ":8443", 403, "origin-not-allowed", False),
    ("publishable", PAGE.replace("https", "http"), 403, "origin-not-allowed", False),
    ("publishable", OTHER, 403, "origin-not-allowed", False),
    ("publishable", "null", 403, "origin-not-allowed", False),
    ("publishable", None, 403, "origin-not-allowed", False),
    ("secret", None, 200, None, False),
    ("secret", PAGE, 403, "not-allowed", False),
    ("secret", HERE, 403, "not-allowed", False),
    ("unknown", PAGE, 401, "unknown-key", False),
    ("unknown", None, 401, "unknown-key", False),
    ("local", None, 200, None, False),
    ("local", HERE, 200, None, True),
    ("local", "http://127.0.0.1:8000", 200, None, True),
    ("local", "http://[::1]:8000", 200, None, True),
    ("local", OTHER, 403, "origin-not-allowed", False),
    ("local", "https://localhost.evil.net", 403, "origin-not-allowed", False),
    ("local", "null", 403, "origin-not-allowed", False),
    ("anonymous", None, 200, None, False),
    ("anonymous", OTHER, 200, None, True),
    ("nobody", None, 401, "no-key", False),
    ("nobody", PAGE, 401, "no-key", False),
]


@pytest.mark.parametrize(("who", "origin", "status", "problem", "may_read"), MATRIX)
def test_a_page_reads_an_answer_only_where_its_key_allows_the_page(
    scene: Scene, who: str, origin: str | None, status: int, problem: str | None, may_read: bool
) -> None:
    client = {"anonymous": scene.anonymous, "nobody": scene.closed}.get(who, scene.local)
    keys = {**scene.keys, "unknown": scene.keys["secret"][:-1] + "!"}
    headers = bearer(keys[who]) if who in keys else {}

    reply = client.get("/v1/limits", headers={**headers, **({"Origin": origin} if origin else {})})

    assert reply.status_code == status
    assert problem is None or reply.json()["type"].endswith(f":{problem}")
    assert reply.headers.get("Access-Control-Allow-Origin") == (origin if may_read else None)
    assert "Origin" in reply.headers["Vary"]
    assert "Access-Control-Allow-Credentials" not in reply.headers
    assert may_read == ("RateLimit" in reply.headers.get("Access-Control-Expose-Headers", ""))


@pytest.mark.parametrize("origin", [PAGE, OTHER, "null"])
@pytest.mark.parametrize("path", ["/v1/limits", "/query-selected-text", "/nowhere"])
def test_a_preflight_is_answered_for_every_page_and_tells_nothing(
    scene: Scene, origin: str, path: str
) -> None:
    asks = {
        "Origin": origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "authorization, content-type",
    }

    reply = scene.closed.options(path, headers=asks)

    assert (reply.status_code, reply.content) == (204, b"")
    assert reply.headers["Access-Control-Allow-Origin"] == origin
    assert "Authorization" in reply.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in reply.headers


def test_a_page_may_read_why_its_request_was_refused(scene: Scene) -> None:
    headers = {**bearer(scene.keys["publishable"]), "Origin": PAGE}

    unreadable = scene.local.post(
        "/query-selected-text", content=b"{", headers={**headers, "Content-Type": "application/json"}
    )
    wrong = scene.local.post("/v1/check", json={}, headers=headers)

    assert (unreadable.status_code, wrong.status_code) == (400, 403)
    assert {reply.headers["Access-Control-Allow-Origin"] for reply in (unreadable, wrong)} == {PAGE}


def test_a_stranger_with_a_name_of_his_own_for_this_machine_is_not_its_user(scene: Scene) -> None:
    for host in ("evil.example.net", "127.0.0.1.evil.example.net", "localhost.evil.net:80", ""):
        reply = scene.local.get("/v1/limits", headers={"Host": host})
        assert reply.status_code in (400, 401), host


@pytest.mark.parametrize("header", ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"])
def test_what_was_passed_on_is_not_this_machines_user(scene: Scene, header: str) -> None:
    assert scene.local.get("/v1/limits", headers={header: "203.0.113.9"}).status_code == 401
