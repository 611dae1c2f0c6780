"""One key sends the worst requests that it may, while others read: `python benchmarks/serving/attack.py`.

Twenty readers ask about short passages, first alone, then while another key attacks with long ones. Writes
`benchmarks/results/attack.json`; all figures are ratios of one run, or seconds against the limit that is set.
`--short` takes less than a minute, writes nothing, and fails where a goal is missed.
"""

import argparse
import asyncio
import json
import operator
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Literal

import httpx

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.serving.running import running

RESULTS = Path(__file__).resolve().parents[1] / "results" / "attack.json"
ORIGIN = "https://docs.example.com"
READERS, ATTACKERS = 20, 20
MAX_WAIT = 2.0
THINK_SECONDS = 20.0
GOALS: Mapping[str, tuple[Literal["at most", "at least"], float]] = {
    "p95_by_quiet": ("at most", 2.0),
    "readers_answered": ("at least", 1.0),
    "longest_refusal_by_limit": ("at most", 1.2),
    "refusals_with_retry_after": ("at least", 1.0),
}
PASSAGE = (
    "The museum opens at nine on weekdays and at ten on Sundays. Entry number {} costs four euros. "
    "Guided tours start every hour and last forty minutes. Dogs are not allowed in the garden."
)
WORST: tuple[Callable[[int], str], ...] = (
    lambda n: f"{n} " + "D. E. F! " * 1_100,
    lambda n: " ".join(f"Das ist Satz {n + at}." for at in range(1_000))[:10_000],
    lambda n: (PASSAGE.format(n) + " ") * 50,
)


@dataclass(slots=True)
class Seen:
    """What clients saw."""

    answered: list[float] = field(default_factory=list)
    """Seconds until an answer."""
    refused: list[float] = field(default_factory=list)
    """Seconds until a refusal."""
    told: int = 0
    """Refusals with `Retry-After`."""


async def ask(client: httpx.AsyncClient, key: str, passage: str, seen: Seen) -> float:
    """Ask once; seconds to wait before the next time."""
    began = monotonic()
    reply = await client.post(
        "/query-selected-text",
        json={"query": "When does the museum open on Sundays?", "selected_text": passage[:10_000]},
        headers={"Authorization": f"Bearer {key}", "Origin": ORIGIN},
    )
    spent = monotonic() - began
    if reply.status_code == httpx.codes.OK:
        seen.answered.append(spent)
        return 0.0
    seen.refused.append(spent)
    seen.told += "Retry-After" in reply.headers
    return float(reply.headers.get("Retry-After", 1))


async def clients(base: str, key: str, number: int, seconds: float, *, attack: bool) -> Seen:
    """Many clients; readers think, and wait as long as they are told to; attackers do neither."""
    until = monotonic() + seconds
    seen, numbers = Seen(), count(1 if attack else 1_000_000)
    limits = httpx.Limits(max_connections=number)
    async with httpx.AsyncClient(base_url=base, timeout=120, limits=limits) as client:

        async def one(at: int) -> None:
            await asyncio.sleep(0.0 if attack else at * THINK_SECONDS / number)
            while monotonic() < until:
                n = next(numbers)
                wait = await ask(client, key, WORST[n % 3](n) if attack else PASSAGE.format(n), seen)
                await asyncio.sleep(0.05 if attack else wait or THINK_SECONDS)

        await asyncio.gather(*map(one, range(number)))
    return seen


def attacked(base: str, key: str, seconds: float) -> Seen:
    """The attack, in a process of its own, so that it does not slow down those who measure."""
    return asyncio.run(clients(base, key, ATTACKERS, seconds, attack=True))


def measure(base: str, keys: tuple[str, str], seconds: float) -> dict[str, float]:
    """The readers alone, and under attack."""
    honest, hostile = keys
    quiet = asyncio.run(clients(base, honest, READERS, seconds, attack=False))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        attacking = processes.submit(attacked, base, hostile, seconds)
        during = asyncio.run(clients(base, honest, READERS, seconds, attack=False))
        attack = attacking.result()
    asked = len(during.answered) + len(during.refused)
    refusals = [*during.refused, *attack.refused]
    return {
        "p95_by_quiet": round(p95(during.answered) / p95(quiet.answered), 2),
        "readers_answered_quiet": round(len(quiet.answered) / (len(quiet.answered) + len(quiet.refused)), 3),
        "readers_answered": round(len(during.answered) / asked, 3),
        "longest_refusal_by_limit": round(max(refusals, default=0.0) / MAX_WAIT, 2),
        "attacks_answered": len(attack.answered),
        "attacks_refused": len(attack.refused),
        "refusals_with_retry_after": (attack.told + during.told) / max(1, len(refusals)),
    }


def missed(found: Mapping[str, float]) -> list[str]:
    """The goals that were not reached."""
    bad = {"at most": operator.gt, "at least": operator.lt}
    return [
        f"{name} is {found[name]}; it must be {side} {goal}"
        for name, (side, goal) in GOALS.items()
        if bad[side](found[name], goal)
    ]


def p95(values: list[float]) -> float:
    """The time that 95 of 100 did not exceed."""
    return sorted(values)[int(0.95 * len(values))] if values else float("nan")


def new_key(environment: dict[str, str]) -> str:
    """A key for pages, whose own limits are out of the way."""
    command = [str(Path(sys.executable).with_name("sensecheck")), "keys", "create", "--publishable"]
    limits = [f"--per-{name}minute" for name in ("", "session-", "address-")]
    options = [word for limit in limits for word in (limit, "1000000")]
    done = subprocess.run(
        [*command, "--origin", ORIGIN, *options], env=environment, capture_output=True, text=True, check=True
    )
    return next(word for word in done.stdout.split() if word.startswith("pk_"))


def main() -> None:
    """Measure, and write the results."""
    parser = argparse.ArgumentParser(description="Attack the service while others read.")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--short", action="store_true", help="write nothing; fail where a goal is missed")
    wanted = parser.parse_args()
    seconds = 20.0 if wanted.short else wanted.seconds
    with tempfile.TemporaryDirectory() as name:
        settings = {
            "SENSECHECK_SERVE_MAX_WAIT": str(MAX_WAIT),
            "SENSECHECK_STORE": str(Path(name) / "store.sqlite3"),
            "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
        }
        environment = {**os.environ, **settings}
        keys = new_key(environment), new_key(environment)
        with running(Path(name), settings=settings) as service:
            base = f"http://{service.host}:{service.port}"
            found = measure(base, keys, seconds)
    print(json.dumps(found, indent=1))
    if wanted.short:
        sys.exit("\n".join(missed(found)) or 0)
    RESULTS.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
