"""Answers as somebody tries us on, judged: `python benchmarks/quality/trials.py`.

The rows are in benchmarks/data/trials: two writers who had seen none of our texts wrote them, and labelled
them; both are a large language model. What the readers before this one made of them stays in the results.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.everyday import Judged, Row, in_words, outcomes, table
from models.heads.public import ROOT

from sensecheck.checks import presets
from sensecheck.config import Settings, answerers
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.sense import Sense

DATA = ROOT / "benchmarks" / "data" / "trials"
RESULTS = ROOT / "benchmarks" / "results" / "trials.json"
ABOUT = "Answers as somebody tries us on; written and labelled by a large language model, not by people."
CHECKS: Mapping[str, Check] = {"means": presets.means(), "grounded": presets.grounded()}


def main() -> None:
    """Judge all rows with the reader that the settings name."""
    parts = answerers(Settings.from_environment())
    if parts.pairs is None:
        raise SystemExit("no reader is set up: pip install 'sensecheck[local]'")
    found = dict(measured(Sense(parts)))
    told = json.loads(RESULTS.read_text(encoding="utf-8"))["readers"] if RESULTS.is_file() else {}
    told.pop(parts.pairs.fingerprint, None)  # the last one is the one that was measured last
    told[parts.pairs.fingerprint] = found
    RESULTS.write_text(json.dumps({"about": ABOUT, "readers": told}, indent=1) + "\n", encoding="utf-8")


def measured(sense: Sense) -> Iterator[tuple[str, dict[str, Any]]]:
    """For each check, what came out."""
    for name, check in CHECKS.items():
        rows = [
            json.loads(line) for line in (DATA / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        ]
        said = outcomes(sense, map(sample_of, rows), check)
        found = table(name, name, [judged(row, outcome) for row, outcome in zip(rows, said, strict=True)])
        print(f"{name:12}{in_words(found)}")
        yield name, found


def sample_of(row: Row) -> Sample:
    """What is judged."""
    if "passages" in row:
        return Sample.of(row["answer"], question=row["question"], passages=row["passages"])
    return Sample.of(row["answer"], question=row["question"] or None, expected=row["expected"])


def judged(row: Row, outcome: str) -> Judged:
    """A good answer passes, another one fails; counted with a question and without one."""
    label = "good" if row["good"] else "bad"
    kind = f"{label}, {'behind a question' if row['question'] else 'without a question'}"
    return Judged(label, (kind,), "pass" if row["good"] else "fail", outcome)


if __name__ == "__main__":
    main()
