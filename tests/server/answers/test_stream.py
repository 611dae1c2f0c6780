"""`POST /v1/answers` event by event: what a client holds at any moment is a text that passed."""

import asyncio
import itertools
from collections.abc import AsyncGenerator, Iterator
from contextlib import AsyncExitStack
from dataclasses import replace
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sensecheck.grounding.writer import FALLBACK
from sensecheck.grounding.writers import RecordedWriter, WrittenAnswer
from sensecheck.sense import Sense
from sensecheck.server.answers.stream import Event, live
from tests.examples import examples
from tests.server.answering import EVENTS, Service, Told, events_in, recorded, running, text_of
from tests.server.running import Wanted

PASSAGE = (
    "ROS 2 is a robotics middleware. It has nodes, which talk by topics. Version 2.1 came e.g. for Linux."
)
FIRST, SECOND = "ROS 2 is a robotics middleware.", "It has nodes, which talk by topics."
BAD = "Kubernetes is a fruit from Peru."
ANSWERS = (
    {"question": "good", "answer": f"{FIRST} {SECOND}", "pieces": [FIRST[:9], FIRST[9:] + " ", SECOND]},
    {"question": "bad", "answer": f"{FIRST} {BAD} {SECOND}", "pieces": [f"{FIRST} {BAD}", f" {SECOND}"]},
    {"question": "worse", "answer": f"{BAD} {FIRST}"},
    {"question": "none", "answer": FALLBACK},
    {
        "question": "very slow",
        "answer": f"{FIRST} {SECOND}",
        "pieces": [f"{FIRST} ", "It ", "has ", SECOND[7:]],
        "pause_ms": 600,
    },
)


@pytest.fixture
def service(wanted: Wanted, sense: Sense, tmp_path: Path) -> Iterator[Service]:
    """A service with recorded answers and the real model."""
    with running(replace(wanted, sense=sense, writer=recorded(tmp_path, *ANSWERS))) as found:
        yield found


def told(service: Service, question: str, **more: Any) -> list[Told]:
    """The events of one answer."""
    body = {"question": question, "passage": PASSAGE, **more}
    reply = service.client.post("/v1/answers", json=body, headers=EVENTS)
    assert reply.headers["content-type"] == "text/event-stream; charset=utf-8"
    return events_in(reply.text)


def test_each_claim_is_told_once_all_up_to_it_passed(service: Service) -> None:
    events = told(service, "good")

    assert [event.name for event in events] == ["start", "delta", "delta", "end"]
    assert [event.data["text"] for event in events[1:3]] == [FIRST, f" {SECOND}"]
    assert [event.id for event in events] == [0, len(FIRST), len(text_of(events)), len(text_of(events))]
    assert events[0].data["hold"] == "claim"
    end = events[-1].data
    assert (end["decision"], end["answer"]) == ("accepted", text_of(events))
    assert end["id"] == events[0].data["id"] == service.kept()[0].id


def test_at_the_first_refusal_the_answer_ends(service: Service) -> None:
    events = told(service, "bad")

    assert text_of(events) == FIRST
    end = events[-1].data
    assert (end["decision"], end["outcome"], end["answer"]) == ("cut", "fail", FIRST)
    assert "Kubernetes" not in str(events)
    assert service.kept()[0].assistant_response == FIRST


def test_where_the_first_claim_does_not_pass_only_the_fallback_is_told(service: Service) -> None:
    events = told(service, "worse")

    assert [event.name for event in events] == ["start", "end"]
    assert (events[-1].data["decision"], events[-1].data["answer"]) == ("held-back", FALLBACK)
    assert "Kubernetes" not in str(events)


def test_the_whole_answer_can_be_held_back(service: Service) -> None:
    good, bad = told(service, "good", hold="answer"), told(service, "bad", hold="answer")

    assert [event.data["text"] for event in good if event.name == "delta"] == [f"{FIRST} {SECOND}"]
    assert [event.name for event in bad] == ["start", "end"]


def test_nothing_is_held_back_where_a_secret_key_says_so_and_that_is_told(service: Service) -> None:
    events = told(service, "bad", hold="none")

    assert {event.data["checked"] for event in events if event.name == "delta"} == {False}
    assert text_of(events) == f"{FIRST} {BAD} {SECOND}"
    assert (events[-1].data["decision"], events[-1].data["answer"]) == ("held-back", FALLBACK)


def test_a_writer_that_fails_is_told_as_the_last_event(service: Service) -> None:
    events = told(service, "unknown")

    assert [event.name for event in events] == ["start", "problem"]
    assert (events[-1].data["status"], events[-1].data["trouble"]) == (503, "refused")
    assert service.kept() == []


def test_an_engine_that_goes_away_meanwhile_is_told_as_the_last_event(service: Service) -> None:
    service.engine.alive = 0
    events = told(service, "good")

    assert [event.name for event in events] == ["start", "problem"]
    assert events[-1].data["type"] == "urn:sensecheck:problem:engine-away"


def test_what_turns_a_request_away_does_so_before_the_stream_begins(service: Service) -> None:
    service.engine.is_full = True
    body = {"question": "good", "passage": PASSAGE}
    reply = service.client.post("/v1/answers", json=body, headers=EVENTS)

    assert (reply.status_code, reply.json()["status"]) == (503, 503)


def test_while_nothing_is_told_the_stream_shows_that_it_lives() -> None:
    async def slowly() -> AsyncGenerator[Event, None]:
        await asyncio.sleep(0.5)
        yield Event("end", {}, 0)

    async def chunks() -> list[bytes]:
        return [chunk async for chunk in live(slowly, AsyncExitStack(), heartbeat=0.1)]

    *beats, end = asyncio.run(chunks())
    assert len(beats) >= 2
    assert set(beats) == {b": still here\n\n"}
    assert end == b"id: 0\nevent: end\ndata: {}\n\n"


def test_when_the_client_leaves_the_writer_stops_and_nothing_is_kept(service: Service) -> None:
    body = {"question": "very slow", "passage": PASSAGE}
    with service.client.stream("POST", "/v1/answers", json=body, headers=EVENTS) as reply:
        first = next(reply.iter_text())
    checked = len(service.engine.jobs)
    began = monotonic()
    while not _has_ended(service) and monotonic() - began < 1:
        sleep(0.05)

    assert "event: start" in first
    assert _has_ended(service)
    sleep(2.5)  # as long as the whole answer would take
    assert service.kept() == []
    assert len(service.engine.jobs) <= checked + 1


def _has_ended(service: Service) -> bool:
    return 'route="/v1/answers"' in service.client.get("/metrics").text


TEXTS = (
    f"{FIRST} {BAD} {SECOND}",
    f"{FIRST} Version 2.1 came e.g. for Linux. {BAD}",
    f"- {FIRST}\n- {BAD}\n- {SECOND}",
    f'{FIRST} "{BAD}" {SECOND}',
    f"{BAD} {FIRST}",
    f"{FIRST} {SECOND}",
)


class Cutting:
    """A service whose writer cuts its answer as each test says."""

    def __init__(self, service: Service, recordings: dict[tuple[str, str | None], WrittenAnswer]) -> None:
        self.service, self._recordings = service, recordings

    def events(self, text: str, pieces: list[str]) -> list[Told]:
        """What a client is told when the answer is written in these pieces."""
        self._recordings["cut", None] = WrittenAnswer("cut", text, None, tuple(pieces))
        return told(self.service, "cut", store=False)


@pytest.fixture(scope="module")
def cutting(sense: Sense, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cutting]:
    """One service for all cuts."""
    folder = tmp_path_factory.mktemp("cutting")
    recordings: dict[tuple[str, str | None], WrittenAnswer] = {}
    wanted = Wanted(str(folder / "service.sqlite3"), folder / "spool.sqlite3", sense=sense)
    with running(replace(wanted, writer=RecordedWriter(recordings, "cuts"))) as service:
        yield Cutting(service, recordings)


def assert_holds(sense: Sense, events: list[Told], text: str, whole: str) -> None:
    """What was told is a beginning of the answer that passes, is the same as ever, and holds nothing bad."""
    released = text_of(events)
    assert released == whole
    assert text.startswith(released)
    assert "Kubernetes" not in str(events)
    so_far = ""
    for event in events:
        if event.name == "delta":
            so_far += event.data["text"]
            assert event.id == len(so_far)
            assert sense.grounded(so_far, PASSAGE).accepted
    end = events[-1]
    assert (end.name, end.data["answer"]) == ("end", released or FALLBACK)


RELEASED = (FIRST, f"{FIRST} Version 2.1 came e.g. for Linux.", f"- {FIRST}", FIRST, "", f"{FIRST} {SECOND}")
CASES = tuple(zip(TEXTS, RELEASED, strict=True))


@pytest.mark.parametrize(("text", "whole"), CASES)
def test_every_cut_into_two_gives_the_same(cutting: Cutting, sense: Sense, text: str, whole: str) -> None:
    for at in range(1, len(text)):
        assert_holds(sense, cutting.events(text, [text[:at], text[at:]]), text, whole)
    assert_holds(sense, cutting.events(text, list(text)), text, whole)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_way_of_cutting_gives_the_same(cutting: Cutting, sense: Sense, data: st.DataObject) -> None:
    text, whole = data.draw(st.sampled_from(CASES))
    cuts = sorted(data.draw(st.sets(st.integers(1, len(text) - 1), max_size=12)))
    pieces = [text[start:end] for start, end in itertools.pairwise([0, *cuts, len(text)])]

    assert_holds(sense, cutting.events(text, pieces), text, whole)


def test_a_stream_is_read_as_it_is_written(service: Service) -> None:
    """The first claim is there long before the answer is complete."""
    body = {"question": "very slow", "passage": PASSAGE}
    at: dict[str, float] = {}
    began = monotonic()
    with httpx.stream(
        "POST", f"{service.address}/v1/answers", json=body, headers=EVENTS, timeout=30
    ) as reply:
        for line in reply.iter_lines():
            if line.startswith("event: "):
                at.setdefault(line.removeprefix("event: "), monotonic() - began)

    assert at["delta"] < at["end"] - 0.5
