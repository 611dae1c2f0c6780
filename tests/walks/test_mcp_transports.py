"""What a client of the wire sees, without the official client's good manners."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests.mcp.served import COMMAND, environment, over_http
from tests.walks.cli import typed

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


def calling(number: int, arguments: str) -> str:
    params = f'{{"name": "embed_text", "arguments": {arguments}}}'
    return f'{{"jsonrpc": "2.0", "id": {number}, "method": "tools/call", "params": {params}}}'


@pytest.mark.core
def test_on_standard_output_is_the_protocol_and_nothing_else() -> None:
    lines = [
        json.dumps(HELLO),
        '{"jsonrpc": "2.0", "method": "notifications/initialized"}',
        "this is not JSON",
        calling(2, '{"text": "half a pair: \\ud83d"}'),
        calling(3, '["not", "an", "object"]'),
        "[" * 100_000,
        calling(5, "[" * 300 + "]" * 300),
        calling(4, '{"text": "still alive"}'),
    ]
    process = subprocess.Popen(
        [*COMMAND, "--encoder", "hashing"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment(),
    )
    with process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write("\n".join(lines) + "\n")
        process.stdin.flush()
        said = [json.loads(process.stdout.readline()) for _ in range(7)]
        process.stdin.close()
        assert process.wait(timeout=20) == 0
        assert process.stdout.read() == ""
        assert process.stderr.read() == ""

    answers = {message["id"]: message for message in said}
    unknown = [message["error"] for message in said if message["id"] is None]
    assert "result" in answers[1]
    assert [error["code"] for error in unknown] == [-32700, -32700]
    assert "half a surrogate pair" in answers[2]["error"]["message"]
    assert not [error for error in (*unknown, answers[5]["error"]) if "surrogate" in error["message"]]
    assert answers[3]["error"]["code"] == -32602
    assert answers[4]["result"]["isError"] is False


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with over_http("--encoder", "hashing", "--allowed-host", "tools.example") as address:
        yield address


def posted(url: str, body: bytes, **headers: str) -> int:
    wanted = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        with urlopen(Request(url, body, {**wanted, **headers}), timeout=20) as reply:
            return int(reply.status)
    except HTTPError as refusal:
        with refusal:
            return refusal.code


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "tools.example"}, 200),
        ({"Host": "tools.example:8080", "Origin": "https://tools.example"}, 200),
        ({"Host": "stranger.example"}, 421),
        ({"Host": "localhost.stranger.example:80"}, 421),
        ({"Origin": "https://stranger.example"}, 403),
        ({"Content-Type": "text/plain"}, 400),
    ],
)
def test_only_requests_for_a_name_of_ours_are_answered(url: str, headers: Any, status: int) -> None:
    assert posted(url, json.dumps(HELLO).encode(), **headers) == status


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"this is not JSON", 400),
        (calling(2, '{"text": "\\ud83d"}').encode(), 400),
        (b"[" * 100_000, 400),
    ],
)
def test_what_cannot_be_read_is_refused_and_the_server_lives_on(url: str, body: bytes, status: int) -> None:
    assert posted(url, body) == status
    assert posted(url, json.dumps(HELLO).encode()) == 200


def test_a_request_that_is_too_large_is_refused_before_it_is_sent(url: str) -> None:
    with closing(HTTPConnection(urlsplit(url).netloc, timeout=20)) as line:
        line.putrequest("POST", urlsplit(url).path)
        line.putheader("Content-Type", "application/json")
        line.putheader("Content-Length", "16000001")
        line.endheaders()

        assert line.getresponse().status == 413


@pytest.mark.parametrize(
    ("options", "because"),
    [
        (["--host", "0.0.0.0"], "can be reached from other machines"),
        (["--host", "no.such.host.invalid", "--allow-any-host"], "cannot listen on"),
        (["--port", "70000"], "--port"),
    ],
)
def test_an_address_that_will_not_do_is_told(options: list[str], because: str) -> None:
    result = typed("mcp", "--http", *options)

    assert result.exit_code == 2
    assert because in result.stderr
