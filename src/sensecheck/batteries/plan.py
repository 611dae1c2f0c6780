"""Which tests of a battery are run, and its trials in their order: tests, prompts, sources, repeats.

A filter that leaves no test is an error, and a run is resumed only where all that decides it is the same.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

from sensecheck.batteries.battery import ONCE, OWN_PROMPT, Battery, BatteryTest, PromptTemplate, Repeat
from sensecheck.batteries.judges import count_judged
from sensecheck.batteries.prompts import require_question
from sensecheck.checks.spec import identity_of
from sensecheck.config import Settings
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.documents.node import Node, Place
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.tally import outcomes_by_test
from sensecheck.sources.loading import require_known_source
from sensecheck.sources.replay import sources_in
from sensecheck.sources.source import SourceSpec, used_variables_but_keys

IN_FILE = "recorded"
"""What the source of an answer that stands in the battery itself is called."""
_RECORDED = "recorded:"
"""How the names of sources begin that repeat recorded answers."""


@dataclass(frozen=True, slots=True)
class FailedTests:
    """The tests that did not pass in an earlier run."""

    run: str
    """What that run is called."""
    keys: frozenset[str]
    done: int = 0
    """How many results it has."""
    total: int = 0
    """How many it would have if it were complete."""

    @classmethod
    def of(cls, run: RunFile) -> "FailedTests":
        """Those of this run, as far as it went."""
        keys: set[str] = set()
        done = 0
        for test in outcomes_by_test(run.results()):
            done += len(test.results)
            if test.outcome != "pass":
                keys.add(test.first.key)
        if not keys and done < run.header.cells:
            raise SpecError(
                f"the run `{run.path}` was interrupted after {done} of {run.header.cells} answers, and none "
                "of these failed; resume it first"
            )
        if not keys:
            raise SpecError(f"every test of the run `{run.path}` passed; there is nothing to run again")
        return cls(run.path.name, frozenset(keys), done, run.header.cells)

    def gone_from(self, battery: Battery) -> int:
        """How many of them the battery no longer has, under their description and their variables."""
        return len(self.keys - {test.key for test in battery.read_tests()})

    @property
    def digest(self) -> str:
        """Of the keys, so that another outcome of that run is another filter."""
        return sha256("\n".join(sorted(self.keys)).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class TestFilter:
    """What must hold for a test to be run, and how many of those are; what is None is not asked."""

    __test__: ClassVar[bool] = False
    """It holds no tests of pytest's, though it begins like their classes."""

    pattern: str | None = None
    """A regular expression that is found in the description."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    failed: FailedTests | None = None
    """Only tests that did not pass in an earlier run."""
    limit: int | None = None
    """The first N tests."""
    sample: int | None = None
    """N tests drawn at random, the same for the same seed."""
    seed: int = 0
    repeat: int | None = None
    """How often tests are run that do not say it themselves; all of these runs must pass."""

    def __post_init__(self) -> None:
        for name in ("limit", "sample", "repeat"):
            number = getattr(self, name)
            if number is not None and number < 1:
                raise SpecError(f"`{name}` must be 1 or more; got {number}")
        if self.limit is not None and self.sample is not None:
            raise SpecError("`limit` and `sample` were both given; choose one of them")
        try:
            re.compile(self.pattern or "")
        except re.error as error:
            raise SpecError(f"`{self.pattern}` is not a regular expression: {error}") from error

    def to_data(self) -> dict[str, Any]:
        """The filter as the header of a run has it."""
        data: dict[str, Any] = {"pattern": self.pattern, "metadata": dict(self.metadata) or None}
        if self.failed is not None:
            data |= {"failing_of": self.failed.run, "failing": self.failed.digest}
        data |= {"first": self.limit, "sample": self.sample, "repeat": self.repeat}
        if self.sample is not None:
            data["seed"] = self.seed
        return {key: value for key, value in data.items() if value is not None}

    def describe(self) -> str:
        """What a test must match."""
        parts = [] if self.pattern is None else [f"the pattern `{self.pattern}`"]
        parts += [] if self.failed is None else [f"the tests that did not pass in `{self.failed.run}`"]
        parts += [f"the metadata `{key}={value}`" for key, value in self.metadata.items()]
        return " and ".join(parts)

    def matching(self, battery: Battery) -> Iterator[BatteryTest]:
        """The tests of which everything holds, in their order."""
        pattern = None if self.pattern is None else re.compile(self.pattern)
        for test in battery.read_tests():
            if pattern is not None and not pattern.search(test.description):
                continue
            if self.failed is not None and test.key not in self.failed.keys:
                continue
            if all(_has_value(test.metadata.get(key), value) for key, value in self.metadata.items()):
                yield test


@dataclass(frozen=True, slots=True)
class Trial:
    """One question: a test, in one prompt, to one source, one of its repeats."""

    test: BatteryTest
    prompt: PromptTemplate
    source: int | None
    """The position of the source in the battery; None when the battery holds the answer itself."""
    label: str
    """What the source is called."""
    repeat: int
    of: Repeat


@dataclass(frozen=True, slots=True)
class Plan:
    """The tests of a battery that are run, how often, and how many trials that makes."""

    battery: Battery
    test_filter: TestFilter
    chosen: frozenset[int] | None
    """The numbers of the tests; None for all."""
    tests: int
    trials: int
    labels: tuple[str, ...]
    """What the sources are called that are asked, and that of answers which the battery holds itself."""
    digest: str
    """Of every test, with its variables and the thresholds of its check, as they are filled in."""
    judged: int = 0
    """How many assertions ask a judge, be it only where another one is unsure."""

    @classmethod
    def of(cls, battery: Battery, test_filter: TestFilter) -> "Plan":
        """Chosen in one pass through the battery."""
        all_run = test_filter.to_data().keys() <= {"repeat"}
        chosen: set[int] = set()
        tests = trials = judged = 0
        labels: set[str] = set()
        digest = sha256()
        for planned in _planned_tests(battery, test_filter):
            tests, trials = tests + 1, trials + planned.trials
            judged += planned.judged
            labels.update(planned.labels)
            digest.update(planned.digest)
            if not all_run:
                chosen.add(planned.number)
        if not tests:
            conditions = test_filter.describe()
            why = f"none of them matches {conditions}" if conditions else "it holds none"
            raise SpecError(f"no test of `{battery.path}` is left to run: {why}")
        all_labels = dict.fromkeys([*(source.label for source in battery.sources), IN_FILE])
        used_labels = tuple(label for label in all_labels if label in labels)
        numbers = None if all_run else frozenset(chosen)
        return cls(battery, test_filter, numbers, tests, trials, used_labels, digest.hexdigest(), judged)

    def each_test(self) -> Iterator[BatteryTest]:
        """The tests that are run, in the order of the battery."""
        last = max(self.chosen) if self.chosen else None
        for test in self.battery.read_tests():
            if self.chosen is None or test.number in self.chosen:
                yield test
            if test.number == last:
                return

    def each_trial(self, done: int = 0) -> Iterator[Trial]:
        """The questions that are asked, without the first that are done already."""
        repeat = self.test_filter.repeat
        trials = (trial for test in self.each_test() for trial in trials_of(self.battery, test, repeat))
        return islice(trials, done, None)


def trials_of(battery: Battery, test: BatteryTest, repeat: int | None = None) -> Iterator[Trial]:
    """The trials of one test; `repeat` is for tests that do not say themselves how often they are run."""
    repeats = _repeat_of(test, repeat)
    for prompt, position, label in _prompts_and_sources(battery, test):
        for turn in range(1, repeats.runs + 1):
            yield Trial(test, prompt, position, label, turn, repeats)


def count_trials(battery: Battery, test: BatteryTest, repeat: int | None = None) -> int:
    """How many questions a test asks."""
    return len(_prompts_and_sources(battery, test)) * _repeat_of(test, repeat).runs


def answered_by(battery: Battery, sources: tuple[SourceSpec, ...]) -> Battery:
    """The battery with other sources in place of its own; a test asks those that it names, else all."""
    labels = {source.label for source in sources}

    def read_tests() -> Iterator[BatteryTest]:
        for test in battery.read_tests():
            keeps = test.sources is None or not labels.isdisjoint(test.sources)
            yield test if keeps else replace(test, sources=None)

    return replace(battery, sources=sources, read_tests=read_tests)


def recorded_sources(path: Path) -> tuple[SourceSpec, ...]:
    """A file of answers as a source, or as several when it says whose answers it holds."""
    if not path.is_file():
        raise SpecError(f"`answers` must be a file of answers; there is none at `{path}`")
    config = Node.of({}, Place(str(path), 1))
    labels = sources_in(path) or (IN_FILE,)
    specs = tuple(SourceSpec(f"recorded:{path.absolute()}", label, config) for label in labels)
    require_known_source(specs[0])
    return specs


def conditions_of(plan: Plan, settings: Settings, *, second_opinion: bool = False) -> str:
    """A digest of the settings that judge, and of every test with its thresholds, variables filled in.

    What a source sends is in its own fingerprint; a key may be changed without changing what is asked.
    """
    prompts = [prompt.raw for prompt in plan.battery.prompts]
    named = used_variables_but_keys(plan.battery.environment, prompts)
    judging = [settings.prefix, settings.judge, settings.verifier]
    judging += ["second opinion"] if second_opinion else []
    written = json.dumps([judging, named, plan.digest], sort_keys=True)
    return sha256(written.encode()).hexdigest()[:16]


class PlannedTest(NamedTuple):
    """What a plan knows of a test that is run."""

    number: int
    trials: int
    labels: tuple[str, ...]
    """Of the sources that it asks."""
    digest: bytes
    judged: int
    """How many of its assertions ask a judge."""


def _has_value(value: object, expected: str) -> bool:
    """Whether a test's metadata is a value, or has it in its list."""
    values = value if isinstance(value, list | tuple) else (value,)
    return any(str(item) == expected for item in values if item is not None)


def _planned_tests(battery: Battery, test_filter: TestFilter) -> Iterator[PlannedTest]:
    matching = test_filter.matching(battery)
    if test_filter.sample is None:
        return (_planned(battery, test, test_filter) for test in islice(matching, test_filter.limit))
    # a test draws the same lot whichever others there are, so that a sample stays as others come and go
    drawn = (
        (sha256(f"{test_filter.seed} {test.key}".encode()).digest(), _planned(battery, test, test_filter))
        for test in matching
    )
    return (planned for _, planned in nsmallest(test_filter.sample, drawn))


def _planned(battery: Battery, test: BatteryTest, test_filter: TestFilter) -> PlannedTest:
    labels = tuple(label for _, _, label in _prompts_and_sources(battery, test))
    trials = count_trials(battery, test, test_filter.repeat)
    return PlannedTest(test.number, trials, labels, _digest(test), count_judged(test.check))


def _prompts_and_sources(
    battery: Battery, test: BatteryTest
) -> tuple[tuple[PromptTemplate, int | None, str], ...]:
    """In which prompts, and of whom, a test is asked: the source's position and its label."""
    prompts = _prompts(battery, test)
    if test.recorded is not None:
        return ((prompts[0], None, IN_FILE),)
    if not battery.sources:
        raise BatteryError(
            f"{test.place}: nothing answers the test; name `providers` in the battery, put the answer into "
            "the test as `providerOutput`, or name a file of answers: `answers`, or `--answers FILE` on the "
            "command line"
        )
    questions = tuple(
        (prompt, position, source.label)
        for prompt in prompts
        for position, source in enumerate(battery.sources)
        if (test.sources is None or source.label in test.sources)
        and (source.wordings is None or prompt.label in source.wordings)
    )
    if not questions:
        raise BatteryError(f"{test.place}: no source is left that the test asks; see its `providers`")
    for prompt, position, _ in questions:
        if not battery.sources[position].id.startswith(_RECORDED):
            require_question(prompt, test)
    return questions


def _prompts(battery: Battery, test: BatteryTest) -> tuple[PromptTemplate, ...]:
    prompts = battery.prompts or (OWN_PROMPT,)
    if test.prompts is None:
        return prompts
    chosen = tuple(prompt for prompt in prompts if prompt.label in test.prompts)
    if not chosen:
        raise BatteryError(f"{test.place}: no prompt is left that the test asks; see its `prompts`")
    return chosen


def _digest(test: BatteryTest) -> bytes:
    """Of what a test asks and how it is judged; the same however our classes and their fields are called.

    A check that no data describes is in it as far as `identity_of` can tell; its code is in `Battery.digest`.
    """
    content = [dict(test.vars), test.recorded, test.prefix, test.suffix, identity_of(test.check)]
    return sha256(json.dumps(content, sort_keys=True, default=repr).encode()).digest()


def _repeat_of(test: BatteryTest, repeat: int | None) -> Repeat:
    """An answer that stands in the battery is the same every time, and judged once."""
    if test.recorded is not None:
        return ONCE
    return test.repeat or (ONCE if repeat is None else Repeat(repeat, repeat))
