"""Sections of a page that answer a question: `python benchmarks/quality/related.py [--fit]`.

A page is 20 to 24 paragraphs of an article. A question is put to one that answers it, to the same one
without the paragraph that does, and to one of another article. The line is the lowest that keeps both targets
on the even articles, from which the weights come too; everything is counted on the odd ones.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, get_args

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

import numpy as np
from benchmarks.quality.related_set import SECTIONS, Page, pages_of
from benchmarks.quality.shares import counted
from models.heads.public import ROOT, data_folder, remembering_encoder, rows_of

from sensecheck.calibration.placement import place_cutoff
from sensecheck.calibration.target import Target
from sensecheck.checks.assess import assess
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.cutoff import Certificate, Cutoff
from sensecheck.grounding.extractive import (
    Answers,
    answering,
    answers_in,
    best_of,
    extraction,
    related,
    to_extract,
)

FILE = "squad2_derived/dev.jsonl.gz"
RESULTS = ROOT / "benchmarks" / "results" / "related.json"
LINE = ROOT / "src" / "sensecheck" / "grounding" / "relating.json"
Kind = Literal["on the page", "taken out", "another article"]
TARGETS: Mapping[Kind, Target] = {
    "taken out": Target("false_accepts", 0.2, 0.95),
    "another article": Target("false_accepts", 0.01, 0.95),
}
"""Of questions that the page does not answer, so many may get a section all the same."""
TOP = 3


@dataclass(frozen=True, slots=True)
class Searched:
    """A question that was put to a page, and what each section answers."""

    kind: Kind
    sections: tuple[Answers, ...]
    right: int | None = None

    @property
    def surest(self) -> float:
        """How surely the best section answers."""
        return max((best[1] for found in self.sections if (best := best_of(found))), default=0.0)


def main() -> None:
    """Measure, or fit anew first."""
    parser = argparse.ArgumentParser(description="Which sections of a page answer a question.")
    parser.add_argument("--fit", action="store_true", help="fit the line anew, and ship it")
    parser.add_argument("--short", action="store_true", help="a tenth of the questions; nothing is written")
    given = parser.parse_args()
    pages, placing = pages_of(rows_of(data_folder(), FILE)), remembering_encoder()
    if given.fit:
        even = list(searched([page for page in pages if page.article % 2 == 0], placing))
        LINE.write_text(
            json.dumps({"cutoff": fitted(even, placing).to_data()}, indent=1) + "\n", encoding="utf-8"
        )
        related.cache_clear()
    held = [page for page in pages if page.article % 2 == 1][:: 10 if given.short else 1]
    found = list(measured(list(searched(held, placing)), related()))
    print(table(found))
    if not given.short:
        told = {"measured": found, "line": related().value, "sections": SECTIONS, "top": TOP}
        RESULTS.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


def searched(pages: Sequence[Page], encoder: Encoder) -> Iterator[Searched]:
    """Every question with its page, and without its paragraph unless the others may answer as well."""
    samples = [[to_extract(page.question, text) for text in page.sections] for page in pages]
    cases = ((sample, extraction()) for each in samples for sample in each if sample is not None)
    verdicts = assess(cases, Backends(encoder), batch_size=SECTIONS)
    for page, each in zip(pages, samples, strict=True):
        found = tuple(() if sample is None else answers_in(next(verdicts)) for sample in each)
        if page.right is not None:
            yield Searched("on the page", found, page.right)
        if not page.said_elsewhere:
            left = tuple(one for at, one in enumerate(found) if at != page.right)
            yield Searched("another article" if page.right is None else "taken out", left)


def fitted(even: Sequence[Searched], encoder: Encoder) -> Cutoff:
    """The lowest line that keeps every target."""
    good = _surest(even, "on the page")
    lines = [
        place_cutoff(good, _surest(even, kind), side="above", method="exact", targets=(target,)).value
        for kind, target in TARGETS.items()
    ]
    promise = "; ".join(f"{kind}: {target.describe()}" for kind, target in TARGETS.items())
    name = f"{FILE.partition('/')[0]}, pages of the even articles"
    return Cutoff(max(lines), "above", certificate=Certificate(name, encoder.fingerprint, "exact", promise))


def measured(held: Sequence[Searched], line: Cutoff) -> Iterator[dict[str, Any]]:
    """For each kind of page how often a section is told; where one answers, how often that one is."""
    for kind in get_args(Kind):
        rows = [one for one in held if one.kind == kind]
        told = [[at for at, _ in answering(one.sections, line)[:TOP]] for one in rows]
        row = {"kind": kind, "given": counted(sum(map(bool, told)), len(rows))}
        if kind == "on the page":
            right = sum(one.right in each for one, each in zip(rows, told, strict=True))
            first = sum(each[:1] == [one.right] for one, each in zip(rows, told, strict=True))
            row |= {"right": counted(right, len(rows)), "first": counted(first, len(rows))}
        yield row


def table(found: Sequence[Mapping[str, Any]]) -> str:
    """What was measured, for people."""
    lines = [f"{'question':18}{'n':>6}{'sections':>10}{'with the right one':>20}{'first':>8}"]
    for row in found:
        right = f"{row['right']['share']:>20.1%}{row['first']['share']:>8.1%}" if "right" in row else ""
        lines.append(f"{row['kind']:18}{row['given']['n']:>6}{row['given']['share']:>10.1%}{right}")
    return "\n".join(lines)


def _surest(rows: Sequence[Searched], kind: Kind) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return np.array([one.surest for one in rows if one.kind == kind])


if __name__ == "__main__":
    main()
