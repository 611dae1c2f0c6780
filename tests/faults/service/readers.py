"""Many readers at once, who write down whatever was acknowledged to them."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count, cycle
from threading import Event, Lock, Thread
from time import monotonic, sleep

import httpx

from tests.faults.service.reader import WAYS, Reader, Told


class Readers:
    """Each asks again as soon as it was answered; one that cannot reach the service tries again soon."""

    def __init__(
        self,
        where: Callable[[], str],
        key: str,
        *,
        readers: int = 6,
        patience: float = 30.0,
        more: str = "",
    ) -> None:
        self._where, self._key, self._patience, self._more = where, key, patience, more
        self._numbers = count(1)
        self._over = Event()
        self._lock = Lock()
        self._threads = [
            Thread(target=self._read, args=(way,), name=f"reader {number}")
            for number, way in zip(range(readers), cycle(WAYS), strict=False)
        ]
        self.acknowledged: list[str] = []
        self.told: Counter[str] = Counter()
        """How often each thing was told, by status and kind."""
        self.slowest = 0.0
        self.broken: list[tuple[float, float]] = []
        """When a question was sent, and when its connection broke, of those that came to nothing."""
        self.last_good = 0.0
        """When somebody was last answered."""
        self.trouble: list[str] = []
        """What ended a reader, which is never right."""

    @contextmanager
    def asking(self) -> Iterator["Readers"]:
        """They ask, for as long as this block."""
        for thread in self._threads:
            thread.start()
        try:
            yield self
        finally:
            self._over.set()
            for thread in self._threads:
                thread.join(self._patience + 10)
        assert not any(thread.is_alive() for thread in self._threads), "a reader hangs"
        assert not self.trouble, self.trouble

    def wait_for(self, more: int, within: float = 30.0) -> float:
        """Seconds until so many more were acknowledged."""
        began, wanted = monotonic(), len(self.acknowledged) + more
        while len(self.acknowledged) < wanted:
            if monotonic() - began > within:
                raise AssertionError(f"not {more} more were answered in {within:g} s: {dict(self.told)}")
            sleep(0.005)
        return monotonic() - began

    def _read(self, way: str) -> None:
        try:
            while not self._over.is_set():
                self._one_service(way)
        except Exception as wrong:  # noqa: BLE001 - told by `asking`, in the thread of the test
            self.trouble.append(f"{way}: {type(wrong).__name__}: {wrong}")

    def _one_service(self, way: str) -> None:
        """Ask a service until there is another one in its place."""
        url = self._where()
        reader = Reader(url, self._key, acknowledge=self._acknowledge, patience=self._patience)
        while not self._over.is_set() and url == self._where():
            sent = monotonic()
            try:
                self._note(reader.ask(way, next(self._numbers), more=self._more))
            except httpx.TimeoutException as slow:
                self.trouble.append(f"{way}: no answer: {type(slow).__name__}")
            except httpx.ConnectError:
                sleep(0.1)
            except httpx.TransportError:
                self.broken.append((sent, monotonic()))
        reader.close()

    def _acknowledge(self, message: str) -> None:
        self.acknowledged.append(message)

    def _note(self, told: Told) -> None:
        with self._lock:
            self.told[f"{told.status} {told.kind}"] += 1
            self.slowest = max(self.slowest, told.seconds)
            if told.status == httpx.codes.OK:
                self.last_good = monotonic()
