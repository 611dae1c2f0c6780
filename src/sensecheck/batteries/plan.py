"""Which tests of a battery are run, and its questions in their order.

The order is tests, then prompts, then sources, then repeats. A choice that leaves no test is an error, and a
run goes on only where all that decides it is still the same.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from heapq import nsmallest
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from sensecheck.batteries.battery import ONCE, Battery, BatteryTest, Repeat, Wording
from sensecheck.batteries.prompts import must_ask
from sensecheck.checks.spec import identity_of
from sensecheck.config import Settings
from sensecheck.core.errors import BatteryError, SpecError
from sensecheck.documents.node import Node, Place
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.tally import tried
from sensecheck.sources.loading import must_be_known
from sensecheck.sources.recorded import sources_in
from sensecheck.sources.source import SourceSpec, brought_but_keys

IN_FILE = "recorded"
"""What the source of an answer that stands in the battery itself is called."""
_RECORDED = "recorded:"
"""How the sources begin that only say again what was said."""
_UNWORDED = Wording("", "")
"""For a battery without prompts: what is asked stands in the test."""


@dataclass(frozen=True, slots=True)
class Failing:
    """The tests that did not pass in an earlier run."""

    run: str
    """What that run is called."""
    keys: frozenset[str]

    @classmethod
    def of(cls, run: RunFile) -> "Failing":
        """Those of this run, as far as it went."""
        keys: set[str] = set()
        done = 0
        for one in tried(run.results()):
            done += len(one.results)
            if one.outcome != "pass":
                keys.add(one.first.key)
        if not keys and done < run.header.cells:
            raise SpecError(
                f"the run `{run.path}` was interrupted after {done} of {run.header.cells} answers, and none "
                "of these failed; go on with `--resume`"
            )
        if not keys:
            raise SpecError(f"every test of the run `{run.path}` passed; there is nothing to run again")
        return cls(run.path.name, frozenset(keys))

    def gone_from(self, battery: Battery) -> int:
        """How many of them the battery no longer has, under their description and their variables."""
        return len(self.keys - {test.key for test in battery.read_tests()})

    @property
    def digest(self) -> str:
        """Of the keys, so that another outcome of that run is another choice."""
        return sha256("\n".join(sorted(self.keys)).encode()).hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Choice:
    """What must hold for a test to be run, and how many of those are; each is left out when it is None."""

    pattern: str | None = None
    """A regular expression that is found in the description."""
    metadata: Mapping[str, str] = field(default_factory=dict)
    failing: Failing | None = None
    first: int | None = None
    sample: int | None = None
    seed: int = 0
    repeat: int | None = None
    """How often tests are run that do not say it themselves; all of these runs must pass."""

    def __post_init__(self) -> None:
        for name in ("first", "sample", "repeat"):
            held = getattr(self, name)
            if held is not None and held < 1:
                raise SpecError(f"`{name}` wants 1 or more; found {held}")
        if self.first is not None and self.sample is not None:
            raise SpecError("`first` and `sample` were both given; one way to take a few at a time")
        try:
            re.compile(self.pattern or "")
        except re.error as wrong:
            raise SpecError(f"`{self.pattern}` is not a regular expression: {wrong}") from wrong

    def to_data(self) -> dict[str, Any]:
        """What was asked for, as the header of a run tells it."""
        data: dict[str, Any] = {"pattern": self.pattern, "metadata": dict(self.metadata) or None}
        if self.failing is not None:
            data |= {"failing_of": self.failing.run, "failing": self.failing.digest}
        data |= {"first": self.first, "sample": self.sample, "repeat": self.repeat}
        if self.sample is not None:
            data["seed"] = self.seed
        return {key: value for key, value in data.items() if value is not None}

    def fitting(self, battery: Battery) -> Iterator[BatteryTest]:
        """The tests of which everything holds, in their order."""
        pattern = None if self.pattern is None else re.compile(self.pattern)
        for test in battery.read_tests():
            if pattern is not None and not pattern.search(test.description):
                continue
            if self.failing is not None and test.key not in self.failing.keys:
                continue
            if all(_has_value(test.metadata.get(key), value) for key, value in self.metadata.items()):
                yield test


@dataclass(frozen=True, slots=True)
class Cell:
    """One question: a test, in one wording, to one source, for the so-manieth time."""

    test: BatteryTest
    wording: Wording
    source: int | None
    """The place of the source among those of the battery; None when the battery holds the answer itself."""
    label: str
    """What the source is called."""
    repeat: int
    of: Repeat


@dataclass(frozen=True, slots=True)
class Plan:
    """The tests of a battery that are run, how often, and how many questions that makes."""

    battery: Battery
    choice: Choice
    chosen: frozenset[int] | None
    """The numbers of the tests; None for all."""
    tests: int
    cells: int
    labels: tuple[str, ...]
    """What the sources are called that are asked, and that of answers which the battery holds itself."""
    digest: str
    """Of every test, with its variables and the lines of its check, as they are filled in."""

    @classmethod
    def of(cls, battery: Battery, choice: Choice) -> "Plan":
        """Chosen in one pass through the battery."""
        whole = choice.to_data().keys() <= {"repeat"}
        chosen: set[int] = set()
        tests = cells = 0
        labels: set[str] = set()
        asked = sha256()
        for taken in _taken(battery, choice):
            tests, cells = tests + 1, cells + taken.cells
            labels.update(taken.labels)
            asked.update(taken.digest)
            if not whole:
                chosen.add(taken.number)
        if not tests:
            raise SpecError(f"no test of `{battery.path}` is left to run: {_in_words(choice)}")
        known = dict.fromkeys([*(source.label for source in battery.sources), IN_FILE])
        told = tuple(label for label in known if label in labels)
        numbers = None if whole else frozenset(chosen)
        return cls(battery, choice, numbers, tests, cells, told, asked.hexdigest())

    def each_test(self) -> Iterator[BatteryTest]:
        """The tests that are run, in the order of the battery."""
        last = max(self.chosen) if self.chosen else None
        for test in self.battery.read_tests():
            if self.chosen is None or test.number in self.chosen:
                yield test
            if test.number == last:
                return

    def each_cell(self, done: int = 0) -> Iterator[Cell]:
        """The questions that are asked, without the first that are done already."""
        every = (cell for test in self.each_test() for cell in self._cells(test))
        return islice(every, done, None)

    def _cells(self, test: BatteryTest) -> Iterator[Cell]:
        return cells_of(self.battery, test, self.choice.repeat)


def cells_of(battery: Battery, test: BatteryTest, repeat: int | None = None) -> Iterator[Cell]:
    """The questions of one test; `repeat` is for tests that do not say themselves how often they are run."""
    often = _often(test, repeat)
    for wording, place, label in _asked_of(battery, test):
        for turn in range(1, often.runs + 1):
            yield Cell(test, wording, place, label, turn, often)


def count_cells(battery: Battery, test: BatteryTest, repeat: int | None = None) -> int:
    """How many questions a test asks."""
    return len(_asked_of(battery, test)) * _often(test, repeat).runs


def answered_by(battery: Battery, sources: tuple[SourceSpec, ...]) -> Battery:
    """The battery with other sources in place of its own; a test asks those that it names, else all."""
    labels = {source.label for source in sources}

    def read_tests() -> Iterator[BatteryTest]:
        for test in battery.read_tests():
            keeps = test.sources is None or not labels.isdisjoint(test.sources)
            yield test if keeps else replace(test, sources=None)

    return replace(battery, sources=sources, read_tests=read_tests)


def brought(path: Path, option: str) -> tuple[SourceSpec, ...]:
    """The file as a source, or as several when it tells whose answers it holds; `option` named it."""
    if not path.is_file():
        raise SpecError(f"`{option}` wants a file of answers; there is none at `{path}`")
    nothing_more = Node.of({}, Place(str(path), 1))
    labels = sources_in(path) or (IN_FILE,)
    specs = tuple(SourceSpec(f"recorded:{path.absolute()}", label, nothing_more) for label in labels)
    must_be_known(specs[0])
    return specs


def conditions_of(plan: Plan, settings: Settings, *, second_opinion: bool = False) -> str:
    """A digest of the settings that judge, and of every test with its lines, as the environment fills it in.

    What a source sends is in its own fingerprint; a key may be changed without changing what is asked.
    """
    wordings = [wording.raw for wording in plan.battery.wordings]
    named = brought_but_keys(plan.battery.environment, wordings)
    judging = [settings.prefix, settings.judge, settings.verifier]
    judging += ["second opinion"] if second_opinion else []
    written = json.dumps([judging, named, plan.digest], sort_keys=True)
    return sha256(written.encode()).hexdigest()[:16]


class Taken(NamedTuple):
    """What a plan knows of a test that is run."""

    number: int
    cells: int
    """How many questions it asks."""
    labels: tuple[str, ...]
    """Whom it asks."""
    digest: bytes


def _has_value(held: object, wanted: str) -> bool:
    """Whether a test's metadata holds a value, or has it in its list."""
    every = held if isinstance(held, list | tuple) else (held,)
    return any(str(one) == wanted for one in every if one is not None)


def _taken(battery: Battery, choice: Choice) -> Iterator[Taken]:
    fitting = choice.fitting(battery)
    if choice.sample is None:
        return (_counted(battery, test, choice) for test in islice(fitting, choice.first))
    lots = ((_lot(choice.seed, test.key), _counted(battery, test, choice)) for test in fitting)
    return (taken for _, taken in nsmallest(choice.sample, lots))


def _counted(battery: Battery, test: BatteryTest, choice: Choice) -> Taken:
    labels = tuple(label for _, _, label in _asked_of(battery, test))
    return Taken(test.number, count_cells(battery, test, choice.repeat), labels, _digest(test))


def _asked_of(battery: Battery, test: BatteryTest) -> tuple[tuple[Wording, int | None, str], ...]:
    """In which wordings, and of whom, a test is asked: the source's place and its label."""
    wordings = _wordings(battery, test)
    if test.recorded is not None:
        return ((wordings[0], None, IN_FILE),)
    if not battery.sources:
        raise BatteryError(
            f"{test.place}: nobody answers the test; name `providers` in the battery, put the answer into "
            "the test as `providerOutput`, or bring answers with `--answers FILE`"
        )
    asked = tuple(
        (wording, place, source.label)
        for wording in wordings
        for place, source in enumerate(battery.sources)
        if _asks(test, wording, source)
    )
    if not asked:
        raise BatteryError(f"{test.place}: no source is left that the test asks; see its `providers`")
    for wording, place, _ in asked:
        if not battery.sources[place].id.startswith(_RECORDED):
            must_ask(wording, test)
    return asked


def _wordings(battery: Battery, test: BatteryTest) -> tuple[Wording, ...]:
    every = battery.wordings or (_UNWORDED,)
    if test.wordings is None:
        return every
    chosen = tuple(wording for wording in every if wording.label in test.wordings)
    if not chosen:
        raise BatteryError(f"{test.place}: no prompt is left that the test asks; see its `prompts`")
    return chosen


def _asks(test: BatteryTest, wording: Wording, source: SourceSpec) -> bool:
    wanted = test.sources is None or source.label in test.sources
    return wanted and (source.wordings is None or wording.label in source.wordings)


def _digest(test: BatteryTest) -> bytes:
    """Of what a test asks and how it is judged; the same however our classes and their fields are called.

    A check that no data describes is in it as far as `identity_of` can tell; its code is in `Battery.digest`.
    """
    asked = [dict(test.vars), test.recorded, test.prefix, test.suffix, identity_of(test.check)]
    return sha256(json.dumps(asked, sort_keys=True, default=repr).encode()).digest()


def _lot(seed: int, key: str) -> bytes:
    """A test draws the same lot whichever others there are, so that a sample stays as others come and go."""
    return sha256(f"{seed} {key}".encode()).digest()


def _in_words(choice: Choice) -> str:
    held = [("--filter", choice.pattern), ("--failing-of", choice.failing and choice.failing.run)]
    held += [("--filter-metadata", f"{key}={value}") for key, value in choice.metadata.items()]
    said = ", ".join(f"`{option} {value}`" for option, value in held if value is not None)
    return f"none of them is what {said} asks for" if said else "it holds none"


def _often(test: BatteryTest, repeat: int | None) -> Repeat:
    """An answer that stands in the battery is the same every time, and judged once."""
    if test.recorded is not None:
        return ONCE
    return test.repeat or (ONCE if repeat is None else Repeat(repeat, repeat))
