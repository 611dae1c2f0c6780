"""The card: a fitted line, what it promises, and everything that a reviewer would ask about it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self

from sensecheck.calibration.target import Method, Target
from sensecheck.core.cutoff import Certificate, Cutoff, Rate
from sensecheck.core.data import encode, from_data
from sensecheck.core.described import measure_to_data
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.strict_json import read_json

FORMAT = 1


@dataclass(frozen=True, slots=True)
class DataMark:
    """The labelled file: its name and hash, how many rows, and which columns were read for what."""

    name: str
    sha256: str
    rows: int
    label: str = "label"
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """How many rows of each label a part of the data holds; rows of one group count once."""

    good: int
    bad: int


@dataclass(frozen=True, slots=True)
class Rates:
    """What the line did on rows that it was not fitted on."""

    false_accepts: Rate | None = None
    """Bad answers that pass; None where there was no bad answer."""
    false_rejects: Rate | None = None
    unsure: Rate | None = None


@dataclass(frozen=True, slots=True)
class Scores:
    """The readings of a part of the data by label, sorted; of many, evenly spaced quantiles."""

    good: tuple[float, ...]
    bad: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Bin:
    """Held-out rows of similar readings: how many were expected to be good, and how many were."""

    low: float
    high: float
    expected: float
    observed: Rate


@dataclass(frozen=True, slots=True)
class Card:
    """A line for one measure and one encoder, with its birth certificate in full."""

    name: str
    measure: Mapping[str, Any]
    """The measure as data; the line means nothing for another."""
    encoder: str | None
    good: Literal["above", "below"]
    line: float
    doubt: tuple[float, float] | None
    method: Method
    targets: tuple[Target, ...]
    promise: str
    """What holds on new data of the same kind, in words; best-F1 promises nothing, and says so."""
    rates: Rates
    """Counted on the held-out rows alone."""
    fitted: Counts
    held_out: Counts
    slices: Mapping[str, Mapping[str, Rates]]
    """The held-out rates by a named column: `{"model": {"small": …}}`."""
    fitted_scores: Scores
    held_out_scores: Scores
    reliability: tuple[Bin, ...]
    data: DataMark
    share_held_out: float
    seed: int
    date: str
    """The day of the fit, as in 2026-01-31."""
    version: str
    """Of sensecheck."""
    warnings: tuple[str, ...] = ()
    licence: str = ""
    """Of the data, and to whom it is owed, for a card that travels."""
    format: int = field(default=FORMAT)

    def __post_init__(self) -> None:
        for target in self.targets:
            if target != target.under(self.method):
                raise SpecError(f"the card `{self.name}` promises {target.in_words()}, but not how surely")

    def cutoff_for(self, measure: Measure, good: Literal["above", "below"]) -> Cutoff:
        """The cutoff, if the card was fitted for this measure and this good side."""
        found = measure_to_data(measure)
        if found != self.measure:
            raise SpecError(f"the card `{self.name}` is for {_brief(self.measure)}; found {_brief(found)}")
        if good != self.good:
            raise SpecError(f"the card `{self.name}` calls readings {self.good} its line good, not {good}")
        return self.cutoff()

    def cutoff(self) -> Cutoff:
        """The line with its certificate."""
        return Cutoff(self.line, self.good, self.doubt, self.certificate())

    def certificate(self) -> Certificate:
        """What a verdict carries of the card."""
        return Certificate(
            fitted_on=f"{self.data.name} ({self.name})",
            encoder=self.encoder,
            method=self.method,
            promise=self.promise,
            false_accepts=self.rates.false_accepts,
            false_rejects=self.rates.false_rejects,
        )

    def to_json(self) -> str:
        """The card as a file: stable order, one number a line changes one line of a diff."""
        held = {name: encode(getattr(self, name)) for name in self.__dataclass_fields__}
        return json.dumps(held, ensure_ascii=False, allow_nan=False, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str, *, at: str = "card") -> Self:
        """The card that `to_json` wrote."""
        data = read_json(text, at=at)
        if isinstance(data, Mapping) and data.get("format") != FORMAT:
            raise SpecError(f"`{at}` has the card format {data.get('format')}; wanted {FORMAT}")
        return from_data(cls, data, at=at)


def _brief(measure: Mapping[str, Any]) -> str:
    """A measure as data, short enough for a message."""
    shown = json.dumps(measure, ensure_ascii=False)
    return shown if len(shown) <= 200 else f"{shown[:197]}…"
