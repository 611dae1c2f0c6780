"""All that is known of what guards did: to references, and to what was answered with them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.retrieval.effects.effects import Effects
from sensecheck.stats.risk_coverage import PairedDifference, RiskCoverage, Scored, paired_difference


@dataclass(frozen=True, slots=True)
class ScoredEffects:
    """Outputs without guards and with them, on the same questions."""

    bare: RiskCoverage
    guarded: RiskCoverage
    paired: PairedDifference

    @classmethod
    def of(cls, bare: Sequence[Scored], guarded: Sequence[Scored], *, seed: int = 0) -> Self:
        """Both curves, and their difference up to the coverage that both reach."""
        paired = paired_difference(bare, guarded, seed=seed)
        return cls(RiskCoverage.of(bare), RiskCoverage.of(guarded), paired)

    def to_data(self) -> dict[str, Any]:
        """Both curves and the difference, ready for JSON."""
        return {
            "bare": self.bare.to_data(),
            "guarded": self.guarded.to_data(),
            "paired": self.paired.to_data(),
        }


@dataclass(frozen=True, slots=True)
class EffectsReport:
    """What the terminal, the files and the page tell."""

    source: str
    """The name of the labelled data."""
    effects: Effects
    scored: ScoredEffects | None = None
    """None where nobody scored outputs."""
    encoder: str | None = None
    """The fingerprint of the encoder that placed texts; None where none was asked."""

    def to_data(self) -> dict[str, Any]:
        """All of it, ready for JSON."""
        return {
            "source": self.source,
            "encoder": self.encoder,
            **self.effects.to_data(),
            "scored": None if self.scored is None else self.scored.to_data(),
        }
