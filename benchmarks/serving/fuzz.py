"""Every operation of the service, asked as described and otherwise: `python benchmarks/serving/fuzz.py`.

Schemathesis reads `/openapi.json` of a real service and makes up requests: right ones, wrong ones, and chains
of them. No answer may be a server error, or be other than the description says.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from platform import machine, python_version
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import schemathesis
from benchmarks.serving.running import running
from schemathesis.engine import events, from_schema
from schemathesis.engine.recorder import ScenarioRecorder
from schemathesis.hooks import unregister

RESULTS = Path(__file__).resolve().parents[1] / "results" / "fuzz.json"
ENOUGH = 10_000
OURS = ("default", "strict", "fast", "similarity-or-keywords")
PATIENT = {"SENSECHECK_SERVE_MAX_WAIT": "30"}
"""Being turned away under load is another benchmark's matter."""
_OFF = {"enabled": False}
_LEFT_OUT = {
    "positive_data_acceptance": _OFF,  # a request can be as described, and yet name what is not there
    "ignored_auth": _OFF,  # on this machine nobody needs a key; see `tests/server/test_openapi.py`
}


@dataclass(slots=True)
class Fuzzed:
    """What came of all requests."""

    cases: int = 0
    statuses: Counter[str] = field(default_factory=Counter)
    operations: dict[str, int] = field(default_factory=Counter)
    checks: Counter[str] = field(default_factory=Counter)
    """How often each rule was held against an answer."""
    failures: dict[str, list[str]] = field(default_factory=dict)
    """By operation and rule: how to ask so again."""
    broken: list[str] = field(default_factory=list)
    """What kept requests from being made."""

    def note(self, seen: ScenarioRecorder) -> None:
        """One more series of requests to an operation."""
        self.cases += len(seen.interactions)
        self.operations[seen.label] += len(seen.interactions)
        for one in seen.interactions.values():
            self.statuses[str(one.response.status_code) if one.response else "none"] += 1
        for held in (check for checks in seen.checks.values() for check in checks):
            self.checks[held.name] += 1
            if held.failure_info is not None:
                name = f"{seen.label}, {held.name}: {held.failure_info.failure.title}"
                self.failures.setdefault(name, []).append(held.failure_info.code_sample)


def fuzzed(address: str, *, examples: int, seed: int, phases: tuple[str, ...] = ()) -> Fuzzed:
    """Ask every operation, so many times in each way; without phases named, in all of them."""
    config = schemathesis.Config.from_dict(
        {
            "seed": seed,
            "continue-on-failure": True,
            "workers": 1,  # Python 3.11 cannot read source in two threads at once (gh-106905)
            "request-timeout": 60,
            "generation": {
                "mode": "all",
                "max-examples": examples,
                "database": "none",
                "with-security-parameters": False,
            },
            "checks": _LEFT_OUT,
            "phases": {name: _OFF for name in ("fuzzing", "stateful") if phases and name not in phases},
        }
    )
    schema = schemathesis.openapi.from_url(f"{address}/openapi.json", config=config)
    found = Fuzzed()
    with _as_clients_do():
        for event in from_schema(schema).execute():
            if isinstance(event, events.ScenarioFinished):
                found.note(event.recorder)
            elif isinstance(event, events.NonFatalError):
                found.broken.append(f"{event.label}: {event.value!r}")
            elif isinstance(event, events.FatalError):
                raise event.exception
    return found


@contextmanager
def _as_clients_do() -> Iterator[None]:
    """Right requests have a name of their own each, and want a policy that exists."""
    numbers = count(1)

    def before_call(
        context: schemathesis.HookContext, case: schemathesis.Case[Any], kwargs: dict[str, Any]
    ) -> None:
        if case.meta is None or case.meta.generation.mode != schemathesis.GenerationMode.POSITIVE:
            return
        if case.headers and "Idempotency-Key" in case.headers:
            case.headers["Idempotency-Key"] = f"fuzz-{next(numbers)}"
        if isinstance(case.body, dict) and isinstance(name := case.body.get("policy"), str):
            case.body["policy"] = OURS[len(name) % len(OURS)]

    schemathesis.hook(before_call)
    try:
        yield
    finally:
        unregister(before_call)


def main() -> None:
    """Ask, write what came of it, and fail where an answer was wrong."""
    parser = argparse.ArgumentParser(description="Ask the service everything that its description allows.")
    parser.add_argument("--examples", type=int, default=700, help="of each operation, in each phase")
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    began = perf_counter()
    with tempfile.TemporaryDirectory() as name, running(Path(name), settings=PATIENT) as service:
        address = f"http://{service.host}:{service.port}"
        found = fuzzed(address, examples=wanted.examples, seed=wanted.seed)
    told = {
        "python": python_version(),
        "machine": machine(),
        "schemathesis": schemathesis.__version__,
        "seed": wanted.seed,
        "seconds": round(perf_counter() - began),
        "cases": found.cases,
        "statuses": dict(sorted(found.statuses.items())),
        "operations": dict(sorted(found.operations.items())),
        "checks": dict(sorted(found.checks.items())),
        "failures": {kind: len(samples) for kind, samples in found.failures.items()},
    }
    print(json.dumps(told, indent=2))
    for kind, samples in found.failures.items():
        print(f"\n{kind}\n{samples[0][:2000]}")
    if found.failures or found.broken:
        sys.exit("broken: " + "; ".join([*found.failures, *found.broken]))
    if found.cases < ENOUGH:
        sys.exit(f"{found.cases} cases are too few; at least {ENOUGH} are wanted: raise --examples")
    RESULTS.write_text(json.dumps(told, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
