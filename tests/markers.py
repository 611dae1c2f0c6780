"""Which kind a test is of: read from its folder, the fixtures it uses and the parameters it runs with.

`pyproject.toml` says what each marker means, and the justfile which of them `just check` leaves to
`just check-full`. What cannot be read here, a test says itself: `@pytest.mark.slow`.
"""

import gc
import os
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import settings

from tests.pace import slower_than_usual

TESTS = Path(__file__).parent
KINDS = ("database", "browser", "cluster", "fault", "real_model", "adapter", "slow", "walk")
"""A test that takes more than `SECONDS` carries one of them."""

BY_FOLDER: Mapping[str, tuple[str, ...]] = {
    "adapters": ("adapter",),
    "bare": ("adapter",),
    "benchmarks": ("slow",),
    "faults": ("fault",),
    "models": ("slow",),
    "walks": ("walk",),
}
BY_FIXTURE: Mapping[str, tuple[str, ...]] = {
    "browser": ("browser",),
    "bucket": ("database",),
    "house": ("real_model",),
    "llama": ("real_model", "slow"),
    "minilm": ("real_model",),
    "model_folder": ("real_model",),
    "pgvector_address": ("database",),
    "sense": ("real_model",),
    "small_house": ("real_model",),
    "verifier": ("real_model",),
}
BY_PARAMETER: Mapping[str, tuple[str, ...]] = {
    "parquet on s3": ("database",),
    "pgvector": ("database",),
    "postgresql": ("database",),
    "redis": ("database",),
}

CORE = (
    # The contracts of the four specifications, and whatever else must not change.
    "golden/",
    "rag_eval/",
    "references/",
    "server/test_contract.py",
    "test_validators.py",
    "walks/test_mcp_walk.py",
    "walks/test_spec_battery.py",
    # What each preset and each interface comes to with the real model.
    "checks/test_expectation.py",
    "checks/test_grounded.py",
    "checks/test_policies.py",
    "checks/test_relevant.py",
    "encoders/test_contract.py",
    "grounding/test_grounding.py",
    "server/routes/test_checks.py",
    "test_sense.py",
    # Whose messages and keys are whose; imports of a small install.
    "security/test_isolation.py",
    "security/test_origins.py",
    "walks/test_cli_laptop.py",
    "walks/test_cli_without_packages.py",
)
"""Files and folders that never leave `just check`, but for what needs a database, a browser or llama.cpp."""

SECONDS = 2.0
"""Of CPU time, on a machine of usual speed."""
EXAMPLES = 15
"""As many does a property draw in `just check`; whoever asks for more wants to wait for them."""
NOISE = 1.5
"""How much longer a test may seem to take: the same work counts for more while a neighbour is busy."""
_MANY_MODULES = 40
"""Who is the first to import so many pays for all that come after, which says nothing about the test."""

_running: list[pytest.Item] = []


def kinds_of(item: pytest.Item) -> Iterator[str]:
    """The markers that a test gets without naming them."""
    within = item.path.relative_to(TESTS)
    yield from BY_FOLDER.get(within.parts[0], ())
    fixtures = getattr(item, "fixturenames", ())
    if within.as_posix().startswith(CORE) and "llama" not in fixtures:
        yield "core"
    for fixture in fixtures:
        yield from BY_FIXTURE.get(fixture, ())
    call = getattr(item, "callspec", None)
    for value in call.params.values() if call is not None else ():
        if isinstance(value, str):
            yield from BY_PARAMETER.get(value, ())


def require_marker(kind: str) -> None:
    """Fail a test that uses what only tests of this kind may use: `just check` has no such thing."""
    if _running and not _running[-1].get_closest_marker(kind):
        pytest.fail(f"`{_running[-1].nodeid}` uses a {kind} and must say so: `@pytest.mark.{kind}`")


def begin(item: pytest.Item) -> None:
    """Note which test runs."""
    _running[:] = [item]


def end() -> None:
    """Note that none does."""
    _running.clear()


def _cpu_seconds() -> float:
    """Of the thread that runs the tests, and of the processes that it waited for.

    Threads that earlier tests left behind, and the collector that tidies up after them, say nothing about
    the test that happens to run.
    """
    mine = os.times()
    return time.thread_time() - _collecting.seconds + mine.children_user + mine.children_system


class _Collecting:
    """What the garbage collector has taken."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._begun = 0.0
        gc.callbacks.append(self)

    def __call__(self, phase: str, _: object) -> None:
        if phase == "start":
            self._begun = time.thread_time()
        else:
            self.seconds += time.thread_time() - self._begun


_collecting = _Collecting()


def _modules() -> int:
    return len(sys.modules)


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """What a test spends, from here on: the CPU time of this process and of those that it waited for."""

    begun: float = field(default_factory=_cpu_seconds)
    modules: int = field(default_factory=_modules)

    def require_short(self, item: pytest.Item) -> None:
        """Fail a test that took long and carries no marker that says so."""
        spent = _cpu_seconds() - self.begun
        if spent <= SECONDS or any(item.get_closest_marker(kind) for kind in KINDS) or self.is_no_measure():
            return
        usual = spent / slower_than_usual()
        if usual > SECONDS * NOISE:
            pytest.fail(
                f"it took {usual:.1f} s of CPU time; what takes more than {SECONDS:g} s must be made faster, "
                "or carry a marker that moves it to `just check-full`: `@pytest.mark.slow`"
            )

    def is_no_measure(self) -> bool:
        """Whether something else was paid for: a tracer, packages that were imported, or more examples."""
        if settings.default is not None and settings.default.max_examples > EXAMPLES:
            return True
        coverage = sys.modules.get("coverage")
        traced = sys.gettrace() is not None or (coverage is not None and coverage.Coverage.current())
        return bool(traced) or _modules() - self.modules >= _MANY_MODULES
