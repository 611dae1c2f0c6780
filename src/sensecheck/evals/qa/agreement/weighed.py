"""An aggregate of words and meaning, by the weight that meaning has in it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.evals.qa.agreement.labelled import Labelled, most_said_yes
from sensecheck.stats.ranks import (
    Estimate,
    Groups,
    Influenced,
    Numbers,
    auroc,
    influenced_auroc,
    influenced_spearman,
    spearman,
    width,
)

LEXICAL, SEMANTIC = "lexical_aggregate", "semantic_similarity"
GRID = tuple(step / 20 for step in range(21))
FOLDS = 10
SEED = 20_250_101
"""Fixed, so that the same labels always give the same folds."""
Kind = Literal["auroc", "spearman"]
Curve = tuple[tuple[float, float], ...]
"""For each weight, how well the aggregate agrees with the labels."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """Labelled answers that both metrics have read."""

    encoder: str
    lexical: Numbers
    semantic: Numbers
    said: Numbers
    groups: Groups
    by: Kind
    """What is to be as high as possible: AUROC for labels of 0 and 1, else Spearman's correlation."""
    split: int = 0
    """Answers that are left out: as many raters said 0 as 1."""

    @classmethod
    def of(cls, held: Labelled, encoder: str | None = None) -> "Weighed":
        """Those of these answers, with the similarity by this encoder where several have read it."""
        lexical, semantic = _only(held, LEXICAL, None), _only(held, SEMANTIC, encoder)
        one, other = held.columns[lexical], held.columns[semantic]
        read = ~(np.isnan(one) | np.isnan(other) | held.split)
        by: Kind = "auroc" if held.is_yes_or_no else "spearman"
        said = most_said_yes(held.said).astype(np.float64) if held.is_yes_or_no else held.said
        rest = said[read], held.groups[read], by, int(held.split.sum())
        return cls(held.encoders[semantic], one[read], other[read], *rest)

    @property
    def questions(self) -> int:
        """To how many questions the answers belong."""
        return len(np.unique(self.groups))

    def curve(self, rows: Groups | None = None) -> Curve:
        """How well each weight agrees with the labels, or with those of some answers."""
        some = np.arange(len(self.said)) if rows is None else rows
        return tuple((weight, self._value(weight, some)) for weight in GRID)

    def gain(self, confidence: float) -> Estimate:
        """By how much the aggregate agrees better than words alone, on answers its weight was not chosen by.

        Each tenth of the questions is weighed by what is best on the others.
        """
        weights = np.empty(len(self.said))
        for rest, left_out in self._folds():
            weights[left_out] = best_of(self.curve(rest))
        chosen, bare = self._influenced(weights), self._influenced(0.0)
        value = chosen.value - bare.value
        reach = width(confidence) * Influenced(value, chosen.shares - bare.shares).error(self.groups)
        return Estimate(value, value - reach, value + reach)

    def _folds(self) -> Iterator[tuple[Groups, Groups]]:
        numbers = np.unique(self.groups, return_inverse=True)[1]
        fold = (np.random.default_rng(SEED).permutation(self.questions) % FOLDS)[numbers]
        for number in range(FOLDS):
            yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)

    def _scores(self, weight: float | Numbers) -> Numbers:
        scores: Numbers = self.lexical * (1 - weight) + self.semantic * weight
        return scores

    def _value(self, weight: float, rows: Groups) -> float:
        scores, said = self._scores(weight)[rows], self.said[rows]
        return auroc(scores, said == 1) if self.by == "auroc" else spearman(scores, said)

    def _influenced(self, weight: float | Numbers) -> Influenced:
        scores = self._scores(weight)
        if self.by == "auroc":
            return influenced_auroc(scores, self.said == 1)
        return influenced_spearman(scores, self.said)


def best_of(curve: Curve) -> float:
    """The weight that agrees best; of several, the smallest."""
    return max(curve, key=lambda point: (point[1], -point[0]))[0]


def _only(held: Labelled, name: str, encoder: str | None) -> tuple[str, str]:
    """The column of this metric, of which there must be one."""
    keys = [key for key in held.columns if key[0] == name]
    if not keys:
        raise SpecError(f"the runs have no `{name}`; a weight is one between `{LEXICAL}` and `{SEMANTIC}`")
    chosen = [key for key in keys if encoder in (None, held.encoders[key])]
    if not chosen:
        raise SpecError(unknown(f"encoder of `{name}`", encoder, [held.encoders[key] for key in keys]))
    if len(chosen) > 1:
        encoders = ", ".join(f"`{held.encoders[key]}`" for key in chosen)
        raise SpecError(f"`{name}` was read by several encoders: {encoders}; say which with `--encoder`")
    return chosen[0]
