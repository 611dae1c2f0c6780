"""What a preset's threshold is a line on: the measure, and the side of it that is good."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, get_type_hints

from sensecheck.calibration.shelf import Shelf
from sensecheck.checks.presets import PRESETS
from sensecheck.checks.spec import check_from_data
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.line import is_threshold
from sensecheck.core.nearest import unknown
from sensecheck.core.protocols import Measure

Side = Literal["above", "below"]


def asked_of(
    preset: str, arguments: Mapping[str, Any] | None = None, *, shelf: Shelf | None = None
) -> tuple[Measure, Side]:
    """The measure that a preset holds against its threshold, and the good side.

    The arguments are those of the preset as data, without the threshold that is asked about.
    """
    given = dict(arguments or {})
    asking = _Asking()
    check_from_data({"kind": preset, **given, _open(preset, given): asking}, at=preset, shelf=shelf)
    if len(asking.asked) != 1:
        raise SpecError(f"`{preset}` holds {len(asking.asked)} measures against its threshold; wanted one")
    return asking.asked[0]


def thresholds_of(preset: str) -> tuple[str, ...]:
    """The arguments of a preset that may be a card."""
    if preset not in PRESETS:
        raise SpecError(unknown("preset", preset, PRESETS))
    return tuple(name for name, hint in get_type_hints(PRESETS[preset]).items() if is_threshold(hint))


@dataclass(slots=True)
class _Asking:
    """A line that only notes what it is a line on."""

    asked: list[tuple[Measure, Side]] = field(default_factory=list)

    def cutoff_for(self, measure: Measure, good: Side) -> Cutoff:
        self.asked.append((measure, good))
        return Cutoff(0.0, good)


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
