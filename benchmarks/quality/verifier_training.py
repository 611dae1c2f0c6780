"""What helped the verifier, and how far three of them lie apart: `just quality-verifier`.

The weights of each training lie in a folder of their own under `.cache/verifier`.
"""

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import numpy as np
from benchmarks.quality.grounding.ranks import ranked
from benchmarks.quality.grounding.rows import SETS, Row
from benchmarks.quality.grounding.scores import doubt
from benchmarks.quality.grounding.verifiers import TRAINED, loaded
from models.heads.public import ROOT, data_folder

from sensecheck.core.encoder import PairScorer
from sensecheck.measures.claims.claims import claims
from sensecheck.measures.support.verified import pair_of

RESULTS = ROOT / "benchmarks" / "results" / "verifier_training.json"
SEED = 5
COUNTS = {"perturbed": 400, "summedits": 200, "ragtruth_qa": 100}
"""How many answers of each set are read."""
TRAININGS: Mapping[str, tuple[str, int, int]] = {
    "ships": ("0", 0, 79_000),
    "fold 1 held out, short": ("1", 1, 15_000),
    "fold 2 held out, short": ("2", 2, 15_000),
    "very short": ("without-none", 0, 2_500),
    "the same without the loss of words": ("without-tokens", 0, 2_500),
    "the same without labelled sets": ("without-natural", 0, 2_500),
}
"""Each training by its folder, the fold that it has not seen, and how many pairs it saw."""


def main() -> None:
    """Measure every training whose weights are there, each on the fold that it has not seen."""
    data, measured = data_folder(), []
    for name, (folder, fold, pairs) in TRAININGS.items():
        if not (TRAINED / folder / "weights.pt").is_file():
            print(f"skipped: {name}: there are no weights in {TRAINED / folder}")
            continue
        row = {"training": name, "pairs": pairs, **dict(areas(data, fold, loaded(TRAINED / folder)))}
        print(json.dumps(row), flush=True)
        measured.append(row)
    if len(measured) < len(TRAININGS):
        print("nothing was written: the results are those of all trainings")
        return
    told = {"about": "AUROC of the log odds alone, with 95% intervals over groups.", "measured": measured}
    RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def areas(data: Path, fold: int, scorer: PairScorer) -> Iterator[tuple[str, Any]]:
    """The AUROC on each set, of rows that the verifier has not seen."""
    for name, count in COUNTS.items():
        held = [row for row in SETS[name](data) if row.fold in (None, 0 if name == "perturbed" else fold)]
        chosen = Random(SEED).sample(held, min(count, len(held)))
        values = np.array([_against(row, scorer) for row in chosen])
        bad = np.array([row.unsupported for row in chosen])
        yield name, ranked(values, bad, np.array([row.group for row in chosen]))


def _against(row: Row, scorer: PairScorer) -> float:
    pairs: Sequence[tuple[str, str]] = [
        pair_of(row.sample, claim) for claim in claims(row.sample.answer) if claim.checked
    ]
    return float(np.linalg.norm([doubt(score.value) for score in scorer.score(pairs)])) if pairs else 0.0


if __name__ == "__main__":
    main()
