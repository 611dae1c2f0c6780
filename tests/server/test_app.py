"""What every route has in common: how it reads, what it refuses, and how it says so."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from sensecheck.core.errors import StorageError
from sensecheck.server.app import app_of
from sensecheck.server.openapi import documented
from sensecheck.server.problems import INVALID, MEDIA_TYPE
from sensecheck.server.requests import ServiceRoute
from sensecheck.server.startup import ServiceParts
from tests.server.running import Wanted, parts_of, served

CANARY = "zzcanaryzz"


class Shape(BaseModel):
    model_config = ConfigDict(extra="forbid")

    word: str = Field(min_length=2, max_length=5)
    many: list[int] = Field(default=[], max_length=3)
    table: dict[str, int] = {}
    either: int | list[str] = 0
    kind: str = Field(default="a", pattern="^[ab]$")


router = APIRouter(route_class=ServiceRoute)


@router.post("/echo", responses=documented(INVALID))
async def echo(shape: Shape, page: int = 1) -> Shape:
    return shape


@router.get("/broken")
async def broken() -> None:
    raise KeyError(CANARY)


@router.get("/breaks-off")
async def breaks_off() -> Response:
    async def pieces() -> AsyncIterator[bytes]:
        yield b"the beginning"
        raise KeyError(CANARY)

    return StreamingResponse(pieces())


@pytest.fixture(scope="module")
def asking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    folder = tmp_path_factory.mktemp("service")
    wanted = Wanted(str(folder / "service.sqlite3"), folder / "spool.sqlite3")
    app = app_of(lambda: parts_of(wanted))
    app.router.routes.extend(router.routes)
    with served(app) as address, httpx.Client(base_url=address) as client:
        yield client


def post(client: httpx.Client, body: bytes, **headers: str) -> httpx.Response:
    return client.post("/echo", content=body, headers={"Content-Type": "application/json", **headers})


def is_problem(reply: httpx.Response, status: int, name: str) -> bool:
    assert reply.headers["Content-Type"] == MEDIA_TYPE
    told = reply.json()
    assert told["status"] == reply.status_code
    return (reply.status_code, told["type"]) == (status, f"urn:sensecheck:problem:{name}")


def test_json_that_can_be_read_in_one_way_only_is_read(asking: httpx.Client) -> None:
    reply = post(asking, b'{"word": "gr\xc3\xbcn", "many": [1, 2]}')

    assert reply.status_code == 200
    assert reply.json()["word"] == "grün"


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b'{"word": "\xff\xff\xff"}',
        b'{"word": "\\ud800ab"}',
        b'{"word": "abc", "word": "abd"}',
        b'{"word": "abc", "table": {"x": 1, "x": 2}}',
        b'{"word": NaN}',
        b'{"word": "abc", "many": [1e999]}',
        b'{"word": "abc", "many": [-Infinity]}',
        b'{"word": ' + b"[" * 5_000 + b"]" * 5_000 + b"}",
        b'{"word": ' + b"[" * 400_000,
        b'{"word": "abc", "many": [' + b"9" * 5_000 + b"]}",
        b'{"word": "abc"} trailing',
        b"\xef\xbb\xbf{}",
    ],
    ids=lambda body: repr(body[:24]),
)
def test_json_that_is_broken_or_ambiguous_is_refused(asking: httpx.Client, body: bytes) -> None:
    assert is_problem(post(asking, body), 400, "unreadable-body")


@pytest.mark.parametrize("kind", ["text/plain", "application/xml", "multipart/form-data", ""])
def test_a_body_that_does_not_say_that_it_is_json_is_refused(asking: httpx.Client, kind: str) -> None:
    reply = asking.post("/echo", content=b'{"word": "abc"}', headers={"Content-Type": kind} if kind else {})

    assert is_problem(reply, 415, "unsupported-media-type")


@pytest.mark.parametrize(
    "name", ["Authorization", "Origin", "Content-Type", "Host", "X-Forwarded-For", "Traceparent"]
)
@pytest.mark.parametrize(
    "value", [b"\xff\xfe", b"[", b"a" * 5000, b"http://[::1", b";;=;\xe9", b"Bearer \xff"]
)
def test_headers_of_any_bytes_are_no_server_error(asking: httpx.Client, name: str, value: bytes) -> None:
    headers = {b"Content-Type": b"application/json", name.encode(): value}

    for path in ("/echo", "/v1/check", "/query-selected-text"):
        assert asking.post(path, content=b'{"word": "abc"}', headers=headers).status_code < 500


def test_each_mistake_is_named_by_its_place_in_our_own_words(asking: httpx.Client) -> None:
    body = f'{{"word": "{CANARY}", "many": [1, "{CANARY}"], "kind": "{CANARY}"}}'.encode()

    reply = post(asking, body)

    assert is_problem(reply, 422, "invalid-request")
    assert reply.json()["errors"] == [
        {"pointer": "#/word", "detail": "must have at most 5 characters"},
        {"pointer": "#/many/1", "detail": "must be a whole number"},
        {"pointer": "#/kind", "detail": "must be a string that matches `^[ab]$`"},
    ]


@pytest.mark.parametrize(
    "body",
    [
        f'{{"word": "abc", "{CANARY}": 1}}',
        f'{{"word": "abc", "table": {{"{CANARY}": "x"}}}}',
        f'{{"word": "abc", "either": {{"{CANARY}": "x"}}}}',
        f'"{CANARY}"',
        f'["{CANARY}"]',
        "null",
        "{}",
        "",
    ],
)
def test_no_problem_repeats_what_the_client_sent(asking: httpx.Client, body: str) -> None:
    reply = post(asking, body.encode())

    assert is_problem(reply, 422, "invalid-request")
    assert CANARY not in reply.text + str(reply.headers)


def test_a_mistake_in_the_query_is_told_to_be_there(asking: httpx.Client) -> None:
    reply = asking.post("/echo", params={"page": CANARY}, json={"word": "abc"})

    assert reply.json()["errors"] == [{"pointer": "query: page", "detail": "must be a whole number"}]


def test_a_path_that_leads_nowhere_is_a_problem_that_does_not_repeat_it(asking: httpx.Client) -> None:
    reply = asking.get(f"/{CANARY}")

    assert is_problem(reply, 404, "not-found")
    assert CANARY not in reply.text


def test_a_method_that_a_path_does_not_have_is_a_problem_that_names_those_it_has(
    asking: httpx.Client,
) -> None:
    reply = asking.get("/echo")

    assert is_problem(reply, 405, "method-not-allowed")
    assert reply.headers["Allow"] == "POST"
    assert asking.delete("/livez").headers["Allow"] == "GET, HEAD"


def test_what_nobody_foresaw_is_told_by_an_id_alone(asking: httpx.Client) -> None:
    reply = asking.get("/broken")

    assert is_problem(reply, 500, "internal-error")
    assert CANARY not in reply.text
    assert reply.json()["id"] == reply.headers["Sensecheck-Request-Id"]


def test_an_answer_that_breaks_off_looks_broken_off(asking: httpx.Client) -> None:
    with pytest.raises(httpx.RemoteProtocolError):
        asking.get("/breaks-off")


def test_every_answer_has_the_headers_that_keep_browsers_from_guessing(asking: httpx.Client) -> None:
    for path in ("/livez", "/nowhere", "/broken", "/v1/limits"):
        headers = asking.get(path).headers

        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cache-Control"] == "no-store"
        assert headers["Content-Security-Policy"].startswith("default-src 'none'")
        assert headers["Referrer-Policy"] == "no-referrer"
        assert re.fullmatch("[0-9a-f]{16}", headers["Sensecheck-Request-Id"])
        assert re.search(r"total;dur=[\d.]+$", headers["Server-Timing"])
        assert "Server" not in headers


def test_head_and_options_are_answered_sanely(asking: httpx.Client) -> None:
    head, options = asking.head("/livez"), asking.options("/livez")

    assert head.status_code == 200
    assert head.content == b""
    assert options.status_code == 405


def test_there_are_no_pages_that_load_scripts_from_elsewhere(asking: httpx.Client) -> None:
    assert asking.get("/docs").status_code == 404
    assert asking.get("/redoc").status_code == 404
    assert asking.get("/openapi.json").status_code == 200


def test_the_description_is_made_before_the_first_request() -> None:
    @asynccontextmanager
    async def no_parts() -> AsyncIterator[ServiceParts]:
        described.append(app.openapi_schema is not None)
        raise StorageError("nothing is there")
        yield

    described: list[bool] = []
    app = app_of(no_parts)

    async def run() -> None:
        async with app.router.lifespan_context(app):
            pass

    assert app.openapi_schema is None
    with pytest.raises(StorageError):
        asyncio.run(run())
    assert described == [True]


def test_every_route_that_reads_a_body_reads_it_strictly_and_tells_its_problems(asking: httpx.Client) -> None:
    told = asking.get("/openapi.json").json()

    for path, methods in told["paths"].items():
        for method, said in methods.items():
            if path in ("/broken", "/breaks-off", "/echo"):
                continue
            replies = {int(status) for status in said["responses"]}
            assert path in ("/livez", "/readyz") or {401, 403, 503} <= replies, (path, method)
            assert "requestBody" not in said or {400, 408, 413, 415, 422} <= replies, (path, method)
            for status, one in said["responses"].items():
                if int(status) >= 400 and path not in ("/readyz",):
                    assert MEDIA_TYPE in one["content"], (path, method, status)
    assert told["components"]["schemas"]["Problem"]["required"] == ["type", "title", "status", "detail"]
