"""What reading each text once saves, on public sets: `python benchmarks/scale/distinct_shares.py`.

Routing by the reference saves its repetitions wherever they lie; of answers, those that meet in one shard.
"""

import gzip
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.scale.reporting import keep

from sensecheck.config import Settings
from sensecheck.encoders.token_counter import token_counter

ABOUT = (
    "Of public sets of answers with their references: how many of each are distinct, and which share of the "
    "tokens is left when each text is read once."
)
SETS = (
    ("evouna", "evouna/NQ.jsonl.gz", "gold", "answer"),
    ("ragtruth_qa", "ragtruth_qa/test.jsonl.gz", "context", "response"),
    ("faithbench", "faithbench/all.jsonl.gz", "context", "response"),
    ("lfqa_verification", "lfqa_verification/sentences.jsonl.gz", "context", "response"),
    ("begin", "begin/wow_cmu.jsonl.gz", "context", "response"),
    ("halueval_qa", "halueval_qa/one_turn.jsonl.gz", "context", "response"),
    ("squad2_derived", "squad2_derived/dev.jsonl.gz", "context", "response"),
)
"""A name, a file, where the reference stands, and where the answer."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How often texts of a set come again."""

    name: str
    rows: int
    references: int
    answers: int
    """Distinct ones."""
    tokens: int
    """Of all texts, each as often as it comes."""
    left_by_references: float
    """The share of the tokens, when a reference is read once."""
    left: float
    """The same, when an answer is read once too."""


def main() -> None:
    """Count, tell and keep."""
    data = Settings.from_environment().data
    if not data:
        sys.exit("wanted: SENSECHECK_DATA as a folder of labelled public data")
    found = [shares(name, list(_pairs(Path(data) / file, *columns))) for name, file, *columns in SETS]
    for one in found:
        print(one)
    keep("scale_distinct", ABOUT, {"sets": [asdict(one) for one in found]})


def shares(name: str, pairs: list[tuple[str, str]]) -> Shares:
    """What is distinct in pairs of references and answers."""
    counter = token_counter("minilm")
    weigh = {text: counter(text) + 2 for pair in pairs for text in pair}
    references, answers = ({pair[at] for pair in pairs} for at in (0, 1))
    whole = sum(weigh[text] for pair in pairs for text in pair)
    once = sum(weigh[text] for text in references)
    by_references = once + sum(weigh[answer] for _, answer in pairs)
    everything = sum(weigh[text] for text in references | answers)
    return Shares(
        name, len(pairs), len(references), len(answers), whole, by_references / whole, everything / whole
    )


def _pairs(file: Path, reference: str, answer: str) -> Iterator[tuple[str, str]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for row in map(json.loads, lines):
            yield row[reference] or "", row[answer] or ""


if __name__ == "__main__":
    main()
