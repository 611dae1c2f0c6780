"""A word that stands in everything that is sent is in nothing that the service and its engines say."""

import json
import os
import signal
import socket
from collections.abc import Iterator
from time import monotonic, sleep
from typing import Any
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest

from tests.security.doors import CLOSED, DOORS, body_of
from tests.security.watched import WRITER_KEY, Watched, watched
from tests.server.answering import EVENTS
from tests.server.locked_out import away
from tests.server.running import PAGE, PEPPER

pytestmark = pytest.mark.database

CANARY = "zzcanaryzz"
ID = "01981f6a-7c00-7aaa-8bbb-0123456789ab"
HEADERS = (
    "Accept", "Accept-Language", "Authorization", "Content-Type", "Cookie", "Forwarded", "Host",
    "Idempotency-Key", "Last-Event-ID", "Origin", "Referer", "User-Agent", "X-Forwarded-For", "X-Real-IP",
    "X-Request-Id", "traceparent", "tracestate", CANARY,
)  # fmt: skip
TROUBLES = (
    "fails", "refuses", "page", "elsewhere", "cut", "no-reason", "length", "filtered", "refusal", "odd",
    "blank", "error", "flood", "hangs",
)  # fmt: skip
ODD = (
    "\x00", "\ud800", "\u202e", "\x1b[31m", "\n{}\n", "'; DROP TABLE messages; --", "%s %(x)s {x}", "𝒳" * 9,
)  # fmt: skip


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    with watched(tmp_path_factory.mktemp("watched")) as found:
        yield found


@pytest.fixture(autouse=True)
def nothing_is_told(service: Watched) -> Iterator[None]:
    """After each test: the word is in no line of the log and in no problem, nor is any secret."""
    service.replies.clear()
    yield
    sleep(0.2)  # the last line is written after the last byte of the reply
    secrets = [service.tenant.server["Authorization"], service.tenant.page["Authorization"]]
    said = service.said()
    for word in (CANARY, PEPPER, WRITER_KEY, *(secret.split("_", 2)[2] for secret in secrets)):
        assert word not in said
    for reply in service.replies:
        assert CANARY not in str(reply.headers).lower(), reply.request.url
        assert reply.status_code < 400 or CANARY not in reply.text, reply.text


def lines(service: Watched) -> list[dict[str, Any]]:
    """The log; whatever is no JSON is an error here."""
    written = (service.folder / "stderr").read_text().splitlines()
    return [json.loads(line) for line in written if not line.startswith(("serving, ", "try "))]


def broken(service: Watched) -> int:
    """How often it met with what nobody foresaw."""
    return sum(line["event"] == "broken" for line in lines(service))


def statuses(service: Watched) -> set[int]:
    return {reply.status_code for reply in service.replies}


@pytest.mark.parametrize("who", ["server", "page"])
def test_in_every_text_of_a_good_request(service: Watched, who: str) -> None:
    headers = getattr(service.tenant, who)
    for door in CLOSED:
        service.ask(door.method, door.at(ID), json=body_of(door, CANARY), headers=headers)
    asked = {"question": f"The {CANARY} sleeps.", "passage": f"The {CANARY} sleeps.", "session_id": CANARY}
    for more in ({}, EVENTS, {"Idempotency-Key": f"{who} {CANARY}"}):
        reply = service.ask("POST", "/v1/answers", json=asked, headers={**headers, **more})
        assert reply is not None
        assert (reply.status_code, CANARY in reply.text) == (200, True), "the word is told to who sent it"


def test_in_paths_queries_and_bodies_that_are_wrong(service: Watched) -> None:
    headers = service.tenant.server
    for door in DOORS:
        body = body_of(door, CANARY)
        service.ask(door.method, door.at(CANARY), json=body, headers=headers)
        query = f"{CANARY}={CANARY}&limit={CANARY}&days={CANARY}"
        service.ask(door.method, f"{door.at(ID)}?{query}", headers=headers)
        service.ask(door.method, f"{door.at(ID)}/{CANARY}", headers=headers)
        for method in (CANARY.upper(), "PATCH"):
            service.ask(method, f"{door.at(ID)}?{CANARY}", headers=headers)
        for wrong in ({CANARY: CANARY}, [CANARY], CANARY, {name: {CANARY: CANARY} for name in body or {}}):
            service.ask(door.method, door.at(ID), json=wrong, headers=headers)
        for raw in (CANARY, f'{{"{CANARY}": ', f'{{"a": 1, "a": "{CANARY}"}}', f'"{CANARY}\\ud800"'):
            sent = {**headers, "Content-Type": "application/json"}
            service.ask(door.method, door.at(ID), content=raw.encode(), headers=sent)

    assert {400, 404, 405, 422} <= statuses(service)
    assert 500 not in statuses(service)


@pytest.mark.parametrize("name", HEADERS)
def test_in_a_header(service: Watched, name: str) -> None:
    for headers in (service.tenant.server, service.tenant.page, {}):
        for value in (CANARY, f"Bearer sk_{CANARY}_{CANARY}", f"https://{CANARY}.example.net", f'"{CANARY}"'):
            sent = {**headers, name: value}
            service.ask("GET", "/v1/limits", headers=sent)
            asked = {"query": "What sleeps?", "selected_text": "The cat sleeps."}
            service.ask("POST", "/query-selected-text", json=asked, headers=sent)

    assert 500 not in statuses(service)


@pytest.mark.parametrize("odd", ODD, ids=ascii)
def test_in_texts_that_a_database_or_a_model_may_choke_on(service: Watched, odd: str) -> None:
    word = f"{CANARY}{odd}{CANARY}"
    for door in CLOSED:
        body = json.dumps(body_of(door, word)).encode()
        sent = {**service.tenant.server, "Content-Type": "application/json"}
        service.ask(door.method, door.at(ID), content=body, headers=sent)

    assert statuses(service) & {200, 422, 400}
    assert 500 not in statuses(service)


@pytest.mark.parametrize("trouble", TROUBLES)
def test_when_the_writer_fails(service: Watched, trouble: str) -> None:
    _well_again(service)
    question = f"!{trouble} {CANARY}"
    asked = {"question": question, "passage": f"The {CANARY} sleeps.", "store": True}
    for headers in (service.tenant.server, {**service.tenant.page, **EVENTS}):
        service.ask("POST", "/v1/answers", json=asked, headers=headers)
    contract = {"query": question, "selected_text": f"The {CANARY} sleeps."}
    service.ask("POST", "/query-selected-text", json=contract, headers=service.tenant.server)

    assert 500 not in statuses(service)
    reached = json.dumps(httpx.get(f"{service.writer}/stats", timeout=30).json()["asked"])
    assert reached.count(f"Question: {question}") >= 3, "the writer was left alone"


def _well_again(service: Watched) -> None:
    """A writer that fails again and again is left alone; one good answer ends that."""
    asked = {"question": "The cat sleeps.", "passage": "The cat sleeps.", "store": False}
    until = monotonic() + 30
    while service.client.post("/v1/answers", json=asked, headers=service.tenant.server).status_code != 200:
        assert monotonic() < until, "the writer was not found again"
        sleep(0.5)


def test_in_what_is_no_request_at_all(service: Watched) -> None:
    place = urlsplit(service.address)
    for raw in (
        f"GET /{CANARY} HTTP/9.9\r\n\r\n",
        f"{CANARY}\r\n\r\n",
        f"GET / HTTP/1.1\r\n{CANARY}\r\n\r\n",
        f"GET /v1/limits HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {CANARY}\x01\r\n\r\n",
        f"POST /v1/check HTTP/1.1\r\nHost: x\r\nContent-Length: {CANARY}\r\n\r\n",
        f"POST /v1/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{CANARY}\r\n",
        f"GET /%zz{CANARY}%ff?{CANARY}=%ff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    ):
        with socket.create_connection((place.hostname, place.port), timeout=10) as connection:
            connection.sendall(raw.encode("latin-1"))
            connection.shutdown(socket.SHUT_WR)
            told = b"".join(iter(lambda: connection.recv(65536), b""))
        assert CANARY.encode() not in told


def everything(service: Watched) -> None:
    for headers in (service.tenant.server, service.tenant.page):
        for door in CLOSED:
            service.ask(door.method, door.at(ID), json=body_of(door, CANARY), headers=headers)


def test_when_an_engine_is_killed(service: Watched) -> None:
    for engine in service.engines:
        os.kill(engine, signal.SIGKILL)
    everything(service)

    assert 500 not in statuses(service)
    until = monotonic() + 60
    while service.client.get("/readyz").status_code != 200:
        assert monotonic() < until, "no engine came back"
        sleep(0.1)


def test_when_the_database_is_away(service: Watched) -> None:
    with away(service.database):
        everything(service)

    assert {200, 503} <= statuses(service), "what is judged is answered, and what is looked up is not"
    assert 500 not in statuses(service)
    until = monotonic() + 60
    while service.client.get("/v1/stats", headers=service.tenant.server).status_code != 200:
        assert monotonic() < until, "the database was not found again"
        sleep(0.1)


@pytest.mark.parametrize("table", ["messages", "feedback", "fitted_policies", "idempotency", "reviews"])
def test_when_the_database_refuses_a_statement(service: Watched, table: str) -> None:
    before = broken(service)
    with psycopg.connect(service.database, autocommit=True) as database:
        database.execute(
            f"ALTER TABLE {table} RENAME TO away"
        )  # what it says holds the values of a statement
        try:
            everything(service)
            asked = {"question": f"What is a {CANARY}?", "passage": f"The {CANARY} sleeps."}
            once = {**service.tenant.server, "Idempotency-Key": CANARY + table}
            service.ask("POST", "/v1/answers", json=asked, headers=once)
            check = {"answer": CANARY, "sources": [CANARY], "policy": "nobodys"}
            service.ask("POST", "/v1/check", json=check, headers=service.tenant.server)
        finally:
            database.execute(f"ALTER TABLE away RENAME TO {table}")

    sleep(0.2)
    if table in ("fitted_policies", "idempotency", "messages"):
        assert broken(service) > before, "nothing was refused"


def test_each_line_is_json_and_names_routes_as_we_wrote_them(service: Watched) -> None:
    service.ask("GET", f"/{CANARY}", headers={"Origin": PAGE})
    sleep(0.2)

    routes = {line["route"] for line in lines(service) if line["event"] == "request"}
    plain = {door.path for door in DOORS} | {"unmatched", "/openapi.json"}
    assert {route.replace(":path}", "}").replace(":policy}", "}") for route in routes} <= plain
    assert not [line for line in lines(service) if "left_out" in line]


def test_it_ends_without_a_word_either(service: Watched) -> None:
    asked = {"question": f"!endless {CANARY}", "passage": f"The {CANARY} sleeps.", "hold": "none"}
    headers = {**service.tenant.server, **EVENTS}
    with service.client.stream("POST", "/v1/answers", json=asked, headers=headers) as reply:
        next(reply.iter_lines())  # and then leaves, in the middle of an answer
    service.process.send_signal(signal.SIGTERM)

    assert service.process.wait(timeout=60) == 0
