"""Many questions to several sources at once; the answers come in the order of the questions."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import TypeAlias

from sensecheck.sources.source import Answer, AnswerSource, NoAnswer, Question

Heard: TypeAlias = Answer | NoAnswer
AHEAD = 8
"""So many times as many questions as are asked at once may wait for the one before them."""
MIN_AHEAD = 64


def ask_in_order(questions: Iterable[tuple[AnswerSource, Question]], *, concurrency: int) -> Iterator[Heard]:
    """One answer per question, in order. Questions are taken as they are needed, never all at once.

    When this ends early, questions that wait are dropped, and those under way are not waited for.
    """
    ahead = max(MIN_AHEAD, AHEAD * concurrency)
    waiting: deque[Heard | Future[Heard]] = deque()
    with closing(_SourceQueues(concurrency)) as queues:
        for source, question in questions:
            reply = queues.put(source, question) if source.cacheable else source.answer(question)
            waiting.append(reply)
            while waiting and (len(waiting) > ahead or not isinstance(waiting[0], Future)):
                yield _ready(waiting.popleft())
        while waiting:
            yield _ready(waiting.popleft())


def _ready(reply: Heard | Future[Heard]) -> Heard:
    return reply.result() if isinstance(reply, Future) else reply


class _SourceQueues:
    """A queue for each source, and how many questions may be under way at once over all of them."""

    def __init__(self, concurrency: int) -> None:
        self._concurrency = concurrency
        self._under_way = Semaphore(concurrency)
        self._queues: dict[int, tuple[AnswerSource, _SourceQueue]] = {}
        """By identity; the source is held along, so that no other can take its place."""

    def put(self, source: AnswerSource, question: Question) -> Future[Heard]:
        """The answer of one source, which is there as soon as the question's turn has come."""
        if id(source) not in self._queues:
            self._queues[id(source)] = source, _SourceQueue(source, self._under_way, self._concurrency)
        return self._queues[id(source)][1].put(question)

    def close(self) -> None:
        """Ask nothing more."""
        for _, queue in self._queues.values():
            queue.close()


class _SourceQueue:
    """The questions that wait for one source; so many threads ask them as the source allows."""

    def __init__(self, source: AnswerSource, under_way: Semaphore, most: int) -> None:
        self._source = source
        self._under_way = under_way
        self._queue: SimpleQueue[tuple[Question, Future[Heard]] | None] = SimpleQueue()
        self._left = min(source.concurrency, most)
        """How many threads may still be begun."""
        self._threads = 0
        self._closed = False

    def put(self, question: Question) -> Future[Heard]:
        """The answer, which is there as soon as the question's turn has come."""
        answer: Future[Heard] = Future()
        self._queue.put((question, answer))
        if self._left:
            self._left -= 1
            self._threads += 1
            # a daemon: who interrupts a run does not wait for a slow server
            Thread(target=self._work, name=f"asking {self._source.label}", daemon=True).start()
        return answer

    def close(self) -> None:
        """Ask nothing more; each thread ends after the question that it is at."""
        self._closed = True
        for _ in range(self._threads):
            self._queue.put(None)

    def _work(self) -> None:
        while (waiting := self._queue.get()) is not None:
            question, answer = waiting
            with self._under_way:
                if not self._closed:
                    self._resolve(answer, question)

    def _resolve(self, answer: Future[Heard], question: Question) -> None:
        try:
            answer.set_result(self._source.answer(question))
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is waited for
            answer.set_exception(error)
