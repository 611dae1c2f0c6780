"""What each shipped rule does on labelled public data: `python benchmarks/quality/defaults.py`."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.labelled import CIRCLING, MEANING, Set
from benchmarks.quality.shares import share
from models.heads.public import ROOT, data_folder, remembering_encoder

from sensecheck.checks import presets
from sensecheck.config import Settings, verifier
from sensecheck.core.backends import Backends
from sensecheck.core.protocols import Check
from sensecheck.core.verdict import Outcome
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "defaults.json"
SEED = 7
ROWS = 500
OUTCOMES: tuple[Outcome, ...] = ("pass", "fail", "unsure", "error")
FAMILIES: Mapping[str, tuple[tuple[Check, ...], tuple[Set, ...]]] = {
    "meaning": ((presets.means(), presets.drift_threshold(threshold=0.3)), MEANING),
    "circling": ((presets.not_circling(), presets.trajectory()), CIRCLING),
}


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="What the shipped rules do on labelled public data.")
    parser.add_argument("--rows", type=int, default=ROWS, help="at most so many of each set and label")
    rows = int(parser.parse_args().rows)
    data, placing = data_folder(), remembering_encoder()
    sense = Sense(Backends(placing, verifier(Settings.from_environment())))
    found = [row for family in FAMILIES for row in measure(family, sense, data, rows)]
    print(table(found))
    if rows != ROWS:
        print(f"nothing was written: the results are those of {ROWS} rows")
        return
    RESULTS.write_text(
        json.dumps(to_data(found, rows, placing.fingerprint), indent=1, ensure_ascii=False) + "\n"
    )


def measure(family: str, sense: Sense, data: Path, rows: int) -> Iterator[dict[str, Any]]:
    """For each set and label, what each rule of a family says."""
    checks, sets = FAMILIES[family]
    for each in sets:
        print(f"measuring {family} on {each.name} …", file=sys.stderr, flush=True)
        labelled = each.samples(data, rows=rows, seed=SEED)
        for check in checks:
            verdicts = sense.judge_each((sample, check) for _, _, sample in labelled)
            counted = Counter(
                (label, wanted, verdict.outcome)
                for (label, wanted, _), verdict in zip(labelled, verdicts, strict=True)
            )
            for label, wanted in dict.fromkeys((label, wanted) for label, wanted, _ in labelled):
                counts = [counted[label, wanted, outcome] for outcome in OUTCOMES]
                yield {
                    "family": family,
                    "rule": check.name,
                    "set": each.name,
                    "benchmark_only": each.benchmark_only,
                    "label": label,
                    "wanted": wanted,
                    "n": sum(counts),
                    **{
                        outcome: share(hits, sum(counts))
                        for outcome, hits in zip(OUTCOMES, counts, strict=True)
                    },
                }


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """What was measured, for people."""
    lines = []
    for row in found:
        shares = "".join(f"{row[outcome]['share']:>8.1%}" for outcome in OUTCOMES)
        where = f"{row['set']}: {row['label']}"
        lines.append(f"{row['rule']:24}{where:58}{row['n']:>5}  {row['wanted']:5}{shares}")
    head = f"{'rule':24}{'set: label':58}{'n':>5}  {'want':5}{''.join(f'{o:>8}' for o in OUTCOMES)}"
    return "\n".join([head, *lines])


def to_data(found: Sequence[Mapping[str, Any]], rows: int, fingerprint: str) -> dict[str, Any]:
    """What was measured and how, as plain data."""
    sets = {each.name: each.benchmark_only for _, sets in FAMILIES.values() for each in sets}
    return {
        "about": "Shares of each outcome by rule, set and label, with exact 95% intervals (Clopper-Pearson). "
        "Sets that are benchmark_only are never trained on, and nothing made from them is shipped.",
        "encoder": fingerprint,
        "rows_per_label": rows,
        "seed": SEED,
        "benchmark_only": sorted(name for name, only in sets.items() if only),
        "measured": list(found),
    }


if __name__ == "__main__":
    main()
