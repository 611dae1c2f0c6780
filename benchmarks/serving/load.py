"""The service under load: `python benchmarks/serving/load.py`, or `--short` for CI.

Held against the bare encoder on texts of the same kind, in turns: nothing cached; everything cached; its
memory over many requests; three times as much as it can do, by clients who come back as they are told; and
five times, by clients who do not.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from itertools import count
from pathlib import Path
from platform import machine, python_version
from statistics import mean, quantiles
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.serving.crowd import Order
from benchmarks.serving.kept_messages import measure as measure_kept
from benchmarks.serving.pairs import body, pairs
from benchmarks.serving.running import Running, running
from benchmarks.speed.measured import Goal, Measured, shown

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "serving.json"
PATH = "/v1/check"
MACHINE = 0.3
"""What depends on the machine, and on who else uses it, is broken only when it misses its goal by far."""
OPEN_LIMITS = {"SENSECHECK_SERVE_MAX_WAIT": "240"}
"""Sixty-four clients that wait for each other are no overload, however slow the machine."""


@dataclass(frozen=True, slots=True)
class Size:
    """How long each part goes on."""

    pairs: int
    rounds: int
    cached: int
    overload_seconds: float
    returning_seconds: float
    many: int
    kept: int


FULL, SHORT = Size(640, 3, 20_000, 300.0, 40.0, 100_000, 20_000), Size(128, 2, 1_000, 20.0, 8.0, 2_000, 500)

SOME = Size(128, 2, 5_000, 40.0, 20.0, 10_000, 2_000)


class Bench:
    """One run of all parts: numbers that make texts new are never used twice."""

    def __init__(self, folder: Path, size: Size, data: Path | None) -> None:
        self._folder = folder
        self._size = size
        self._data = data
        self._numbers = count(1, 1_000_000)
        self._bodies = folder / "bodies"
        self._bodies.write_bytes(b"\n".join(body(pair) for pair in pairs(size.pairs, data)))

    def crowd(self, order: Order) -> dict[str, Any]:
        """What a crowd in another process sees."""
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.serving.crowd"],
            cwd=ROOT,
            input=json.dumps(asdict(order)),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        seen: dict[str, Any] = json.loads(done.stdout)
        return seen

    def order(self, service: Running, **more: Any) -> Order:
        """An order of new texts."""
        plain = Order(service.host, service.port, PATH, str(self._bodies), fresh=True)
        return replace(plain, **{"first": next(self._numbers), **more})

    def bare(self) -> float:
        """Pairs a second by the encoder alone."""
        environment = dict(os.environ) | {"OMP_NUM_THREADS": "1"}
        if self._data is not None:
            environment["BENCHMARK_DATA"] = str(self._data)
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "benchmarks.serving.bare_encoder",
                str(next(self._numbers)),
                str(self._size.pairs),
            ],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return float(done.stdout)

    def uncached(self, service: Running) -> tuple[list[Measured], float]:
        """Checks of new texts by 64 clients, by what the bare encoder does; and the best of the rounds."""
        ratios, best = [], 0.0
        self.crowd(self.order(service, requests=64))
        for _ in range(self._size.rounds):
            bare = self.bare()
            rate = _good(self.crowd(self.order(service, requests=self._size.pairs)))
            ratios.append(rate / bare)
            best = max(best, rate)
        about = "checks a second of new texts at 64 clients, by pairs a second of the bare encoder"
        return [Measured.of("nothing cached", about, ratios=ratios, goal=Goal(0.9, "above"))], best

    def cached(self, service: Running) -> Measured:
        """Checks a second of what was judged before."""
        known = self.order(service, again=True, fresh=False, requests=self._size.pairs)
        self.crowd(known)
        rates = [
            _good(self.crowd(replace(known, requests=self._size.cached))) for _ in range(self._size.rounds)
        ]
        return Measured.of(
            "everything cached",
            "checks a second of texts that were judged before, at 64 clients",
            ratios=rates,
            goal=Goal(1000, "above", slack=MACHINE),
        )

    def capacity(self, service: Running) -> float:
        """Checks a second by a few clients, who keep every worker busy and may not be refused."""
        return _good(self.crowd(self.order(service, clients=3, requests=self._size.pairs // 3)))

    def too_much(self, service: Running, times: int, **more: Any) -> tuple[dict[str, Any], list[float]]:
        """What a crowd sees that sends so many times the capacity; and the capacity before and after."""
        before = self.capacity(service)
        seen = self.crowd(self.order(service, again=True, rate=times * before, clients=512, **more))
        return seen, [before, self.capacity(service)]

    def overload(self, service: Running) -> list[Measured]:
        """Five times as much as it can do."""
        seconds = self._size.overload_seconds
        seen, capacity = self.too_much(service, 5, seconds=seconds, alive=True, patience=30.0)
        shed = seen["taken"].get("503", [])
        notes = {"statuses": seen["statuses"], "seconds": seconds, "unsent": seen["unsent"]}
        return [
            Measured.of(
                "goodput at five times the capacity",
                "checks a second, by what it did for three clients before and after",
                ratios=[len(seen["taken"].get("200", [])) / seen["seconds"] / mean(capacity)],
                goal=Goal(0.9, "above"),
                notes=notes,
            ),
            Measured.of(
                "livez under overload",
                "milliseconds, the 99th of 100",
                ratios=[_p99(seen["alive"])],
                goal=Goal(100, "below", slack=MACHINE),
            ),
            Measured.of(
                "turned away",
                "milliseconds until a 503, the 99th of 100",
                ratios=[_p99(shed)],
                goal=Goal(50, "below", slack=MACHINE),
                notes={"turned away": len(shed)},
            ),
        ]

    def returning(self, service: Running) -> list[Measured]:
        """Three times as much as it can do, by clients who come back when they are told to."""
        seen, capacity = self.too_much(service, 3, seconds=self._size.returning_seconds, returning=True)
        done = len(seen["taken"].get("200", []))
        late = sorted(waited / named for named, waited in seen["waited"])
        if not late:
            raise RuntimeError(f"nobody was refused and came back: {seen['statuses']}")
        notes = {"statuses": seen["statuses"], "seconds": round(seen["seconds"], 1), "came back": len(late)}
        notes["capacity before and after"] = [round(one, 2) for one in capacity]
        return [
            Measured.of(
                "goodput at three times the capacity",
                "checks a second until all were done who came back as told, by what it did for three clients "
                "before and after",
                ratios=[done / seen["seconds"] / mean(capacity)],
                goal=Goal(0.9, "above", slack=MACHINE),
                notes=notes,
            ),
            Measured.of(
                "`Retry-After`",
                "the time until those who came back were taken in, by what they were told, 95 of 100 at most",
                ratios=[late[int(0.95 * len(late))]],
                goal=Goal(1.25, "below", slack=MACHINE),
            ),
        ]

    def memory(self, service: Running) -> Measured:
        """The service after very many requests, by the same after some."""
        order = self.order(service, again=True, fresh=False)
        self.crowd(replace(order, requests=self._size.many // 10))
        before = service.resident_kb()
        self.crowd(replace(order, requests=self._size.many))
        after = service.resident_kb()
        return Measured.of(
            "memory",
            f"memory after {self._size.many:,} more requests, by before",
            ratios=[after / before],
            goal=Goal(1.05, "below", slack=0.97),
            notes={"megabytes before": before // 1000, "megabytes after": after // 1000},
        )


def _good(seen: Mapping[str, Any]) -> float:
    wrong = {status: n for status, n in seen["statuses"].items() if status != "200"}
    if wrong:
        raise RuntimeError(f"answers other than 200: {wrong}")
    return float(len(seen["taken"]["200"]) / seen["seconds"])


def _p99(seconds: list[float]) -> float:
    return 1000 * (quantiles(seconds, n=100)[98] if len(seconds) > 1 else max(seconds, default=0.0))


def main() -> None:
    """Measure, write the results, and fail where something is broken."""
    parser = argparse.ArgumentParser(description="Measure the service under load.")
    parser.add_argument("--short", action="store_true", help="a minute, for CI; nothing is written")
    parser.add_argument("--some", action="store_true", help="some minutes, written like the whole")
    asked = parser.parse_args()
    short = bool(asked.short)
    data = Path(given) if (given := os.environ.get("SENSECHECK_DATA")) else None
    size = SHORT if short else SOME if asked.some else FULL
    measured: list[Measured] = []

    def add(*found: Measured) -> None:
        measured.extend(found)
        for one in found:
            goal = f" ({one.goal.describe()})" if one.goal else ""
            print(f"{one.name}: {shown(one.ratio)}{goal}, {one.about} {dict(one.notes) or ''}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        bench = Bench(Path(name), size, data)
        folders = [Path(name) / part for part in ("open", "limited")]  # the second keeps nothing of the first
        for folder in folders:
            folder.mkdir()
        with running(folders[0], settings=OPEN_LIMITS) as service:
            alone, peak = bench.uncached(service)
            add(*alone)
            add(bench.cached(service))
            add(bench.memory(service))
        with running(folders[1]) as service:
            add(*bench.returning(service))
            add(*bench.overload(service))
    kept = measure_kept(pairs(size.pairs, data), size.kept)
    told = {"python": python_version(), "machine": machine(), "peak": peak, "kept": asdict(kept)}
    if not short:
        listed = [one.to_data() for one in measured]
        RESULTS.write_text(json.dumps({**told, "measured": listed}, indent=2) + "\n", encoding="utf-8")
    if broken := [one.name for one in measured if one.broken]:
        sys.exit(f"broken: {', '.join(broken)}")


if __name__ == "__main__":
    main()
