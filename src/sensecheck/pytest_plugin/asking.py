"""The selected tests of a battery, asked and judged together."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from sensecheck.core.errors import BatteryError
from sensecheck.evals.battery import Battery, BatteryTest
from sensecheck.evals.brought import brought
from sensecheck.evals.cells import cells_of
from sensecheck.evals.choosing import Choice, Plan, answered_by
from sensecheck.evals.format.reading import read_battery
from sensecheck.evals.running import run_battery
from sensecheck.evals.sources.loading import SourceOptions, connect
from sensecheck.evals.sources.options import AT_ONCE
from sensecheck.evals.tally import Tried, tried
from sensecheck.sense import shared_sense
from sensecheck.wiring import Settings, shelf, variables

OPTION = "--battery-answers"
Key = tuple[int, str, str]
"""A test's number, the label of a prompt, and that of a source."""


def battery_at(path: Path, answers: Path | None) -> Battery:
    """The battery in a file; its answers come from another file, if one is named. No model is loaded."""
    battery = read_battery(path, environment=variables(), shelf=shelf(Settings.from_environment()))
    return battery if answers is None else answered_by(battery, brought(answers, OPTION))


def keys_of(battery: Battery) -> Iterator[tuple[Key, BatteryTest]]:
    """Every test, in every prompt, from every source."""
    for test in battery.read_tests():
        if not battery.sources and test.recorded is None:
            raise BatteryError(
                f"{test.place}: nobody answers the test `{test.description}`; name `providers` in the "
                f"battery, put the answer into the test as `providerOutput`, or give pytest `{OPTION} FILE`"
            )
        for cell in cells_of(battery, test):
            if cell.repeat == 1:
                yield (test.number, cell.wording.label, cell.label), test


def tried_of(battery: Battery, keys: Sequence[Key]) -> dict[Key, Tried]:
    """What came of some of them; nobody else is asked."""
    plan = Plan.of(_only(battery, keys), Choice())
    settings = Settings.from_environment()
    at_once = battery.at_once or AT_ONCE
    options = SourceOptions(
        battery.folder,
        battery.environment,
        timeout=settings.timeout,
        retries=settings.retries,
        at_once=at_once,
    )
    sources = connect(plan.battery.sources, options, kept=None, run="")
    results = run_battery(plan, sources, shared_sense().judge_each, at_once=at_once)
    every = tried(results)
    return {(one.first.test, one.first.wording, one.first.source): one for one in every}


def _only(battery: Battery, keys: Sequence[Key]) -> Battery:
    """The battery with these tests alone, each once for every prompt and source that is wanted of it."""
    wanted: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for number, wording, source in keys:
        wanted[number].append((wording, source))
    labels = {source for _, _, source in keys}

    def read_tests() -> Iterator[BatteryTest]:
        for test in battery.read_tests():
            for wording, source in wanted.get(test.number, ()):
                yield replace(test, wordings=(wording,), sources=(source,))

    asked = tuple(source for source in battery.sources if source.label in labels)
    return replace(battery, sources=asked, read_tests=read_tests)
