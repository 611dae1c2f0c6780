"""The service as people start it: one command, the real model, real HTTP."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_connection
from time import monotonic
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from sensecheck.server.routes.operations import PATH, script

COMMAND = Path(sys.executable).with_name("sensecheck")
MIDDLEWARE = "ROS 2 is a robotics middleware."


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
