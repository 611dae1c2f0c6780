"""Answers without a model: `python benchmarks/quality/extractive.py [--fit]`.

How often the sentence that answers is among those given, and how often a question that the passage does not
answer gets nothing. Weights and line come from the even articles; everything is counted on the odd ones.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import numpy as np
import numpy.typing as npt
from benchmarks.quality.extractive_set import Asked, Kind, asked_of
from benchmarks.quality.shares import counted
from models.heads.public import ROOT, data_folder, remembering_encoder, rows_of

from sensecheck.calibration.placement import place_cutoff
from sensecheck.calibration.target import Target
from sensecheck.checks.assess import assess
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.cutoff import Certificate, Cutoff
from sensecheck.core.serialization import to_data
from sensecheck.core.space import Space
from sensecheck.grounding.extractive import (
    AnswerInPassage,
    Matrix,
    SentenceFeatures,
    answers_in,
    extraction,
    extraction_from,
    features,
    to_extract,
)
from sensecheck.grounding.question import question_of, quotables_of

FILE = "squad2_derived/dev.jsonl.gz"
RESULTS = ROOT / "benchmarks" / "results" / "extractive.json"
RULE = ROOT / "src" / "sensecheck" / "grounding" / "extracting.json"
TARGET = Target("false_accepts", 0.1, 0.95)
HARD: tuple[Kind, ...] = ("another name", "same article")
"""The line is fitted on these; a question about another article is too easy to count."""
MARGIN = 1.5
_ROUNDS, _RIDGE, _DIGITS = 30, 0.01, 3
Vector = npt.NDArray[np.float64]


def main() -> None:
    """Measure, or fit anew first."""
    parser = argparse.ArgumentParser(description="Answers with the best sentences of a passage.")
    parser.add_argument("--fit", action="store_true", help="fit weights and line anew, and ship them")
    parser.add_argument("--short", action="store_true", help="a tenth of the questions; nothing is written")
    given = parser.parse_args()
    asked, placing = asked_of(rows_of(data_folder(), FILE)), remembering_encoder()
    if given.fit:
        fitted = fit([one for one in asked if one.article % 2 == 0], placing)
        RULE.write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
        extraction.cache_clear()
    held = [one for one in asked if one.article % 2 == 1][:: 10 if given.short else 1]
    found = list(measured(held, placing))
    print(table(found))
    if not given.short:
        told = {"measured": found, "most": 3, "articles": len({one.article for one in held})}
        RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def fit(asked: Sequence[Asked], encoder: Encoder) -> dict[str, Any]:
    """Weights by logistic regression over sentences, and then the line over questions, as plain data."""
    seen = [(_seen(one, encoder), _labels(one)) for one in asked]
    weights = np.round(_logistic(*(np.concatenate(side) for side in zip(*seen, strict=True))), _DIGITS)
    rule = AnswerInPassage(SentenceFeatures(*weights[:-1].tolist()), float(weights[-1]), MARGIN)
    values = np.array([1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1]).max())) for rows, _ in seen])
    kinds = np.array([one.kind for one in asked])
    good, bad = values[kinds == "answered"], values[np.isin(kinds, HARD)]
    placed = place_cutoff(good, bad, side="above", method="exact", targets=(TARGET,))
    name = f"{FILE.partition('/')[0]}, questions about the even articles"
    certificate = Certificate(name, encoder.fingerprint, "exact", TARGET.describe())
    cutoff = Cutoff(placed.value, "above", certificate=certificate)
    told = {"rule": to_data(rule), "cutoff": cutoff.to_data()}
    extraction_from(told)  # what cannot be read again is not shipped
    return told


def measured(asked: Sequence[Asked], encoder: Encoder) -> Iterator[dict[str, Any]]:
    """For each kind of question, how often something is given; and of answers, how often the right one."""
    samples = [to_extract(one.question, one.passage) for one in asked]
    cases = [(sample, extraction()) for sample in samples if sample is not None]
    verdicts = iter(assess(cases, Backends(encoder)))
    found = [() if sample is None else answers_in(next(verdicts)) for sample in samples]
    given = [tuple(span for span, _ in one) for one in found]
    for kind in get_args(Kind):
        rows = [(one, spans) for one, spans in zip(asked, given, strict=True) if one.kind == kind]
        told = {"kind": kind, "given": counted(sum(bool(spans) for _, spans in rows), len(rows))}
        if kind == "answered":
            right = [one for one, spans in rows if _meets(one, spans)]
            sentences = sum(len(spans) for _, spans in rows) / max(1, sum(bool(spans) for _, spans in rows))
            told |= {"right": counted(len(right), len(rows)), "sentences": round(sentences, 2)}
        yield told


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """What was measured, for people."""
    lines = [f"{'question':18}{'n':>6}{'answered':>10}{'with the right sentence':>26}{'sentences':>11}"]
    for row in found:
        right = f"{row['right']['share']:>26.1%}{row['sentences']:>11.2f}" if "right" in row else ""
        lines.append(f"{row['kind']:18}{row['given']['n']:>6}{row['given']['share']:>10.1%}{right}")
    return "\n".join(lines)


def _seen(one: Asked, encoder: Encoder) -> Matrix:
    found = quotables_of(one.passage)
    read = [each.read for each in found.each]
    space = Space.of((one.question, *read), encoder)
    return features(question_of(one.question), found, space.similarities(one.question, read))


def _labels(one: Asked) -> Vector:
    each = quotables_of(one.passage).each
    return np.array([_meets(one, ((found.start, found.end),)) for found in each], np.float64)


def _meets(one: Asked, spans: Sequence[tuple[int, int]]) -> bool:
    if one.answer is None:
        return False
    first, last = one.answer
    return any(start < last and first < end for start, end in spans)


def _logistic(rows: Matrix, labels: Vector) -> Vector:
    """The weights, the bias last, by Newton's steps."""
    seen = np.column_stack((rows, np.ones(len(rows))))
    weights = np.zeros(seen.shape[1])
    for _ in range(_ROUNDS):
        sure = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (sure - labels) + _RIDGE * weights
        bend = (seen * (sure * (1 - sure))[:, None]).T @ seen + _RIDGE * np.eye(len(weights))
        weights = weights - np.linalg.solve(bend, slope)
    return weights


if __name__ == "__main__":
    main()
