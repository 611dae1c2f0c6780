"""What is calibrated: a preset's threshold, or a measure by name or from a file."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sensecheck.cli.inputs import data_from
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sensecheck.calibration.target import Errors, Target
    from sensecheck.core.protocols import Measure

# ruff: noqa: PLC0415 - measures bring numpy along, which `--help` does without

Side = Literal["above", "below"]


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure, the side of its line that is good, and where the line will be used."""

    measure: "Measure"
    good: Side
    use: dict[str, Any]
    """A check in which only the card's name is missing."""
    key: str
    """Where in that check the name is to stand."""
    carries: "frozenset[Errors]"
    """The errors of which a promise for the line is one for that check too."""

    @classmethod
    def of(cls, preset: str | None, measure: str | None, good: Side | None) -> "Measured":
        """What the command line names; it names one thing."""
        if (preset is None) == (measure is None):
            raise SpecError("say what to calibrate: either `--preset NAME` or `--measure NAME|FILE.json`")
        if preset is not None and good is not None:
            raise SpecError(f"`--good` is for `--measure`; the preset `{preset}` knows its good side")
        if preset is not None:
            return cls._of_preset(preset)
        return cls._of_measure(measure or "", good or "above")

    def used(self, card: str) -> str:
        """A check with the card's line."""
        return json.dumps({**self.use, self.key: card}, ensure_ascii=False)

    def guards(self, card: str) -> tuple[str, str] | None:
        """A chain and a command with the card's line, where it is one for references and not for answers."""
        if self.use["kind"] != "relevant":
            return None
        return f"- above: {card}", f"sensecheck guard … --above {card}"

    def warnings(self, targets: "Iterable[Target]") -> tuple[str, ...]:
        """What the card promises for the measure alone, and not for the check that it is used in."""
        return tuple(
            f"the promise of {target.in_words()} is one for `{self.measure.name}` alone: in the check "
            f"`{self.use['kind']}` other parts decide too, and it does not carry over to the whole of it"
            for target in targets
            if target.errors not in self.carries
        )

    @classmethod
    def _of_preset(cls, preset: str) -> "Measured":
        from sensecheck.checks.thresholds import asked_of, thresholds_of

        asked = asked_of(preset)
        return cls(asked.measure, asked.good, {"kind": preset}, thresholds_of(preset)[0], asked.carries)

    @classmethod
    def _of_measure(cls, measure: str, good: Side) -> "Measured":
        from sensecheck.calibration.target import SHORT
        from sensecheck.core.described import measure_from_data, measure_to_data

        data = data_from(measure) if measure.endswith(".json") else {"kind": measure}
        found = measure_from_data(data, at=measure)
        return cls(
            found, good, {"kind": "gate", "measure": measure_to_data(found)}, "cutoff", frozenset(SHORT)
        )
