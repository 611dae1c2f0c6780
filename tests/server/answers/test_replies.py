"""What an answer tells of words that the passage does not have."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensecheck.grounding.writer import FALLBACK
from sensecheck.sense import Sense
from sensecheck.store.service.store import ServiceStore
from tests.server.answering import EVENTS, Service, events_in, recorded, running
from tests.server.running import PAGE, Wanted, bearer, new_key

PASSAGE = "ROS 2 is a robotics middleware. It has nodes, which talk by topics."
GOOD = "ROS 2 is a robotics middleware."
NONE, HELD, SHOWN = "What is Kubernetes?", "Who wrote the middleware in Oslo?", "What is ROS 2 in Norway?"
ANSWERS = (
    {"question": NONE, "answer": FALLBACK},
    {"question": HELD, "answer": "It was written by Kubernetes in 1999."},
    {"question": SHOWN, "answer": GOOD},
)


@pytest.fixture
def service(wanted: Wanted, sense: Sense, tmp_path: Path) -> Iterator[Service]:
    with running(replace(wanted, sense=sense, writer=recorded(tmp_path, *ANSWERS))) as found:
        yield found


@pytest.fixture(params=["secret", "publishable"])
def headers(request: pytest.FixtureRequest, store: ServiceStore) -> dict[str, str]:
    """Those of a key of either kind."""
    _, key = new_key(store, request.param)
    return bearer(key) if request.param == "secret" else {**bearer(key), "Origin": PAGE}


def told(service: Service, question: str, headers: dict[str, str], passage: str = PASSAGE) -> dict[str, Any]:
    """The same as one reply and as the last event."""
    body = {"question": question, "passage": passage}
    whole: dict[str, Any] = service.client.post("/v1/answers", json=body, headers=headers).json()
    last = events_in(service.client.post("/v1/answers", json=body, headers={**headers, **EVENTS}).text)[-1]
    assert (last.name, last.data["missing"]) == ("end", whole["missing"])
    return whole


def test_where_the_passage_does_not_answer_the_readers_words_are_named(
    service: Service, headers: dict[str, str]
) -> None:
    reply = told(service, NONE, headers)

    assert (reply["decision"], reply["missing"]) == ("no-answer", ["Kubernetes"])


def test_of_an_answer_that_was_held_back_no_word_is_named(service: Service, headers: dict[str, str]) -> None:
    reply = told(service, HELD, headers)

    assert (reply["decision"], reply["missing"]) == ("held-back", ["wrote", "Oslo"])


def test_where_the_passage_answers_nothing_is_missing(service: Service, headers: dict[str, str]) -> None:
    reply = told(service, SHOWN, headers)

    assert (reply["decision"], reply["missing"]) == ("accepted", [])


def test_what_nobody_sees_is_neither_asked_nor_there(service: Service, headers: dict[str, str]) -> None:
    body = {
        "question": "What is Kuber\u200bnetes?",
        "passage": "It is Ku\u2060bernetes or not, nobody knows.",
    }

    reply = service.client.post("/v1/answers", json=body, headers=headers)

    assert reply.json()["missing"] == []
