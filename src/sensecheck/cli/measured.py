"""What is calibrated: the verdicts of a preset, or a measure by name or from a file."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sensecheck.cli.inputs import data_from
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.checks.deciding import OpenCheck
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
    check: "OpenCheck | None" = None
    """The check whose verdicts count; None where the reading alone does."""

    @classmethod
    def of(
        cls, preset: str | None, measure: str | None, good: Side | None, policy: str | None = None
    ) -> "Measured":
        """What the command line names; it names one thing."""
        if (preset is None) == (measure is None):
            raise SpecError("say what to calibrate: either `--preset NAME` or `--measure NAME|FILE.json`")
        if preset is not None and good is not None:
            raise SpecError(f"`--good` is for `--measure`; the preset `{preset}` knows its good side")
        if policy is not None and preset not in ("grounded", "means"):
            raise SpecError(
                f"`--policy` is for `--preset grounded` and `--preset means`; got `{preset or measure}`"
            )
        if preset is not None:
            return cls._of_preset(preset, {} if policy is None else {"policy": policy})
        return cls._of_measure(measure or "", good or "above")

    def used(self, card: str) -> str:
        """A check with the card's line."""
        return json.dumps({**self.use, self.key: card}, ensure_ascii=False)

    def guards(self, card: str) -> tuple[str, str] | None:
        """A chain and a command with the card's line, where it is one for references and not for answers."""
        if self.use["kind"] != "relevant":
            return None
        return f"- above: {card}", f"sensecheck guard … --above {card}"

    @property
    def asked(self) -> "OpenCheck | Measure":
        """What rows are read by."""
        return self.measure if self.check is None else self.check

    @classmethod
    def _of_preset(cls, preset: str, given: dict[str, Any]) -> "Measured":
        from sensecheck.checks.thresholds import open_check

        check = open_check(preset, given)
        decision = check.decision
        return cls(check.measure, check.good, dict(decision.use), decision.key, check)

    @classmethod
    def _of_measure(cls, measure: str, good: Side) -> "Measured":
        from sensecheck.core.registry import measure_from_data, measure_to_data

        data = data_from(measure) if measure.endswith(".json") else {"kind": measure}
        found = measure_from_data(data, at=measure)
        return cls(found, good, {"kind": "gate", "measure": measure_to_data(found)}, "cutoff")
