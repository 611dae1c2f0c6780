"""Bodies that are too large, or too slow."""

import socket
from collections.abc import Iterator
from time import monotonic, sleep

import httpx
import pytest
from fastapi import APIRouter, FastAPI
from starlette.middleware import Middleware

from sensecheck.server.middleware.body import BodyLimit
from sensecheck.server.middleware.errors import reply_to_problem
from sensecheck.server.problems import Problem
from sensecheck.server.requests import ServiceRoute
from tests.server.running import served

MOST = 1000


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    router = APIRouter(route_class=ServiceRoute)

    @router.post("/count")
    async def count(words: list[str]) -> int:
        return len(words)

    limit = Middleware(BodyLimit, most=MOST, seconds=1.0)
    app = FastAPI(middleware=[limit], exception_handlers={Problem: reply_to_problem})
    app.include_router(router)
    with served(app) as where:
        yield where


def body_of(size: int) -> bytes:
    return b'["' + b"a" * (size - 4) + b'"]'


def pieces(body: bytes, pause: float = 0.0) -> Iterator[bytes]:
    for start in range(0, len(body), 100):
        yield body[start : start + 100]
        sleep(pause)


JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize("chunked", [False, True])
@pytest.mark.parametrize(("size", "status"), [(MOST, 200), (MOST + 1, 413), (50 * MOST, 413)])
def test_a_body_is_read_up_to_the_limit_whether_it_says_its_length_or_not(
    address: str, size: int, status: int, chunked: bool
) -> None:
    content = pieces(body_of(size)) if chunked else body_of(size)

    reply = httpx.post(f"{address}/count", content=content, headers=JSON)

    assert reply.status_code == status


def test_a_body_that_takes_too_long_is_not_waited_for(address: str) -> None:
    began = monotonic()

    reply = httpx.post(f"{address}/count", content=pieces(body_of(900), 0.4), headers=JSON)

    assert reply.status_code == 408
    assert monotonic() - began < 5


def test_a_body_that_never_comes_is_not_waited_for(address: str) -> None:
    host, port = httpx.URL(address).host, httpx.URL(address).port or 80
    with socket.create_connection((host, port), timeout=10) as wire:
        wire.sendall(b"POST /count HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n")
        wire.sendall(b"Content-Length: 500\r\n\r\n[")

        answer = wire.recv(4096)

    assert answer.startswith(b"HTTP/1.1 408")


def test_a_length_that_is_no_number_is_no_server_error(address: str) -> None:
    host, port = httpx.URL(address).host, httpx.URL(address).port or 80
    with socket.create_connection((host, port), timeout=10) as wire:
        wire.sendall(b"POST /count HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n")

        answer = wire.recv(4096)

    assert answer.startswith(b"HTTP/1.1 4")
