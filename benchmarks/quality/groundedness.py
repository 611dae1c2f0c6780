"""Groundedness, every rule side by side: `python benchmarks/quality/groundedness.py [--short]`."""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.quality.grounding import tables
from benchmarks.quality.grounding.contrast import cases, contrast
from benchmarks.quality.grounding.judging import Policies
from benchmarks.quality.grounding.kept import read_or_kept
from benchmarks.quality.grounding.reader import Reader
from benchmarks.quality.grounding.readings import RowRead
from benchmarks.quality.grounding.rows import SETS, rows, some
from benchmarks.quality.grounding.scores import Scored, scored
from benchmarks.quality.grounding.verifiers import Verifiers
from models.heads.public import ROOT, data_folder

from sensecheck.core.encoder import Answerers
from sensecheck.core.loading import load_encoder
from sensecheck.sense import Sense

RESULTS = ROOT / "benchmarks" / "results" / "groundedness.json"
SHORT = 24
Result = dict[str, Any]
ABOUT = (
    "Groundedness on public labels. Intervals: 95%, over 1,000 draws of whole groups (documents, questions, "
    "articles, claims); shares have exact ones. Of a set that was trained on, only rows of the fold are read "
    "that neither the shipped verifier nor the shipped model of words has seen. Answers that state nothing "
    "are left out, and counted. Of sets with more than 500 such rows, 500 were drawn; ragtruth_qa and "
    "faithbench were read whole."
)


def main() -> None:
    """Measure everything; with `--short` a few rows of each set, and write nothing."""
    parser = argparse.ArgumentParser(description="Groundedness, every rule side by side.")
    parser.add_argument("--short", action="store_true", help=f"{SHORT} rows of a set; writes nothing")
    parser.add_argument("--rows", type=int, help="at most so many of each set; writes nothing")
    parser.add_argument("--as-kept", action="store_true", help="the newest kept readings, whatever changed")
    parser.add_argument("--words-only", action="store_true", help="ask no verifier")
    wanted = parser.parse_args()
    data, verifiers = data_folder(), Verifiers() if wanted.words_only else Verifiers.trained()
    reader = Reader(load_encoder("minilm"), verifiers, Policies.shipped(verifier=bool(verifiers.held_out)))
    count = SHORT if wanted.short else wanted.rows
    read = {name: _read(name, data, reader, count, as_kept=wanted.as_kept) for name in SETS}
    must_decide(read)
    measured = list(measure(read, reader, short=wanted.short))
    for row in measured:
        print(json.dumps(row, ensure_ascii=False))
    skipped = [*verifiers.missing, *reader.policies.missing]
    for reason in skipped:
        print(f"skipped: {reason}")
    if count is not None or skipped:
        print("nothing was written: the results are those of all rows, with all that ships")
        return
    told = json.dumps(to_data(measured), indent=1, ensure_ascii=False, allow_nan=False)
    RESULTS.write_text(f"{told}\n", encoding="utf-8")


def must_decide(read: Mapping[str, Sequence[RowRead]]) -> None:
    """End here if a policy is an `error` for every row of a set: its card is for another verifier."""
    for name, held in read.items():
        for policy in held[0].outcomes:
            if all(row.outcomes[policy] == "error" for row in held):
                sys.exit(f"the policy `{policy}` decides nothing on {name}: does its card fit the verifier?")


def measure(read: Mapping[str, Sequence[RowRead]], reader: Reader, *, short: bool) -> Iterator[Result]:
    """Every table; in short form only those that a few rows allow."""
    found = {name: scored(held) for name, held in read.items()}
    for name, each in found.items():
        yield from tables.ranking(name, each)
    for name, held in read.items():
        yield from tables.decided(name, held)
    yield from tables.accepted("squad2_derived", read["squad2_derived"])
    sense = Sense(Answerers(reader.encoder, reader.verifiers.unseen_by(None)))
    yield from contrast(sense, reader.policies, cases()[:: 8 if short else 1])
    if not short:
        yield from _in_full(found, reader)


def to_data(measured: Sequence[Result]) -> Result:
    """What was measured, as plain data."""
    return {"about": ABOUT, "measured": list(measured)}


def _in_full(found: Mapping[str, Scored], reader: Reader) -> Iterator[Result]:
    ragtruth = found["ragtruth_qa"]
    yield from tables.detecting("ragtruth_qa", ragtruth, reader.policies.lines())
    yield from tables.trained_on_some("ragtruth_qa", ragtruth)
    for name in ("factcheck_gpt", "begin"):
        yield from tables.telling(name, found[name])
    yield from tables.domains(found["summedits"])
    yield from tables.changes(found["perturbed"])


def _read(name: str, data: Path, reader: Reader, count: int | None, *, as_kept: bool) -> list[RowRead]:
    held = rows(name, data)
    if count is not None:
        return list(reader.read(some(held, count), name))
    return read_or_kept(name, held, reader, as_kept=as_kept)


if __name__ == "__main__":
    main()
