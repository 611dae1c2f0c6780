"""The service is as it describes itself: some hundreds of requests, right and wrong ones."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import httpx
import pytest
from benchmarks.serving.fuzz import PATIENT, fuzzed
from benchmarks.serving.running import running

from tests.server.running import Wanted, service

OPEN = {"/livez", "/readyz", "/metrics"}
"""Asked by machines: the first two by whoever starts processes, the third from this machine."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with running(tmp_path_factory.mktemp("service"), settings=PATIENT) as one:
        yield f"http://{one.host}:{one.port}"


@pytest.mark.slow
def test_no_answer_is_other_than_described(address: str) -> None:
    found = fuzzed(address, examples=5, seed=1, phases=("fuzzing",))

    assert found.broken == []
    assert found.failures == {}
    assert found.cases > 800
    assert found.checks["response_schema_conformance"] > 500


def test_what_can_be_done_with_a_policy_is_no_policy(address: str) -> None:
    reply = httpx.get(f"{address}/v1/policies/mine:calibrate")

    assert (reply.status_code, reply.headers["allow"]) == (405, "POST")


def test_texts_that_nobody_can_read_are_no_fault_of_the_service(address: str) -> None:
    asked = {"question": "0" * 4000, "passage": "0"}

    told = httpx.post(f"{address}/v1/answers", json=asked, timeout=60)
    contract = httpx.post(
        f"{address}/query-selected-text", json={"query": "0" * 4000, "selected_text": "0"}, timeout=60
    )

    assert (told.status_code, told.json()["decision"], told.json()["outcome"]) == (200, "no-answer", "error")
    assert told.json()["because"] == "the question or the passage cannot be read"
    assert (contract.status_code, contract.json()["in_selected_text"]) == (200, False)


@pytest.mark.parametrize("session", ["two\nlines", "a line\n", "a/b", " "])
def test_a_session_of_any_name_can_be_erased_and_no_other_is(address: str, session: str) -> None:
    for name in (session, session.strip() or "other"):
        asked = {"question": "What is it?", "passage": "It is a robot.", "session_id": name}
        httpx.post(f"{address}/v1/answers", json=asked, timeout=60).raise_for_status()
    path = "".join(f"%{byte:02X}" for byte in session.encode())

    first, second = (httpx.delete(f"{address}/v1/sessions/{path}").json() for _ in range(2))

    assert first["erased"] == (2 if session == session.strip() else 1)
    assert second["erased"] == 0


def test_without_a_key_nothing_is_told(tmp_path: Path) -> None:
    wanted = replace(Wanted(str(tmp_path / "a.sqlite3"), tmp_path / "b.sqlite3"), local=False)
    with service(wanted) as where:
        paths = httpx.get(f"{where}/openapi.json").json()["paths"]
        asked = {
            (method, path): httpx.request(method, where + path.replace("{", "").replace("}", ""))
            for path, methods in paths.items()
            for method in methods
            if path not in OPEN
        }

    assert {reply.status_code for reply in asked.values()} == {401}
    assert len(asked) >= 13
