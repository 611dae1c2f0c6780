"""The calibration card: a fitted cutoff, what it promises, and all that a reviewer would ask about it.

A card is a JSON file in a folder of cards, so that its name must do as the name of a file.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Self, get_args

from sensecheck.calibration.decision import (
    ClaimsFit,
    Counts,
    Decision,
    ErrorRates,
    digest_of,
    reading_alone,
    validate_rate,
)
from sensecheck.calibration.target import Method, Target
from sensecheck.core.cutoff import Certificate, ClaimsCutoff, Cutoff, GoodSide, Rate
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Measure
from sensecheck.core.registry import measure_to_data
from sensecheck.core.serialization import did_you_mean, encode, from_data, read_json

FORMAT = 2
READABLE = (1, FORMAT)
"""Cards of the first format speak of a reading, and of no check."""
MAX_NAME_CHARS = 100
"""Characters of a name; a file next to it, with a longer one, must still be possible."""
PATTERN = rf"^(?!.*\.json$)[a-z0-9][a-z0-9_.-]{{0,{MAX_NAME_CHARS - 1}}}$"
"""A name, for those who read schemas."""
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_BROKEN = "broken on the rows that were held out: "


@dataclass(frozen=True, slots=True)
class DataMark:
    """The labelled file: its name and hash, how many rows, and which columns were read for what."""

    name: str
    sha256: str
    rows: int
    label: str = "label"
    group: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledScores:
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

    def __post_init__(self) -> None:
        validate_rate(self.observed)


@dataclass(frozen=True, slots=True)
class Card:
    """A cutoff for one check, one measure and one encoder, with its certificate in full."""

    name: str
    measure: Mapping[str, Any]
    """The measure as data; the cutoff means nothing for another."""
    encoder: str | None
    good: GoodSide
    line: float
    doubt: tuple[float, float] | None
    method: Method
    targets: tuple[Target, ...]
    promise: str
    """What holds on new data of the same kind, in words; best-F1 promises nothing, and says so."""
    rates: ErrorRates
    """Counted on the held-out rows alone, of the verdicts of the check that the card speaks of."""
    fitted: Counts
    held_out: Counts
    slices: Mapping[str, Mapping[str, ErrorRates]]
    """The held-out rates by a named column: `{"model": {"small": …}}`."""
    fitted_scores: LabelledScores
    held_out_scores: LabelledScores
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
    decides: Decision | None = None
    """The check whose verdicts the promise and the rates are about; None for the reading alone."""
    claims: tuple[ClaimsFit, ...] = ()
    """By the number of claims of an answer, where the check counts them."""
    broken: tuple[str, ...] = ()
    """Which promises the held-out rows contradict, and for how many claims; answers of others keep theirs."""
    format: int = field(default=FORMAT)

    def __post_init__(self) -> None:
        validate_card_name(self.name)
        self._require_promise()
        self.cutoff()
        for target in self.targets:
            if target != target.with_method(self.method):
                raise SpecError(f"the card `{self.name}` promises {target.describe()}, but not how surely")

    def cutoff_for(self, measure: Measure, good: GoodSide) -> Cutoff:
        """The cutoff, if the card was fitted for this measure and this good side."""
        requested = measure_to_data(measure)
        if requested != self.measure:
            raise SpecError(f"the card `{self.name}` is for {_brief(self.measure)}; got {_brief(requested)}")
        if good != self.good:
            raise SpecError(f"the card `{self.name}` calls readings {self.good} its cutoff good, not {good}")
        return self.cutoff()

    def cutoff(self) -> Cutoff:
        """The cutoff with its certificate, and those by the number of claims."""
        whole = self.certificate()
        by_claims = tuple(
            ClaimsCutoff(
                fit.claims.least, Cutoff(fit.line, self.good, fit.doubt, self._for_claims(whole, fit))
            )
            for fit in self.claims
        )
        return Cutoff(self.line, self.good, self.doubt, whole, by_claims)

    @property
    def check_digest(self) -> str:
        """Of the check whose verdicts the promise is about."""
        return digest_of(reading_alone(self.measure) if self.decides is None else self.decides.check)

    def speaks_of(self) -> str:
        """What the promise and the rates are about: ``the verdicts of `means` ``."""
        if self.decides is None:
            kind = self.measure.get("kind", "the measure")
            return f"the reading of `{kind}` against the cutoff alone, and not the verdicts of a check"
        return f"the verdicts of `{self.decides.name}`"

    def certificate(self) -> Certificate:
        """What a verdict carries of the card."""
        return Certificate(
            fitted_on=f"{self.data.name}#{self.data.sha256[:12]} ({self.name})",
            encoder=self.encoder,
            method=self.method,
            promise=f"{_BROKEN}{self.promise}" if self.broken else self.promise,
            false_accepts=self.rates.false_accepts,
            false_rejects=self.rates.false_rejects,
            check="" if self.decides is None else self.decides.mark,
        )

    def to_json(self) -> str:
        """The card as a file: stable order, so that one changed number is one row of a diff."""
        data = {name: encode(getattr(self, name)) for name in self.__dataclass_fields__}
        return json.dumps(data, ensure_ascii=False, allow_nan=False, indent=2) + "\n"

    @classmethod
    def from_json(cls, text: str, *, at: str = "card") -> Self:
        """The card that `to_json` wrote."""
        data = read_json(text, at=at)
        if isinstance(data, Mapping) and "format" not in data:
            raise SpecError(f"`{at}` is not a card: it has no `format`")
        if isinstance(data, Mapping) and data.get("format") not in READABLE:
            raise SpecError(f"`{at}` has the card format {data.get('format')}; expected {FORMAT}")
        return from_data(cls, data, at=at)

    def _require_promise(self) -> None:
        """Raise unless the method is one that can promise these targets."""
        if self.method not in get_args(Method):
            raise SpecError(did_you_mean("method", self.method, get_args(Method)))
        if (self.method == "best_f1") != (not self.targets):
            expected = "no target" if self.targets else "a target"
            raise SpecError(f"the card `{self.name}` of the method `{self.method}` must have {expected}")
        if len({target.errors for target in self.targets}) < len(self.targets):
            raise SpecError(f"the card `{self.name}` promises one thing twice")

    def _for_claims(self, whole: Certificate, fit: ClaimsFit) -> Certificate:
        """What a verdict on an answer of N claims carries."""
        scope = f"for answers of {fit.scope.describe()}"
        here = any("for answers of" not in one or one.endswith(scope) for one in self.broken)
        broken = _BROKEN if here and fit.promised else ""
        return replace(
            whole,
            promise=f"{broken}{fit.promise}",
            false_accepts=fit.rates.false_accepts,
            false_rejects=fit.rates.false_rejects,
        )


def validate_card_name(name: str) -> str:
    """The name, unless it would not do as the name of a file in the cards' own folder."""
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise SpecError(
            f"a card's name must be of small letters, digits, `_`, `.` and `-`, and begin with one of the "
            f"first two; got `{name}`"
        )
    if len(name) > MAX_NAME_CHARS:
        raise SpecError(f"a card's name must have at most {MAX_NAME_CHARS} characters; got {len(name)}")
    if name.endswith(".json"):
        raise SpecError(f"a card's name must have no `.json` at its end, which its file has; got `{name}`")
    return name


def _brief(measure: Mapping[str, Any]) -> str:
    """A measure as data, short enough for a message."""
    text = json.dumps(measure, ensure_ascii=False)
    return text if len(text) <= 200 else f"{text[:197]}…"
