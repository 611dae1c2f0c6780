"""The cutoff between good and bad readings, and where that cutoff came from."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sensecheck.core.errors import SpecError, StaleCutoff
from sensecheck.core.serialization import decode, did_you_mean, to_data

Side = Literal["pass", "fail", "unsure"]

GoodSide = Literal["above", "below"]
"""On which side of a cutoff a reading is good."""


@dataclass(frozen=True, slots=True)
class Rate:
    """An error rate with its interval, and the number of rows it was counted on."""

    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Certificate:
    """Where a fitted cutoff comes from, and what was promised for it."""

    fitted_on: str
    """The data, by name and hash."""
    encoder: str | None = None
    """The encoder's fingerprint; None for a measure that reads no vectors."""
    method: str = ""
    promise: str = ""
    """What is promised, in words: `false accepts <= 5% with 95% confidence`."""
    false_accepts: Rate | None = None
    false_rejects: Rate | None = None
    check: str = ""
    """The check whose verdicts the promise is about, by name and digest; empty for the reading alone."""
    kept_by: str = field(default="", compare=False)
    """The name of that check, where the cutoff stands in it; other verdicts do not show the promise."""


@dataclass(frozen=True, slots=True)
class Cutoff:
    """A cutoff, its good side, its unsure band, and its certificate."""

    value: float
    good: GoodSide
    """The side that passes; the cutoff itself is on it."""
    doubt: tuple[float, float] | None = None
    """Between these two cutoffs the answer is `unsure`; the edge on the good side passes."""
    certificate: Certificate | None = None
    by_claims: tuple["ClaimsCutoff", ...] = ()
    """Cutoffs for answers of N claims or more, the fewest first; for a check that counts claims."""

    def __post_init__(self) -> None:
        if self.good not in _WORD:
            raise SpecError(did_you_mean("good side", self.good, _WORD))
        low, high = self.doubt or (self.value, self.value)
        if not all(_is_finite(number) for number in (self.value, low, high)):
            raise SpecError(f"a cutoff must have finite numbers; got {self.value} and {self.doubt}")
        if not low <= self.value <= high:
            raise SpecError(f"the cutoff {self.value} is not inside its unsure band {low} to {high}")
        counts = [entry.claims for entry in self.by_claims]
        if counts != sorted(set(counts)):
            raise SpecError(f"`by_claims` must count up, each number of claims once; got {counts}")
        if any(entry.cutoff.good != self.good or entry.cutoff.by_claims for entry in self.by_claims):
            raise SpecError("each of `by_claims` must be a plain line with the good side of the whole")

    @property
    def calibrated(self) -> bool:
        """Whether the cutoff was fitted on data; an uncalibrated one was not."""
        return self.certificate is not None

    def side(self, value: float) -> Side:
        """On which side of the cutoff a value falls."""
        low, high = self.doubt or (self.value, self.value)
        passes, fails = (value >= high, value < low) if self.good == "above" else (value <= low, value > high)
        return "pass" if passes else "fail" if fails else "unsure"

    def for_claims(self, count: int) -> "Cutoff":
        """The cutoff for an answer of N claims: the last that begins there or before; else this one."""
        matching = [entry.cutoff for entry in self.by_claims if entry.claims <= count]
        return matching[-1] if matching else replace(self, by_claims=()) if self.by_claims else self

    def require_encoder(self, fingerprint: str | None) -> None:
        """Raise `StaleCutoff` unless the cutoff holds for the encoder with this fingerprint."""
        if self.certificate is not None and self.certificate.encoder != fingerprint:
            encoder = self.certificate.encoder
            whose = "a measure without an encoder" if encoder is None else f"the encoder `{encoder}`"
            used = (
                "it is not known which encoder is in use"
                if fingerprint is None
                else f"in use is `{fingerprint}`"
            )
            raise StaleCutoff(f"the cutoff was fitted for {whose}; {used}")

    def describe(self) -> str:
        """The cutoff in words: `at least 0.7 (uncalibrated)`."""
        word = "at least" if self.good == "above" else "at most"
        band = f", unsure from {self.doubt[0]:g} to {self.doubt[1]:g}" if self.doubt else ""
        return f"{word} {self.value:g}{band} ({_birth(self.certificate)})"

    def to_data(self) -> dict[str, Any]:
        """The cutoff as plain data: `{"at_least": 0.7}` and what more is known of it."""
        data: dict[str, Any] = {_WORD[self.good]: self.value}
        if self.doubt is not None:
            data["doubt"] = list(self.doubt)
        if self.certificate is not None:
            data["certificate"] = to_data(self.certificate)
        if self.by_claims:
            data["by_claims"] = [{"claims": each.claims, **each.cutoff.to_data()} for each in self.by_claims]
        return data

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "Cutoff":
        """The cutoff that `to_data` described."""
        if not isinstance(data, Mapping):
            raise SpecError(
                f"`cutoff` must be a mapping such as {{at_least: 0.7}}; got {type(data).__name__}"
            )
        for key in data:
            if key not in KEYS:
                raise SpecError(f"in `cutoff`: {did_you_mean('key', key, KEYS)}")
        sides = [side for side, word in _WORD.items() if word in data]
        if len(sides) != 1:
            raise SpecError(f"`cutoff` must have one of `at_least` and `at_most`; got {len(sides)} of them")
        good: GoodSide = "above" if sides == ["above"] else "below"
        values = {key: decode(KEYS[key], item, at=f"cutoff.{key}") for key, item in data.items()}
        by_claims = tuple(map(ClaimsCutoff.from_data, values.get("by_claims", ())))
        return cls(values[_WORD[good]], good, values.get("doubt"), values.get("certificate"), by_claims)


@dataclass(frozen=True, slots=True)
class ClaimsCutoff:
    """A cutoff for answers of N claims or more."""

    claims: int
    cutoff: Cutoff

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "ClaimsCutoff":
        """One entry of `by_claims`: a cutoff, and from how many claims on."""
        rest = dict(data)
        claims: int = decode(int, rest.pop("claims", None), at="cutoff.by_claims.claims")
        return cls(claims, Cutoff.from_data(rest))


def at_least(value: float, *, doubt: tuple[float, float] | None = None) -> Cutoff:
    """Readings of `value` or more are good. An uncalibrated cutoff, and it says so."""
    return Cutoff(value, "above", doubt)


def at_most(value: float, *, doubt: tuple[float, float] | None = None) -> Cutoff:
    """Readings of `value` or less are good. An uncalibrated cutoff, and it says so."""
    return Cutoff(value, "below", doubt)


def _birth(certificate: Certificate | None) -> str:
    """Where a cutoff comes from; one that stands in another check than it was fitted for says so."""
    if certificate is None:
        return "uncalibrated"
    strange = bool(certificate.check) and not certificate.kept_by
    other = f" for `{certificate.check.rpartition('#')[0]}`, and not for this check" if strange else ""
    return f"fitted on {certificate.fitted_on}{other}"


def _is_finite(number: object) -> bool:
    return isinstance(number, int | float) and not isinstance(number, bool) and math.isfinite(number)


_WORD: dict[GoodSide, str] = {"above": "at_least", "below": "at_most"}
KEYS: dict[str, Any] = {
    "at_least": float,
    "at_most": float,
    "doubt": tuple[float, float],
    "certificate": Certificate,
    "by_claims": tuple[Mapping[str, Any], ...],
}
