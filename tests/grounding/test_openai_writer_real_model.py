"""The real llama.cpp server with SmolLM2, and what happens when the wire to it is bad."""

import asyncio
import time
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest

from sensecheck.grounding.openai_writer import OpenAIWriter, WriterTimeouts, openai_writer
from sensecheck.grounding.writer import WriterRequest
from sensecheck.judges.openai import Sampling
from tests.faults.kinds import BLACKHOLE, REFUSE, RESET, Fault, cut, latency
from tests.faults.proxy import FaultProxy, fault_proxy
from tests.grounding.written import PASSAGE, all_of, trouble_of

SHORT = Sampling(max_tokens=40)


@pytest.fixture(scope="module")
def proxy(llama: str) -> Iterator[FaultProxy]:
    """A wire to the real model that can be told to behave badly."""
    split = urlsplit(llama)
    with fault_proxy((split.hostname or "", split.port or 0)) as wire:
        yield wire


def writer_over(proxy: FaultProxy, *, piece: float = 10, whole: float = 60) -> OpenAIWriter:
    return openai_writer(
        f"http://127.0.0.1:{proxy.port}/v1",
        "smol",
        patience=WriterTimeouts(whole, piece, first_token=piece),
        sampling=SHORT,
    )


def test_a_real_model_answers_piece_by_piece(proxy: FaultProxy) -> None:
    proxy.now(Fault("pass"))
    pieces, failed = all_of(writer_over(proxy, piece=60), "When was the bridge built?")

    assert len(pieces) > 3
    assert failed is None or failed.trouble == "too_long"  # a small model may not know when to stop


def test_a_real_model_is_stopped_within_a_second(proxy: FaultProxy) -> None:
    async def leave() -> float:
        proxy.now(Fault("pass"))
        writer = writer_over(proxy, piece=60)
        written = writer.write(WriterRequest("Tell everything that is known of the bridge.", PASSAGE))
        await anext(written)
        assert proxy.open == 1
        before = time.perf_counter()
        await written.aclose()
        while proxy.open:
            await asyncio.sleep(0.01)
        return time.perf_counter() - before

    assert asyncio.run(asyncio.wait_for(leave(), 60)) < 1


@pytest.mark.parametrize(
    ("fault", "trouble"),
    [
        (latency(2000), "too_slow"),
        (BLACKHOLE, "too_slow"),
        (RESET, "unreachable"),
        (REFUSE, "unreachable"),
        (cut(100, "to_server"), "unreachable"),
    ],
)
def test_a_bad_wire_is_told_for_what_it_is(proxy: FaultProxy, fault: Fault, trouble: str) -> None:
    proxy.now(fault)
    try:
        before, found, seconds = trouble_of(writer_over(proxy, piece=1), "When was it built?")
    finally:
        proxy.now(Fault("pass"))

    assert (before, found) == ("", trouble)
    assert seconds < 8
