"""How many questions to a judge a cascade saves: `python benchmarks/quality/cascade.py [--short]`.

Real answers with human labels (xstest), and what GPT-4 said of the same answers, as recorded with them. Its
labels are replayed as a judge's replies, so that every way of deciding hears the same judge.
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality import refusal_head
from benchmarks.quality.asking import Decided, Row, cascade, doubting, replayed, three_ways
from benchmarks.quality.shares import difference, share
from models.heads.public import ROOT, data_folder, remembering_encoder

from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome

RESULTS = ROOT / "benchmarks" / "results" / "cascade.json"
SHORT_PARTS = 1
MOST_ASKED = 0.20
SHARES = (0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0)
LABELS: Mapping[str, Outcome] = {"1_full_compliance": "pass", "2_full_refusal": "fail"}
PARTIAL, NO_LABEL = "a partial refusal, as people see it", "GPT-4 gave no plain label"


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="How many questions to a judge a cascade saves.")
    parser.add_argument("--short", action="store_true", help="one part of the rows; nothing is written")
    short = bool(parser.parse_args().short)
    data, placing = data_folder(), remembering_encoder()
    readings = refusal_head.held_out_readings(data, Backends(placing), parts=SHORT_PARTS if short else None)
    rows, left_out = rows_of(readings)
    found = {"encoder": placing.fingerprint, "left_out": left_out, **measure(rows)}
    print(f"\n{table(found)}")
    if not short:
        RESULTS.write_text(json.dumps({"about": ABOUT, **found}, indent=1, ensure_ascii=False) + "\n")


def rows_of(readings: Sequence[tuple[Mapping[str, Any], float, Cutoff]]) -> tuple[list[Row], dict[str, int]]:
    """The rows that have two plain labels; and how many were left out, by why."""
    rows: list[Row] = []
    left_out = {PARTIAL: 0, NO_LABEL: 0}
    for at, (row, value, line) in enumerate(readings):
        if row["label"] not in LABELS:
            left_out[PARTIAL] += 1
        elif row["gpt"] not in LABELS:
            left_out[NO_LABEL] += 1
        else:
            sample = Sample(row["response"], question=row["prompt"], id=str(at))
            rows.append(Row(sample, LABELS[row["label"]], LABELS[row["gpt"]], value, line))
    return rows, left_out


def measure(rows: Sequence[Row]) -> dict[str, Any]:
    """Three ways of deciding, and the cascade with narrower and wider bands of doubt."""
    with replayed(rows) as judge:
        ways = three_ways(rows, judge)
        by_width = [(width, cascade(doubting(rows, width), judge)) for width in SHARES]
    always, asking = ways["always the judge"], ways["cascade"]
    no_loss = sum(asking.rights(rows)) >= sum(always.rights(rows))
    return {
        "rows": len(rows),
        "refusals": sum(row.label == "fail" for row in rows),
        "measured": [{"way": way, **_told(rows, found, always)} for way, found in ways.items()],
        "cascade_by_share_asked": [
            {"share": width, **_told(rows, found, always)} for width, found in by_width
        ],
        "goal": {"most_asked": MOST_ASKED, "met": asking.asked <= MOST_ASKED * len(rows) and no_loss},
    }


def _told(rows: Sequence[Row], found: Decided, always: Decided) -> dict[str, Any]:
    rights = found.rights(rows)
    return {
        "asked": found.asked,
        "asked_share": round(found.asked / len(rows), 4),
        "accuracy": share(sum(rights), len(rows)),
        "not_decided": sum(outcome not in ("pass", "fail") for outcome in found.outcomes),
        "against_always": difference(rights, always.rights(rows)),
    }


def table(found: Mapping[str, Any]) -> str:
    """What was measured, for people."""
    met = "yes" if found["goal"]["met"] else "no"
    lines = [
        f"{found['rows']} answers, {found['refusals']} of them refusals",
        f"{'':24}{'asked':>8}{'accuracy (95%)':>26}{'against always asking (95%)':>36}",
        *(_line(row["way"], row) for row in found["measured"]),
        "the cascade, with a band of doubt around a given share of the readings:",
        *(_line(f"  {row['share']:.0%}", row) for row in found["cascade_by_share_asked"]),
        f"asks at most {found['goal']['most_asked']:.0%}, without loss: {met}",
    ]
    return "\n".join(lines)


def _line(name: str, row: Mapping[str, Any]) -> str:
    right, against = row["accuracy"], row["against_always"]
    accuracy = f"{right['share']:.1%} ({100 * right['low']:.1f} to {100 * right['high']:.1f})"
    gained = f"{against['difference']:+.1%} ({100 * against['low']:+.1f} to {100 * against['high']:+.1f})"
    return f"{name:24}{row['asked_share']:>8.1%}{accuracy:>26}{gained:>36}"


ABOUT = (
    "Whether answers of xstest are refusals: always asking a judge, a cheap check alone (its line without "
    "a band of doubt), and a cascade that asks the judge only where the cheap check is unsure. The cheap "
    "check is our head, for each answer trained on other families of models and other prompts; its line "
    "and band are fitted on those too, for 2% false accepts and 2% false rejects on average. The judge "
    "is GPT-4, as recorded with the data; what is right is what people said. `asked` counts rows, "
    "accuracies have exact 95% intervals (Clopper-Pearson), and `against_always` is the paired difference "
    "to always asking, whose interval takes as given on how many rows the two differ. Five models "
    "answered the same 450 prompts, so that rows are not quite independent. `cascade_by_share_asked` puts "
    "the band of doubt around the readings nearest to the line, without looking at a label."
)


if __name__ == "__main__":
    main()
