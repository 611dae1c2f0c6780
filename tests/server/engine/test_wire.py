"""Frames in a pipe."""

import asyncio
import pickle
from contextlib import suppress
from io import BytesIO
from random import Random

import pytest

from sensecheck.server.engine.jobs import CheckJob, Refused
from sensecheck.server.engine.wire import Batch, BatchDone, BrokenFrame, Frame, packed, read_frame, receive

BATCH = Batch(7, (CheckJob("an answer with half a pair \ud800", ("a passage " * 20_000,)),))
DONE = BatchDone(7, (Refused("because"),))


async def _received(given: bytes) -> list[Frame]:
    stream = asyncio.StreamReader()
    stream.feed_data(given)
    stream.feed_eof()
    found = []
    while (frame := await receive(stream)) is not None:
        found.append(frame)
    return found


def test_what_is_packed_is_read_again_on_either_side() -> None:
    sent = packed(BATCH) + packed(DONE)
    stream = BytesIO(sent)

    assert [read_frame(stream), read_frame(stream), read_frame(stream)] == [BATCH, DONE, None]
    assert asyncio.run(_received(sent)) == [BATCH, DONE]


def test_a_frame_that_is_cut_off_is_the_end() -> None:
    whole = packed(DONE)
    for length in range(len(whole)):
        assert read_frame(BytesIO(whole[:length])) is None
        assert asyncio.run(_received(whole[:length])) == []


def test_what_is_no_frame_is_an_error_that_says_nothing_of_what_it_holds() -> None:
    unknown, nothing = b"\x00\x00\x00\x0ecnope\nsecret\n.", b"\x00\x00\x00\x00"
    for wrong in (b"a secret text of somebody", b"\x00\x00\x00\x06secret", unknown, nothing):
        with pytest.raises(BrokenFrame) as raised:
            read_frame(BytesIO(wrong))
        assert "secret" not in str(raised.value)


@pytest.mark.parametrize("value", [7, "secret", None, ("secret",), Refused("secret")])
def test_another_value_is_no_frame(value: object) -> None:
    body = pickle.dumps(value)
    with pytest.raises(BrokenFrame, match="no frame"):
        read_frame(BytesIO(len(body).to_bytes(4, "big") + body))


CLAIMS_TOO_MUCH = b"\x8e" + (1 << 62).to_bytes(8, "little")
BEYOND_ALL = b"\x8e" + b"\xff" * 8
NO_SUCH_TYPE = b"\x80\x04)}\x93."


@pytest.mark.parametrize(
    "body", [CLAIMS_TOO_MUCH, BEYOND_ALL, NO_SUCH_TYPE, b"\x80\xff", b"h\x07.", b"]K\x01K\x02s."]
)
def test_bytes_that_break_the_reader_are_no_frame(body: bytes) -> None:
    with pytest.raises(BrokenFrame, match="no frame"):
        read_frame(BytesIO(len(body).to_bytes(4, "big") + body))


@pytest.mark.parametrize("seed", range(20))
def test_of_a_frame_with_broken_bytes_nothing_else_is_said_than_that_it_is_none(seed: int) -> None:
    random = Random(seed)
    for whole in (packed(Batch(7, (CheckJob("an answer", ("a passage",)),))), packed(DONE)):
        for _ in range(50):
            body = bytearray(whole[4:])
            for _ in range(random.randint(1, 4)):
                body[random.randrange(len(body))] = random.randrange(256)
            with suppress(BrokenFrame):
                read_frame(BytesIO(whole[:4] + bytes(body)))
