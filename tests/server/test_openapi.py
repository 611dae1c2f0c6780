"""The service is as it describes itself: some hundreds of requests, right and wrong ones."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from benchmarks.serving.fuzz import PATIENT, fuzzed
from benchmarks.serving.running import running
from jsonschema import Draft202012Validator

from sensecheck.server.app import app_of
from tests.server.running import Wanted, service

OPEN = {"/livez", "/readyz", "/metrics"}
"""Asked by machines: the first two by whoever starts processes, the third from this machine."""


IDS = re.compile(r"(answer|calibrate|check|draw|erase|find|get|give|label|list|query)(_[a-z]+)+")
"""A verb, then its object: as functions are named."""


def _description() -> dict[str, Any]:
    return app_of(lambda: pytest.fail("a description needs no parts")).openapi()


OPERATIONS: dict[str, dict[str, Any]] = {
    operation["operationId"]: operation | {"path": path, "method": method}
    for path, methods in _description()["paths"].items()
    for method, operation in methods.items()
}
ASKED = ("check_answer", "check_batch", "answer_question", "find_related", "query_selected_text")


def _reply(operation: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    status = next(status for status in operation["responses"] if status.startswith("2"))
    return int(status), operation["responses"][status].get("content", {})


def _mistakes(content: dict[str, Any]) -> list[str]:
    schema = content["schema"] | {"components": _description()["components"]}
    return [one.message for one in Draft202012Validator(schema).iter_errors(content["example"])]


def _shape(data: Any) -> Any:
    """The keys of some data, with the words by which a client branches; of a list, its first item's."""
    if isinstance(data, dict):
        return {
            key: value if key in ("decision", "outcome", "accepted", "problem") else _shape(value)
            for key, value in data.items()
        }
    return [_shape(one) for one in data[:1]] if isinstance(data, list) else type(data).__name__


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


@pytest.mark.parametrize("name", OPERATIONS)
def test_an_operation_is_named_by_a_verb_and_its_object_and_has_examples(name: str) -> None:
    operation = OPERATIONS[name]
    _, replies = _reply(operation)

    assert IDS.fullmatch(name)
    assert all("example" in content for content in replies.values())
    for media_type, content in replies.items():
        assert media_type != "application/json" or _mistakes(content) == []
    if "requestBody" in operation:
        assert _mistakes(operation["requestBody"]["content"]["application/json"]) == []
    in_path = [one for one in operation.get("parameters", ()) if one["in"] == "path"]
    assert all(re.fullmatch(r"[\w-]+", one["example"]) for one in in_path)


@pytest.mark.parametrize("name", ASKED)
def test_an_example_of_a_request_is_answered_as_its_example_shows(address: str, name: str) -> None:
    operation = OPERATIONS[name]
    status, replies = _reply(operation)
    asked = operation["requestBody"]["content"]["application/json"]["example"]

    reply = httpx.request(operation["method"], address + operation["path"], json=asked, timeout=60)

    assert reply.status_code == status
    assert _shape(reply.json()) == _shape(replies["application/json"]["example"])


def test_an_example_of_events_is_what_is_streamed(address: str) -> None:
    content = OPERATIONS["answer_question"]["requestBody"]["content"]["application/json"]
    shown = _reply(OPERATIONS["answer_question"])[1]["text/event-stream"]["example"]
    asked = content["example"] | {"include": []}

    reply = httpx.post(
        f"{address}/v1/answers", json=asked, headers={"Accept": "text/event-stream"}, timeout=60
    )

    lines = [re.findall(r"^(?:id|event): .*$", text, re.MULTILINE) for text in (reply.text, shown)]
    assert lines[0] == lines[1] != []
