"""A battery as pytest sees it: a file, with an item for each test, prompt and source.

The selected tests of a battery are asked and judged together.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sensecheck.batteries.battery import Battery, BatteryTest
from sensecheck.batteries.plan import Plan, TestFilter, trials_of
from sensecheck.batteries.request import BatteryRequest
from sensecheck.batteries.run import PlannedBattery, note_on_own_answers
from sensecheck.checks.expectation import failure_message
from sensecheck.core.errors import BatteryError, SensecheckError
from sensecheck.core.unicode import printable, readable
from sensecheck.runs.tally import TestOutcome, outcomes_by_test
from sensecheck.sense import shared_sense
from sensecheck.text.escaping import cut

Key = tuple[int, str, str]
"""A test's number, the label of a prompt, and that of a source."""

_MAX_NAME_CHARS = 100
"""How many characters of a description, and half as many of a label, become part of an item's name."""


class BatteryFile(pytest.File):
    """Its items are asked and judged together, when the first of them is run."""

    def __init__(self, *, answers: Path | None, **given: Any) -> None:
        super().__init__(**given)
        self._answers = answers
        self._battery: Battery | None = None
        self._outcomes: dict[Key, TestOutcome | SensecheckError] = {}

    def collect(self) -> Iterator["BatteryItem"]:
        """Every test, in every prompt, from every source; repeats are inside."""
        seen: Counter[str] = Counter()
        try:
            self._battery = self._request().read_battery()
            if note := note_on_own_answers(self._battery.read_tests(), self._answers):
                self.warn(pytest.PytestCollectionWarning(f"{self.path.name}: {note}"))
            for key, test in _keys_of(self._battery):
                name = _name(key, test, self._battery)
                seen[name] += 1
                unique = name if seen[name] == 1 else f"{name} ({seen[name]})"
                yield BatteryItem.from_parent(self, name=unique, key=key, test=test)
        except SensecheckError as error:
            raise self.CollectError(readable(str(error))) from error

    def tried(self, item: "BatteryItem") -> TestOutcome:
        """What came of an item; the first that asks has all others run too that were selected."""
        if item.key not in self._outcomes:
            self._run(self._selected(item))
        outcome = self._outcomes[item.key]
        if isinstance(outcome, SensecheckError):
            raise outcome
        return outcome

    def _selected(self, item: "BatteryItem") -> list[Key]:
        """In a worker of pytest-xdist only the item itself: the others may be another worker's."""
        if hasattr(self.config, "workerinput"):
            return [item.key]
        items = (
            other for other in self.session.items if isinstance(other, BatteryItem) and other.parent is self
        )
        return [other.key for other in items if other.key not in self._outcomes]

    def _run(self, keys: list[Key]) -> None:
        """What goes wrong with all of them is reported by each, and not tried again."""
        assert self._battery is not None, "items are collected from a battery"
        try:
            plan = Plan.of(_restricted_to(self._battery, keys), TestFilter())
            planned = PlannedBattery(self._request(), plan)
            for outcome in outcomes_by_test(planned.judged(planned.connect(), shared_sense())):
                first = outcome.first
                self._outcomes[first.test, first.wording, first.source] = outcome
        except SensecheckError as error:
            self._outcomes.update(dict.fromkeys(keys, error))

    def _request(self) -> BatteryRequest:
        return BatteryRequest(battery=self.path, answers=self._answers, cached=False)


class BatteryItem(pytest.Item):
    """One test in one prompt from one source, with its repeats."""

    def __init__(self, *, key: Key, test: BatteryTest, **given: Any) -> None:
        super().__init__(**given)
        self.key = key
        self._test = test
        self._test_outcome: TestOutcome | None = None

    def setup(self) -> None:
        """Asked and judged here: what goes wrong before a test runs is an error to pytest, not a failure."""
        assert isinstance(self.parent, BatteryFile)
        try:
            self._test_outcome = self.parent.tried(self)
        except SensecheckError as error:
            pytest.fail(readable(f"ERROR, not judged: {error}\n{self._test.place}"), pytrace=False)
        if self._test_outcome.outcome == "error":
            pytest.fail(self._message(self._test_outcome), pytrace=False)

    def runtest(self) -> None:
        """What is unsure has not passed."""
        assert self._test_outcome is not None, "an item is set up before it is run"
        if self._test_outcome.outcome != "pass":
            pytest.fail(self._message(self._test_outcome), pytrace=False)

    def reportinfo(self) -> tuple[Path, int, str]:
        """Where the test stands."""
        return self.path, self._test.place.line - 1, self.name

    def _message(self, test_outcome: TestOutcome) -> str:
        result = test_outcome.deciding
        outcome = "ERROR, not judged" if test_outcome.outcome == "error" else test_outcome.outcome.upper()
        labels = f"source `{result.source}`" + (
            f", prompt `{cut(result.wording, _MAX_NAME_CHARS)}`" * bool(result.wording)
        )
        lines = [f"{outcome}: {result.verdict.because}", f"{self._test.place}: {self.name}", labels]
        if test_outcome.consistency:
            lines.append(
                f"{test_outcome.consistency}; wanted {result.passes} of {len(test_outcome.results)} to pass"
            )
        answer = (
            "there is no answer" if result.answer is None else failure_message(result.answer, result.verdict)
        )
        return readable("\n".join([*lines, answer]))


def _keys_of(battery: Battery) -> Iterator[tuple[Key, BatteryTest]]:
    """Every test, in every prompt, from every source."""
    for test in battery.read_tests():
        if not battery.sources and test.recorded is None:
            raise BatteryError(
                f"{test.place}: nothing answers the test `{test.description}`; name `providers` in the "
                "battery, put the answer into the test as `providerOutput`, or give pytest "
                "`--battery-answers FILE`"
            )
        for trial in trials_of(battery, test):
            if trial.repeat == 1:
                yield (test.number, trial.prompt.label, trial.label), test


def _name(key: Key, test: BatteryTest, battery: Battery) -> str:
    """The description, with what tells the items of one test apart; without what steers a terminal."""
    _, prompt, source = key
    distinguishing = [
        label
        for label, alternatives in ((prompt, battery.prompts), (source, battery.sources))
        if len(alternatives) > 1
    ]
    words = " ".join(test.description.split()) or f"test {test.number}"
    labels = ", ".join(cut(" ".join(label.split()), _MAX_NAME_CHARS // 2) for label in distinguishing)
    name = cut(words, _MAX_NAME_CHARS) + (f" [{labels}]" if labels else "")
    return printable(name.replace("::", ":"))


def _restricted_to(battery: Battery, keys: Sequence[Key]) -> Battery:
    """The battery with these tests alone, each once for every selected prompt and source."""
    variants_by_test: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for number, prompt, source in keys:
        variants_by_test[number].append((prompt, source))
    labels = {source for _, _, source in keys}

    def read_tests() -> Iterator[BatteryTest]:
        for test in battery.read_tests():
            for prompt, source in variants_by_test.get(test.number, ()):
                yield replace(test, prompts=(prompt,), sources=(source,))

    sources = tuple(source for source in battery.sources if source.label in labels)
    return replace(battery, sources=sources, read_tests=read_tests)
