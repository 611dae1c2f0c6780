"""The fair queue by itself, with a clock of its own: who is admitted, who is next, when to come back."""

from asyncio import Future, new_event_loop
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush
from random import Random

import pytest

from sensecheck.server.engine.cost import Pace, cost_of
from sensecheck.server.engine.jobs import CheckJob, Client, Job, Overloaded, Result
from sensecheck.server.engine.queue import SMALL_TOKENS, Batch, FairQueue

SECOND = 1000.0
"""What is done in a second, in tokens."""
MAX_WAIT = 2.0


class Clock:
    """A time that a test moves."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


class Service:
    """A queue with one worker that does exactly what it is thought to do."""

    def __init__(self, *, key_share: float = 0.5) -> None:
        self.clock = Clock()
        self.queue = FairQueue(Pace(SECOND), max_wait=MAX_WAIT, key_share=key_share, clock=self.clock)
        self.loop = new_event_loop()

    def ask(self, client: Client, cost: float, request: bytes = b"") -> "Future[Result]":
        """A request of one job, admitted and in the queue; or `Overloaded`."""
        job = job_of(cost)
        admission = self.queue.admit([cost_of(job)], client, request or repr(client).encode())
        future: Future[Result] = self.loop.create_future()
        self.queue.submit(job, admission, future)
        self.queue.release(admission)
        return future

    def flood(self, key: str, cost: float, *, addresses: int = 100) -> Overloaded:
        """Ask until the service refuses."""
        for n in range(100):
            try:
                self.ask(Client(key, f"address {n % addresses}"), cost)
            except Overloaded as full:
                return full
        pytest.fail("nothing was refused")

    def take(self) -> Batch:
        """The next batch."""
        batch = self.queue.take(small_only=False)
        assert batch is not None
        return batch

    def work(self, seconds: float) -> None:
        """Do what waits for so long."""
        until = self.clock.now + seconds
        while len(self.queue) and self.clock.now < until:
            batch = self.take()
            self.clock.now += batch.cost / SECOND
            self.queue.finish(batch)
        self.clock.now = max(self.clock.now, until)


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    yield made
    made.loop.close()


def job_of(cost: float) -> Job:
    """A job of about this cost."""
    return CheckJob("a", ("word " * (int(cost) - 11),), policy="similarity-or-keywords")


def owners(batches: Sequence[Batch]) -> list[str]:
    return [ticket.admission.client.key for batch in batches for ticket in batch.tickets]


A, B, C = Client("a"), Client("b"), Client("c")


def test_clients_are_served_in_turn_whoever_has_more_waiting(service: Service) -> None:
    for _ in range(6):
        service.ask(A, 300)
    for _ in range(2):
        service.ask(B, 300)
    found = owners([service.take() for _ in range(8)])

    assert found[:4] in (["a", "b", "a", "b"], ["a", "b", "b", "a"])
    assert found[4:] == ["a"] * 4


def test_a_small_job_passes_a_large_one_of_another_client(service: Service) -> None:
    service.ask(A, 1500)
    service.ask(B, 300)

    assert owners([service.take(), service.take()]) == ["b", "a"]


def test_a_slot_for_small_jobs_leaves_large_ones_where_they_are(service: Service) -> None:
    service.ask(A, SMALL_TOKENS + 500)
    assert service.queue.take(small_only=True) is None
    service.ask(B, 500)
    batch = service.queue.take(small_only=True)
    assert batch is not None
    assert owners([batch]) == ["b"]


def test_room_is_taken_at_admission_before_any_job_is_in_the_queue(service: Service) -> None:
    admitted = 0
    refused = []
    for n in range(200):
        try:
            service.queue.admit([500.0], Client("page", str(n)))
            admitted += 1
        except Overloaded as full:
            refused.append(full.retry_after)

    assert admitted == 4  # half a second each; a fifth would wait for the whole two seconds
    assert refused == sorted(refused)


def test_room_that_was_not_used_is_free_again(service: Service) -> None:
    rooms = [service.queue.admit([800.0], Client("page", str(n))) for n in range(3)]
    with pytest.raises(Overloaded):
        service.queue.admit([800.0], C)
    for room in rooms:
        service.queue.release(room)

    service.queue.admit([800.0], C)


def test_a_key_has_a_share_of_the_queue_while_others_use_the_service(service: Service) -> None:
    service.ask(B, 100)
    service.work(1.0)
    assert service.flood("a", 400).own
    assert len(service.queue) == 3  # half of two seconds is filled by the third
    service.ask(B, 400)


def test_a_key_that_is_alone_has_all_of_it(service: Service) -> None:
    assert not service.flood("a", 390).own
    assert len(service.queue) == 5


def test_a_flood_of_one_client_keeps_nobody_else_out(service: Service) -> None:
    service.flood("a", 300, addresses=1)
    service.ask(B, 300)

    assert set(owners([service.take(), service.take()])) == {"a", "b"}


def test_what_is_under_way_is_never_free_however_long_it_takes(service: Service) -> None:
    service.ask(A, 1000)
    service.take()
    waits = []
    for _ in range(60):
        service.clock.now += 0.05
        waits.append(service.queue.seconds_ahead())

    assert min(waits) == pytest.approx(0.1, abs=0.02)
    assert waits[-1] == pytest.approx(2.0, abs=0.1)  # overdue by two seconds: it may take as long again


def test_a_refusal_says_when_there_is_room_and_there_is(service: Service) -> None:
    for n, cost in enumerate((600, 600, 450, 1900)):
        service.ask(Client("page", str(n)), cost)
    with pytest.raises(Overloaded) as full:
        service.ask(B, 1900)
    told = full.value.retry_after
    assert told == 3  # when the wait is down to three quarters of the limit, in whole seconds
    service.work(1.5)
    with pytest.raises(Overloaded):
        service.ask(Client("another"), 1900)
    service.work(told - 1.5)
    service.ask(B, 1900)


def test_those_that_were_refused_and_come_back_when_told_are_all_served(service: Service) -> None:
    waiting = [(0.0, n) for n in range(40)]
    served, tries = [], 0
    while waiting:
        at, n = waiting.pop(0)
        service.work(max(0.0, 100 + at - service.clock.now))
        tries += 1
        try:
            service.ask(Client("page", str(n)), 500)
            served.append(n)
        except Overloaded as full:
            waiting.append((service.clock.now - 100 + full.retry_after, n))
            waiting.sort()

    assert sorted(served) == list(range(40))
    assert tries < 40 * 2.25  # one refusal each, and one in four is told a little too early


def test_one_that_comes_back_early_keeps_its_place_and_the_line_is_no_longer_for_it(service: Service) -> None:
    service.flood("page", 900)
    told = [refused(service, n).retry_after for n in range(8)]
    service.work(0.5)

    assert [refused(service, n).retry_after for n in range(8)] == told  # half a second less, rounded up


def refused(service: Service, n: int) -> Overloaded:
    """A request of its own client, which there is no room for."""
    with pytest.raises(Overloaded) as full:
        service.ask(Client("page", f"late {n}"), 900)
    return full.value


@pytest.mark.parametrize("one_client", [True, False])
def test_at_three_times_the_capacity_all_who_come_back_as_told_are_served_in_time(
    service: Service, one_client: bool
) -> None:
    crowd = Crowd(service, one_client=one_client)
    crowd.come(seconds=20, each=0.1)  # a tenth of a second of work every thirtieth of a second
    took = crowd.serve(return_share=1.0)

    late = sorted(waited / told for told, waited in crowd.waited)
    assert len(crowd.served) == 600
    assert len(late) > 300
    assert late[int(0.95 * len(late))] <= 1.25
    assert 600 * 0.1 / took >= 0.9


def test_at_five_times_the_capacity_where_nobody_comes_back_no_time_is_lost(service: Service) -> None:
    crowd = Crowd(service, one_client=False)
    crowd.come(seconds=60, each=0.1, times=5)
    took = crowd.serve(return_share=0.0)

    assert len(crowd.served) * 0.1 / took >= 0.9


class Crowd:
    """Requests that come by themselves; those that are refused come back when they are told to."""

    def __init__(self, service: Service, *, one_client: bool) -> None:
        self.service = service
        self.served: list[int] = []
        self.waited: list[tuple[float, float]] = []
        """Of each who came back: what the first refusal said, and how long it took until it was taken in."""
        self._coming: list[tuple[float, int]] = []
        self._one_client = one_client
        self._cost = 0.0
        self._chance = Random(7)

    def come(self, *, seconds: float, each: float, times: float = 3.0) -> None:
        """So many seconds of work by the second."""
        self._cost = each * SECOND
        self._coming = [(100 + n * each / times, n) for n in range(round(seconds * times / each))]

    def serve(self, *, return_share: float) -> float:
        """How long it takes until nobody comes any more and all is done."""
        refused: dict[int, tuple[float, float]] = {}
        while self._coming:
            at, n = heappop(self._coming)
            self.service.work(max(0.0, at - self.service.clock.now))
            try:
                client = A if self._one_client else Client("page", str(n))
                self.service.ask(client, self._cost, request=b"%d" % n)
            except Overloaded as full:
                refused.setdefault(n, (at, full.retry_after))
                if self._chance.random() < return_share:
                    late = self._chance.uniform(0.01, 0.05)
                    heappush(self._coming, (at + full.retry_after + late, n))
                continue
            self.served.append(n)
            if n in refused:
                first, told = refused[n]
                self.waited.append((told, at - first))
        while len(self.service.queue):
            self.service.work(0.1)
        return self.service.clock.now - 100


def test_a_request_that_has_not_begun_expires_and_one_that_has_does_not(service: Service) -> None:
    room = service.queue.admit([300.0, 300.0], A)
    futures = [service.loop.create_future() for _ in range(2)]
    first = service.queue.submit(job_of(300), room, futures[0])
    service.queue.expire(first)
    assert isinstance(futures[0].exception(), Overloaded)
    service.queue.drain()

    room = service.queue.admit([300.0, 300.0], A)
    began = service.queue.submit(job_of(300), room, service.loop.create_future())
    service.take()
    second = service.queue.submit(job_of(300), room, futures[1])
    service.queue.expire(second)
    assert began.admission.begun
    assert not futures[1].done()
