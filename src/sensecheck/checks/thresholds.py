"""What a preset's threshold is a cutoff on: the measure, and the side of it that is good."""

from collections.abc import Mapping
from typing import Any, NamedTuple, get_type_hints

from sensecheck.calibration.decision import Decision
from sensecheck.calibration.library import CardLibrary
from sensecheck.calibration.target import Errors
from sensecheck.checks.decision import Noted, Noting, OpenCheck, carried
from sensecheck.checks.policies import named
from sensecheck.checks.presets import PRESETS
from sensecheck.checks.spec import check_from_data
from sensecheck.core.cutoff import GoodSide
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.serialization import did_you_mean
from sensecheck.core.threshold import is_threshold


class ThresholdSubject(NamedTuple):
    """What a threshold is a cutoff on, and what a promise for that cutoff is worth for the whole check."""

    measure: Measure
    good: GoodSide
    carries: frozenset[Errors]
    """The errors that the check makes no more of than the cutoff alone."""


def threshold_subject(
    preset: str, arguments: Mapping[str, Any] | None = None, *, library: CardLibrary | None = None
) -> ThresholdSubject:
    """The measure that a preset compares with its threshold, the good side, and which promises carry over.

    The arguments are those of the preset as data, without the threshold that is asked about.
    """
    check, noted, _ = _probe(preset, dict(arguments or {}), library)
    return ThresholdSubject(noted.measure, noted.cutoff.good, carried(check, noted.cutoff))


def open_check(
    preset: str, arguments: Mapping[str, Any] | None = None, *, library: CardLibrary | None = None
) -> OpenCheck:
    """A preset whose threshold is to be fitted; the arguments are its others, as data."""
    options = dict(arguments or {})
    check, noted, key = _probe(preset, options, library)
    use: dict[str, Any] = {"kind": preset, **options}
    policy = f", policy {named(str(options.get('policy', 'default'))).mark}" if preset == "grounded" else ""
    return OpenCheck.of(check, noted.cutoff, noted.measure, name=f"{preset}{policy}", use=use, key=key)


def open_again(decision: Decision, *, library: CardLibrary | None = None) -> OpenCheck:
    """The check that a card speaks of; `SpecError` where it decides by other parts today."""
    use = dict(decision.use)
    check = open_check(str(use.pop("kind", "")), use, library=library)
    if check.decision.check != decision.check:
        raise SpecError(
            f"the card speaks of the verdicts of `{decision.name}` as it was then, and today that check "
            "decides by other parts or other lines; calibrate it again"
        )
    return check


def _probe(preset: str, options: dict[str, Any], library: CardLibrary | None) -> tuple[Check, Noted, str]:
    """The preset with a cutoff that every reading passes, and what the cutoff is one on."""
    noting, key = Noting(), _open_threshold(preset, options)
    check = check_from_data({"kind": preset, **options, key: noting}, at=preset, library=library)
    (noted,) = noting.noted
    return check, noted, key


def thresholds_of(preset: str) -> tuple[str, ...]:
    """The arguments of a preset that may be a card."""
    if preset not in PRESETS:
        raise SpecError(did_you_mean("preset", preset, PRESETS))
    return tuple(name for name, hint in get_type_hints(PRESETS[preset]).items() if is_threshold(hint))


def _open_threshold(preset: str, options: Mapping[str, Any]) -> str:
    """The one threshold that the options leave open."""
    names = thresholds_of(preset)
    if not names:
        others = ", ".join(f"`{name}`" for name in PRESETS if thresholds_of(name))
        raise SpecError(f"the preset `{preset}` has no threshold to calibrate; these have one: {others}")
    unset = [name for name in names if name not in options]
    if len(unset) != 1:
        listed = " and ".join(f"`{name}`" for name in names)
        hint = "give a number for all but one" if unset else "leave out the one that is to be calibrated"
        raise SpecError(f"the preset `{preset}` has the threshold{'s' * (len(names) > 1)} {listed}; {hint}")
    return unset[0]
