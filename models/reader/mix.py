"""Which pairs are trained on, and how often: splits by group, and a sampler without shortcuts.

`python models/reader/mix.py` weighs the pairs and shows what the shortcuts are still worth in the mix.
"""

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.reader.evidence import Vectors, read_with
from models.reader.pairs import ANY, NO_CONFLICT, NOT_STATED, SETS, Pair, load
from models.reader.source import CACHE
from models.verifier.evidence import stems
from models.verifier.folds import DOMAINS
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, cross_val_predict

Part = Literal["train", "dev", "held"]
Numbers = npt.NDArray[np.float64]
HELD: Mapping[str, float] = {"wice_dev": 1 / 3, "mnli_dev": 0.1}
"""The share of groups that is kept for the final figures and never trained on or chosen by."""
DEV: Mapping[str, float] = {
    "everyday_means": 0.08, "everyday_answers": 0.5, "everyday_claims": 0.05,
    "written_answers": 0.15, "written_short": 0.08, "written_means": 0.12, "written_questions": 0.15,
    "written_repeated": 0.1, "written_near": 0.1, "everyday_edits": 0.5, "written_joined": 0.5}  # fmt: skip
"""The share of groups that choices are made by; `DEV_ELSE` for the other sets.

Edits and joined sentences are of the passages of other sets: every group that one of those keeps is kept
here too."""
DEV_WRITERS = ("yan-",)
"""Of `written_longer`, everything by these writers, and nothing else, is what choices are made by: a reader
knows the ways of those it has learned from."""
DEV_ELSE = 0.03
BACKWARD = 0.25
"""How often a `means` pair is read from the expected answer to the given one, beside the other way."""
MOST = 8.0
"""How many times as much as a pair that no shortcut gives away a pair may count."""
STRAY = 0.04
"""The share of pairs that are read with the evidence of another one, which then does not state the claim."""
TRIED = 8
"""So many pairs are looked at for evidence that a claim is set beside."""
WEIGHTS = CACHE / "weights.npy"
SHORTCUTS = CACHE / "shortcuts.json"


class Drawn(NamedTuple):
    """A pair, and the evidence that it is read with this time."""

    pair: Pair
    evidence: str
    wanted: tuple[float, ...] | None = None
    """The probabilities of the labels that a teacher gave; None where the pair's own label counts."""
    state: tuple[float, ...] | None = None
    """The vector by which the teacher decided."""


def part(pair: Pair) -> Part:
    """Where a pair belongs, by the hash of its group: the same for every pair of the group."""
    if pair.group.startswith("summedits:") and pair.group.rpartition(":")[2] in DOMAINS[0]:
        return "held"
    if pair.group.startswith(DEV_WRITERS):
        return "dev"
    if pair.source == "written_longer":
        return "train"
    at = int.from_bytes(hashlib.blake2b(f"reader:{pair.group}".encode(), digest_size=4).digest()) / 2**32
    held = HELD.get(pair.source, 0.0)
    if at < held:
        return "held"
    return "dev" if at < held + DEV.get(pair.source, DEV_ELSE) else "train"


def overlap(pair: Pair) -> float:
    """The share of the claim's content words that stand in the evidence."""
    claim = stems(pair.claim)
    return len(claim & stems(pair.evidence)) / len(claim) if claim else 1.0


def weights(pairs: Sequence[Pair]) -> Numbers:
    """How often each pair is drawn within its set, so that shortcuts do not tell its label.

    A shortcut is the claim alone (its words) and the words in common. Each pair counts as the inverse of how
    likely they make its label, judged by a regression that has not seen its group.
    """
    found = np.ones(len(pairs))
    for name in SETS:
        here = np.array([at for at, pair in enumerate(pairs) if pair.source == name], int)
        found[[at for at in here if pairs[at].allowed == NO_CONFLICT]] = BACKWARD
        here = np.array([at for at in here if pairs[at].allowed != NO_CONFLICT], int)
        mine = [pairs[at] for at in here]
        labels = np.array([pair.supported for pair in mine])
        if not len(mine) or labels.all() or not labels.any():
            continue
        likely = _likely(mine, labels)
        given = np.minimum(1 / np.where(labels, likely, 1 - likely) / 2, MOST)
        for label in (True, False):  # both labels weigh the same in every set
            given[labels == label] *= len(mine) / 2 / given[labels == label].sum()
        found[here] = given
    return found


def _likely(pairs: Sequence[Pair], labels: npt.NDArray[np.bool_]) -> Numbers:
    """How likely shortcuts make it that each pair is supported."""
    groups = [pair.group for pair in pairs]
    folds = GroupKFold(min(3, len(set(groups))))
    rows = _shortcuts(pairs)
    model = LogisticRegression(C=0.3, max_iter=200, class_weight="balanced")
    found: Numbers = cross_val_predict(
        model, rows, labels, groups=groups, cv=folds, method="predict_proba"
    )[:, 1]  # fmt: skip
    return np.clip(found, 0.05, 0.95)


def _shortcuts(pairs: Sequence[Pair]) -> csr_matrix:
    shared = np.array([overlap(pair) for pair in pairs])
    size = np.log([1 + len(pair.claim) for pair in pairs])
    bins = [(shared >= edge).astype(float) for edge in (0.01, 0.34, 0.5, 0.67, 0.8, 0.999)]
    words = _bag([pair.claim for pair in pairs])
    return hstack([words, csr_matrix(np.stack([shared, size, *bins], 1))]).tocsr()


def _bag(texts: Sequence[str]) -> csr_matrix:
    """Which words and which two neighbouring words each text has."""
    shape = CountVectorizer(binary=True, ngram_range=(1, 2), min_df=3, max_features=20_000)
    return shape.fit_transform(texts)


class Mix:
    """Draws pools of pairs; pool number `n` is always the same, so a training goes on where it ended."""

    def __init__(
        self, pairs: Sequence[Pair], weights: Sequence[float], vectors: Vectors, *, seed: int = 0,
        shares: Mapping[str, float] | None = None,
    ) -> None:  # fmt: skip
        self._vectors, self._seed = vectors, seed
        self._pairs: dict[str, list[Pair]] = defaultdict(list)
        heavy: dict[str, list[float]] = defaultdict(list)
        for pair, weight in zip(pairs, weights, strict=True):
            self._pairs[pair.source].append(pair)
            heavy[pair.source].append(weight)
        self._sums = {name: list(accumulate(given)) for name, given in heavy.items()}
        wanted = shares or {name: known.share for name, known in SETS.items()}
        self._shares = {name: share for name, share in wanted.items() if share and name in self._pairs}

    def pool(self, number: int, size: int) -> list[Drawn]:
        """So many pairs with their evidence."""
        rng = Random(f"{self._seed}:{number}")
        names = rng.choices(list(self._shares), list(self._shares.values()), k=size)
        return [self._drawn(name, rng) for name in names]

    def _drawn(self, name: str, rng: Random) -> Drawn:
        known = self._pairs[name]
        pair = rng.choices(known, cum_weights=self._sums[name])[0]
        if rng.random() < STRAY and (other := rng.choice(known)).group != pair.group:
            pair = replace(pair, evidence=other.evidence, allowed=frozenset({NOT_STATED}), changed=None)
        return Drawn(pair, read_with(pair, self._vectors, rng, others=known))

    def elsewhere(self, one: Drawn, rng: Random) -> Drawn:
        """The same claim beside the evidence of another pair of its set, of which nobody knows the label.

        Of a few pairs the one whose evidence has most words of the claim, so that it is not plainly about
        something else.
        """
        known, words = self._pairs[one.pair.source], stems(one.pair.claim)
        some = [pair for pair in rng.sample(known, min(TRIED, len(known))) if pair.group != one.pair.group]
        if not some:
            return one
        best = max(some, key=lambda pair: len(words & stems(pair.evidence)))
        pair = replace(one.pair, evidence=best.evidence, allowed=ANY, changed=None)
        return Drawn(pair, read_with(pair, self._vectors, rng))


def training_mix(
    *, seed: int = 0, shares: Mapping[str, float] | None = None, even: Collection[str] = ()
) -> Mix:
    """The mix of everything that may be trained on; pairs of the sets in `even` are drawn alike.

    What words in common tell of claims that people labelled, they tell at run time too.
    """
    pairs, given = load(), np.load(WEIGHTS)
    if len(pairs) != len(given):
        raise ValueError(
            f"`{WEIGHTS}` must weigh {len(pairs)} pairs; got {len(given)}: run models/reader/mix.py"
        )
    given[[at for at, pair in enumerate(pairs) if pair.source in even]] = 1.0
    kept = [at for at, pair in enumerate(pairs) if part(pair) == "train"]
    return Mix([pairs[at] for at in kept], given[kept].tolist(), Vectors.load(), seed=seed, shares=shares)


def shortcuts(drawn: Sequence[Drawn]) -> dict[str, float]:
    """How well words in common alone, and the claim alone, tell the labels of what was drawn (AUROC)."""
    told = [one for one in drawn if one.pair.allowed != NO_CONFLICT]
    labels = np.array([one.pair.supported for one in told])
    shared = np.array([overlap(Pair(one.pair.claim, one.evidence, one.pair.allowed, "", "")) for one in told])
    groups = [one.pair.group for one in told]
    model = LogisticRegression(C=0.3, max_iter=200)
    alone = cross_val_predict(
        model, _bag([one.pair.claim for one in told]), labels, groups=groups, cv=GroupKFold(3),
        method="decision_function",
    )  # fmt: skip
    return {
        "pairs": len(told),
        "supported": round(float(labels.mean()), 3),
        "words in common": round(float(roc_auc_score(labels, shared)), 3),
        "claim alone": round(float(roc_auc_score(labels, alone)), 3),
    }


def _by_set(drawn: Sequence[Drawn]) -> Iterator[tuple[str, list[Drawn]]]:
    yield "the mix", list(drawn)
    yield "everyday sets", [one for one in drawn if one.pair.source.startswith("everyday")]
    yield "other sets", [one for one in drawn if not one.pair.source.startswith("everyday")]


def main() -> None:
    """Weigh all pairs, and write what shortcuts tell with the weights and without them."""
    pairs = load()
    train = [at for at, pair in enumerate(pairs) if part(pair) == "train"]
    given = np.ones(len(pairs))
    given[train] = weights([pairs[at] for at in train])
    np.save(WEIGHTS, given)
    told: dict[str, Any] = {}
    for name, each in (("even", np.ones(len(train))), ("weighed", given[train])):
        mix = Mix([pairs[at] for at in train], each.tolist(), Vectors.load(), seed=1)
        told[name] = {which: shortcuts(some) for which, some in _by_set(mix.pool(0, 20_000))}
        print(name, json.dumps(told[name], indent=1), flush=True)
    SHORTCUTS.write_text(json.dumps(told, indent=2) + "\n")


if __name__ == "__main__":
    main()
