"""An engine that remembers results, so that nothing is judged twice."""

import asyncio
import json
import pickle
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from hashlib import blake2b
from operator import itemgetter

from cachetools import LRUCache

from sensecheck.server.engine.jobs import (
    Checked,
    CheckJob,
    Client,
    Engine,
    Extracted,
    Job,
    Load,
    Result,
)

BYTES = 64_000_000
_IN_MEMORY = 4
"""How much larger a result is as objects than when it is packed, about."""
_ENTRY = 300
"""What an entry costs besides its result."""


class CachedEngine:
    """The same results as the engine inside, by content; what is asked twice at once is done once.

    A result is shared by all who asked for it: nobody may change its data.
    """

    def __init__(self, inner: Engine, max_bytes: int = BYTES) -> None:
        self._inner = inner
        self._known: LRUCache[bytes, tuple[Result, int]] = LRUCache(max_bytes, getsizeof=itemgetter(1))
        self._under_way: dict[bytes, _Shared] = {}
        self._hits = 0

    def admit(self, jobs: Sequence[Job], client: Client) -> AbstractContextManager[None]:
        """Room for the jobs that are not known; what is known is always given."""
        keys = digests_of(jobs)
        new = [job for key, job in zip(keys, jobs, strict=True) if not self._is_there(key)]
        return self._inner.admit(new, client) if new else nullcontext()

    async def run(self, job: Job) -> Result:
        """What the job comes to."""
        (key,) = digests_of([job])
        cached = self._known.get(key)
        if cached is not None:
            self._hits += 1
            return cached[0]
        if self._has_begun(key):
            self._hits += 1
        else:
            self._share(key, asyncio.ensure_future(self._inner.run(job)))
        return await self._under_way[key].joined()

    def begin(self, jobs: Sequence[Job], client: Client) -> "Sequence[asyncio.Future[Result]]":
        """What each comes to; the engine inside gets those that nobody asked before."""
        keys = digests_of(jobs)
        new = {key: job for key, job in zip(keys, jobs, strict=True) if not self._is_there(key)}
        for key, future in zip(new, self._inner.begin(list(new.values()), client), strict=True):
            self._share(key, future)
        self._hits += len(jobs) - len(new)
        return [self._future_for(key) for key in keys]

    def load(self) -> Load:
        """How busy the engine inside is."""
        return replace(self._inner.load(), remembered=self._hits)

    def _is_there(self, key: bytes) -> bool:
        return key in self._known or self._has_begun(key)

    def _has_begun(self, key: bytes) -> bool:
        return key in self._under_way and not self._under_way[key].abandoned

    def _future_for(self, key: bytes) -> "asyncio.Future[Result]":
        cached = self._known.get(key)
        if cached is None:
            return self._under_way[key].joined()
        future: asyncio.Future[Result] = asyncio.get_running_loop().create_future()
        future.set_result(cached[0])
        return future

    def _share(self, key: bytes, future: "asyncio.Future[Result]") -> None:
        shared = self._under_way[key] = _Shared(future)
        future.add_done_callback(lambda task: self._ended(key, shared, task))

    def _ended(self, key: bytes, shared: "_Shared", task: "asyncio.Future[Result]") -> None:
        if self._under_way.get(key) is shared:
            del self._under_way[key]
        if not task.cancelled() and task.exception() is None:
            self._keep(key, task.result())

    def _keep(self, key: bytes, result: Result) -> None:
        """Remember what would come out the same again; an error may have come from the machine."""
        lasting = result.outcome != "error" if isinstance(result, Checked) else isinstance(result, Extracted)
        if not lasting or key in self._known:
            return
        size = _ENTRY + _IN_MEMORY * len(pickle.dumps(result, pickle.HIGHEST_PROTOCOL))
        if size <= self._known.maxsize:
            self._known[key] = (result, size)


def digests_of(jobs: Sequence[Job]) -> list[bytes]:
    """The same bytes only for jobs that come to the same; passages that several jobs share are read once."""
    digests: dict[int, bytes] = {}
    return [_digest(_fields(job)) + _passages(job, digests) for job in jobs]


def digest_of_all(jobs: Sequence[Job]) -> bytes:
    """The same bytes only for requests of the same jobs."""
    return blake2b(b"".join(digests_of(jobs)), digest_size=16).digest()


class _Shared:
    """A job under way and how many wait for it; when the last of them is gone, it ends."""

    def __init__(self, task: "asyncio.Future[Result]") -> None:
        self.task = task
        self.abandoned = False
        self._waiting = 0

    def joined(self) -> "asyncio.Future[Result]":
        """The result, for one more waiter; to cancel it leaves the others waiting."""
        self._waiting += 1
        mine = asyncio.shield(self.task)
        mine.add_done_callback(self._leave)
        return mine

    def _leave(self, mine: "asyncio.Future[Result]") -> None:
        self._waiting -= 1
        if not self._waiting and not self.task.done():
            self.abandoned = True
            self.task.cancel()


def _digest(texts: Iterable[str]) -> bytes:
    joined = "".join(f"{len(text)}:{text}" for text in texts)
    return blake2b(joined.encode("utf-8", "surrogatepass"), digest_size=32).digest()


def _fields(job: Job) -> tuple[str, ...]:
    """Every field but the passages as text, in an order from which the job could be read again."""
    if not isinstance(job, CheckJob):
        return "extract", str(job.thorough), job.question, job.passage
    cutoff = "" if job.cutoff is None else json.dumps(dict(job.cutoff), sort_keys=True)
    question = ("no", "") if job.question is None else ("yes", job.question)
    options = job.offsets, str(job.trusting), str(job.max_claims)
    return "check", job.policy, cutoff, *options, *question, job.answer


def _passages(job: Job, digests: dict[int, bytes]) -> bytes:
    """By identity, which is good as long as the jobs live: to compare long texts is to read them."""
    if not isinstance(job, CheckJob):
        return b""
    key = id(job.passages)
    if key not in digests:
        digests[key] = _digest(job.passages)
    return digests[key]
