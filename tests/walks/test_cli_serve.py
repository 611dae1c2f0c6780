"""The service as people start it: one command, the real model, real HTTP."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import IncompleteRead
from pathlib import Path
from socket import create_connection, create_server
from time import monotonic, sleep
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from sensecheck.server.routes.operations import PATH, script

COMMAND = Path(sys.executable).with_name("sensecheck")
MIDDLEWARE = "ROS 2 is a robotics middleware."
CLAIMS = [f"Middleware number {number} runs on robots." for number in range(45)]


@contextmanager
def served(
    folder: Path, *arguments: str, **environment: str
) -> Iterator[tuple[str, "subprocess.Popen[str]"]]:
    """The address of a service in this folder, and its process."""
    own = {name: value for name, value in os.environ.items() if not name.startswith("SENSECHECK_")}
    with (
        (folder / "stderr").open("w") as told,
        subprocess.Popen(
            [COMMAND, "serve", "--port", "0", *arguments],
            cwd=folder,
            env={**own, "SENSECHECK_CACHE": "off", **environment},
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.terminate()


def children_of(process: "subprocess.Popen[str]") -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(child) for child in children.split()]


def log_of(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "stderr").read_text().splitlines()]


def problem_of(address: str, check: dict[str, object]) -> tuple[int, Mapping[str, str], dict[str, object]]:
    """How a check is refused."""
    request = Request(f"{address}/v1/check", json.dumps(check).encode(), {"Content-Type": "application/json"})
    with pytest.raises(HTTPError) as refused, urlopen(request, timeout=60):
        pass
    with refused.value as reply:
        headers = {name.lower(): value for name, value in reply.headers.items()}
        return reply.code, headers, json.load(reply)


@contextmanager
def slow_writer() -> Iterator[str]:
    """The address of an endpoint that takes connections and never says a word."""
    with create_server(("127.0.0.1", 0)) as silent:
        yield f"http://127.0.0.1:{silent.getsockname()[1]}/v1"


def asked(address: str, query: str, **headers: str) -> dict[str, object]:
    body = json.dumps({"query": query, "selected_text": MIDDLEWARE, "session_id": "test-session"}).encode()
    request = Request(f"{address}/query-selected-text", body, {"Content-Type": "application/json", **headers})
    with urlopen(request, timeout=60) as reply:
        found: dict[str, object] = json.load(reply)
    return found


@pytest.mark.core
def test_the_first_command_answers_from_the_passage_or_says_that_it_cannot(tmp_path: Path) -> None:
    with served(tmp_path) as (address, process):
        inside, outside = asked(address, "What is this?"), asked(address, "What is AI?")
        process.send_signal(signal.SIGTERM)

        assert process.wait(timeout=30) == 0
    assert inside["in_selected_text"] is True
    assert inside["response"] == MIDDLEWARE
    assert "does not contain the answer" in str(outside["response"])


def test_an_idle_service_ends_within_two_seconds(tmp_path: Path) -> None:
    with served(tmp_path, "--encoder", "hashing") as (address, process):
        host, port = urlsplit(address).netloc.split(":")
        with create_connection((host, int(port))) as waiting:
            waiting.sendall(b"GET /livez HTTP/1.1\r\nHost: x\r\n\r\n")
            assert waiting.recv(12) == b"HTTP/1.1 200"
            began = monotonic()
            process.send_signal(signal.SIGTERM)
            assert process.wait(timeout=30) == 0

    busy = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # others may use the machine as well
    assert monotonic() - began < 2 * busy


def test_a_request_still_running_when_the_drain_ends_gets_a_503_and_the_log_counts_it(tmp_path: Path) -> None:
    drain = {"SENSECHECK_SERVE_DRAIN": "3"}
    with (
        served(tmp_path, "--encoder", "hashing", **drain) as (address, process),
        ThreadPoolExecutor(1) as one,
    ):
        for engine in children_of(process):
            os.kill(engine, signal.SIGSTOP)  # it does nothing any more, so the request cannot end
        cut_off = one.submit(problem_of, address, {"claims": CLAIMS, "sources": [MIDDLEWARE]})
        sleep(1)
        process.send_signal(signal.SIGTERM)
        sleep(1)
        with pytest.raises(ConnectionRefusedError):  # as a load balancer sees it
            create_connection(("127.0.0.1", urlsplit(address).port or 0))
        assert not cut_off.done()
        status, headers, problem = cut_off.result(timeout=30)
        assert process.wait(timeout=30) == 0

    told = log_of(tmp_path)
    (request,) = [line for line in told if line["event"] == "request"]
    assert (status, headers["content-type"], headers["retry-after"]) == (503, "application/problem+json", "1")
    assert problem["type"] == "urn:sensecheck:problem:stopping"
    assert (request["status"], request["problem"]) == (503, "stopping")
    assert not [line for line in told if line["level"] in ("error", "critical")]
    assert told[-1]["event"] == "stopping; some requests were cut off, since the drain ended"
    assert told[-1]["count"] == 1


def test_a_stream_still_running_when_the_drain_ends_is_hung_up_without_a_crash_in_the_log(
    tmp_path: Path,
) -> None:
    with (
        slow_writer() as writer,
        served(
            tmp_path,
            *("--encoder", "hashing", "--writer", f"openai:{writer}#slow"),
            SENSECHECK_SERVE_DRAIN="1",
        ) as (address, process),
    ):
        body = json.dumps({"question": "What is this?", "passage": MIDDLEWARE}).encode()
        sent = {"Content-Type": "application/json", "Accept": "text/event-stream"}
        with urlopen(Request(f"{address}/v1/answers", body, sent), timeout=60) as stream:
            assert stream.readline() == b"id: 0\n"
            process.send_signal(signal.SIGTERM)
            with pytest.raises(IncompleteRead):
                stream.read()
        assert process.wait(timeout=30) == 0

    told = log_of(tmp_path)
    assert "places" not in {name for line in told for name in line}
    assert not [line for line in told if line["level"] in ("error", "critical")]
    assert told[-1]["count"] == 1


def test_the_log_tells_at_the_start_where_the_script_is_and_its_digest(tmp_path: Path) -> None:
    with served(tmp_path, "--encoder", "hashing") as (address, process):
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)

    told = [json.loads(line) for line in (tmp_path / "stderr").read_text().splitlines()]
    (line,) = [line for line in told if line["event"] == "serving"]
    assert line["address"] == address
    assert (line["script"], line["integrity"]) == (PATH, script().integrity)


def test_what_keeps_it_from_starting_is_told_in_one_line(tmp_path: Path) -> None:
    with served(tmp_path, "--writer", "nosuch") as (address, process):
        assert process.wait(timeout=150) == 2
    told = (tmp_path / "stderr").read_text().splitlines()[-1]
    assert address == ""
    assert told == "error: `nosuch` is not a known writer; known: `extractive`, `openai`, `recorded`"


def test_a_reader_that_is_not_there_ends_the_start(tmp_path: Path) -> None:
    reader = {"SENSECHECK_VERIFIER": "onnx:/nope"}
    with served(tmp_path, "--encoder", "hashing", "--engines", "1", **reader) as (address, process):
        assert process.wait(timeout=150) == 3
    assert address == ""
    told = (tmp_path / "stderr").read_text()
    assert "the reader `onnx:/nope` cannot be loaded" in told.splitlines()[-1]
    assert "name another one in SENSECHECK_VERIFIER" in told.splitlines()[-1]
    assert "an engine is ready" not in told


def test_without_a_reader_it_starts_where_the_settings_say_so(tmp_path: Path) -> None:
    with served(tmp_path, "--encoder", "hashing", SENSECHECK_VERIFIER="off") as (address, _):
        assert address.startswith("http://")


def test_a_port_in_use_is_reported_before_any_model_is_loaded(tmp_path: Path) -> None:
    with create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with served(tmp_path, "--port", str(port)) as (_, process):
            assert process.wait(timeout=150) == 2
    told = (tmp_path / "stderr").read_text()
    assert told == f"error: port {port} is in use; stop the other process, or choose another with `--port`\n"


@pytest.mark.parametrize(
    ("variable", "says"),
    [
        ({"SENSECHECK_STORE": "postgresql://me@127.0.0.1:1/service"}, "SENSECHECK_SERVE_PEPPER is not set"),
        ({"SENSECHECK_SERVE_PEPPER": "short"}, "SENSECHECK_SERVE_PEPPER must have at least 16 characters"),
        ({"SENSECHECK_SERVE_PROXIES": "balancer"}, "SENSECHECK_SERVE_PROXIES must be addresses"),
        ({"SENSECHECK_STORE": "mysql://me@host/service"}, "`mysql://me@host/service` is no store"),
        ({"SENSECHECK_STORE": "folder:."}, "the store must be a database; got `folder:.`"),
    ],
)
def test_an_address_or_a_pepper_that_is_wrong_is_reported_before_any_model_is_loaded(
    variable: dict[str, str], says: str, tmp_path: Path
) -> None:
    with served(tmp_path, **variable) as (_, process):
        assert process.wait(timeout=150) == 2
    told = (tmp_path / "stderr").read_text()
    assert told.startswith(f"error: {says}")
    assert [file.name for file in tmp_path.iterdir()] == ["stderr"]


def test_the_log_begins_with_what_takes_long(tmp_path: Path) -> None:
    with served(tmp_path, "--encoder", "hashing") as (_, process):
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=30)

    assert log_of(tmp_path)[0]["event"] == "loading models"


@pytest.mark.parametrize(
    ("variable", "says"),
    [
        ({"SENSECHECK_SERVE_WRTER": "x"}, "did you mean `SENSECHECK_SERVE_WRITER`?"),
        ({"SENSECHECK_SERVE_MAX_WAIT": "soon"}, "must be a number"),
        ({"SENSECHECK_SERVE_ANONYMOUS": "maybe"}, "must be `on` or `off`"),
        ({"SENSECHECK_SERVE_SPOOL_MB": "0"}, "must be at least 1"),
    ],
)
def test_a_setting_that_means_nothing_is_an_error(
    variable: dict[str, str], says: str, tmp_path: Path
) -> None:
    with served(tmp_path, **variable) as (_, process):
        assert process.wait(timeout=150) == 2
    assert says in (tmp_path / "stderr").read_text()


def test_two_services_do_not_share_a_spool(tmp_path: Path) -> None:
    with served(tmp_path), served(tmp_path) as (address, second):
        assert second.wait(timeout=150) != 0
        assert address == ""
    assert "spool" in (tmp_path / "stderr").read_text()


@pytest.mark.core
def test_an_engine_does_not_see_the_secrets_of_the_service(tmp_path: Path) -> None:
    with served(tmp_path, SENSECHECK_SERVE_PEPPER="a pepper that nobody knows") as (_, process):
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        seen = [Path(f"/proc/{child}/environ").read_bytes() for child in children]

    assert seen
    assert not any(b"pepper" in environment for environment in seen)
