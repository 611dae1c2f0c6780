"""What each rule reads of each answer, as one number: the higher, the less supported."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from benchmarks.quality.grounding.readings import ClaimRead, Numbers, RowRead
from benchmarks.quality.grounding.rows import SHIPPED

from sensecheck.measures.support.model import SupportModel, shipped_model

Mask = npt.NDArray[np.bool_]
COMMON, OVERLAP, COSINE, WORDS, VERIFIER, BOTH = RULES = (
    "similarity or keywords",
    "keyword overlap",
    "cosine",
    "words",
    "verifier",
    "words and verifier",
)
NEAR, HELD = 0.7, 0.5
"""The lines of the common rule, on the cosine and on the overlap of long words."""
SHARE = 0.5
"""How much the verifier counts beside the words."""


def doubt(pair_logit: float) -> float:
    """How much the verifier speaks against a claim, from 0 up, as the words do."""
    return math.log1p(math.exp(-abs(pair_logit))) + max(pair_logit, 0.0)


def both(words_against: float, pair_logit: float) -> float:
    """What words and verifier say together against a claim."""
    return words_against + SHARE * doubt(pair_logit)


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """Rows of one set, and what each rule reads of them."""

    unsupported: Mask
    groups: npt.NDArray[np.str_]
    kinds: npt.NDArray[np.str_]
    folds: npt.NDArray[np.int64]
    """-1 for a set that nobody was trained on."""
    by_rule: dict[str, Numbers]
    read: tuple[RowRead, ...]
    left_out: int
    """Rows that could not be read by every rule: those that state nothing."""

    def where(self, chosen: Mask) -> "Scored":
        """Some of the rows."""
        return Scored(
            self.unsupported[chosen],
            self.groups[chosen],
            self.kinds[chosen],
            self.folds[chosen],
            {rule: values[chosen] for rule, values in self.by_rule.items()},
            tuple(row for row, kept in zip(self.read, chosen, strict=True) if kept),
            0,
        )


def scored(rows: Sequence[RowRead]) -> Scored:
    """The rows that every rule can read."""
    held = tuple(row for row in rows if row.claims and None not in (row.cosine, row.overlap))
    scores = [_scores(row, shipped_model()) for row in held]
    rules = [rule for rule in RULES if all(rule in each for each in scores)]
    return Scored(
        np.array([row.unsupported for row in held], bool),
        np.array([row.group for row in held], np.str_),
        np.array([row.kind for row in held], np.str_),
        np.array([-1 if row.fold is None else row.fold for row in held], np.int64),
        {rule: np.array([each[rule] for each in scores], float) for rule in rules},
        held,
        len(rows) - len(held),
    )


def pair_logit(claim: ClaimRead, fold: int | None) -> float | None:
    """What the verifier says of a claim that has not seen it."""
    return claim.pairs.get(str(SHIPPED if fold is None else fold))


def _scores(row: RowRead, model: SupportModel) -> dict[str, float]:
    assert row.cosine is not None and row.overlap is not None and row.long_overlap is not None  # noqa: PT018
    against = [claim.against(model) for claim in row.claims]
    found = {
        COMMON: -max(row.cosine - NEAR, row.long_overlap - HELD),
        OVERLAP: -row.overlap,
        COSINE: -row.cosine,
        WORDS: math.hypot(*against),
    }
    pairs = [pair_logit(claim, row.fold) for claim in row.claims]
    known = [pair for pair in pairs if pair is not None]
    if len(known) == len(pairs):
        found[VERIFIER] = math.hypot(*map(doubt, known))
        found[BOTH] = math.hypot(*map(both, against, known))
    return found
