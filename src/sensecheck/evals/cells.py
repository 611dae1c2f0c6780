"""The questions of a run, in its order: tests, then prompts, then sources, then repeats."""

from collections.abc import Iterator
from dataclasses import dataclass

from sensecheck.core.errors import BatteryError
from sensecheck.evals.battery import ONCE, Battery, BatteryTest, Repeat, SourceSpec, Wording
from sensecheck.evals.format.prompts import must_ask

IN_FILE = "recorded"
"""What the source of an answer that stands in the battery itself is called."""
RECORDED = "recorded:"
"""How the sources begin that only say again what was said."""
UNWORDED = Wording("", "")
"""For a battery without prompts: what is asked stands in the test."""


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


def cells_of(battery: Battery, test: BatteryTest, repeat: int | None = None) -> Iterator[Cell]:
    """The questions of one test; `repeat` is for tests that do not say themselves how often they are run."""
    often = _often(test, repeat)
    for wording, place, label in asked_of(battery, test):
        for turn in range(1, often.runs + 1):
            yield Cell(test, wording, place, label, turn, often)


def count_cells(battery: Battery, test: BatteryTest, repeat: int | None = None) -> int:
    """How many questions a test asks."""
    return len(asked_of(battery, test)) * _often(test, repeat).runs


def asked_of(battery: Battery, test: BatteryTest) -> tuple[tuple[Wording, int | None, str], ...]:
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
        if not battery.sources[place].id.startswith(RECORDED):
            must_ask(wording, test)
    return asked


def _often(test: BatteryTest, repeat: int | None) -> Repeat:
    """An answer that stands in the battery is the same every time, and judged once."""
    if test.recorded is not None:
        return ONCE
    return test.repeat or (ONCE if repeat is None else Repeat(repeat, repeat))


def _asks(test: BatteryTest, wording: Wording, source: SourceSpec) -> bool:
    wanted = test.sources is None or source.label in test.sources
    return wanted and (source.wordings is None or wording.label in source.wordings)


def _wordings(battery: Battery, test: BatteryTest) -> tuple[Wording, ...]:
    every = battery.wordings or (UNWORDED,)
    if test.wordings is None:
        return every
    chosen = tuple(wording for wording in every if wording.label in test.wordings)
    if not chosen:
        raise BatteryError(f"{test.place}: no prompt is left that the test asks; see its `prompts`")
    return chosen
