"""What a small model that is taught some labels looks at, answer by answer: a line a feature."""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
from benchmarks.quality.grounding.readings import Numbers, RowRead
from benchmarks.quality.grounding.scores import pair_logit

from sensecheck.measures.support.model import SupportModel, shipped_model
from sensecheck.measures.support.words import FEATURES

_MISSING = FEATURES.index("missing")
Feature = Callable[[RowRead, SupportModel], float]


def answer_features(rows: Sequence[RowRead], names: Sequence[str]) -> Numbers:
    """One row an answer, one column a feature."""
    model = shipped_model()
    return np.array([[ANSWER_FEATURES[name](row, model) for name in names] for row in rows], float)


def names_for(rows: Sequence[RowRead]) -> list[str]:
    """The features that can be had: those of the verifier only where it has read everything."""
    heard = all(pair_logit(claim, row.fold) is not None for row in rows for claim in row.claims)
    return [name for name in ANSWER_FEATURES if heard or name not in OF_THE_VERIFIER]


def _against(row: RowRead, model: SupportModel) -> list[float]:
    return sorted((claim.against(model) for claim in row.claims), reverse=True)


def _pairs(row: RowRead) -> list[float]:
    found = (pair_logit(claim, row.fold) for claim in row.claims)
    return sorted((pair for pair in found if pair is not None), reverse=True)


def _words(row: RowRead) -> list[tuple[float, ...]]:
    return [word for claim in row.claims for word in claim.words]


def _missing(row: RowRead) -> float:
    return float(sum(word[_MISSING] for word in _words(row)))


def _doubts(row: RowRead) -> Numbers:
    return np.array([odds for claim in row.claims for _, _, odds in claim.doubts], float)


def _signals(row: RowRead, *, new: bool) -> float:
    return float(sum(kind.endswith(":new") == new for claim in row.claims for kind in claim.signals))


def _second(values: Sequence[float]) -> float:
    return values[1] if len(values) > 1 else values[0]


OF_THE_VERIFIER: Mapping[str, Feature] = {
    "verifier, worst": lambda row, _: _pairs(row)[0],
    "verifier, second": lambda row, _: _second(_pairs(row)),
    "verifier, mean": lambda row, _: float(np.mean(_pairs(row))),
    "verifier, chances added": lambda row, _: float(np.sum(1 / (1 + np.exp(-np.array(_pairs(row)))))),
    "verifier's words, chances added": lambda row, _: float(np.sum(1 / (1 + np.exp(-_doubts(row))))),
    "verifier's words, worst": lambda row, _: float(_doubts(row).max(initial=-10.0)),
}
ANSWER_FEATURES: Mapping[str, Feature] = {
    "words, whole": lambda row, model: math.log1p(math.hypot(*_against(row, model))),
    "words, worst": lambda row, model: math.log1p(_against(row, model)[0]),
    "words, second": lambda row, model: math.log1p(_second(_against(row, model))),
    "words, sum": lambda row, model: math.log1p(sum(_against(row, model))),
    "words, mean": lambda row, model: float(np.mean(_against(row, model))),
    "missing words": lambda row, _: math.log1p(_missing(row)),
    "share of missing words": lambda row, _: _missing(row) / max(len(_words(row)), 1),
    "signals of change": lambda row, _: _signals(row, new=False),
    "signals of new things": lambda row, _: _signals(row, new=True),
    "claims that abstain": lambda row, _: float(sum(claim.open for claim in row.claims)),
    "share of verbatim claims": lambda row, _: float(np.mean([claim.verbatim for claim in row.claims])),
    "remotest claim": lambda row, _: 1 - min(claim.near for claim in row.claims),
    "cosine": lambda row, _: row.cosine or 0.0,
    "overlap": lambda row, _: row.overlap or 0.0,
    "characters": lambda row, _: math.log(max(row.chars, 1)),
    "claims": lambda row, _: math.log1p(len(row.claims)),
    **OF_THE_VERIFIER,
}
