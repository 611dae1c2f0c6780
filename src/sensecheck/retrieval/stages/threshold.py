"""Those that are close enough."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import SpecError
from sensecheck.core.threshold import Threshold, cutoff_of
from sensecheck.measures.similarity import Relevance
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Dropped, Step
from sensecheck.retrieval.stage import StageContext


@dataclass(frozen=True, slots=True)
class Above:
    """Keeps what is on the good side of a cutoff; exactly on the cutoff is kept.

    A fitted cutoff holds for the encoder it was fitted for: similarity that someone else measured, or no one
    knows who, raises `StaleCutoff`.
    """

    name: ClassVar[str] = "above"
    cutoff: Cutoff
    unsure: Literal["keep", "drop"] = "drop"
    """What becomes of a match in the cutoff's unsure band."""

    def __post_init__(self) -> None:
        if self.cutoff.good != "above":
            raise SpecError(f"`above` must be a line whose good side is above; got {self.cutoff.describe()}")
        if not -1 <= self.cutoff.value <= 1:
            raise SpecError(f"similarity is a cosine, from -1 to 1; got the cutoff {self.cutoff.value:g}")

    def __call__(self, matches: Sequence[Match], asked: StageContext) -> Step:
        """Those on the good side, in their order."""
        for encoder in {match.encoder for match in matches}:
            self.cutoff.require_encoder(encoder)
        kept: list[Match] = []
        dropped: list[Dropped] = []
        description = self.cutoff.describe()
        for match in matches:
            side = self.cutoff.side(match.closeness)
            if side == "pass" or (side == "unsure" and self.unsure == "keep"):
                kept.append(match)
            else:
                what = "is in the unsure band of" if side == "unsure" else "is below"
                because = f"its similarity {match.closeness:.4g} {what} the cutoff: {description}"
                dropped.append(Dropped(match, self.name, because))
        return Step(tuple(kept), tuple(dropped))


def above(line: Threshold | Cutoff, *, unsure: Literal["keep", "drop"] = "drop") -> Above:
    """Keep what is at least this close: a number, a card for the measure `relevance`, or a cutoff."""
    cutoff = line if isinstance(line, Cutoff) else cutoff_of(line, Relevance(), "above")
    return Above(cutoff, unsure)
