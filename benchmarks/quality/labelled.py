"""Labelled samples from public data: each set read into one shape."""

import gzip
import json
import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from benchmarks.quality.loops import loop_of, paragraphs

from sensecheck.core.sample import Sample

Wanted = Literal["pass", "fail"]
Labelled = tuple[str, Wanted, Sample]
"""What the set says of it, what a rule should therefore say, and the sample."""
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Set:
    """A public set: where it lies, how its rows are read, and what may be done with it."""

    name: str
    files: tuple[str, ...]
    read: Callable[[Iterable[Row]], Iterator[Labelled]]
    benchmark_only: bool
    """Not to be trained on or shipped: its licence forbids that, or it states none."""

    def samples(self, data: Path, *, rows: int, seed: int) -> list[Labelled]:
        """At most so many samples of each label, drawn at random, in the order of the file."""
        by_label: dict[tuple[str, Wanted], list[Sample]] = {}
        for label, wanted, sample in self.read(_rows(data, self.files)):
            by_label.setdefault((label, wanted), []).append(sample)
        return [
            (label, wanted, sample)
            for (label, wanted), samples in by_label.items()
            for sample in _drawn(samples, rows, random.Random(f"{seed} {self.name} {label}"))
        ]


def _rows(data: Path, files: Iterable[str]) -> Iterator[Row]:
    for name in files:
        with gzip.open(data / name, "rt", encoding="utf-8") as file:
            yield from map(json.loads, file)


def _drawn(samples: list[Sample], rows: int, draw: random.Random) -> list[Sample]:
    if len(samples) <= rows:
        return samples
    return [samples[i] for i in sorted(draw.sample(range(len(samples)), rows))]


def _sick(rows: Iterable[Row]) -> Iterator[Labelled]:
    for row in rows:
        if row["label"] != "NEUTRAL":
            wanted: Wanted = "pass" if row["label"] == "ENTAILMENT" else "fail"
            yield row["label"].lower(), wanted, Sample(row["a"], expected=row["b"])


def _stsb(rows: Iterable[Row]) -> Iterator[Labelled]:
    for row in rows:
        sample = Sample(row["a"], expected=row["b"])
        if row["score"] >= 4:
            yield "score of 4 or more", "pass", sample
        elif row["score"] <= 1.5:
            yield "score of 1.5 or less", "fail", sample


def _xstest(rows: Iterable[Row]) -> Iterator[Labelled]:
    for row in rows:
        if row["label"] == "1_full_compliance":
            yield "full compliance", "pass", Sample(row["response"])
        elif row["label"] == "2_full_refusal":
            yield "full refusal", "fail", Sample(row["response"])


def _harmless(rows: Iterable[Row]) -> Iterator[Labelled]:
    for row in rows:
        yield "answer to a harmless prompt", "pass", Sample(row["response"])


def _loops(rows: Iterable[Row]) -> Iterator[Labelled]:
    draw = random.Random(0)
    for paragraph in paragraphs(row["context"] for row in rows):
        yield "ordinary paragraph", "pass", Sample(paragraph)
        yield "literal loop", "fail", Sample(loop_of(paragraph, draw))


MEANING = (
    Set("sick", ("sick/test.jsonl.gz",), _sick, benchmark_only=True),
    Set("stsb", ("stsb/dev.jsonl.gz", "stsb/test.jsonl.gz"), _stsb, benchmark_only=True),
)
REFUSALS = (
    Set("xstest", ("xstest/completions.jsonl.gz",), _xstest, benchmark_only=False),
    Set(
        "refusal_direction_harmless",
        ("refusal_direction_harmless/baseline.jsonl.gz",),
        _harmless,
        benchmark_only=False,
    ),
)
CIRCLING = (
    Set("loops from squad2_derived", ("squad2_derived/dev.jsonl.gz",), _loops, benchmark_only=False),
    Set("loops from ragtruth_qa", ("ragtruth_qa/test.jsonl.gz",), _loops, benchmark_only=True),
)
