"""Verdicts in judges' texts, every rule side by side: `python benchmarks/quality/verdicts.py [--short]`."""

import argparse
import json
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.folds import FOLDS, Mask, Shares, Teaching, fold_of, scored_inside
from benchmarks.quality.shares import counted
from models.heads import build, verdict_data
from models.heads.public import ROOT, data_folder, remembering_encoder
from models.heads.verdict_recipe import RECIPE

from sensecheck.calibration.placement import place_cutoff
from sensecheck.calibration.target import Target
from sensecheck.checks import presets
from sensecheck.checks.gate import Gate
from sensecheck.checks.train import joined, rows_of
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import Cutoff, at_least
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome
from sensecheck.measures.exemplars import ClusterMargin
from sensecheck.measures.heads.model import shares_of
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "verdicts.json"
SEED = 7
OF_EACH = 220
"""Feedback that passes, and as much that fails: 440 in all."""
TARGETS = (Target("false_accepts", 0.05), Target("false_rejects", 0.05))
CLUSTERS = {"pass": verdict_data.PASSES, "fail": verdict_data.FAILS}
Result = dict[str, Any]


def main() -> None:
    """Measure everything; with `--short` only the rules that need no training, and write nothing."""
    parser = argparse.ArgumentParser(description="Verdicts in judges' texts, every rule side by side.")
    parser.add_argument("--short", action="store_true", help="only what needs no training; writes nothing")
    short = bool(parser.parse_args().short)
    data, answerers = data_folder(), Backends(remembering_encoder())
    measured = list(rules(data, answerers, short=short))
    for row in measured:
        print(json.dumps(row, ensure_ascii=False))
    if not short:
        about = "440 judgements with a known score; of those that a rule decides, how many it has right."
        told = {"about": about, "seed": SEED, "rows": 2 * OF_EACH, "measured": measured}
        RESULTS.write_text(json.dumps(told, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def rules(data: Path, answerers: Backends, *, short: bool) -> Iterator[Result]:
    """Each rule on the same 440 texts."""
    labelled = [example for _, example in verdict_data.feedback(data)]
    passes = np.array([example.label == "pass" for example in labelled])
    asked = _drawn(passes)
    samples = [example.sample for example, is_asked in zip(labelled, asked, strict=True) if is_asked]
    sense = Sense(answerers)
    for rule, check in _checks().items():
        yield _row(rule, [v.outcome for v in sense.judge_each((s, check) for s in samples)], passes[asked])
    if not short:
        said = _by_head(labelled, passes, answerers)
        yield _row(
            "stated, then head on unseen prompts",
            _stated_first([said[i] for i in np.flatnonzero(asked)], samples, sense),
            passes[asked],
        )


def _checks() -> dict[str, Check]:
    stated = presets.verdict_is().checks[0]  # type: ignore[attr-defined]  # the first of the cascade
    by: Sequence[Any] = ("mean", "nearest", "centroid")
    clusters = {
        f"clusters of examples, by {how}": Gate(ClusterMargin(CLUSTERS, "pass", how), at_least(0.0))
        for how in by
    }
    return {"stated verdict alone": stated, **clusters}


def _by_head(labelled: Sequence[Any], passes: Mask, answerers: Backends) -> list[Outcome]:
    """What a head says that has seen no judgement of a prompt, with a band fitted on those it has seen."""
    rows = joined(rows_of(build.balanced(labelled), RECIPE, answerers))
    own = joined(rows_of(verdict_data.our_own(), RECIPE, answerers))
    teaching = Teaching(RECIPE, build.STRENGTH["verdict"], (own,))
    folds = np.array([fold_of(str(example.group)) for example in labelled])
    said: list[Outcome] = ["error"] * len(labelled)
    for fold in range(FOLDS):
        seen, asked = folds != fold, folds == fold
        inside = _passing(scored_inside(rows, seen, teaching))
        placed = place_cutoff(
            inside[seen & passes], inside[seen & ~passes], side="above", method="conformal", targets=TARGETS
        )
        cutoff = Cutoff(placed.value, "above", placed.doubt)
        values = _passing(shares_of(teaching.model(rows, seen).logits(rows.numbers[asked])))
        for place, value in zip(np.flatnonzero(asked), values, strict=True):
            said[place] = cutoff.side(float(value))
    return said


def _stated_first(said: Sequence[Outcome], samples: Sequence[Sample], sense: Sense) -> list[Outcome]:
    """The stated verdict where there is one; else what the head says."""
    stated = sense.judge_each((sample, _checks()["stated verdict alone"]) for sample in samples)
    return [v.outcome if v.outcome != "unsure" else head for v, head in zip(stated, said, strict=True)]


def _drawn(passes: Mask) -> Mask:
    draw = random.Random(SEED)
    chosen = np.zeros(len(passes), bool)
    for label in (True, False):
        chosen[draw.sample(list(np.flatnonzero(passes == label)), OF_EACH)] = True
    return chosen


def _passing(shares: Shares) -> Shares:
    value: Shares = shares[:, RECIPE.classes.index("pass")]
    return value


def _row(rule: str, said: Sequence[Outcome], passes: Mask) -> Result:
    decided = [
        (word == "pass", good) for word, good in zip(said, passes, strict=True) if word in ("pass", "fail")
    ]
    right = sum(word == good for word, good in decided)
    unsure = sum(word == "unsure" for word in said)
    return {
        "rule": rule,
        "right": counted(right, len(decided)) if decided else None,
        "unsure": counted(unsure, len(said)),
        "errors": sum(word == "error" for word in said),
    }


if __name__ == "__main__":
    main()
