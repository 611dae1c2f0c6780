"""Groundedness, every rule side by side: `python benchmarks/quality/groundedness.py [--most N] [--short]`.

The reader is the one that the settings name (`SENSECHECK_VERIFIER`). It takes its time, so of each set only
some rows are read, always the same ones. What it has read is kept in `.cache/benchmarks`, pair by pair under
its fingerprint: a run that was stopped goes on where it was, and the next one asks it nothing.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.grounding import tables
from benchmarks.quality.grounding.rows import MOST, MOST_OF, SETS, chosen, rows
from benchmarks.quality.grounding.scores import DECIDE, RowRead, Scored, read
from models.heads.public import CACHE, ROOT, data_folder
from models.reader.shipped import WEIGHTS, Made

from sensecheck.checks.policies import POLICIES
from sensecheck.config import Settings, answerers
from sensecheck.core.sample import Sample
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "groundedness.json"
SHORT = 12
Result = dict[str, Any]
OF_SET = {
    "ragtruth_qa": tables.detecting,
    "factcheck_gpt": tables.telling,
    "begin": tables.telling,
    "summedits": tables.domains,
    "perturbed": tables.changes,
}
"""The tables of single sets, beside those that all have."""
READ_AS = {"perturbed": "edits"}
"""The names that sets have for the reader, where they are others."""
UNSEEN_PART = ("summedits", "perturbed")
"""Sets of which only domains are read that the reader never learns from."""
ABOUT = (
    "Groundedness on public labels. Intervals: 95%, over 1,000 draws of whole groups (documents, questions, "
    "articles, claims); shares have exact ones. Of each set a fixed choice of rows was read. Answers that "
    "state nothing are left out where rules are ranked, and counted."
)


def main() -> None:
    """Measure everything; with `--short` a few rows of each set, and write nothing."""
    parser = argparse.ArgumentParser(description="Groundedness, every rule side by side.")
    parser.add_argument("--short", action="store_true", help=f"{SHORT} rows of a set; writes nothing")
    parser.add_argument("--most", type=int, help=f"rows of each set; {MOST} unless told, {MOST_OF}")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the results are written")
    wanted = parser.parse_args()
    settings = replace(Settings.from_environment(), cache=str(CACHE))
    parts, made = answerers(settings), reader_of(settings)
    if parts.pairs is None:
        sys.exit("`SENSECHECK_VERIFIER` must name a reader; got `off`")
    sense = Sense(parts)
    require_decisions(sense)
    measured = list(measure(data_folder(), sense, made, most=SHORT if wanted.short else wanted.most))
    for row in measured:
        print(json.dumps(row, ensure_ascii=False))
    if not wanted.short:
        told = {"about": ABOUT, "reader": described(parts.pairs.fingerprint, made), "measured": measured}
        text = json.dumps(told, indent=1, ensure_ascii=False, allow_nan=False)
        wanted.out.write_text(f"{text}\n", encoding="utf-8")


def require_decisions(sense: Sense) -> None:
    """End here if a policy is an `error`: its card is for another reader, say."""
    sample = Sample("The shop opens at ten.", passages=("The shop opens at nine on weekdays.",))
    for policy in DECIDE:
        verdict = sense.judge(sample, POLICIES[policy].check())
        if verdict.outcome == "error":
            sys.exit(f"the policy `{policy}` decides nothing: {verdict.because}")


def measure(data: Path, sense: Sense, made: Made | None, *, most: int | None) -> Iterator[Result]:
    """Read some rows of every set, and make every table that they allow."""
    found: dict[str, list[RowRead]] = {}
    for name in SETS:
        held = rows(name, data)
        some = chosen(held, most or MOST_OF.get(name, MOST))
        found[name] = list(read(some, sense, name))
        size = {"rows": len(some), "of": len(held)}
        yield {"table": "sets", "set": name, **size, **learned(name, made)}
    scored = {name: each for name, held in found.items() if (each := Scored.of(held)).has_both_labels}
    for name, each in scored.items():
        yield from tables.ranking(name, each)
    for name, mine in found.items():
        yield from tables.decided(name, mine)
    for name, tables_of in OF_SET.items():
        yield from tables_of(name, scored[name]) if name in scored else ()
    yield from tables.accepted("squad2_derived", found["squad2_derived"])
    yield from tables.contrast(sense, tables.cases(most=(most or MOST) // 4 or 1))


def reader_of(settings: Settings) -> Made | None:
    """What the weights of the packaged reader say of themselves; None for the reader of somebody else."""
    path = WEIGHTS / f"{settings.verifier}.safetensors"
    return Made.read(path)[0] if path.is_file() else None


def shares(made: Made) -> dict[str, float]:
    """How much of all pairs that a reader has read each set was, over all its runs."""
    whole = sum(stage.pairs for stage in made.stages)
    return {
        name: round(sum(stage.pairs * stage.shares.get(name, 0.0) for stage in made.stages) / whole, 4)
        for name in made.sets
    }


def learned(name: str, made: Made | None) -> Result:
    """How much of what the reader has read was of this set, and whether other domains than those here."""
    share = None if made is None else shares(made).get(READ_AS.get(name, name), 0.0)
    return {"learned": share, "other_domains": name in UNSEEN_PART}


def described(fingerprint: str, made: Made | None) -> Result:
    """The reader: which it is, and what it has learned from."""
    runs = () if made is None else [stage.run for stage in made.stages]
    return {"fingerprint": fingerprint, "runs": runs, "learned": {} if made is None else shares(made)}


if __name__ == "__main__":
    main()
