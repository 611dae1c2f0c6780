"""The log tells what happened, and never a word of what people wrote."""

import json
import logging
import subprocess
import sys
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import httpx
import pytest

from sensecheck.server.logging import log, write_logs
from sensecheck.store.service.store import ServiceStore
from tests.server.running import PAGE, bearer, new_key

ROOT = Path(__file__).parents[2]
CANARY = "zzcanaryzz"


@pytest.fixture
def written() -> Iterator[StringIO]:
    """What the log holds."""
    root, named = logging.getLogger(), [logging.getLogger(name) for name in ("uvicorn", "sensecheck")]
    before, level, levels = root.handlers[:], root.level, [one.level for one in named]
    root.handlers[:] = []  # those of pytest would be closed, and are wanted again
    stream = StringIO()
    write_logs(stream)
    yield stream
    root.handlers[:] = before
    root.setLevel(level)
    for one, was in zip(named, levels, strict=True):
        one.setLevel(was)


def lines(stream: StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_a_line_holds_the_fields_that_we_know_and_names_those_that_it_left_out(written: StringIO) -> None:
    log().info("request", status=200, answer=CANARY, key={"a": CANARY})

    (line,) = lines(written)
    assert line["status"] == 200
    assert line["left_out"] == ["answer"]
    assert line["key"] == "dict"
    assert line["at"].endswith("Z")
    assert CANARY not in written.getvalue()


def test_an_error_is_told_by_its_type_and_its_place(written: StringIO) -> None:
    try:
        dict[str, int]()[CANARY]
    except KeyError as wrong:
        said = f"Task exception was never retrieved: {wrong!r}"
        log().error("broken", exc_info=wrong)
        logging.getLogger("uvicorn.error").exception("Exception in ASGI application")
        logging.getLogger("asyncio").exception(said)

    ours, servers, others = lines(written)
    assert {line["trouble"] for line in (ours, servers, others)} == {"KeyError"}
    assert "test_logging.py" in ours["places"][0]
    assert servers["says"] == "Exception in ASGI application"
    assert "says" not in others
    assert CANARY not in written.getvalue()


FIELDS = ("query", "selected_text", "session_id", CANARY)


@pytest.mark.parametrize("field", FIELDS)
def test_nothing_that_a_client_writes_reaches_the_log(
    written: StringIO, store: ServiceStore, client: httpx.Client, field: str
) -> None:
    _, key = new_key(store, "secret")
    _, page_key = new_key(store, "publishable")
    plain = {"query": "What is it?", "selected_text": "It is a cat. It sleeps.", "session_id": "s"}
    headers = ["Idempotency-Key", "X-Anything", "User-Agent", "Accept", "Origin", "Authorization", "Cookie"]
    for sent in (bearer(key), {**bearer(page_key), "Origin": PAGE}, {}):
        for value in (CANARY, f"{CANARY} " * 10, [CANARY], {CANARY: CANARY}, 7):
            client.post("/query-selected-text", json={**plain, field: value}, headers=sent)
        client.post("/query-selected-text", content=CANARY.encode(), headers=sent)
        client.get(f"/v1/limits?{CANARY}={CANARY}", headers=sent)
        client.get(f"/v1/{CANARY}", headers=sent)
        for name in headers:
            client.get("/v1/limits", headers={**sent, name: CANARY})
            client.post("/query-selected-text", json=plain, headers={**sent, name: CANARY})

    assert CANARY not in written.getvalue()
    assert key not in written.getvalue()
    assert not [line for line in lines(written) if line["event"] == "broken"]
    routes = {line["route"] for line in lines(written) if line["event"] == "request"}
    assert routes == {"/query-selected-text", "/v1/limits", "unmatched"}


def test_uvicorn_writes_json_too() -> None:
    program = (
        "import sys; from sensecheck.server.logging import write_logs; write_logs()\n"
        "import uvicorn\n"
        "async def app(scope, receive, send): raise ValueError('zzcanaryzz')\n"
        "server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, lifespan='off'))\n"
        "async def soon():\n"
        "    server.should_exit = True\n"
        "import asyncio\n"
        "async def main():\n"
        "    await asyncio.gather(server.serve(), asyncio.sleep(0.5), soon())\n"
        "asyncio.run(main())\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )

    told = [json.loads(line) for line in ran.stderr.splitlines()]
    assert {line["logger"] for line in told} == {"uvicorn.error"}
    assert "zzcanaryzz" not in ran.stderr
