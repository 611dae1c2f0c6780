"""`POST /v1/answers`: an answer from a passage, in one piece."""

import socket
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest

from sensecheck.grounding.writer import FALLBACK
from sensecheck.sense import Sense
from sensecheck.server.schemas.replies import AnswerReply
from sensecheck.store.service.store import ServiceStore
from tests.server.answering import Service, recorded, running
from tests.server.running import PAGE, Wanted, bearer, new_key

PASSAGE = "ROS 2 is a robotics middleware. It has nodes, which talk by topics."
GOOD = "ROS 2 is a robotics middleware. It has nodes, which talk by topics."
BAD = "ROS 2 is a robotics middleware. It was written by Kubernetes in 1999."
ANSWERS = (
    {"question": "good", "answer": GOOD},
    {"question": "bad", "answer": BAD},
    {"question": "none", "answer": FALLBACK},
    {"question": "endless", "answer": "It has nodes. " * 600},
    {"question": "slow", "answer": GOOD, "pieces": list(GOOD), "pause_ms": 400},
)


@pytest.fixture
def service(wanted: Wanted, sense: Sense, tmp_path: Path) -> Iterator[Service]:
    """A service with recorded answers and the real model."""
    with running(replace(wanted, sense=sense, writer=recorded(tmp_path, *ANSWERS))) as found:
        yield found


def ask(
    service: Service, question: str, /, headers: dict[str, str] | None = None, **more: Any
) -> httpx.Response:
    """One question."""
    body = {"question": question, "passage": PASSAGE, **more}
    return service.client.post("/v1/answers", json=body, headers=headers)


def test_an_answer_that_passes_is_told_with_its_evidence(service: Service) -> None:
    told = ask(service, "good").json()

    assert (told["decision"], told["outcome"], told["answer"]) == ("accepted", "pass", GOOD)
    assert [claim["support"] for claim in told["claims"]] == ["supported", "supported"]
    assert told["claims"][0]["evidence"][0]["text"] == "ROS 2 is a robotics middleware."
    assert set(told) <= set(AnswerReply.model_fields)
    assert [message.id for message in service.kept()] == [told["id"]]


def test_no_word_of_an_answer_that_does_not_pass_is_told(service: Service) -> None:
    reply = ask(service, "bad")
    told = reply.json()

    assert (told["decision"], told["outcome"], told["answer"]) == ("held-back", "fail", FALLBACK)
    assert (told["in_selected_text"], told["claims"]) == (False, [])
    assert "Kubernetes" not in reply.text
    assert "1999" not in reply.text


def test_held_back_claim_by_claim_the_good_beginning_is_told(service: Service) -> None:
    reply = ask(service, "bad", hold="claim")
    told = reply.json()

    assert (told["decision"], told["outcome"]) == ("cut", "fail")
    assert (told["answer"], told["in_selected_text"]) == ("ROS 2 is a robotics middleware.", True)
    assert [claim["text"] for claim in told["claims"]] == ["ROS 2 is a robotics middleware."]
    assert "Kubernetes" not in reply.text
    (message,) = service.kept()
    assert (message.assistant_response, message.validation_passed) == (told["answer"], False)


def test_a_passage_that_does_not_answer_is_told_so(service: Service) -> None:
    told = ask(service, "none").json()

    assert (told["decision"], told["answer"]) == ("no-answer", FALLBACK)
    assert (told["claims"], told["model"]) == ([], {"encoder": None, "verifier": None})


@pytest.mark.parametrize(("question", "trouble"), [("unknown", "refused"), ("endless", "too_long")])
def test_a_writer_that_fails_is_a_problem_that_says_how(
    service: Service, question: str, trouble: str
) -> None:
    reply = ask(service, question)

    assert (reply.status_code, reply.json()["type"]) == (503, "urn:sensecheck:problem:writer-away")
    assert reply.json()["trouble"] == trouble
    assert reply.json()["detail"].startswith("the model that writes answers ")
    assert FALLBACK not in reply.text
    assert service.kept() == []


def test_an_answer_is_not_kept_where_the_caller_does_not_want_it(service: Service) -> None:
    told = ask(service, "good", store=False).json()

    assert told["stored"] is False
    assert service.kept() == []


def test_what_people_do_not_see_is_taken_out_of_the_passage_and_told(service: Service) -> None:
    hidden = "\U000e0041\u200b"
    passage = f"🙂 {hidden}ROS 2 is a {hidden}robotics middleware. It has nodes, which talk by topics."
    for offsets, start in (("code_points", 4), ("utf16", 6), ("utf8", 12)):
        told = ask(service, "good", passage=passage, offsets=offsets).json()
        evidence = told["claims"][0]["evidence"][0]

        assert told["removed"] == [{"kind": "zero-width", "count": 2}, {"kind": "tag", "count": 2}]
        assert evidence["text"] in passage
        assert evidence["text"].endswith(f"ROS 2 is a {hidden}robotics middleware.")
        assert evidence["start"] in (0, start)


def test_a_publishable_key_sees_no_number_anywhere(
    wanted: Wanted, sense: Sense, store: ServiceStore, tmp_path: Path
) -> None:
    common, usual = (
        {**bearer(key), "Origin": PAGE}
        for _, key in (
            new_key(store, "publishable", policy="similarity-or-keywords"),
            new_key(store, "publishable"),
        )
    )
    with running(replace(wanted, sense=sense, writer=recorded(tmp_path, *ANSWERS))) as service:
        told = ask(service, "good", headers=common).json()
        default = ask(service, "good", headers=usual, policy="default").json()
        scores = ask(service, "good", headers=usual, include=["scores"])
        unchecked = ask(service, "good", headers=usual, hold="none")
        weaker = ask(service, "good", headers=usual, policy="similarity-or-keywords")

    assert told["because"] == default["because"] == "the passages support it"
    for hidden in ("scores", "calibration"):
        assert hidden not in told
    assert {name for claim in default["claims"] for name in claim} == {
        "text", "start", "end", "support", "because", "evidence", "reasons",
    }  # fmt: skip
    assert "closeness" not in str(default)
    assert [refused.status_code for refused in (scores, unchecked, weaker)] == [403, 403, 403]


def test_an_engine_that_is_full_turns_away_before_anything_is_written(service: Service) -> None:
    service.engine.is_full = True
    began = monotonic()
    reply = ask(service, "slow")

    assert (reply.status_code, reply.headers["retry-after"]) == (503, "3")
    assert monotonic() - began < 9  # to be written, it takes 18 seconds


def test_when_the_client_leaves_nothing_more_is_written_and_nothing_kept(service: Service) -> None:
    """The answer takes 18 seconds; the client goes after half a second."""
    body = b'{"question": "slow", "passage": "ROS 2 is a robotics middleware."}'
    url = httpx.URL(service.address)
    with closing(socket.create_connection((url.host, url.port or 80))) as wire:
        head = f"POST /v1/answers HTTP/1.1\r\nHost: {url.netloc.decode()}\r\nContent-Length: {len(body)}\r\n"
        wire.sendall(head.encode() + b"Content-Type: application/json\r\n\r\n" + body)
        sleep(0.5)
    sleep(1)

    page = service.client.get("/metrics").text
    assert 'sensecheck_requests_total{method="POST",route="/v1/answers",status="499"} 1.0' in page
    assert service.kept() == []
    assert service.engine.jobs == []
