"""Many questions at once: in order, within limits, and without waiting for more than is needed."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Lock

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.sources.concurrency import MIN_AHEAD, ask_in_order
from sensecheck.sources.loading import SourceOptions, connect
from sensecheck.sources.source import Answer, AnswerSource, NoAnswer, Question
from tests.sources.described import Server, because, source, spec, text

ROOT = Path(__file__).parents[2]


class Slow:
    """A source that takes its time, and counts how many questions it has at once."""

    fingerprint = "slow"
    cacheable = True

    def __init__(self, concurrency: int, *, seconds: float = 0.01) -> None:
        self.label = "slow"
        self.concurrency = concurrency
        self.most = self.now = self.asked = 0
        self._seconds = seconds
        self._counting = Lock()

    def answer(self, question: Question) -> Answer | NoAnswer:
        with self._counting:
            self.asked += 1
            self.now += 1
            self.most = max(self.most, self.now)
        time.sleep(self._seconds * (1 + question.number % 3))
        with self._counting:
            self.now -= 1
        if question.prompt == "wrong":
            raise SpecError("the setup is wrong")
        return Answer(question.prompt)


def questions(source: AnswerSource, count: int) -> Iterator[tuple[AnswerSource, Question]]:
    return ((source, Question(str(number), number=number)) for number in range(count))


def test_answers_come_in_the_order_of_the_questions() -> None:
    slow = Slow(8)
    heard = ask_in_order(questions(slow, 200), concurrency=8)

    assert [text(one) for one in heard] == [str(number) for number in range(200)]
    assert slow.most == 8


def test_each_source_is_asked_no_more_than_it_takes() -> None:
    one, many = Slow(1), Slow(16)
    both = (pair for pairs in zip(questions(one, 40), questions(many, 40), strict=True) for pair in pairs)

    assert len(list(ask_in_order(both, concurrency=4))) == 80
    assert one.most == 1
    assert 2 <= many.most <= 4


def test_questions_are_taken_only_as_they_are_needed() -> None:
    taken: list[int] = []

    def endless() -> Iterator[tuple[AnswerSource, Question]]:
        slow, number = Slow(2, seconds=0), 0
        while True:
            taken.append(number)
            yield slow, Question(str(number))
            number += 1

    heard = ask_in_order(endless(), concurrency=2)
    assert [text(next(heard)) for _ in range(10)] == [str(number) for number in range(10)]
    assert len(taken) == MIN_AHEAD + 10


def test_answers_at_no_cost_are_given_at_once() -> None:
    taken: list[int] = []

    def counted() -> Iterator[tuple[AnswerSource, Question]]:
        for number, one in enumerate(questions(source("echo"), 100)):
            taken.append(number)
            yield one

    heard = ask_in_order(counted(), concurrency=4)
    assert text(next(heard)) == "0"
    assert len(taken) == 1


def test_who_stops_early_does_not_wait_for_the_rest() -> None:
    slow = Slow(2, seconds=2.0)
    heard = ask_in_order(questions(slow, 50), concurrency=2)
    next(heard)
    before = time.monotonic()
    heard.close()  # type: ignore[attr-defined]  # a generator, as who iterates need not know

    assert time.monotonic() - before < 1.8
    so_far = slow.asked
    time.sleep(2.5)
    assert slow.asked <= so_far + 2


def test_a_wrong_setup_is_raised_in_its_turn() -> None:
    slow = Slow(2)
    heard = ask_in_order(((slow, Question(word)) for word in ("right", "wrong", "right")), concurrency=2)

    assert text(next(heard)) == "right"
    with pytest.raises(SpecError, match="the setup is wrong"):
        next(heard)


def test_several_models_are_asked_side_by_side(server: Server) -> None:
    models = [server.model(name, concurrency=2) for name in ("red", "green", "blue")]
    cells = ((model, Question(f"!slow {n}")) for n in range(4) for model in models)
    heard = [text(one) for one in ask_in_order(cells, concurrency=6)]

    assert heard == [f"{name} heard !slow {n}" for n in range(4) for name in ("red", "green", "blue")]
    assert 4 <= server.stats("slow")["most_at_once"] <= 6


def test_a_source_that_answers_nobody_is_left_alone(server: Server) -> None:
    options = SourceOptions(Path(), retries=0, concurrency=2)
    silent = spec("openai:chat:m", {"apiBaseUrl": "http://127.0.0.1:9/v1"})
    speaking = spec("openai:chat:m", {"apiBaseUrl": f"{server.address}/v1"})
    gone, there = connect([silent, speaking], options, cache_file=None, run="1")
    heard = list(
        ask_in_order(((one, Question(str(n))) for n in range(40) for one in (gone, there)), concurrency=4)
    )

    assert [text(one) for one in heard[1::2]] == [f"m heard {n}" for n in range(40)]
    assert "not asked after 2 prompts in a row without an answer" in because(heard[-2])
    assert all("could not be reached" in because(one) for one in heard[::2])


INTERRUPTED = """
import sys
from sensecheck.sources.concurrency import ask_in_order
from sensecheck.sources.source import Question
from tests.sources.described import Server

page = Server(sys.argv[1]).page(concurrency=4)
asked = ((page, Question(f"!hangs interrupted-mark {n}")) for n in range(100))
try:
    for heard in ask_in_order(asked, concurrency=4):
        print(heard, flush=True)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are other there")
def test_an_interruption_waits_for_no_server(server: Server) -> None:
    command = [sys.executable, "-c", INTERRUPTED, server.address]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        while not server.stats("interrupted-mark")["asked"]:
            time.sleep(0.05)
        before = time.monotonic()
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=20)

    assert said == "interrupted\n"
    assert time.monotonic() - before < 3  # a question under way takes five seconds
