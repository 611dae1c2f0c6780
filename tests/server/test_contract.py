"""`POST /query-selected-text`, byte for byte as its contract has it."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from sensecheck.grounding.writer import FALLBACK
from sensecheck.grounding.writers import load_writer
from sensecheck.sense import Sense
from sensecheck.store.service.store import ServiceStore
from tests.server.answering import Service, kept_in, recorded, running
from tests.server.running import Wanted, bearer, new_key

GOLDEN = Path(__file__).with_name("contract.golden.json")
ROS = "ROS 2 is a robotics middleware."
LONG = "ROS 2 is a robotics middleware. It has nodes, topics and services. " * 160
ANSWERS = (
    {"question": "What is this?", "answer": ROS},
    {"question": "What is AI?", "answer": "AI is the simulation of human intelligence by machines."},
    {"question": "Who made it?", "answer": FALLBACK},
    {"question": "When?", "answer": "The passage does not say."},
    {"question": "Anything?", "answer": ""},
    {"question": "Was ist das?", "answer": "Der Käfer heißt „Blattkäfer“ 🐞."},
)
REQUESTS: dict[str, dict[str, Any]] = {
    "an answer from the text": {"query": "What is this?", "selected_text": ROS, "session_id": "test-session"},
    "an answer from elsewhere": {"query": "What is AI?", "selected_text": ROS, "session_id": "test-session"},
    "no answer": {"query": "Who made it?", "selected_text": ROS, "session_id": "test-session"},
    "an answer that says that there is none": {"query": "When?", "selected_text": ROS, "session_id": "s"},
    "the writer fails": {"query": "Not recorded?", "selected_text": ROS, "session_id": "s"},
    "without a session": {"query": "What is this?", "selected_text": ROS},
    "a session of no letters": {"query": "What is this?", "selected_text": ROS, "session_id": ""},
    "nothing is written": {"query": "Anything?", "selected_text": ROS, "session_id": "s"},
    "a session of null": {"query": "What is this?", "selected_text": ROS, "session_id": None},
    "fields that nobody knows": {"query": "What is this?", "selected_text": ROS, "theme": {"dark": True}},
    "other scripts": {"query": "Was ist das?", "selected_text": "Der Käfer heißt „Blattkäfer“ 🐞."},
    "too long a text": {"query": "What is this?", "selected_text": LONG, "session_id": "s"},
    "exactly as long as may be": {"query": "What is this?", "selected_text": LONG[:10_000]},
    "blank text": {"query": "What is this?", "selected_text": "   "},
    "no query": {"selected_text": ROS, "session_id": "s"},
    "an empty query": {"query": "", "selected_text": ROS},
    "no text": {"query": "What is this?"},
    "an empty text": {"query": "What is this?", "selected_text": ""},
    "null for a text": {"query": "What is this?", "selected_text": None},
    "nothing at all": {},
}
HEADERS = ("content-type", "sensecheck-decision", "sensecheck-outcome")


@pytest.fixture
def service(wanted: Wanted, sense: Sense, tmp_path: Path) -> Iterator[Service]:
    """A service with recorded answers and the real model."""
    with running(replace(wanted, sense=sense, writer=recorded(tmp_path, *ANSWERS))) as found:
        yield found


def ask(service: Service, query: str, text: str = ROS, **more: Any) -> httpx.Response:
    """One request."""
    return service.client.post("/query-selected-text", json={"query": query, "selected_text": text}, **more)


def replies(service: Service) -> dict[str, Any]:
    """What each request is answered with: all bytes of the body, and the headers of the contract."""
    found = {}
    for name, body in REQUESTS.items():
        reply = service.client.post("/query-selected-text", json=body)
        headers = {header: reply.headers[header] for header in HEADERS if header in reply.headers}
        found[name] = {"status": reply.status_code, "headers": headers, "body": reply.text}
    return found


def test_every_byte_of_the_contract_is_as_it_was(service: Service) -> None:
    """To change the contract on purpose, delete the file and run this once."""
    found = replies(service)
    if not GOLDEN.exists():
        GOLDEN.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        pytest.fail(f"{GOLDEN.name} was missing; it is written now, to be looked at")

    assert found == json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_a_text_that_is_too_long_is_cut_and_the_reader_is_told(service: Service) -> None:
    reply = ask(service, "What is this?", LONG).json()

    assert reply["truncation_warning"] == "Selected text truncated to 10,000 characters."
    assert reply["sources"] == [{"type": "selected_text", "excerpt": LONG[:200]}]
    assert service.kept()[0].truncated


def test_what_is_kept_has_the_columns_of_the_contract(service: Service) -> None:
    body = {"query": "What is this?", "selected_text": LONG, "session_id": "one"}
    reply = service.client.post("/query-selected-text", json=body)

    (message,) = service.kept()
    assert message.id == reply.headers["sensecheck-message-id"]
    assert (message.session_id, message.user_message) == ("one", "What is this?")
    assert (message.assistant_response, message.in_selected_text) == (ROS, True)
    assert (message.mode, message.source_chunk_ids) == ("selected_text", None)
    assert message.selected_text == LONG[:500]
    assert message.validation_passed is True
    assert message.response_similarity_score is not None
    assert message.keyword_overlap_ratio == 1.0
    assert message.latency_validation_ms is not None


def test_a_writer_that_fails_is_answered_with_the_fallback_and_kept(service: Service) -> None:
    reply = ask(service, "Not recorded?")

    assert reply.status_code == 200
    assert (reply.json()["response"], reply.json()["in_selected_text"]) == (FALLBACK, False)
    (message,) = service.kept()
    assert (message.assistant_response, message.outcome) == (FALLBACK, "error")
    assert message.validation_passed is None


def test_an_answer_that_was_not_checked_is_never_given(service: Service) -> None:
    service.engine.alive = 0
    reply = ask(service, "What is this?")

    assert (reply.status_code, reply.json()["type"]) == (503, "urn:sensecheck:problem:engine-away")
    assert service.kept() == []


def test_who_cannot_be_served_in_time_is_told_when_to_come_back(service: Service) -> None:
    service.engine.is_full = True
    reply = ask(service, "What is this?")

    assert (reply.status_code, reply.headers["retry-after"]) == (503, "3")
    assert reply.json()["type"] == "urn:sensecheck:problem:overloaded"


def test_those_who_send_an_empty_session_do_not_share_its_limit(
    wanted: Wanted, sense: Sense, store: ServiceStore, tmp_path: Path
) -> None:
    _, key = new_key(store, "secret", per_session_minute=1)
    body = {"query": "What is this?", "selected_text": ROS, "session_id": ""}
    with running(replace(wanted, sense=sense, writer=recorded(tmp_path, *ANSWERS))) as service:
        replies = [
            service.client.post("/query-selected-text", json=body, headers=bearer(key)) for _ in range(2)
        ]

    assert [reply.status_code for reply in replies] == [200, 200]
    assert [message.session_id for message in kept_in(store)] == ["", ""]


@pytest.mark.parametrize("gone", ["house", "default@99"])
def test_a_key_whose_policy_is_gone_is_no_mistake_of_the_reader(
    wanted: Wanted, store: ServiceStore, gone: str
) -> None:
    _, key = new_key(store, "secret", policy=gone)
    with running(wanted) as service:
        reply = ask(service, "What is this?", headers=bearer(key))
        named = {"answer": ROS, "sources": [ROS], "policy": gone}
        chosen = service.client.post("/v1/check", json=named, headers=bearer(key))

    assert (reply.status_code, reply.json()["type"]) == (503, "urn:sensecheck:problem:policy-missing")
    assert "#/policy" not in reply.text
    assert (chosen.status_code, chosen.json()["errors"][0]["pointer"]) == (422, "#/policy")


def test_the_policy_is_that_of_the_key(
    wanted: Wanted, sense: Sense, store: ServiceStore, tmp_path: Path
) -> None:
    passage = "The robot has four wheels, two arms and a camera on top."
    writer = recorded(tmp_path, {"question": "How many?", "answer": "The robot has six wheels and a camera."})
    _, calibrated = new_key(store, "secret", policy="fast")
    _, common = new_key(store, "secret", policy="similarity-or-keywords")
    with running(replace(wanted, sense=sense, writer=writer)) as service:
        strict = ask(service, "How many?", passage, headers=bearer(calibrated)).json()
        loose = ask(service, "How many?", passage, headers=bearer(common)).json()

    assert (strict["in_selected_text"], loose["in_selected_text"]) == (False, True)
    assert [message.policy for message in kept_in(store)] == ["fast@1", "similarity-or-keywords@1"]


def test_what_was_held_back_is_kept_only_where_somebody_reviews(
    wanted: Wanted, sense: Sense, store: ServiceStore, tmp_path: Path
) -> None:
    _, plain = new_key(store, "secret")
    _, reviewed = new_key(store, "secret", review=True)
    with running(replace(wanted, sense=sense, writer=recorded(tmp_path, *ANSWERS))) as service:
        ask(service, "What is AI?", headers=bearer(plain))
        second = ask(service, "What is AI?", headers=bearer(reviewed))

    with store.reading() as connection:
        rows = connection.exec_driver_sql("SELECT message, answer FROM candidates").all()
    assert [row[0] for row in rows] == [second.headers["sensecheck-message-id"]]
    assert rows[0][1] == ANSWERS[1]["answer"]


def test_selected_text_endpoint_valid(wanted: Wanted, sense: Sense) -> None:
    """The contract's first integration test, with no model of language at all."""
    body = {"query": "What is this?", "selected_text": ROS, "session_id": "test-session"}
    with running(replace(wanted, sense=sense), extractive=True) as service:
        reply = service.client.post("/query-selected-text", json=body)

    assert reply.json()["in_selected_text"] is True


def test_selected_text_endpoint_invalid(wanted: Wanted, sense: Sense) -> None:
    """The contract's second integration test, with no model of language at all."""
    body = {"query": "What is AI?", "selected_text": ROS, "session_id": "test-session"}
    with running(replace(wanted, sense=sense), extractive=True) as service:
        reply = service.client.post("/query-selected-text", json=body)

    assert "does not contain the answer" in reply.json()["response"]


@pytest.mark.parametrize("query", ["What is this?", "What is AI?"])
def test_a_model_that_makes_things_up_is_answered_for_honestly(
    wanted: Wanted, sense: Sense, llama: str, query: str
) -> None:
    """SmolLM2 may answer well or badly; what is told of it must be true either way."""

    async def nothing(_: object) -> list[tuple[int, int]]:
        return []

    writer = load_writer(f"openai:{llama}/v1#smollm2", nothing)
    with running(replace(wanted, sense=sense, writer=writer)) as service:
        reply = ask(service, query)

    told = reply.json()
    if told["in_selected_text"]:
        assert reply.headers["sensecheck-decision"] == "accepted"
        assert sense.grounded(told["response"], ROS).accepted
    else:
        assert told["response"] == FALLBACK
        assert reply.headers["sensecheck-decision"] in ("held-back", "no-answer", "writer-failed")
