"""The labelled answers of every set, and a fixed choice of them."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from models.heads.public import rows_of
from models.support.rows import HELD_OUT
from models.verifier.articles import squad_articles, texts
from models.verifier.folds import DOMAINS, fold_of
from models.verifier.perturbed import perturbed_pairs

from sensecheck.core.sample import Sample

SEED = 11
MOST, MOST_OF = 150, {"ragtruth_qa": 829, "faithbench": 100}
"""How many rows of a set are read unless told otherwise.

An answer of these two sets has five or six claims, so that all of RAGTruth is most of the work.
"""
CLAIMS = 60
"""At most so many claims are made of one article."""
EACH, KEPT = 30, 100
"""At most so many claims with the same kind of change, and so many that say what the article says."""


@dataclass(frozen=True, slots=True)
class Row:
    """An answer with its passages, whether they support it, and what must not be torn apart."""

    sample: Sample
    unsupported: bool
    group: str
    kind: str
    """What the set says of it besides the label: a domain, a stance, what was changed."""
    spans: tuple[tuple[int, int], ...] = ()
    """The stretches of the answer that people marked as unsupported."""


def rows(name: str, data: Path) -> list[Row]:
    """All rows of a set; of one that the weights for the words learned from, those that they have not seen.

    Of SummEdits, these are the domains that the reader has not seen either.
    """
    return list(SETS[name](data))


def chosen(held: Sequence[Row], most: int) -> list[Row]:
    """At most so many rows, in their order: of each label its share, and of as many groups as there are.

    A larger choice holds a smaller one but for the shares, so what was read for one is kept for the other.
    """
    if len(held) <= most:
        return list(held)
    bad = round(most * sum(row.unsupported for row in held) / len(held))
    bad = min(max(bad, 1), most - 1)
    kept: list[int] = []
    for label, count in ((True, bad), (False, most - bad)):
        mine = [at for at, row in enumerate(held) if row.unsupported == label]
        turns: Counter[str] = Counter()
        order: list[tuple[int, int]] = []
        for at in Random(SEED).sample(mine, len(mine)):
            order.append((turns[held[at].group], at))
            turns[held[at].group] += 1
        kept += [at for _, at in sorted(order, key=lambda one: one[0])[:count]]
    return [held[at] for at in sorted(kept)]


def _ragtruth(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "ragtruth_qa/test.jsonl.gz"):
        spans = tuple((span["start"], span["end"]) for span in row["spans"])
        yield Row(_sample(row), bool(row["label"]), row["group"], row["model"], spans)


def _faithbench(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "faithbench/all.jsonl.gz"):
        yield Row(_sample(row), bool(row["label"]), row["group"], row["worst"])


def _lfqa(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "lfqa_verification/sentences.jsonl.gz"):
        yield Row(_sample(row), bool(row["label"]), row["group"], row["system"])


def _factcheck(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "factcheck_gpt/claim_evidence.jsonl.gz"):
        if fold_of(row["group"]) == HELD_OUT:
            yield Row(_sample(row), bool(row["label"]), row["group"], row["stance"])


def _begin(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "begin/wow_cmu.jsonl.gz"):
        if row["label"] in (0, 1) and fold_of(row["group"]) == HELD_OUT:  # 2: people could not say
            # The turn before is no question, and the set's labels do not look at it.
            sample = Sample(row["response"], passages=(row["context"],))
            yield Row(sample, bool(row["label"]), row["group"], row["begin"])


def _squad(data: Path) -> Iterator[Row]:
    articles = squad_articles(data)
    for row in rows_of(data, "squad2_derived/dev.jsonl.gz"):
        article = articles[row["context"]]
        if fold_of(article) == HELD_OUT:
            yield Row(_sample(row), bool(row["label"]), article, row["kind"])


def _summedits(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "summedits/all.jsonl.gz"):
        if row["domain"] in DOMAINS[HELD_OUT]:
            yield Row(_sample(row), bool(row["label"]), row["group"], row["domain"])


def _perturbed(data: Path) -> Iterator[Row]:
    """Claims made from articles of held-out SummEdits domains, of each kind of change about as many."""
    rng, made = Random(SEED), Counter[str]()
    for at, text in enumerate(text for text in texts(data) if text.source == "summedits"):
        if text.fold == HELD_OUT:
            for pair in islice(perturbed_pairs(text, rng), CLAIMS):
                made[pair.kind] += 1
                if made[pair.kind] <= (EACH if pair.unsupported else KEPT):
                    sample = Sample(pair.claim, passages=(pair.evidence,))
                    yield Row(sample, pair.unsupported, f"{text.group}:{at}", pair.kind)


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
