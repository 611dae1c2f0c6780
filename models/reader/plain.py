"""Fit how pairs without a question are judged by `means`: `python models/reader/plain.py`.

The cutoff of `means` is fitted on everyday answers behind a question. Two plain sentences
are another kind of pair: this finds the weights of `PLAIN_PAIR` in `sensecheck.measures.meaning`, under
which the same cutoff lets as many wrong pairs pass. The pairs are those of natural inference and of
what was written for `means` that no reader learned from; every set and label weighs the same.
The card of `means`, which is about pairs behind a question alone, is fitted before.
"""

import math
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.heads.public import data_folder
from models.reader import written
from models.reader.mix import part
from models.reader.pairs import ANY, YES, Pair, entailment
from sklearn.linear_model import LogisticRegression

from sensecheck.calibration.library import shipped_card
from sensecheck.config import Settings, answerers
from sensecheck.core.backends import PairScorer
from sensecheck.measures.meaning import same_meaning_probability, share_said
from sensecheck.measures.pairs import log_odds

SETS = ("snli_devtest", "mnli_dev", "cad_nli")
MOST = 500
"""The most pairs of a set, always the same ones."""
ACCEPTED = 0.1
"""The share of wrong pairs that pass; the card promises a little more, with 95% confidence on fewer rows."""
Numbers = npt.NDArray[np.float64]


class PlainRow(NamedTuple):
    """Two sentences, and whether the first says what the second does."""

    answer: str
    expected: str
    good: bool
    source: str


def rows(data: Path) -> Iterator[PlainRow]:
    """Pairs without a question, of groups that nothing was trained on."""
    for name in SETS:
        unseen = [pair for pair in entailment(data, name) if part(pair) == "dev"]
        for pair in Random(0).sample(unseen, min(MOST, len(unseen))):
            yield PlainRow(pair.evidence, pair.claim, pair.allowed == YES, name)
    for name, given in (("written_means", written.means()), ("written_near", written.means(written.NEAR))):
        for row in given:
            if not row["question"] and part(Pair("", "", ANY, name, row["group"])) == "dev":
                for answer in row["answers"]:
                    yield PlainRow(answer["text"], row["expected"], answer["label"] == "same", name)


def read(found: Sequence[PlainRow], scorer: PairScorer) -> Numbers:
    """The reader's log odds that each pair has one meaning, and the share of expected words in the answer."""
    forward = scorer.score([(row.expected, row.answer) for row in found])
    backward = scorer.score([(row.answer, row.expected) for row in found])
    odds = [log_odds(same_meaning_probability(*both)) for both in zip(forward, backward, strict=True)]
    said = [share_said(row.answer, row.expected) for row in found]
    return np.array([odds, said]).T


def main() -> None:
    """Print the weights."""
    found = list(rows(data_folder(nothing="nothing was fitted")))
    scorer = answerers(Settings.from_environment()).pairs
    if scorer is None:
        raise SystemExit("no reader is set up: pip install 'sensecheck[local]'")
    values, good = read(found, scorer), np.array([row.good for row in found])
    counts = Counter((row.source, row.good) for row in found)
    weights = np.array([1 / counts[row.source, row.good] for row in found])
    model = LogisticRegression(C=10, max_iter=2000).fit(values, good, sample_weight=weights / weights.mean())
    odds = model.decision_function(values)
    bad = np.flatnonzero(~good)
    order = bad[np.argsort(odds[bad])]
    place = int(np.searchsorted(np.cumsum(weights[order]) / weights[order].sum(), 1 - ACCEPTED))
    line = shipped_card("means").line
    always = model.intercept_[0] + math.log(line / (1 - line)) - odds[order[place]]
    print(f"{len(found):,} pairs, {int(good.sum()):,} of one meaning")
    print(f"odds={model.coef_[0][0]:.2f}, words={model.coef_[0][1]:.2f}, always={always:.2f}")
    passed = odds >= odds[order[place]]
    for name in dict.fromkeys(row.source for row in found):
        here = np.array([row.source == name for row in found])
        right, wrong = passed[here & good].mean(), passed[here & ~good].mean()
        print(f"{name}: of one meaning {right:.1%} pass, others {wrong:.1%}")


if __name__ == "__main__":
    main()
