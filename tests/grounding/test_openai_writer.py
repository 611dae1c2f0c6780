"""A model behind an endpoint: what it writes, and everything that can go wrong with it."""

import asyncio
import json
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

import pytest
import uvloop

from sensecheck.core.errors import SpecError
from sensecheck.grounding.openai_writer import openai_writer
from sensecheck.grounding.writer import FALLBACK, WriterFailed, WriterRequest
from sensecheck.io.retry import CircuitBreaker
from tests.faults.kinds import BLACKHOLE, RESET, Fault
from tests.faults.proxy import FaultProxy, fault_proxy
from tests.grounding.written import PASSAGE, all_of, heard, trouble_of, writer_at
from tests.servers import serving


@pytest.fixture(scope="module")
def model() -> Iterator[str]:
    """The address of a model that says what the question says."""
    with serving("writer.py") as address:
        yield address


def stats(address: str) -> dict[str, Any]:
    """What the model says of itself."""
    with urlopen(f"{address}/stats") as reply:
        held: dict[str, Any] = json.load(reply)
        return held


def test_an_answer_comes_piece_by_piece(model: str) -> None:
    pieces, failed = all_of(writer_at(model), "It opened in 1932.")

    assert failed is None
    assert len(pieces) > 3
    assert "".join(pieces) == "It opened in 1932."


@pytest.mark.parametrize("said", [FALLBACK, f'"{FALLBACK}"', FALLBACK.upper(), FALLBACK.removesuffix(".")])
def test_the_fallback_is_no_answer(model: str, said: str) -> None:
    assert all_of(writer_at(model), said) == ([], None)


def test_an_answer_that_only_begins_like_the_fallback_is_one(model: str) -> None:
    for said in ("The selected text", f"{FALLBACK} It does say when."):
        assert "".join(all_of(writer_at(model), said)[0]) == said


@pytest.mark.parametrize(
    ("question", "before", "trouble"),
    [
        ("!fails", "", "unreachable"),
        ("!refuses", "", "refused"),
        ("!page", "", "broke_off"),
        ("!elsewhere", "", "refused"),
        ("!cut", "It is", "broke_off"),
        ("!no-reason", "It is so.", "broke_off"),
        ("!length", "It is", "too_long"),
        ("!filtered", "It is", "refused"),
        ("!refusal", "", "refused"),
        ("!blank", "", "refused"),
        ("!error", "", "refused"),
        ("!flood", "", "refused"),
        ("!odd {", "", "refused"),
        ("!odd 5", "", "refused"),
        ('!odd {"choices": 5}', "", "refused"),
        ('!odd {"choices": [5]}', "", "refused"),
    ],
)
def test_what_goes_wrong_is_told_for_what_it_is(model: str, question: str, before: str, trouble: str) -> None:
    assert trouble_of(writer_at(model), question)[:2] == (before, trouble)


def test_an_answer_without_end_is_not_read_to_its_end(model: str) -> None:
    pieces, failed = all_of(writer_at(model), "!long")

    assert failed is not None
    assert failed.trouble == "too_long"
    assert len("".join(pieces)) <= 8000


@pytest.mark.parametrize("question", ["!hangs", "!pings", "!stops"])
def test_a_model_that_is_silent_too_long_is_left(model: str, question: str) -> None:
    _, trouble, seconds = trouble_of(writer_at(model, piece=0.3, first_token=0.3), question)

    assert trouble == "too_slow"
    assert seconds < 6


def test_the_first_token_may_take_longer_than_any_other(model: str) -> None:
    writer = writer_at(model, piece=0.3, whole=0.3, first_token=5)

    assert all_of(writer, "!loads 0.8") == (["It is so."], None)


def test_reasoning_is_a_sign_of_life_before_the_first_token(model: str) -> None:
    writer = writer_at(model, piece=0.3, whole=0.3, first_token=0.4)

    assert all_of(writer, "!reasons 1.2") == (["It is so."], None)


def test_a_model_that_only_reasons_is_left_after_its_time(model: str) -> None:
    before, trouble, seconds = trouble_of(writer_at(model, first_token=0.4, reasoning=0.8), "!reasons 8")

    assert (before, trouble) == ("", "too_slow")
    assert 0.8 <= seconds < 6


@pytest.mark.slow
@pytest.mark.parametrize("question", ["!reasons 40", "!loads 30"])
def test_forty_seconds_of_reasoning_and_a_cold_start_of_thirty_are_answered_by_default(
    model: str, question: str
) -> None:
    writer = openai_writer(f"{model}/v1", "m")

    assert all_of(writer, question) == (["It is so."], None)


def test_a_model_that_is_only_slow_does_not_open_the_breaker(model: str) -> None:
    breaker = CircuitBreaker(failures=1)
    for question in ("!pings", "!stops"):
        all_of(writer_at(model, piece=0.2, first_token=0.2, breaker=breaker), question)

    assert not breaker.is_open


def test_a_model_that_drips_cannot_outlast_the_whole_time(model: str) -> None:
    before, trouble, seconds = trouble_of(writer_at(model, whole=0.6), "!endless")

    assert before.startswith("Piece 0. Piece 1. ")
    assert trouble == "too_slow"
    assert seconds < 6


def test_nobody_there_is_unreachable_after_two_tries() -> None:
    pieces, failed = all_of(writer_at("http://127.0.0.1:9"), "Who?")

    assert (pieces, failed and failed.trouble) == ([], "unreachable")
    assert "tried 2 x" in str(failed)


@pytest.mark.slow
def test_a_connection_that_ends_as_soon_as_it_is_made_is_unreachable_in_the_loop_of_the_service(
    model: str,
) -> None:
    split = urlsplit(model)

    async def ask(proxy: FaultProxy) -> set[str]:
        writer = writer_at(f"http://127.0.0.1:{proxy.port}", breaker=CircuitBreaker(failures=1000))
        found = [(await heard(writer, WriterRequest("Who?", PASSAGE)))[1] for _ in range(200)]
        await writer.close()
        return {"answered" if failed is None else failed.trouble for failed in found}

    with fault_proxy((split.hostname or "", split.port or 0), RESET) as proxy:
        assert uvloop.run(ask(proxy)) == {"unreachable"}


def is_stopped(address: str, question: str, seconds: float) -> bool:
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        if question not in stats(address)["under_way"]:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize("question", ["!endless for one who leaves", "!pings for one who leaves"])
def test_who_stops_listening_stops_the_model_within_a_second(model: str, question: str) -> None:
    async def leave() -> bool:
        writer = writer_at(model)
        task = asyncio.create_task(heard(writer, WriterRequest(question, PASSAGE)))
        await asyncio.sleep(0.5)
        assert question in stats(model)["under_way"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return await asyncio.to_thread(is_stopped, model, question, 1.0)

    assert asyncio.run(leave())


def test_closing_the_iterator_closes_the_connection_within_a_second(model: str) -> None:
    async def leave() -> bool:
        written = writer_at(model).write(WriterRequest("!endless but closed", PASSAGE))
        assert await anext(written) == "Piece 0. "
        await written.aclose()
        return await asyncio.to_thread(is_stopped, model, "!endless but closed", 1.0)

    assert asyncio.run(leave())


@pytest.mark.parametrize(("fault", "trouble"), [(RESET, "broke_off"), (BLACKHOLE, "too_slow")])
def test_a_wire_that_breaks_in_the_middle_is_not_tried_again(model: str, fault: Fault, trouble: str) -> None:
    split = urlsplit(model)

    async def listen(proxy: FaultProxy) -> str:
        writer = writer_at(f"http://127.0.0.1:{proxy.port}", piece=1)
        written = writer.write(WriterRequest("!endless", PASSAGE))
        await anext(written)
        proxy.now(fault)
        with pytest.raises(WriterFailed) as failed:
            [_ async for _ in written]
        await writer.close()
        return failed.value.trouble

    with fault_proxy((split.hostname or "", split.port or 0)) as proxy:
        assert asyncio.run(listen(proxy)) == trouble
        assert proxy.accepted == 1


def test_a_model_that_fails_again_and_again_is_left_alone_and_tried_once_after_a_rest(model: str) -> None:
    now = [0.0]
    breaker = CircuitBreaker(failures=2, rest=10, clock=lambda: now[0])

    async def troubles() -> list[str]:
        writer = writer_at(model, breaker=breaker)
        found: list[str] = []
        for question, later in [
            ("!fails", 0),
            ("!fails", 0),
            ("Who?", 0),
            ("!fails", 10),
            ("Who?", 0),
            ("Who?", 10),
        ]:
            now[0] += later
            _, failed = await heard(writer, WriterRequest(question, PASSAGE))
            found.append(failed.trouble if failed else "")
        await writer.close()
        return found

    assert asyncio.run(troubles()) == ["unreachable", "unreachable", "resting", "unreachable", "resting", ""]


def test_refusals_do_not_open_the_breaker(model: str) -> None:
    breaker = CircuitBreaker(failures=1)
    all_of(writer_at(model, breaker=breaker), "!refuses")

    assert not breaker.is_open


def test_nothing_that_was_asked_and_no_key_is_told(model: str) -> None:
    writer = writer_at(model, api_key="sk-very-secret-key")
    for question in ("!refuses to speak of the harbour", "!fails", "!error", "!refusal of the harbour"):
        _, failed = all_of(writer, question)
        assert "secret" not in str(failed)
        assert "harbour" not in str(failed)


def test_the_environment_tells_the_endpoint_nothing(model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "of-the-environment")
    monkeypatch.setenv("OPENAI_ORG_ID", "of-the-environment")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "of-the-environment")
    all_of(writer_at(model), "Is anything told?")

    (seen,) = [each for each in stats(model)["asked"] if "Is anything told?" in json.dumps(each)]
    assert "of-the-environment" not in json.dumps(seen)
    assert seen["asked"]["stream"] is True


def test_the_connection_is_used_again(model: str) -> None:
    async def twice() -> tuple[object, object]:
        writer = writer_at(model)
        first = await heard(writer, WriterRequest("Once.", PASSAGE))
        pool = writer._endpoint.listener()._client._transport._pool  # type: ignore[attr-defined]
        kept = list(pool.connections)
        await heard(writer, WriterRequest("Twice.", PASSAGE))
        again = list(pool.connections)
        await writer.close()
        assert first == (["Onc", "e."], None)
        return kept, again

    kept, again = asyncio.run(twice())
    assert kept
    assert kept == again


@pytest.mark.parametrize("url", ["", "localhost", "ftp://x/v1"])
def test_what_is_no_address_is_refused(url: str) -> None:
    with pytest.raises(SpecError, match="openai:http://HOST:PORT/v1#MODEL"):
        openai_writer(url, "m")
