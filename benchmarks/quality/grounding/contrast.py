"""The contrast suite: what each policy says of answers that differ in one thing only."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from benchmarks.quality.grounding.judging import Policies
from benchmarks.quality.shares import counted
from models.heads.public import ROOT

from sensecheck.checks.policies import POLICIES
from sensecheck.core.sample import Sample
from sensecheck.grounding.grounding import grounding_of
from sensecheck.sense import Sense

SUITE = ROOT / "tests" / "grounding" / "contrast"
Case = dict[str, Any]
Result = dict[str, Any]
ALL = "all"


def cases(folder: Path = SUITE) -> list[Case]:
    """Every case of the suite, in the order of the files."""
    lines = (line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text("utf-8").split("\n"))
    return [json.loads(line) for line in lines if line]


def contrast(sense: Sense, policies: Policies, held: Sequence[Case]) -> Iterator[Result]:
    """For each policy and family: how often the label is right, and how often what becomes of the answer."""
    samples = [
        Sample(case["answer"], question=case["question"], passages=tuple(case["passages"])) for case in held
    ]
    for name, check in policies.checks.items():
        verdicts = sense.judge_each((sample, check) for sample in samples)
        said = [
            grounding_of(sample, verdict, POLICIES[name]).support
            for sample, verdict in zip(samples, verdicts, strict=True)
        ]
        yield from by_family(name, held, said)


def by_family(policy: str, held: Sequence[Case], said: Sequence[str]) -> Iterator[Result]:
    """The shares that are right, family by family and over all."""
    families = dict.fromkeys(case["family"] for case in held)
    for family in (*families, ALL):
        mine = [
            (case["wanted"], found)
            for case, found in zip(held, said, strict=True)
            if family in (ALL, case["family"])
        ]
        accepted = [(wanted == "supported") == (found == "supported") for wanted, found in mine]
        yield {
            "table": "contrast",
            "policy": policy,
            "family": family,
            "right": counted(sum(wanted == found for wanted, found in mine), len(mine)),
            "accepted_or_not": counted(sum(accepted), len(mine)),
        }
