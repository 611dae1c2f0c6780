"""An endpoint that answers nobody is given up for the rest of a call, and every prompt is told why."""

import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from sensecheck.core.backends import GivenUp, Unanswered
from sensecheck.core.needs import Prompt
from sensecheck.io.blobcache import ReplyFile
from sensecheck.judges.cache import BATCH_SIZE, CachedJudge
from sensecheck.judges.openai import openai_judge
from tests.judges.asked import Server


def because(reply: str | Unanswered) -> str:
    return reply.because if isinstance(reply, Unanswered) else ""


def test_where_nobody_is_there_only_the_first_prompts_wait() -> None:
    judge = openai_judge("http://127.0.0.1:9/v1", "any", concurrency=2, retries=1)
    before = time.monotonic()
    told = [because(reply) for reply in judge.ask([Prompt(str(n)) for n in range(200)])]

    assert time.monotonic() - before < 20  # half a second lies between two tries: a minute, if all were tried
    tried = "`http://127.0.0.1:9/v1` could not be reached, tried 2 x: ConnectError"
    assert 2 <= told.count(tried) <= 4
    assert told.count(f"{tried}; not asked after 2 prompts in a row without an answer") == 200 - told.count(
        tried
    )


def test_a_busy_server_is_left_alone_after_twice_as_many(server: Server) -> None:
    replies = server.judge("left-alone", concurrency=2).ask([Prompt(f"!busy {n}") for n in range(50)])

    assert 4 <= len(server.prompts("left-alone")) <= 6
    assert all("429 Too Many Requests: slow down" in because(reply) for reply in replies)
    assert sum(isinstance(reply, GivenUp) for reply in replies) >= 44


def test_a_server_that_answers_some_is_asked_everything(server: Server) -> None:
    prompts = [Prompt(f"{'!busy' if n % 2 else 'question'} {n}") for n in range(30)]
    replies = server.judge("some", concurrency=2).ask(prompts)

    assert len(server.prompts("some")) == 30
    assert [isinstance(reply, Unanswered) for reply in replies] == [bool(n % 2) for n in range(30)]


def test_the_next_call_asks_again(server: Server) -> None:
    judge = server.judge("again", concurrency=1)
    judge.ask([Prompt(f"!busy {n}") for n in range(9)])

    assert not isinstance(judge.ask([Prompt("question")])[0], Unanswered)


@pytest.mark.parametrize("concurrency", [21, 32, 40, 64])
def test_a_cache_gives_up_however_many_are_asked_at_once(
    server: Server, tmp_path: Path, concurrency: int
) -> None:
    file, model = ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8), f"crowd-{concurrency}"
    replies = CachedJudge(server.judge(model, concurrency=concurrency), file).ask(
        [Prompt(f"!busy {n}") for n in range(640)]
    )

    assert 2 * concurrency <= len(server.prompts(model)) < 3 * concurrency
    assert isinstance(replies[-1], GivenUp)


def test_a_cache_gives_up_where_nobody_is_there(tmp_path: Path) -> None:
    judge = openai_judge("http://127.0.0.1:9/v1", "any", concurrency=64, retries=0)
    replies = CachedJudge(judge, ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8)).ask(
        [Prompt(str(n)) for n in range(640)]
    )

    assert sum(isinstance(reply, GivenUp) for reply in replies) > 640 - 2 * 64


def test_a_cache_asks_as_many_at_once_as_the_judge_inside(tmp_path: Path) -> None:
    file = ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8)
    judge = Sizes(100)
    CachedJudge(CachedJudge(judge, file), file).ask([Prompt(str(n)) for n in range(500)])

    assert judge.sizes == [400, 100]


class Sizes:
    """A judge that notes how many prompts it is given."""

    fingerprint = "sizes"

    def __init__(self, concurrency: int) -> None:
        self.concurrency = concurrency
        self.sizes: list[int] = []

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        self.sizes.append(len(prompts))
        return ["yes"] * len(prompts)


def test_a_cache_does_not_ask_the_rest_of_the_call_either(server: Server, tmp_path: Path) -> None:
    file = ReplyFile(tmp_path / "replies.sqlite3", max_bytes=10**8)
    prompts = [Prompt(f"!busy {n}") for n in range(3 * BATCH_SIZE)]
    replies = CachedJudge(server.judge("kept-busy", concurrency=1), file).ask([*prompts, Prompt("question")])

    assert len(server.prompts("kept-busy")) == 2
    assert len(replies) == 3 * BATCH_SIZE + 1
    assert isinstance(replies[-1], GivenUp)
    assert file.count() == {}
