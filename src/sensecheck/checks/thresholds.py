"""What a preset's threshold is a line on: the measure, and the side of it that is good."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, get_type_hints

from sensecheck.calibration.shelf import Shelf
from sensecheck.calibration.target import SHORT, Errors
from sensecheck.checks.combine import AllOf, AnyOf
from sensecheck.checks.gate import Gate
from sensecheck.checks.grounded import Grounded
from sensecheck.checks.presets import PRESETS
from sensecheck.checks.spec import check_from_data
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.line import is_threshold
from sensecheck.core.nearest import unknown
from sensecheck.core.protocols import Check, Measure

Side = Literal["above", "below"]


class Asked(NamedTuple):
    """What a threshold is a line on, and what a promise for that line is worth for the whole check."""

    measure: Measure
    good: Side
    carries: frozenset[Errors]
    """The errors that the check makes no more of than the line alone."""


def asked_of(preset: str, arguments: Mapping[str, Any] | None = None, *, shelf: Shelf | None = None) -> Asked:
    """The measure that a preset holds against its threshold, the good side, and which promises carry over.

    The arguments are those of the preset as data, without the threshold that is asked about.
    """
    given = dict(arguments or {})
    asking = _Asking()
    check = check_from_data({"kind": preset, **given, _open(preset, given): asking}, at=preset, shelf=shelf)
    if len(asking.asked) != 1:
        raise SpecError(f"`{preset}` holds {len(asking.asked)} measures against its threshold; wanted one")
    measure, cutoff = asking.asked[0]
    return Asked(measure, cutoff.good, _carried(check, cutoff))


def thresholds_of(preset: str) -> tuple[str, ...]:
    """The arguments of a preset that may be a card."""
    if preset not in PRESETS:
        raise SpecError(unknown("preset", preset, PRESETS))
    return tuple(name for name, hint in get_type_hints(PRESETS[preset]).items() if is_threshold(hint))


@dataclass(slots=True)
class _Asking:
    """A line that only notes what it is a line on."""

    asked: list[tuple[Measure, Cutoff]] = field(default_factory=list)

    def cutoff_for(self, measure: Measure, good: Side) -> Cutoff:
        self.asked.append((measure, Cutoff(0.0, good)))
        return self.asked[-1][1]


def _carried(check: Check, cutoff: Cutoff) -> frozenset[Errors]:
    """The errors that the check makes no more of than its gate with this very cutoff; none without one.

    Other parts of an `all_of`, and what else is asked of a claim, only let less pass; those of an `any_of`
    only let less fail. What a second opinion is worth depends on the first, and a `not` turns bad into good.
    """
    if isinstance(check, Gate):
        return frozenset(SHORT if check.cutoff is cutoff else ())
    if isinstance(check, Grounded):
        return frozenset(("false_accepts",) if check.words is cutoff and check.verifier is None else ())
    if not isinstance(check, AllOf | AnyOf):
        return frozenset()
    found = frozenset[Errors]().union(*(_carried(part, cutoff) for part in check.checks))
    kept: Errors = "false_accepts" if isinstance(check, AllOf) else "false_rejects"
    return found if len(check.checks) == 1 else found & {kept}


def _open(preset: str, given: Mapping[str, Any]) -> str:
    """The one threshold that is not given."""
    names = thresholds_of(preset)
    if not names:
        able = ", ".join(f"`{name}`" for name in PRESETS if thresholds_of(name))
        raise SpecError(f"the preset `{preset}` has no threshold to calibrate; these have one: {able}")
    left = [name for name in names if name not in given]
    if len(left) != 1:
        listed = " and ".join(f"`{name}`" for name in names)
        wanted = "give a number for all but one" if left else "leave out the one that is to be calibrated"
        raise SpecError(f"the preset `{preset}` has the threshold{'s' * (len(names) > 1)} {listed}; {wanted}")
    return left[0]
