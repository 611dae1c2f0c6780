"""Answers of two sentences, one of which was asked for: `python benchmarks/quality/sentences.py`.

The rows are the pairs of benchmarks/data/everyday whose answer is one sentence: written and labelled by a
large language model, nothing is trained or fitted on them. To each answer a second sentence is added, before
or behind it: a courtesy, or a right answer to another question. More detail is no error, so labels stay.
Each is judged by `means` alone, with the second sentence, and so again when the whole only is read.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.everyday import DATA, Row, means_row, outcomes, table
from models.heads.public import ROOT, rows_of

from sensecheck.checks import presets
from sensecheck.config import Settings, answerers
from sensecheck.core.sample import Sample
from sensecheck.measures import meaning
from sensecheck.measures.claims.claims import claims
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "sentences.json"
COURTESIES = (
    "Happy to help!", "Let me know if you need anything else.", "I hope that helps.", "Thanks for asking!",
    "You can find more about this on our website.", "Many people ask about this.",
    "The rest of the page has further details.", "This is described in the handbook.",
)  # fmt: skip
MIN_WORDS = 4
"""Shorter answers are hardly sentences."""


def main() -> None:
    """Judge all rows in three ways."""
    rows = [row for row in rows_of(DATA, "means.jsonl.gz") if is_sentence(row["answer"])]
    longer = list(with_another(rows))
    found: list[dict[str, Any]] = []
    for name, answers, apart in (
        ("the answer alone", rows, meaning.SENTENCES_APART),
        ("with a second sentence, read as a whole", longer, 0),
        ("with a second sentence", longer, meaning.SENTENCES_APART),
    ):
        meaning.SENTENCES_APART = apart
        found.append(judged(name, answers))
        print(name, found[-1]["labels"])
    RESULTS.write_text(json.dumps({"rows": len(rows), "measured": found}, indent=1) + "\n", encoding="utf-8")


def is_sentence(answer: str) -> bool:
    """Whether an answer is one sentence."""
    return len(claims(answer)) == 1 and len(answer.split()) >= MIN_WORDS


def with_another(rows: Sequence[Row]) -> Iterator[Row]:
    """Each row with a second sentence in its answer."""
    chance = Random(0)
    for row in rows:
        others = [one["answer"] for one in rows if one["group"] != row["group"] and one["label"] == "same"]
        other = chance.choice(COURTESIES if chance.random() < 0.5 else others)
        texts = [_closed(row["answer"]), _closed(other)]
        chance.shuffle(texts)
        yield {**row, "answer": " ".join(texts)}


def _closed(text: str) -> str:
    text = text.strip()
    return text[0].upper() + text[1:] + ("" if text[-1] in ".!?" else ".")


def judged(name: str, rows: Sequence[Row]) -> dict[str, Any]:
    """What `means` makes of the rows, read anew, by label."""
    sense = Sense(answerers(Settings.from_environment()))
    pairs = [Sample.of(row["answer"], question=row["question"], expected=row["expected"]) for row in rows]
    found = table("means", name, list(map(means_row, rows, outcomes(sense, pairs, presets.means()))))
    return {"rule": name, "labels": found["labels"]}


if __name__ == "__main__":
    main()
