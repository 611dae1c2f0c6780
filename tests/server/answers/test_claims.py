"""An answer that has no end: what a reader saw of it is kept, and who runs the service hears of it."""

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass, replace
from time import monotonic, sleep

import pytest

from sensecheck.grounding.writer import Trouble, WriterFailed, WriterRequest
from sensecheck.sense import Sense
from sensecheck.server.answers.inquiry import AnswerQuery, Inquiry
from sensecheck.server.answers.stream import ClaimByClaim
from sensecheck.server.auth import local_key
from sensecheck.server.caller import Caller
from sensecheck.server.checks import ChosenPolicy
from sensecheck.server.engine.jobs import EngineAway, Job, Result
from sensecheck.server.problems import Problem
from tests.server.answering import EVENTS, Service, events_in, running, text_of
from tests.server.running import InProcess, Wanted, parts_of

FIRST, SECOND = "ROS 2 is a robotics middleware.", "It has nodes, which talk by topics."
PASSAGE = f"{FIRST} {SECOND}"
CANARY = "zzcanaryzz"


@dataclass(frozen=True, slots=True)
class BreaksOff:
    """Writes its pieces, and then fails, or hangs, if the question says so."""

    name: str = "breaks-off"
    pieces: tuple[str, ...] = (f"{FIRST} ", "It has ")
    trouble: Trouble = "broke_off"

    async def write(self, asked: WriterRequest) -> AsyncGenerator[str, None]:
        """The pieces, one by one."""
        if asked.question != "nothing":
            for piece in self.pieces:
                yield piece
        if asked.question == "hang":
            await asyncio.sleep(30)
        if asked.question == "pause":
            await asyncio.sleep(1)
            yield f"{SECOND[7:]} {FIRST}"
        raise WriterFailed(self.trouble, f"it said {CANARY}")

    async def close(self) -> None:
        """It holds nothing."""


@pytest.fixture
def service(wanted: Wanted, sense: Sense) -> Iterator[Service]:
    """A service whose writer does not come to an end."""
    with running(replace(wanted, sense=sense, writer=BreaksOff())) as found:
        yield found


def body(question: str, **more: str) -> dict[str, str]:
    return {"question": question, "passage": PASSAGE, **more}


def in_time(what: Callable[[], object]) -> bool:
    """Whether it becomes true within three seconds."""
    until = monotonic() + 3
    while not what() and monotonic() < until:
        sleep(0.05)
    return bool(what())


def test_what_was_shown_before_the_writer_failed_is_kept(service: Service) -> None:
    events = events_in(service.client.post("/v1/answers", json=body("fail"), headers=EVENTS).text)

    assert [event.name for event in events] == ["start", "delta", "problem"]
    (message,) = service.kept()
    assert (message.id, message.assistant_response) == (events[0].data["id"], text_of(events))
    assert (message.outcome, message.in_selected_text, message.validation_passed) == ("error", True, True)
    assert 'sensecheck_answers_total{decision="cut",writer="breaks-off"} 1.0' in _metrics(service)


def test_what_was_shown_before_the_engine_went_away_is_kept(service: Service) -> None:
    with service.client.stream("POST", "/v1/answers", json=body("pause"), headers=EVENTS) as reply:
        lines = reply.iter_lines()
        next(line for line in lines if line == "event: delta")
        service.engine.alive = 0
        rest = list(lines)

    assert "event: problem" in rest
    (message,) = service.kept()
    assert (message.assistant_response, message.outcome) == (FIRST, "error")


def test_what_was_shown_to_a_client_that_left_is_kept(service: Service) -> None:
    headers = {**EVENTS, "Idempotency-Key": "one"}
    with service.client.stream("POST", "/v1/answers", json=body("hang"), headers=headers) as reply:
        next(line for line in reply.iter_lines() if line == "event: delta")

    assert in_time(service.kept)
    (message,) = service.kept()
    assert (message.assistant_response, message.outcome, message.in_selected_text) == (FIRST, "pass", True)
    with service.client.stream("POST", "/v1/answers", json=body("hang"), headers=headers) as again:
        assert again.status_code == 200


def test_what_was_shown_unchecked_is_kept_as_unchecked(service: Service) -> None:
    service.client.post("/v1/answers", json=body("fail", hold="none"), headers=EVENTS)

    (message,) = service.kept()
    assert message.assistant_response == f"{FIRST} It has "
    assert (message.outcome, message.in_selected_text, message.validation_passed) == ("error", False, None)


def test_where_nothing_was_shown_nothing_is_kept(service: Service) -> None:
    service.client.post("/v1/answers", json=body("nothing"), headers=EVENTS)
    service.client.post("/v1/answers", json=body("fail", hold="answer"), headers=EVENTS)
    whole = service.client.post("/v1/answers", json=body("fail", hold="claim"))

    assert whole.status_code == 503
    assert FIRST not in whole.text
    assert service.kept() == []


def test_a_writer_that_fails_is_logged_and_counted_on_both_routes(
    service: Service, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "sensecheck.server"):
        service.client.post("/v1/answers", json=body("nothing"))
        service.client.post("/v1/answers", json=body("fail"), headers=EVENTS)
        asked = {"query": "nothing", "selected_text": PASSAGE}
        service.client.post("/query-selected-text", json=asked)
        checked = {"answer": "Kubernetes wrote it in 1999.", "sources": [PASSAGE]}
        service.client.post("/v1/check", json=checked)
        assert in_time(lambda: len(_lines(caplog, "request")) == 4)

    failed, requests = _lines(caplog, "writer"), _lines(caplog, "request")
    assert [(line["writer"], line["trouble"]) for line in failed] == [("breaks-off", "broke_off")] * 3
    assert [line["request"] for line in failed] == [line["request"] for line in requests[:3]]
    assert [(line.get("decision"), line["outcome"]) for line in requests] == [
        ("writer-failed", "error"), ("cut", "error"), ("writer-failed", "error"), (None, "fail"),
    ]  # fmt: skip
    assert CANARY not in json.dumps([failed, requests])
    assert 'sensecheck_writer_troubles_total{trouble="broke_off"} 3.0' in _metrics(service)


class OneFails(InProcess):
    """An engine that cannot do its second job, and takes long for all others."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.given_up = 0, 0

    async def run(self, job: Job) -> Result:
        """Never a result."""
        self.begun += 1
        if self.begun == 2:
            raise EngineAway("no engine is ready")
        try:
            await asyncio.sleep(30)
        except asyncio.CancelledError:
            self.given_up += 1
        raise EngineAway("no engine is ready")


def test_where_one_beginning_cannot_be_checked_the_others_are_given_up(wanted: Wanted) -> None:
    engine, writer = OneFails(), BreaksOff(pieces=(f"{FIRST} {SECOND} {FIRST} {SECOND} It",))

    async def told() -> None:
        async with parts_of(replace(wanted, writer=writer)) as plain:
            parts = replace(plain, engine=engine)
            caller = Caller(local_key(1), "127.0.0.1", None)
            query = AnswerQuery("fail", PASSAGE, ChosenPolicy("default", None, "default@2"))
            with pytest.raises(Problem, match="no engine"):
                async for _ in ClaimByClaim(Inquiry(parts, caller, query)).released():
                    pass
            await asyncio.sleep(0.1)
            assert engine.begun >= 3
            assert engine.given_up == engine.begun - 1  # not only when the loop ends, which gives up all

    asyncio.run(told())
    engine.close()


def _metrics(service: Service) -> str:
    return service.client.get("/metrics").text


def _lines(caplog: pytest.LogCaptureFixture, event: str) -> list[dict[str, object]]:
    """The lines of the log with this event, as they are written."""
    found = [record.msg for record in caplog.records if isinstance(record.msg, dict)]
    return [line for line in found if line["event"] == event]
