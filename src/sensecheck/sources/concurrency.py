"""Many questions to several sources at once; the answers come in the order of the questions."""

from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing
from queue import SimpleQueue
from threading import Semaphore, Thread
from typing import TypeAlias

from sensecheck.sources.source import Answer, NoAnswer, Question, Source

Heard: TypeAlias = Answer | NoAnswer
AHEAD = 8
"""So many times as many questions as are asked at once may wait for the one before them."""
FEWEST_AHEAD = 64


def ask_in_order(asked: Iterable[tuple[Source, Question]], *, at_once: int) -> Iterator[Heard]:
    """One answer a question, in order. Questions are taken as they are needed, never all at once.

    When this ends early, questions that wait are dropped, and those under way are not waited for.
    """
    ahead = max(FEWEST_AHEAD, AHEAD * at_once)
    waiting: deque[Heard | Future[Heard]] = deque()
    with closing(Desks(at_once)) as desks:
        for source, question in asked:
            heard = desks.hand_in(source, question) if source.kept else source.answer(question)
            waiting.append(heard)
            while waiting and (len(waiting) > ahead or not isinstance(waiting[0], Future)):
                yield _ready(waiting.popleft())
        while waiting:
            yield _ready(waiting.popleft())


def _ready(heard: Heard | Future[Heard]) -> Heard:
    return heard.result() if isinstance(heard, Future) else heard


class Desk:
    """Where the questions to one source queue up; so many threads serve it as the source allows."""

    def __init__(self, source: Source, all_desks: Semaphore, most: int) -> None:
        self._source = source
        self._all_desks = all_desks
        self._queue: SimpleQueue[tuple[Question, Future[Heard]] | None] = SimpleQueue()
        self._left = min(source.at_once, most)
        """How many threads may still be begun."""
        self._threads = 0
        self._closed = False

    def hand_in(self, question: Question) -> Future[Heard]:
        """A place for the answer, which fills as soon as the question's turn has come."""
        place: Future[Heard] = Future()
        self._queue.put((question, place))
        if self._left:
            self._left -= 1
            self._threads += 1
            # a daemon: who interrupts a run does not wait for a slow server
            Thread(target=self._serve, name=f"asking {self._source.label}", daemon=True).start()
        return place

    def close(self) -> None:
        """Ask nothing more; each thread ends after the question that it is at."""
        self._closed = True
        for _ in range(self._threads):
            self._queue.put(None)

    def _serve(self) -> None:
        while (handed_in := self._queue.get()) is not None:
            question, place = handed_in
            with self._all_desks:
                if not self._closed:
                    self._fill(place, question)

    def _fill(self, place: Future[Heard], question: Question) -> None:
        try:
            place.set_result(self._source.answer(question))
        except BaseException as wrong:  # noqa: BLE001 - raised again where the answer is waited for
            place.set_exception(wrong)


class Desks:
    """A desk for each source, and how many may be served at once over all of them."""

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._all_desks = Semaphore(at_once)
        self._desks: dict[int, tuple[Source, Desk]] = {}
        """By identity; the source is held along, so that no other can take its place."""

    def hand_in(self, source: Source, question: Question) -> Future[Heard]:
        """A place for the answer of one source."""
        if id(source) not in self._desks:
            self._desks[id(source)] = source, Desk(source, self._all_desks, self._at_once)
        return self._desks[id(source)][1].hand_in(question)

    def close(self) -> None:
        """Ask nothing more."""
        for _, desk in self._desks.values():
            desk.close()
