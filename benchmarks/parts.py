"""Parts that we wrote ourselves beside the libraries that could do their work: `just parts`.

Installs each library into a folder of its own, and measures what it would bring to one package: lines of
ours that would go, what it weighs, how fast it is, what it says and what it lets by.
"""

import asyncio
import importlib
import importlib.metadata
import inspect
import json
import math
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, Generic, TypeVar

from cachetools import LRUCache

from sensecheck.calibration.card import Card
from sensecheck.core.errors import SensecheckError
from sensecheck.core.serialization import from_data
from sensecheck.documents.yaml import read_document
from sensecheck.encoders.memory import Memory
from sensecheck.io.retry import RetryPolicy, run_with_retries_async
from sensecheck.runs.result import AssertionScore
from sensecheck.server.rate_limits import DAY, Bucket, LocalBuckets, RedisBuckets

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src" / "sensecheck"
CARDS = SOURCES / "calibration" / "cards"
T = TypeVar("T")
K = TypeVar("K", bound=Hashable)
V = TypeVar("V")
ROUNDS = 9
LIBRARIES = ("cachetools", "msgspec", "ruamel.yaml", "limits")
SCORE = {
    "type": "assert-set",
    "score": 0.5,
    "weight": 2.0,
    "metric": "tone",
    "within": [{"type": "contains", "score": 1, "wanted": "nine"}, {"type": "similar", "score": 0.25}],
}
MISTAKES: Mapping[str, Mapping[str, Any]] = {
    "a key that is misspelt": SCORE | {"wieght": 3.0},
    "a key that is missing": {"type": "contains"},
    "a text for a number": SCORE | {"score": "high"},
    "a number that is none": SCORE | {"score": math.nan},
    "a wrong value further down": SCORE | {"within": [{"type": 3, "score": 1}]},
}
BROKEN_YAML: Mapping[str, str] = {
    "a key that stands there twice": "tests:\n- vars: {a: 1}\n  vars: {a: 2}\n",
    "a bracket that is not closed": "tests:\n- vars: {a: 1\n",
    "an alias without an anchor": "tests:\n- vars: *nobody\n",
    "an anchor that contains itself": "tests: &all\n- *all\n",
    "aliases that multiply": "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
    + "".join(
        f"a{n}: &a{n} [{','.join([f'*a{n - 1}'] * 9)}]\n"  # 9 to the 9th power in a kilobyte
        for n in range(1, 9)
    ),
    "a tag that nobody knows": "tests: !!python/name:os.system\n",
    "a number as a key": "tests:\n- vars: {1: one}\n",
}


def main() -> None:
    """Measure all three and keep the result."""
    with tempfile.TemporaryDirectory() as folder:
        sizes = {name: installed(name, Path(folder) / name) for name in LIBRARIES}
        importlib.invalidate_caches()
        with own_redis() as address:
            measured = [memory_part(), data_part(), yaml_part(), asyncio.run(limits_part(address))]
    path = ROOT / "benchmarks" / "results" / "parts.json"
    rows = [part | sizes[part["library"]] for part in measured]
    path.write_text(json.dumps({"measured": rows}, indent=1, ensure_ascii=False) + "\n")
    print(path.read_text())


def installed(name: str, folder: Path) -> dict[str, Any]:
    """What an install of a library brings, with what it depends on; from then on it can be imported."""
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*pip, "--target", folder, name], check=True)
    sys.path.append(str(folder))
    files = [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    return {
        "version": importlib.metadata.version(name),
        "distributions": len(list(folder.glob("*.dist-info"))),
        "kilobytes": round(sum(path.stat().st_size for path in files) / 1000),
    }


def lines_of(*paths: str) -> int:
    """Lines of modules of ours."""
    return sum(len((SOURCES / path).read_text().splitlines()) for path in paths)


def lines_around(*functions: Callable[..., Any] | type) -> int:
    """Lines that the library still needs around it, as they are in this script."""
    return sum(len(inspect.getsource(function).splitlines()) for function in functions)


def ratio(ours: Callable[[], object], theirs: Callable[[], object], times: int) -> dict[str, float]:
    """CPU time of theirs by ours, in turns."""
    found = []
    for _ in range(ROUNDS):
        spent = []
        for work in (ours, theirs):
            began = time.process_time()
            for _ in range(times):
                work()
            spent.append(time.process_time() - began)
        found.append(spent[1] / spent[0])
    return _spread(found)


def _spread(found: Sequence[float]) -> dict[str, float]:
    return {
        "ratio": round(statistics.median(found), 2),
        "low": round(min(found), 2),
        "high": round(max(found), 2),
    }


def said(work: Callable[[], object]) -> str:
    """What an error says on one line; nothing where there is none."""
    try:
        work()
    except SensecheckError as wrong:
        return " ".join(str(wrong).split())
    return ""


# cachetools, on the memory of encoders


class WithCachetools(Generic[K, V]):
    """The memory of encoders on an LRU of the library, which leaves locks and sizes to others."""

    def __init__(self, room: int, size: Callable[[V], int] = lambda value: 1) -> None:
        self._held: LRUCache[K, V] = LRUCache(room, getsizeof=size)
        self._size = size
        self._lock = Lock()

    def values_of(self, keys: Sequence[K], compute: Callable[[list[K]], Mapping[K, V]]) -> dict[K, V]:
        """What belongs to these keys; what is not remembered is computed, all of it at once."""
        with self._lock:
            values = {key: self._held[key] for key in keys if key in self._held}
        missing = [key for key in dict.fromkeys(keys) if key not in values]
        if missing:
            computed = compute(missing)
            self._keep(computed)
            values.update(computed)
        return values

    def _keep(self, fresh: Mapping[K, V]) -> None:
        """Remember these, and forget what was used longest ago."""
        with self._lock:
            for key, value in fresh.items():
                if key not in self._held and self._size(value) <= self._held.maxsize:
                    self._held[key] = value


def memory_part() -> dict[str, Any]:
    """64 texts that are known, as a check looks them up."""
    texts = {f"This is text {n}.": n for n in range(64)}
    ours: Memory[str, int] = Memory(10_000)
    theirs: WithCachetools[str, int] = WithCachetools(10_000)

    def numbered(keys: list[str]) -> dict[str, int]:
        return {key: texts[key] for key in keys}

    known = list(texts)
    assert ours.values_of(known, numbered) == theirs.values_of(known, numbered) == texts
    return {
        "library": "cachetools",
        "part": "the memory of encoders",
        "lines": lines_around(Memory),
        "around": lines_around(WithCachetools),
        "speed": ratio(
            lambda: ours.values_of(known, numbered), lambda: theirs.values_of(known, numbered), 1000
        ),
        "messages": [],
    }


# msgspec, on the results of batteries and the cards of calibration


def with_msgspec(cls: type[T], data: Any, at: str) -> T:
    """A dataclass as msgspec reads it."""
    import msgspec

    try:
        found: T = msgspec.convert(data, cls)
    except msgspec.ValidationError as wrong:
        raise SensecheckError(f"in `{at}`: {wrong}") from wrong
    return found


def data_part() -> dict[str, Any]:
    """Dataclasses from data: scores of a run, right and wrong, and all cards that are shipped."""
    import msgspec

    cards = [json.loads(path.read_text()) for path in sorted(CARDS.glob("*.json"))]
    assert with_msgspec(AssertionScore, SCORE, "score") == from_data(AssertionScore, SCORE, at="score")
    messages = [
        {
            "mistake": name,
            "ours": said(partial(from_data, AssertionScore, broken, at="score")),
            "theirs": said(partial(with_msgspec, AssertionScore, broken, "score")),
        }
        for name, broken in MISTAKES.items()
    ]
    schema = msgspec.json.schema(AssertionScore)["$defs"]["AssertionScore"]
    return {
        "library": "msgspec",
        "part": "dataclasses from data",
        "lines": lines_of("core/serialization.py"),
        "around": lines_around(with_msgspec),
        "speed": ratio(
            lambda: from_data(AssertionScore, SCORE, at="s"),
            lambda: with_msgspec(AssertionScore, SCORE, "s"),
            500,
        ),
        "messages": messages,
        "cards": len(cards),
        "cards_refused": sum(bool(said(partial(with_msgspec, Card, card, "card"))) for card in cards),
        "schema_is_closed": schema.get("additionalProperties") is False,
        "schema_has_descriptions": any("description" in field for field in schema["properties"].values()),
    }


# ruamel.yaml, on the documents of batteries


def plain_with_ruamel(text: str, file: str) -> Any:
    """A document as ruamel.yaml reads it, with line and column beside every value."""
    from ruamel.yaml import YAML
    from ruamel.yaml.error import YAMLError

    try:
        return YAML(typ="rt").load(text)
    except YAMLError as wrong:
        raise SensecheckError(f"{file}: {wrong}") from wrong


def placed(node: Any, line: int = 0, column: int = 0) -> Iterator[tuple[Any, int, int]]:
    """Every value with its line and column, as our nodes have them."""
    places = getattr(node, "lc", None)  # where what it holds begins; only mappings and lists have it
    if places is not None and isinstance(node, dict):
        for key, item in node.items():
            yield from placed(item, *places.value(key))
    elif places is not None and isinstance(node, list):
        for number, item in enumerate(node):
            yield from placed(item, *places.item(number))
    else:
        yield node, line + 1, column + 1


def battery(tests: int) -> str:
    """A battery of so many tests, as people write them."""
    head = "prompts: ['{{question}}']\nproviders: [echo]\ntests:\n"
    return head + "".join(
        f"- description: test {n}\n  vars: {{question: 'What is {n}?', number: {n}}}\n  assert:\n"
        f"  - type: similar\n    value: It is {n}.\n    threshold: 0.{n % 9}5\n"
        for n in range(tests)
    )


def yaml_part() -> dict[str, Any]:
    """YAML with line and column: a battery of 300 tests, and broken ones."""
    text = battery(300)
    messages = [
        {
            "mistake": name,
            "ours": said(partial(read_document, broken, "file.yaml")),
            "theirs": said(partial(plain_with_ruamel, broken, "file.yaml")),
        }
        for name, broken in BROKEN_YAML.items()
    ]
    return {
        "library": "ruamel.yaml",
        "part": "YAML with line and column",
        "lines": lines_of("evals/documents/yaml_document.py", "evals/documents/scalars.py"),
        "around": lines_around(plain_with_ruamel, placed),
        "speed": ratio(
            lambda: read_document(text, "file.yaml"),
            lambda: list(placed(plain_with_ruamel(text, "file.yaml"))),
            1,
        ),
        "messages": messages,
    }


# limits, on the buckets of the service


def buckets(prefix: str) -> tuple[Bucket, ...]:
    """What a request of a browser is counted in: key, address, session and the tokens of a day."""
    rates = [Bucket(name, f"{{{prefix}}}:{name}", 10**6, 60.0) for name in ("key", "address", "session")]
    return (*rates, Bucket("day", f"{{{prefix}}}:day", 10**9, DAY, takes=250, refills=False))


class WithLimits:
    """The same limits by the library: tested one by one, then taken one by one, then asked how they stand."""

    def __init__(self, storage: Any) -> None:
        from limits import RateLimitItemPerDay, RateLimitItemPerMinute
        from limits.aio.strategies import FixedWindowRateLimiter, SlidingWindowCounterRateLimiter

        self._rates, self._days = SlidingWindowCounterRateLimiter(storage), FixedWindowRateLimiter(storage)
        self._minute, self._day = RateLimitItemPerMinute(10**6), RateLimitItemPerDay(10**9)

    async def take(self, wanted: Sequence[Bucket]) -> list[Any]:
        """Take from all of them, or from none; others may come in between."""
        ways = [
            (self._rates if one.refills else self._days, self._minute if one.refills else self._day, one)
            for one in wanted
        ]
        for limiter, item, one in ways:
            if not await limiter.test(item, one.key, cost=one.takes):
                break
        else:
            for limiter, item, one in ways:
                await limiter.hit(item, one.key, cost=one.takes)
        return [await limiter.get_window_stats(item, one.key) for limiter, item, one in ways]


@contextmanager
def own_redis() -> Iterator[str]:
    """The address of a Redis that nobody else talks to."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["redis-server", "--port", str(port), "--save", "", "--daemonize", "no"]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            yield f"redis://127.0.0.1:{port}/0"
        finally:
            server.terminate()


async def limits_part(address: str) -> dict[str, Any]:
    """Four buckets of a request, in memory and in Redis."""
    from limits.aio.storage import MemoryStorage, RedisStorage
    from redis.asyncio import BlockingConnectionPool, Redis
    from redis.exceptions import RedisError

    local, in_memory = LocalBuckets(), WithLimits(MemoryStorage())

    async def ours_in_memory() -> None:
        local.take(buckets("memory"))

    memory = await _turns(ours_in_memory, lambda: in_memory.take(buckets("memory")), times=200)
    client: Any = Redis.from_pool(BlockingConnectionPool.from_url(address, timeout=20))
    policy = RetryPolicy(first_pause=0.1, max_pause=1.0, attempts=20)
    await run_with_retries_async(policy, client.ping, errors=(OSError, RedisError), sleep=asyncio.sleep)
    shared = RedisBuckets(client)
    in_redis = WithLimits(RedisStorage(f"async+{address}", implementation="redispy"))

    async def ours() -> None:
        await shared.take(buckets("redis"))

    async def theirs() -> None:
        await in_redis.take(buckets("redis"))

    redis = await _turns(ours, theirs, times=100)
    calls = [await _round_trips(client, ours), await _round_trips(client, theirs)]
    await shared.close()
    return {
        "library": "limits",
        "part": "rate limits in memory and in Redis",
        "lines": lines_of("server/entry/buckets.py"),
        "around": lines_around(WithLimits),
        "speed": memory,
        "redis": redis,
        "round_trips": calls,
        "messages": [],
    }


async def _turns(
    ours: Callable[[], Awaitable[object]],
    theirs: Callable[[], Awaitable[object]],
    *,
    times: int,
) -> dict[str, float]:
    found = []
    for _ in range(ROUNDS):
        spent = []
        for work in (ours, theirs):
            began = time.process_time()
            for _ in range(times):
                await work()
            spent.append(time.process_time() - began)
        found.append(spent[1] / spent[0])
    return _spread(found)


async def _round_trips(client: Any, work: Callable[[], Awaitable[object]]) -> int:
    """How often Redis reads from its clients while some work is done, without our own question."""
    before = (await client.info("stats"))["total_reads_processed"]
    await work()
    return int((await client.info("stats"))["total_reads_processed"]) - int(before) - 1


if __name__ == "__main__":
    main()
