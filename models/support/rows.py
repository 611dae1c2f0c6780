"""The labelled claims that the model of support learns from, and those that its cards are fitted on."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from models.heads.public import rows_of
from models.verifier.articles import squad_articles, texts
from models.verifier.folds import fold_of, fold_of_domain
from models.verifier.perturbed import perturbed_pairs

from sensecheck.core.sample import Sample

LICENCES = {
    "factcheck_gpt": "Apache-2.0, Factcheck-GPT (Wang et al.)",
    "begin": "CC BY 4.0, BEGIN (Dziri et al., Google)",
    "summedits": "Apache-2.0, SummEdits (Laban et al., Salesforce)",
    "squad2_derived": "CC BY-SA 4.0, from SQuAD 2.0 (Rajpurkar et al.)",
    "perturbed": "made by us from the four sets above",
}
HELD_OUT = 0
"""The fold that is kept from training, for the card."""
PERTURBED = 120
"""How many articles claims are made from."""


@dataclass(frozen=True, slots=True)
class Row:
    """An answer with its passages, and whether they support it."""

    sample: Sample
    supported: bool
    source: str
    group: str
    fold: int


def rows(data: Path) -> Iterator[Row]:
    """All labelled answers of the sets that may be learned from, and claims made from their passages."""
    yield from _factcheck(data)
    yield from _begin(data)
    yield from _squad(data)
    yield from _summedits(data)
    yield from _perturbed(data)


def _factcheck(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "factcheck_gpt/claim_evidence.jsonl.gz"):
        sample = Sample(row["response"], passages=(row["context"],))
        yield Row(sample, not row["label"], "factcheck_gpt", row["group"], fold_of(row["group"]))


def _begin(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "begin/wow_cmu.jsonl.gz"):
        if row["label"] != 2:
            sample = Sample(row["response"], passages=(row["context"],))
            yield Row(sample, not row["label"], "begin", row["group"], fold_of(row["group"]))


def _squad(data: Path) -> Iterator[Row]:
    articles = squad_articles(data)
    for row in rows_of(data, "squad2_derived/dev.jsonl.gz"):
        group = articles[row["context"]]
        sample = Sample(row["response"], question=row["question"], passages=(row["context"],))
        yield Row(sample, not row["label"], "squad2_derived", f"squad:{row['group']}", fold_of(group))


def _summedits(data: Path) -> Iterator[Row]:
    for row in rows_of(data, "summedits/all.jsonl.gz"):
        sample = Sample(row["response"], passages=(row["context"],))
        yield Row(sample, not row["label"], "summedits", row["group"], fold_of_domain(row["domain"]))


def _perturbed(data: Path) -> Iterator[Row]:
    rng = Random(0)
    known = [text for text in texts(data) if text.source != "harmless"]
    for text in rng.sample(known, PERTURBED):
        for pair in perturbed_pairs(text, rng):
            sample = Sample(pair.claim, passages=(pair.evidence,))
            yield Row(sample, not pair.unsupported, "perturbed", text.group, text.fold)
