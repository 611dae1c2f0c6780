"""What words tell of a claim beside the reader: `python models/reader/claim_odds.py [--most N]`.

It finds by how much words should lower what the reader believes, if they did. Half of the weight have
sentences of everyday answers that no reader learned from, in which words in common tell nothing, on purpose;
the other half have claims and replies that people labelled, in which they tell much (Factcheck-GPT and BEGIN,
those that the words have not learned from; the reader knows most of them). Every label weighs the same. What
each tells of a claim, and both together, goes to `benchmarks/results/claim_odds.json`: of LFQA-Verification
too, from which nothing has learned. No check decides by it: record 50 says why.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from benchmarks.quality.grounding.rows import MOST, chosen, rows
from models.heads.public import ROOT, data_folder
from models.reader import written
from models.reader.cards import that_count, whole_answers
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import log_loss, roc_auc_score

from sensecheck.checks.calibrate import LabelledSample
from sensecheck.checks.policies import POLICIES
from sensecheck.config import Settings, answerers
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.measures.pairs import log_odds
from sensecheck.sense import Sense

SHARES = {"everyday": 0.5, "begin": 0.25, "factcheck_gpt": 0.25, "lfqa_verification": 0.0}
"""How much each set counts; one that counts nothing is only measured."""
WORDS, FREE = np.arange(0.0, 3.1, 0.25).tolist(), np.arange(0.0, 3.1, 0.25).tolist()
"""What is tried for the two numbers of `ClaimOdds`."""
LEAST_SUPPORT = 1e-3
"""What lies below this support by words counts as this much."""
RESULTS = ROOT / "benchmarks" / "results" / "claim_odds.json"


class ClaimOdds(NamedTuple):
    """How far a claim's words lower the log odds that the reader gives it."""

    words: float
    """What the logarithm of the support by words is multiplied by."""
    free: float
    """So much of that does not count: other words may well say the same."""

    def moved(self, support: float) -> float:
        """What is added to the log odds: a number below zero, or zero."""
        return min(0.0, self.words * math.log(max(support, LEAST_SUPPORT)) + self.free)


class ClaimRow(NamedTuple):
    """A claim that the reader was asked about."""

    source: str
    reader: float
    """The log odds that it is supported, as the reader says."""
    words: float
    """The logarithm of the support by its words."""
    good: bool


def read(data: Path, sense: Sense, *, most: int | None = None) -> Iterator[ClaimRow]:
    """The claims of all sets, of so many everyday answers."""
    check = POLICIES["default"].check()
    known = {(row["group"], row["answer"]): row for row in whole_answers(data)}
    some = that_count(_labelled(known.values()))[:most]
    answers = [known[row.group, row.sample.answer] for row in some]
    for row, verdict in zip(answers, sense.judge_each((_sample(row), check) for row in answers), strict=True):
        labels = {" ".join(one["text"].split()): one["label"] == "supported" for one in row["sentences"]}
        for part in verdict.parts:
            if (found := _claim(part)) and (text := " ".join(found[0].split())) in labels:
                yield ClaimRow("everyday", *found[1:], labels[text])
    for name in list(SHARES)[1:]:
        replies = chosen(rows(name, data), MOST)
        for one, verdict in zip(
            replies, sense.judge_each((one.sample, check) for one in replies), strict=True
        ):
            if len(verdict.parts) == 1 and (found := _claim(verdict.parts[0])):
                yield ClaimRow(name, *found[1:], not one.unsupported)


def _labelled(answers: Iterable[written.Row]) -> Iterator[LabelledSample]:
    for row in answers:
        yield LabelledSample(_sample(row), row["label"] == "supported", row["group"])


def _sample(row: written.Row) -> Sample:
    return Sample.of(row["answer"], question=row["question"], passages=row["passages"])


def _claim(part: Verdict) -> tuple[str, float, float] | None:
    """A claim's text, what the reader says and what its words say; None where the reader was not asked."""
    if part.reading is None or not part.parts or part.parts[0].reading is None:
        return None
    text = next(
        (one.answer.text for one in part.reading.evidence if one.kind == "nearest" and one.answer), ""
    )
    words = math.log(max(part.reading.value, LEAST_SUPPORT))
    return text, log_odds(part.parts[0].reading.value), words


def fitted(found: Sequence[ClaimRow]) -> ClaimOdds:
    """The numbers under which the labels are most likely, by the shares of the sets."""
    counts = Counter((row.source, row.good) for row in found)
    weights = np.array([SHARES[row.source] / counts[row.source, row.good] for row in found])
    reader, words, good = (np.array(column) for column in list(zip(*found, strict=True))[1:])

    def loss(odds: ClaimOdds) -> float:
        values = (reader + np.minimum(0.0, odds.words * words + odds.free))[:, None]
        model = LogisticRegression(C=10).fit(values, good, sample_weight=weights / weights.mean())
        return float(log_loss(good, model.predict_proba(values)[:, 1], sample_weight=weights))

    return min((ClaimOdds(*both) for both in product(WORDS, FREE)), key=loss)


def main() -> None:
    """Print the numbers, and what both together tell of each set beside what each tells alone."""
    parser = argparse.ArgumentParser(description="Fit how likely a claim is by reader and words together.")
    parser.add_argument("--most", type=int, help="so many everyday answers; otherwise all there are")
    wanted = parser.parse_args()
    data = data_folder(nothing="nothing was fitted")
    found = list(read(data, Sense(answerers(Settings.from_environment())), most=wanted.most))
    odds = fitted(found)
    print(odds)
    table = []
    for name in SHARES:
        mine = [row for row in found if row.source == name]
        columns = {
            "reader": [row.reader for row in mine],
            "words": [row.words for row in mine],
            "both": [row.reader + odds.moved(math.exp(row.words)) for row in mine],
        }
        good = [row.good for row in mine]
        areas = {by: round(float(roc_auc_score(good, values)), 3) for by, values in columns.items()}
        table.append({"set": name, "share": SHARES[name], "claims": len(mine), **areas})
        print(table[-1])
    RESULTS.write_text(json.dumps({"measured": table}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
