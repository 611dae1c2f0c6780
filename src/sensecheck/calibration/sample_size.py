"""Too few labels for a promise: how many more it would take."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from sensecheck.calibration.placement import fewest
from sensecheck.calibration.split import Labelled, how_many_held_out, strata
from sensecheck.calibration.target import Method, Target

Label = Literal["good", "bad"]


@dataclass(frozen=True, slots=True)
class NotCertifiable:
    """No cutoff can promise this: from so few labels, or at all."""

    missing: Mapping[Label, int]
    """How many more of each label the whole file wants, each from a prompt or document of its own."""
    found: Mapping[Label, int]
    """How many there are; several of one group count once."""
    to_fit_on: Mapping[Label, int]
    """How many the promise needs on the fitted side alone."""
    share_held_out: float
    grouped: bool
    out_of_reach: tuple[str, ...] = ()
    """Why no cutoff keeps the promise, however many labels there are: what else the check decides by."""

    def __str__(self) -> str:
        return self.describe()

    def describe(self) -> str:
        """`Not certifiable: 41 more bad answers needed (have 44 bad, need 85 to fit on 59; …)`."""
        if self.out_of_reach:
            return f"Not certifiable: {'; '.join(self.out_of_reach)}"
        shortfalls = " and ".join(_many(more, label) for label, more in self.missing.items())
        details = [self._counted(label) for label in self.missing]
        details += [f"{100 * self.share_held_out:g}% are held out"] if self.share_held_out > 0 else []
        details += ["answers of one group count once"] if self.grouped else []
        return f"Not certifiable: {shortfalls} needed ({'; '.join(details)})"

    def _counted(self, label: Label) -> str:
        count, fitted = self.found[label], self.to_fit_on[label]
        return f"have {count} {label}, need {count + self.missing[label]} to fit on {fitted}"


def shortage(
    rows: Sequence[Labelled], *, method: Method, targets: Sequence[Target], share_held_out: float
) -> NotCertifiable | None:
    """What is missing for the targets; None when there is enough."""
    needed: dict[Label, int] = {"good": 1, "bad": 1}  # no one can tell good from bad by one of them alone
    for target in targets:
        label: Label = "bad" if target.errors == "false_accepts" else "good"
        if method != "best_f1":
            needed[label] = max(needed[label], fewest(method, target))
    kinds = {labels: len(names) for labels, names in strata(rows).items()}
    both = kinds.get(frozenset({True, False}), 0)
    missing: dict[Label, int] = {}
    available: dict[Label, int] = {}
    for label, least in needed.items():
        alone = kinds.get(frozenset({label == "good"}), 0)
        least_alone = least - (both - how_many_held_out(both, share_held_out))
        missing[label] = max(_units_for(least_alone, share_held_out) - alone, 0)
        available[label] = alone + both
    short = {label: more for label, more in missing.items() if more > 0}
    grouped = any(row.group is not None for row in rows)
    return NotCertifiable(short, available, needed, share_held_out, grouped) if short else None


def _units_for(fitted: int, share_held_out: float) -> int:
    """The fewest rows of which so many are left to fit on."""
    if fitted <= 0:
        return 0
    plenty = range(int(2 * fitted / (1 - share_held_out)) + 2)
    return bisect_left(plenty, fitted, key=lambda units: units - how_many_held_out(units, share_held_out))


def _many(count: int, label: Label) -> str:
    return f"{count} more {label} answer{'' if count == 1 else 's'}"
