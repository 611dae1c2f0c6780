"""How often a fitted line breaks its promise: `python benchmarks/quality/promise.py [--short]`."""

import argparse
import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.populations import (
    ROWS,
    SEED,
    Population,
    Rates,
    Resampled,
    Side,
    Simulated,
    real_refusals,
)
from benchmarks.quality.shares import share
from models.heads.public import ROOT, data_folder, remembering_encoder

from sensecheck.calibration.placement import Values, place_cutoff
from sensecheck.calibration.target import Method, Target
from sensecheck.core.backends import Backends

RESULTS = ROOT / "benchmarks" / "results" / "promise.json"
FITS = 5000
SHORT_FITS = 400
WANTED = Target("false_accepts", 0.05, 0.95)


def ours(method: Method) -> Callable[[Values, Values, Side], float]:
    """The line that sensecheck fits."""
    targets = () if method == "best_f1" else (WANTED,)
    return lambda good, bad, side: place_cutoff(good, bad, side=side, method=method, targets=targets).value


def empirical_quantile(good: Values, bad: Values, side: Side) -> float:
    """The common way: the line that lets 5% of the bad rows pass that it is fitted on."""
    return float(np.quantile(bad, 1 - WANTED.at_most if side == "above" else WANTED.at_most))


METHODS: Mapping[str, Callable[[Values, Values, Side], float]] = {
    "exact": ours("exact"),
    "conformal": ours("conformal"),
    "empirical_quantile": empirical_quantile,
    "best_f1": ours("best_f1"),
}


def main() -> None:
    """Fit again and again, as the command line says."""
    parser = argparse.ArgumentParser(description="How often a fitted line breaks its promise.")
    parser.add_argument("--short", action="store_true", help="fewer fits, simulated only; nothing is written")
    short = bool(parser.parse_args().short)
    populations: list[Population] = [Simulated()]
    fingerprint = None
    if not short:
        refusals, fingerprint = _refusals()
        populations.append(refusals)
    fits = SHORT_FITS if short else FITS
    found = [row for each in populations for row in measure(each, fits)]
    print(table(found))
    if not short:
        data = to_data(found, fits, populations, fingerprint)
        RESULTS.write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n")
    if missed := [said for row in found for said in missed_goals(row)]:
        sys.exit("\n".join(missed))


def _refusals() -> tuple[Resampled, str]:
    """The real readings, and the encoder's fingerprint."""
    data, placing = data_folder(), remembering_encoder()
    return real_refusals(data, Backends(placing)), placing.fingerprint


def measure(population: Population, fits: int) -> Iterator[dict[str, Any]]:
    """Every method on the same draws."""
    chance = np.random.default_rng(SEED)
    rates: dict[str, list[Rates]] = {name: [] for name in METHODS}
    for _ in range(fits):
        good, bad = population.draw(chance)
        for name, line_of in METHODS.items():
            rates[name].append(population.true_rates(line_of(good, bad, population.side)))
    for name, found in rates.items():
        false_accepts, true_accepts = np.array(found).T
        yield {
            "population": population.name,
            "method": name,
            "fits": fits,
            "broken": share(int((false_accepts > WANTED.at_most).sum()), fits),
            "mean_fpr": round(float(false_accepts.mean()), 4),
            "mean_fpr_error": round(1.96 * float(false_accepts.std()) / math.sqrt(fits), 4),
            "mean_tpr": round(float(true_accepts.mean()), 4),
        }


def missed_goals(row: Mapping[str, Any]) -> Iterator[str]:
    """What a method should show and does not."""
    broken, fpr = row["broken"]["share"], row["mean_fpr"]
    reached = {
        "exact": ("breaks its promise in at most 6% of fits", broken <= 0.06),
        "conformal": ("has a mean false positive rate within 1 point of 5%", abs(fpr - 0.05) <= 0.01),
        "best_f1": ("breaks the wanted rate in most fits", broken > 0.5),
    }
    goal, met = reached.get(row["method"], ("", True))
    if not met:
        yield f"{row['population']}: `{row['method']}` {goal}: not so (broken {broken:.1%}, mean {fpr:.1%})"


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """What was measured, for people."""
    lines = [f"{'population':28}{'method':20}{'fits':>6}{'FPR > 5%':>10}{'(95%)':>16}{'FPR':>8}{'TPR':>8}"]
    for row in found:
        broken = row["broken"]
        interval = f"{broken['low']:.1%} to {broken['high']:.1%}"
        lines.append(
            f"{row['population']:28}{row['method']:20}{row['fits']:>6}{broken['share']:>10.1%}{interval:>16}"
            f"{row['mean_fpr']:>8.1%}{row['mean_tpr']:>8.1%}"
        )
    return "\n".join(lines)


def to_data(
    found: Sequence[Mapping[str, Any]], fits: int, populations: Sequence[Population], fingerprint: str | None
) -> dict[str, Any]:
    """What was measured and how, as plain data."""
    real = [each for each in populations if isinstance(each, Resampled)]
    return {
        "about": "How often a line that was fitted for a false positive rate of at most 5% (95% confidence) "
        "has a true rate above it. `broken` is a share of fits with its exact 95% interval, by Clopper and "
        "Pearson; `mean_fpr` and `mean_tpr` are means of the true rates over the fits.",
        "wanted": WANTED.to_data(),
        "fits": fits,
        "rows_per_label": ROWS,
        "seed": SEED,
        "encoder": fingerprint,
        "populations": {each.name: {"good": len(each.good), "bad": len(each.bad)} for each in real},
        "measured": list(found),
    }


if __name__ == "__main__":
    main()
