"""Which tests of a battery are run; a choice that leaves none is an error, not a green run."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from heapq import nsmallest
from itertools import islice
from typing import Any, NamedTuple

from sensecheck.checks.spec import identity_of
from sensecheck.core.errors import SpecError
from sensecheck.evals.battery import Battery, BatteryTest, SourceSpec
from sensecheck.evals.cells import IN_FILE, Cell, asked_of, cells_of, count_cells
from sensecheck.evals.run_file import RunFile
from sensecheck.evals.tally import tried


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
            if all(_told(test.metadata.get(key), value) for key, value in self.metadata.items()):
                yield test


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
        """Chosen by one walk through the battery."""
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


def answered_by(battery: Battery, sources: tuple[SourceSpec, ...]) -> Battery:
    """The battery with other sources in place of its own; a test asks those that it names, else all."""
    labels = {source.label for source in sources}

    def read_tests() -> Iterator[BatteryTest]:
        for test in battery.read_tests():
            keeps = test.sources is None or not labels.isdisjoint(test.sources)
            yield test if keeps else replace(test, sources=None)

    return replace(battery, sources=sources, read_tests=read_tests)


class Taken(NamedTuple):
    """What a plan knows of a test that is run."""

    number: int
    cells: int
    """How many questions it asks."""
    labels: tuple[str, ...]
    """Whom it asks."""
    digest: bytes


def _taken(battery: Battery, choice: Choice) -> Iterator[Taken]:
    fitting = choice.fitting(battery)
    if choice.sample is None:
        return (_counted(battery, test, choice) for test in islice(fitting, choice.first))
    lots = ((_lot(choice.seed, test.key), _counted(battery, test, choice)) for test in fitting)
    return (taken for _, taken in nsmallest(choice.sample, lots))


def _counted(battery: Battery, test: BatteryTest, choice: Choice) -> Taken:
    labels = tuple(label for _, _, label in asked_of(battery, test))
    return Taken(test.number, count_cells(battery, test, choice.repeat), labels, _digest(test))


def _digest(test: BatteryTest) -> bytes:
    """Of what a test asks and how it is judged; the same however our classes and their fields are called.

    A check that no data describes is in it as far as `identity_of` can tell; its code is in `Battery.digest`.
    """
    asked = [dict(test.vars), test.recorded, test.prefix, test.suffix, identity_of(test.check)]
    return sha256(json.dumps(asked, sort_keys=True, default=repr).encode()).digest()


def _lot(seed: int, key: str) -> bytes:
    """A test draws the same lot whichever others there are, so that a sample stays as others come and go."""
    return sha256(f"{seed} {key}".encode()).digest()


def _told(held: object, wanted: str) -> bool:
    """Whether a test's metadata holds a value, or has it in its list."""
    every = held if isinstance(held, list | tuple) else (held,)
    return any(str(one) == wanted for one in every if one is not None)


def _in_words(choice: Choice) -> str:
    held = [("--filter", choice.pattern), ("--failing-of", choice.failing and choice.failing.run)]
    held += [("--filter-metadata", f"{key}={value}") for key, value in choice.metadata.items()]
    said = ", ".join(f"`{option} {value}`" for option, value in held if value is not None)
    return f"none of them is what {said} asks for" if said else "it holds none"
