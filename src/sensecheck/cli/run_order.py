"""What a command line asks to be run, read and counted before anything is asked of anybody."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from sensecheck import __version__
from sensecheck.cli.run_conditions import conditions_of
from sensecheck.evals.brought import brought
from sensecheck.evals.cells import IN_FILE
from sensecheck.evals.choosing import Choice, Plan, answered_by
from sensecheck.evals.format.reading import read_battery
from sensecheck.evals.run_file import RunHeader
from sensecheck.evals.sources.loading import SourceOptions, connect
from sensecheck.evals.sources.options import AT_ONCE
from sensecheck.evals.sources.source import Source
from sensecheck.wiring import Settings, shelf, variables


@dataclass(frozen=True, slots=True)
class Asking:
    """Who is asked, and how."""

    answers: Path | None = None
    """A file of answers, in place of the battery's own sources."""
    at_once: int | None = None
    cached: bool = True
    second_opinion: bool = False
    """Whether the judge is asked about what stays unsure."""


@dataclass(frozen=True, slots=True)
class Order:
    """One battery that is to be run."""

    plan: Plan
    asking: Asking
    settings: Settings

    @property
    def name(self) -> str:
        """That of the battery's file."""
        return self.plan.battery.path.name

    @property
    def at_once(self) -> int:
        """How many questions are under way at the same time."""
        return self.asking.at_once or self.plan.battery.at_once or AT_ONCE

    def sources(self, token: str) -> tuple[Source, ...]:
        """Those that are asked; what they answer is found again under the token, if the run is resumed."""
        if self.plan.labels == (IN_FILE,) and self.asking.answers is None:  # the tests hold their answers
            return ()
        options = SourceOptions(
            self.plan.battery.folder,
            self.plan.battery.environment,
            timeout=self.settings.timeout,
            retries=self.settings.retries,
            at_once=self.at_once,
        )
        kept = self.settings.answers_file() if self.asking.cached else None
        return connect(self.plan.battery.sources, options, kept=kept, run=token)

    def header(self, sources: Sequence[Source]) -> RunHeader:
        """What is run, so that it can be told whether another time it is the same."""
        battery = self.plan.battery
        marks = "\n".join(source.fingerprint for source in sources)
        return RunHeader(
            battery=self.name,
            digest=battery.digest,
            sensecheck=__version__,
            encoder=self.settings.encoder,
            sources=self.plan.labels,
            wordings=tuple(wording.label for wording in battery.wordings),
            tests=self.plan.tests,
            cells=self.plan.cells,
            description=battery.description,
            conditions=conditions_of(self.plan, self.settings, second_opinion=self.asking.second_opinion),
            answers=sha256(marks.encode()).hexdigest()[:16] if sources else "",
            chosen=self.plan.choice.to_data(),
        )


def read_orders(paths: Sequence[str], choice: Choice, asking: Asking, settings: Settings) -> list[Order]:
    """Every battery, read in whole: one that is wrong is told of before another one is run."""
    environment, cards = variables(), shelf(settings)
    recorded = () if asking.answers is None else brought(asking.answers, "--answers")
    orders = []
    for path in paths:
        battery = read_battery(Path(path), environment=environment, shelf=cards)
        if recorded:
            battery = answered_by(battery, recorded)
        orders.append(Order(Plan.of(battery, choice), asking, settings))
    return orders
