"""Every metric of an answer beside the expected one, read row by row."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from models.correctness.rows import Row
from models.correctness.table import Numbers, Table

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import CannotJudge
from sensecheck.core.protocols import Measure
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.correctness.features import FEATURES, compared
from sensecheck.measures.facts.agreement import FactAgreement
from sensecheck.measures.lexical.bleu import SentenceBleu
from sensecheck.measures.lexical.content import ContentF1, LexicalAggregate, RecallAndCosine
from sensecheck.measures.lexical.rouge import RougeL
from sensecheck.measures.lexical.squad import GoldRecall, SquadExactMatch, SquadF1
from sensecheck.measures.similarity import SemanticSimilarity

METRICS: Mapping[str, Measure] = {
    "BLEU": SentenceBleu(),
    "ROUGE-L F1": RougeL(),
    "ROUGE-L precision": RougeL(of="precision"),
    "ROUGE-L recall": RougeL(of="recall"),
    "SQuAD exact match": SquadExactMatch(),
    "SQuAD F1": SquadF1(),
    "content F1": ContentF1(),
    "lexical aggregate": LexicalAggregate(),
    "gold recall": GoldRecall(),
    "cosine": SemanticSimilarity(),
    "angular": SemanticSimilarity("angular"),
    "euclidean": SemanticSimilarity("euclidean"),
    "manhattan": SemanticSimilarity("manhattan"),
    "fact agreement": FactAgreement(count=("changed", "missing")),
    "recall and cosine": RecallAndCosine(),
}
_AT_ONCE = 256
"""Rows whose texts are in memory at one time."""


@dataclass(frozen=True, slots=True)
class AnswersRead:
    """What every metric says of each row, and what the model of correctness is fitted on."""

    table: Table
    metrics: Mapping[str, Numbers]
    """By metric: of each row the best alternative."""
    left_out: int
    """Rows with a text that the encoder cannot read."""


def read_answers(rows: Sequence[Row], encoder: Encoder) -> AnswersRead:
    """Reads all metrics of all rows."""
    kept: list[Row] = []
    lines: list[list[float]] = []
    features: list[list[float]] = []
    for row, sample, space in _placed(rows, encoder):
        kept.append(row)
        lines.append([_best(measure, sample, row.expected, space) for measure in METRICS.values()])
        features += [[*each.features.values()] for each in compared(sample, row.expected, space)]
    home = np.repeat(np.arange(len(kept)), [len(row.expected) for row in kept])
    table = Table(kept, np.array(features).reshape(-1, len(FEATURES)), home)
    numbers = np.array(lines).reshape(-1, len(METRICS))
    return AnswersRead(table, dict(zip(METRICS, numbers.T, strict=True)), len(rows) - len(kept))


def _placed(rows: Sequence[Row], encoder: Encoder) -> Iterator[tuple[Row, Sample, Space]]:
    for at in range(0, len(rows), _AT_ONCE):
        part = rows[at : at + _AT_ONCE]
        texts = [text for row in part for text in (row.answer, *row.expected)]
        space = Space.of(sorted(texts, key=len), encoder)
        for row in part:
            if space.failed.keys().isdisjoint((row.answer, *row.expected)):
                yield row, Sample(row.answer, question=row.question), space


def _best(measure: Measure, sample: Sample, expected: Sequence[str], space: Space) -> float:
    return max(_value(measure, Sample(sample.answer, sample.question, each), space) for each in expected)


def _value(measure: Measure, sample: Sample, space: Space) -> float:
    """What a measure reads; 0 where it says that there is nothing to judge."""
    try:
        return measure.read(sample, space).value
    except CannotJudge:
        return 0.0
