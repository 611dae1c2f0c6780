"""How much semantic similarity should weigh in the aggregate, from what people said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from sensecheck.core.serialization import encode
from sensecheck.evals.qa.agreement.labelled import Labelled
from sensecheck.evals.qa.agreement.weighed import LEXICAL, SEMANTIC, Curve, Kind, Weighed, best_of
from sensecheck.stats.ranks import Estimate
from sensecheck.store.run_reading import RunTable

FEWEST = 50
"""From labels to fewer questions nothing is recommended."""
FEWEST_OF_A_KIND = 10
"""Nor where fewer questions than this have a good answer, or a bad one."""


@dataclass(frozen=True, slots=True)
class WeightSuggestion:
    """The weight of semantic similarity in `lexical_aggregate * (1 - w) + semantic_similarity * w`."""

    label: str
    encoder: str
    by: Kind
    n: int
    questions: int
    split: int
    """Answers that are left out: as many raters said 0 as 1."""
    curve: Curve
    best: float | None
    """The weight that agrees best with these labels; that alone is no reason to take it."""
    gain: Estimate | None
    """By how much it agrees better than words alone, on questions that it was not chosen by."""
    weight: float | None
    """The weight that is recommended; None where none can be."""
    because: str

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__dataclass_fields__}


def suggest_weight(
    tables: RunTable | Sequence[RunTable],
    label: str,
    *,
    encoder: str | None = None,
    yes_or_no: bool | None = None,
    confidence: float = 0.95,
) -> WeightSuggestion:
    """The weight that agrees best with a label, if it is more than chance that it does.

    `yes_or_no` says whether every rater said 0 or 1; without it, that is so where all means are 0 or 1.
    """
    held = Labelled.of([tables] if isinstance(tables, RunTable) else tables, label, yes_or_no=yes_or_no)
    weighed = Weighed.of(held, encoder)
    about = (label, weighed.encoder, weighed.by, len(weighed.said), weighed.questions, weighed.split)
    if lacking := _lacking(weighed):
        return WeightSuggestion(*about, (), None, None, None, f"no weight can be recommended: {lacking}")
    curve, gain = weighed.curve(), weighed.gain(confidence)
    best = best_of(curve)
    return WeightSuggestion(*about, curve, best, gain, *_decided(best, gain, weighed))


def _lacking(weighed: Weighed) -> str:
    """What is missing before anything can be said; nothing when all is there."""
    if weighed.questions < FEWEST:
        return f"{weighed.questions} questions have a label and both numbers; wanted at least {FEWEST}"
    if weighed.by == "auroc":
        kinds = [len(np.unique(weighed.groups[weighed.said == kind])) for kind in (1.0, 0.0)]
        if min(kinds) < FEWEST_OF_A_KIND:
            told = f"{kinds[0]} questions have an answer labelled 1, and {kinds[1]} one labelled 0"
            return f"{told}; wanted at least {FEWEST_OF_A_KIND} of each"
    columns = {"the label": weighed.said, f"`{LEXICAL}`": weighed.lexical, f"`{SEMANTIC}`": weighed.semantic}
    constant = [name for name, values in columns.items() if np.ptp(values) == 0]
    return f"{constant[0]} is the same for all answers" if constant else ""


def _decided(best: float, gain: Estimate, weighed: Weighed) -> tuple[float | None, str]:
    told = f"{gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
    if gain.low is None or gain.low <= 0:
        within = f"the gain, {told}, is within chance"
        return None, f"no weight can be recommended: {weighed.questions} questions with labels, and {within}"
    return best, f"on questions it was not chosen by, the agreement rises by {told}"
