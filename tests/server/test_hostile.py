"""Whatever comes over the wire: a problem or a closed connection, never a server error, never an echo."""

import json
import re
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep

import httpx
import pytest
from benchmarks.serving.running import Running, children_of, running

CANARY = "xylophone-canary"
ASKED = {"query": "What is it?", "selected_text": f"It is a robot. {CANARY}"}
MOST = 1024 * 1024
STEP = 0.9
POSTS = ["/query-selected-text", "/v1/check", "/v1/checks:batch", "/v1/answers", "/v1/related"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("service")


@pytest.fixture(scope="module")
def service(folder: Path) -> Iterator[Running]:
    with running(folder) as one:
        yield one
    log = (folder / "log.jsonl").read_text()
    assert '"broken"' not in log
    assert CANARY not in log


@pytest.fixture(autouse=True)
def _answers_afterwards(service: Running) -> Iterator[None]:
    """After each test the service lives, in the same processes."""
    engines = children_of(service.pid)
    yield
    assert httpx.get(f"http://{service.host}:{service.port}/livez", timeout=5).json() == {"alive": True}
    assert children_of(service.pid) == engines


def dialled(service: Running) -> socket.socket:
    wire = socket.create_connection((service.host, service.port), timeout=30)
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return wire


def all_of(wire: socket.socket) -> bytes:
    """What comes until the other side hangs up."""
    told = b""
    try:
        while piece := wire.recv(65536):
            told += piece
    except ConnectionResetError:
        pass  # hung up, and hard
    return told


def sent(service: Running, *pieces: bytes) -> bytes:
    """What is answered to these bytes, until the connection is closed."""
    with dialled(service) as wire:
        try:
            for piece in pieces:
                wire.sendall(piece)
        except (BrokenPipeError, ConnectionResetError):
            pass  # it did not want to hear the rest
        return all_of(wire)


def head(path: str, *lines: str, method: str = "POST") -> bytes:
    whole = [f"{method} {path} HTTP/1.1", "Host: localhost", "Content-Type: application/json", *lines]
    return "\r\n".join([*whole, "Connection: close", "", ""]).encode()


def posted(service: Running, path: str, body: bytes) -> tuple[int, bytes]:
    told = sent(service, head(path, f"Content-Length: {len(body)}"), body)
    return status_of(told), told


def status_of(told: bytes) -> int:
    """Of the first answer; 0 for a connection that was closed without one."""
    return int(told.split(b" ", 2)[1]) if told else 0


def assert_problem(told: bytes, *statuses: int) -> None:
    """The one answer, which is a problem and repeats nothing."""
    assert status_of(told) in statuses
    headers, _, body = told.partition(b"\r\n\r\n")
    assert b"application/problem+json" in headers
    assert json.loads(body)["status"] == status_of(told)
    assert CANARY.encode() not in told


@pytest.mark.parametrize("path", POSTS)
def test_a_body_of_the_most_that_is_allowed_is_read_and_one_byte_more_is_not(
    service: Running, path: str
) -> None:
    body = b'{"query":"' + CANARY.encode() + b'","selected_text":"a","pad":"'
    exact = body + b"x" * (MOST - len(body) - 2) + b'"}'

    status, told = posted(service, path, exact)
    assert status == (200 if path == POSTS[0] else 422)
    if status != 200:
        assert_problem(told, 422)
    # spaces around JSON count too
    assert_problem(posted(service, path, exact + b" ")[1], 413)


@pytest.mark.parametrize("path", POSTS)
@pytest.mark.parametrize(
    "body",
    [
        b"[" * 100_000,
        b'{"query":' * 100_000,
        b'{"query":' * 100_000 + b"1" + b"}" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"query":"\xff\xfe xylophone-canary"}',
        b'{"query":"\xed\xa0\x80 xylophone-canary"}',
        b'{"query":"\\ud800 xylophone-canary","selected_text":"\\udfff"}',
        b'{"query":"a","query":"xylophone-canary","selected_text":"b"}',
        b'{"query":NaN,"selected_text":"xylophone-canary"}',
        b'{"query":-Infinity}',
        b'{"query":1e99999}',
        b'{"query":' + b"9" * 100_000 + b"}",
        b'{"query":"xylophone-canary',
        b"\x00\x01\x02 xylophone-canary",
        b"\xef\xbb\xbf{}xylophone-canary",
        b'"xylophone-canary"',
        b"null",
        b"{}{}",
        b"",
        b"   ",
    ],
    ids=lambda body: f"{len(body)} bytes, {body[:12]!r}",
)
def test_bodies_that_are_not_what_is_described_are_a_mistake_of_the_client(
    service: Running, path: str, body: bytes
) -> None:
    status, told = posted(service, path, body)

    assert 400 <= status < 500
    assert CANARY.encode() not in told
    if b"query and selected_text required" not in told:
        assert_problem(told, 400, 422)


@pytest.mark.parametrize(
    "text", ["\x00", "a\x00b", "\x1b[31m", "\u202e", "\U000e0041" * 50, "\ufffe", "e\u0301" * 900]
)
def test_texts_of_strange_characters_are_texts(service: Running, text: str) -> None:
    for path, asked in (
        (POSTS[0], {"query": text, "selected_text": text, "session_id": text[:200]}),
        (POSTS[1], {"answer": text, "sources": [text], "store": True, "session_id": text[:200]}),
        (POSTS[3], {"question": text, "passage": text, "session_id": text[:200]}),
        (
            POSTS[4],
            {
                "question": f"What is {text[:200]}?",
                "sections": [{"id": text[:200], "text": text}, {"id": "b", "text": "It is."}],
            },
        ),
    ):
        status, _ = posted(service, path, json.dumps(asked).encode())

        assert status == 200, path


def test_a_body_in_chunks_is_read_and_one_that_never_ends_is_not(service: Running) -> None:
    body = json.dumps(ASKED).encode()
    chunked = head(POSTS[0], "Transfer-Encoding: chunked")
    piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"

    told = sent(service, chunked, *(b"1\r\n%c\r\n" % byte for byte in body), b"0\r\n\r\n")
    assert status_of(told) == 200
    assert_problem(sent(service, chunked, *([piece] * 64)), 413)


@pytest.mark.parametrize(
    "lines",
    [
        ("Content-Length: ten",),
        ("Content-Length: -1",),
        ("Content-Length: 99999999999999999999999999",),
        ("Content-Length: 5", "Content-Length: 6"),
        ("Content-Length: 5", "Transfer-Encoding: chunked"),
        ("Transfer-Encoding: xylophone-canary",),
        ("Transfer-Encoding: chunked, identity",),
        ("Bad Header\x01: xylophone-canary",),
        ("X: a\x00b",),
        ("no colon xylophone-canary",),
    ],
)
def test_heads_that_contradict_themselves_are_refused(service: Running, lines: tuple[str, ...]) -> None:
    told = sent(service, head(POSTS[0], *lines), b"{}", b"\r\n0\r\n\r\n")

    assert_problem(told, 400, 413)


def test_a_body_that_is_longer_than_it_says_is_cut_there_and_the_rest_is_no_request(service: Running) -> None:
    body = json.dumps(ASKED).encode()
    kept_open = head(POSTS[0], f"Content-Length: {len(body)}").replace(b"Connection: close\r\n", b"")

    told = sent(service, kept_open + body + b"xylophone-canary\r\n\r\n")

    assert re.findall(rb"HTTP/1.1 (\d+)", told)[-1] == b"400"
    assert CANARY.encode() not in told.rpartition(b"HTTP/1.1 ")[2]


def test_requests_in_a_row_are_answered_in_their_order(service: Running) -> None:
    alive = b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n"
    absent = b"GET /xylophone HTTP/1.1\r\nHost: localhost\r\n\r\n"

    told = sent(service, (alive + absent) * 200 + head("/livez", method="GET"))

    assert re.findall(rb"HTTP/1.1 (\d+)", told) == [b"200", b"404"] * 200 + [b"200"]


def test_a_thousand_lines_of_a_head_are_read_and_a_head_without_end_is_not(service: Running) -> None:
    thousand = [f"X-{number}: {CANARY}" for number in range(1000)]

    assert status_of(sent(service, head("/livez", *thousand, method="GET"))) == 200
    assert_problem(sent(service, head("/livez", *(thousand * 200), method="GET")), 431)
    assert_problem(sent(service, b"GET /livez HTTP/1.1\r\nX: " + b"a" * 10_000_000), 431)


def test_an_address_without_end_is_refused(service: Running) -> None:
    fitting, endless = (f"/v1/stats?days={CANARY}{'a' * size}" for size in (30_000, 3_000_000))

    assert_problem(sent(service, head(fitting, method="GET")), 422)
    assert_problem(sent(service, head(endless, method="GET")), 431)


@pytest.mark.parametrize(
    "method", ["HEAD", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "XYLOPHONE", "get", ""]
)
def test_no_method_is_a_server_error_anywhere(service: Running, method: str) -> None:
    paths = httpx.get(f"http://{service.host}:{service.port}/openapi.json").json()["paths"]
    for path in ("*", "/", "//", "/..", "/%00", "/\xff", "?", *paths):
        told = sent(service, head(path, "Origin: https://a.example", method=method))

        assert 200 <= status_of(told) < 500, path
        if method == "HEAD":
            assert told.partition(b"\r\n\r\n")[2] == b"" or b" 400 " in told[:20], path


@pytest.mark.parametrize("origin", ["null", "https://a.example\x7f", "\xe9" * 500, "https://" + "a" * 5000])
def test_a_page_of_any_name_may_ask_what_is_allowed(service: Running, origin: str) -> None:
    asks = (f"Origin: {origin}", "Access-Control-Request-Method: POST")
    whole = "\r\n".join(["OPTIONS /v1/check HTTP/1.1", "Host: localhost", *asks, "Connection: close", "", ""])

    assert status_of(sent(service, whole.encode("latin-1"))) in (204, 400)


def test_a_connection_is_never_made_a_socket_of_the_web(service: Running) -> None:
    lines = ("Upgrade: websocket", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13")
    whole = "\r\n".join(["GET /livez HTTP/1.1", "Host: localhost", "Connection: Upgrade", *lines, "", ""])

    assert status_of(sent(service, whole.encode())) == 200


@pytest.mark.parametrize(
    ("sends", "statuses"),
    [
        (b"GET /livez HTTP/1.0\r\n\r\n", [200]),
        (b"GET /livez\r\n\r\n", [200]),
        (b"GET /livez HTTP/9.9\r\n\r\n", [400]),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400]),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 500, [400]),
        (b"\x00" * 100_000, [400]),
        (
            b"GET /livez HTTP/1.1\r\nHost: a\r\n folded: xylophone-canary\r\nConnection: close\r\n\r\n",
            [200, 400],
        ),
        (b"GET http://xylophone-canary/livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", [200, 400]),
        (b"GET /livez HTTP/1.1\nHost: a\nConnection: close\n\n", [200, 400]),
    ],
    ids=lambda value: repr(value[:16]),
)
def test_other_protocols_and_old_ones_are_no_server_error(
    service: Running, sends: bytes, statuses: list[int]
) -> None:
    told = sent(service, sends)

    assert status_of(told) in statuses
    assert CANARY.encode() not in told


def test_whoever_wants_to_be_asked_for_a_body_is_told_before_that_it_is_too_large(service: Running) -> None:
    with dialled(service) as wire:
        wire.sendall(head(POSTS[1], "Expect: 100-continue", f"Content-Length: {2 * MOST}"))

        assert_problem(all_of(wire), 413)


def test_a_hundred_who_send_half_a_head_keep_nobody_out(service: Running) -> None:
    wires = [dialled(service) for _ in range(100)]
    for wire in wires:
        wire.sendall(b"POST /v1/check HTTP/1.1\r\nHost: loc")

    assert posted(service, POSTS[0], json.dumps(ASKED).encode())[0] == 200
    for wire in wires:
        wire.close()


@pytest.mark.parametrize(
    "kind", ["text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]
)
def test_only_json_is_read(service: Running, kind: str) -> None:
    body = json.dumps(ASKED).encode()
    for path in POSTS:
        whole = head(path, f"Content-Length: {len(body)}").replace(b"application/json", kind.encode())

        assert_problem(sent(service, whole, body), 415)


def slow_body(wire: socket.socket) -> None:
    wire.sendall(head(POSTS[1], "Content-Length: 500").replace(b"Connection: close\r\n", b""))
    drip(wire, b'{"answer": "' + b"a" * 100)


def slow_head(wire: socket.socket) -> None:
    drip(wire, head("/livez", *["X: y"] * 20, method="GET"))


def silent(wire: socket.socket) -> None:
    pass


def empty_lines(wire: socket.socket) -> None:
    wire.sendall(b"GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n")
    drip(wire, b"\r\n" * 60)


def rest_of_a_body(wire: socket.socket) -> None:
    wire.sendall(head(POSTS[1], f"Content-Length: {50 * MOST}").replace(b"Connection: close\r\n", b""))
    drip(wire, b"a" * 100)


def drip(wire: socket.socket, text: bytes) -> None:
    try:
        for byte in text:
            wire.sendall(bytes([byte]))
            sleep(STEP)
    except (BrokenPipeError, ConnectionResetError):
        pass  # what is wanted


def test_whoever_is_slow_is_not_waited_for_and_holds_no_connection(service: Running) -> None:
    def tried(way: Callable[[socket.socket], None]) -> tuple[int, float]:
        began = monotonic()
        with dialled(service) as wire:
            way(wire)
            told = all_of(wire)
        return status_of(told), monotonic() - began

    ways = [slow_body, slow_head, silent, empty_lines, rest_of_a_body]
    with ThreadPoolExecutor(len(ways)) as pool:
        found = dict(zip([way.__name__ for way in ways], pool.map(tried, ways), strict=True))

    assert {name: status for name, (status, _) in found.items()} == {
        "slow_body": 408,
        "slow_head": 408,
        "silent": 0,
        "empty_lines": 200,
        "rest_of_a_body": 413,
    }
    assert max(seconds for _, seconds in found.values()) < 25
