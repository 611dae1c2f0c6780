"""The labelled answers of every set, each with the fold in which a verifier has not seen it."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from models.heads.public import rows_of
from models.verifier.articles import squad_articles, texts
from models.verifier.folds import fold_of, fold_of_domain
from models.verifier.perturbed import perturbed_pairs

from sensecheck.core.sample import Sample

SEED = 11
SHIPPED = 0
"""The fold that neither the shipped verifier nor the shipped model of words has seen."""
MOST = 500
"""At most so many rows of a set are read: the verifier takes its time."""
WHOLE = ("ragtruth_qa", "faithbench", "perturbed")
CLAIMS = 1500
"""How many claims are made from articles of that fold."""


@dataclass(frozen=True, slots=True)
class Row:
    """An answer with its passages, whether they support it, and what must not be torn apart."""

    sample: Sample
    unsupported: bool
    group: str
    kind: str
    """What the set says of it besides the label: a domain, a stance, what was changed."""
    fold: int | None
    """None for a set that nobody was trained on."""
    spans: tuple[tuple[int, int], ...] = ()
    """The stretches of the answer that people marked as unsupported."""


def rows(name: str, data: Path) -> list[Row]:
    """The labelled rows of a set that nobody learned from; of a large set, some drawn by a seed."""
    held = [row for row in SETS[name](data) if row.fold in (None, SHIPPED)]
    if len(held) <= MOST or name in WHOLE:
        return held
    return [held[at] for at in sorted(random.Random(SEED).sample(range(len(held)), MOST))]


def some(held: Sequence[Row], count: int) -> list[Row]:
    """At most so many rows, as many of each label as there are, drawn by a seed, in their order."""
    chosen: list[int] = []
    for label in (False, True):
        mine = [at for at, row in enumerate(held) if row.unsupported == label]
        chosen += random.Random(SEED).sample(mine, min(count // 2, len(mine)))
    return [held[at] for at in sorted(chosen)]


def _ragtruth(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "ragtruth_qa/test.jsonl.gz"):
        spans = tuple((span["start"], span["end"]) for span in row["spans"])
        yield Row(_sample(row), bool(row["label"]), row["group"], row["model"], None, spans)


def _faithbench(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "faithbench/all.jsonl.gz"):
        yield Row(_sample(row), bool(row["label"]), row["group"], row["worst"], None)


def _lfqa(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "lfqa_verification/sentences.jsonl.gz"):
        yield Row(_sample(row), bool(row["label"]), row["group"], row["system"], None)


def _factcheck(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "factcheck_gpt/claim_evidence.jsonl.gz"):
        yield Row(_sample(row), bool(row["label"]), row["group"], row["stance"], fold_of(row["group"]))


def _begin(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "begin/wow_cmu.jsonl.gz"):
        if row["label"] in (0, 1):  # 2: people could not say
            # The turn before is no question, and the set's labels do not look at it.
            sample = Sample(row["response"], passages=(row["context"],))
            yield Row(sample, bool(row["label"]), row["group"], row["begin"], fold_of(row["group"]))


def _squad(data: Path) -> Iterator[Row]:
    articles = squad_articles(data)
    for row in rows_of(data, "squad2_derived/dev.jsonl.gz"):
        article = articles[row["context"]]
        yield Row(_sample(row), bool(row["label"]), article, row["kind"], fold_of(article))


def _summedits(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "summedits/all.jsonl.gz"):
        fold = fold_of_domain(row["domain"])
        yield Row(_sample(row), bool(row["label"]), row["group"], row["domain"], fold)


def _perturbed(data: Path) -> Iterator[Row]:
    """Claims made from articles of the shipped verifier's held-out fold, until there are enough."""
    rng, made = Random(SEED), 0
    unseen = [text for text in texts(data) if text.fold == SHIPPED]
    for text in rng.sample(unseen, len(unseen)):
        for pair in perturbed_pairs(text, rng):
            made += 1
            sample = Sample(pair.claim, passages=(pair.evidence,))
            yield Row(sample, pair.unsupported, text.group, pair.kind, SHIPPED)
        if made >= CLAIMS:
            return


def _sample(row: Mapping[str, Any]) -> Sample:
    return Sample(row["response"], question=row.get("question"), passages=(row["context"],))


SETS: Mapping[str, Callable[[Path], Iterator[Row]]] = {
    "ragtruth_qa": _ragtruth,
    "faithbench": _faithbench,
    "lfqa_verification": _lfqa,
    "factcheck_gpt": _factcheck,
    "begin": _begin,
    "squad2_derived": _squad,
    "summedits": _summedits,
    "perturbed": _perturbed,
}
