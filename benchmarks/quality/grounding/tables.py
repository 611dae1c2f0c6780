"""The tables, each from what was read; and the contrast suite."""

import json
import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.quality.grounding import scores
from benchmarks.quality.grounding.ranks import (
    Mask,
    Numbers,
    balanced,
    best_line,
    cross_fitted,
    f1,
    figures_of,
    interval,
    parts_of,
    ranked,
)
from benchmarks.quality.grounding.scores import RowRead, Scored
from benchmarks.quality.shares import counted
from models.heads.public import ROOT

from sensecheck.checks.policies import POLICIES
from sensecheck.core.sample import Sample
from sensecheck.grounding.grounding import grounding_of
from sensecheck.sense import Sense

Result = dict[str, Any]
PUBLISHED = {"factcheck_gpt": ("MiniCheck, as published", 0.777)}
OUTCOMES = ("pass", "fail", "unsure", "error")
FIXED = {scores.OVERLAP: -scores.HELD, scores.COSINE: -scores.NEAR}
DECIDED_BY = {scores.COMMON: "similarity-or-keywords", scores.WORDS: "fast", scores.DEFAULT: "default"}
"""How rules decide as they ship that are policies; the others have a fixed line."""
SUITE = ROOT / "tests" / "grounding" / "contrast"
Case = dict[str, Any]
ALL = "all"


def ranking(name: str, found: Scored) -> Iterator[Result]:
    """How well each rule ranks the answers of a set."""
    for rule, values in found.by_rule.items():
        area = ranked(values, found.unsupported, found.groups)
        yield {"table": "ranking", "set": name, "rule": rule, **_size(found), "auroc": area}


def detecting(name: str, found: Scored) -> Iterator[Result]:
    """F1 of each rule: at the line that ships, at one placed on other groups, and the best by looking."""
    halves = parts_of(found.groups, 2)
    for rule, values in found.by_rule.items():
        yield {
            "table": "detecting",
            "set": name,
            "rule": rule,
            **_size(found),
            "at_shipped": _f1(_shipped(rule, found), found),
            "cross_fitted": _f1(cross_fitted(values, found.unsupported, halves, f1), found),
            "by_looking": _f1(values > best_line(values, found.unsupported, f1), found),
        }


def telling(name: str, found: Scored) -> Iterator[Result]:
    """Balanced accuracy of each rule, at a line placed on four fifths of the groups."""
    fifths = parts_of(found.groups, 5)
    for rule, values in found.by_rule.items():
        said = cross_fitted(values, found.unsupported, fifths, balanced)
        figures = figures_of(said, found.unsupported, found.groups)
        yield {"table": "telling", "set": name, "rule": rule, **_size(found), **figures}
    if name in PUBLISHED:
        rule, value = PUBLISHED[name]
        yield {"table": "published", "set": name, "rule": rule, "bacc": value}


def domains(name: str, found: Scored) -> Iterator[Result]:
    """Balanced accuracy by domain, at a line placed on the other domains."""
    names, others = np.unique(found.kinds, return_inverse=True)
    masks = {str(domain): found.kinds == domain for domain in names}
    if not any(0 < found.unsupported[mine].sum() < mine.sum() for mine in masks.values()):
        return  # of very few rows; a domain that lacks a label has no balanced accuracy
    for rule, values in found.by_rule.items():
        said = cross_fitted(values, found.unsupported, others.astype(np.intp), balanced)
        each = {domain: balanced(said[mine], found.unsupported[mine]) for domain, mine in masks.items()}
        told = {domain: None if math.isnan(value) else round(value, 4) for domain, value in each.items()}
        mean = interval(found.groups, _mean_by(found, said, list(masks.values())))
        yield {"table": "domains", "set": name, "rule": rule, **_size(found), "bacc": told, "mean": mean}


def changes(name: str, found: Scored, *, kept: str = "kept") -> Iterator[Result]:
    """How well claims with one thing changed are told from kept ones, by what was changed."""
    for kind in sorted(set(found.kinds) - {kept}):
        mine = found.of_kinds(kind, kept)
        for rule, values in mine.by_rule.items() if mine.has_both_labels else ():
            area = ranked(values, mine.unsupported, mine.groups)
            told = {"kind": str(kind), "rule": rule, "n": int((mine.kinds == kind).sum())}
            yield {"table": "changes", "set": name, **told, "auroc": area}


def decided(name: str, rows: Sequence[RowRead]) -> Iterator[Result]:
    """What each policy makes of the supported and of the unsupported answers of a set."""
    for label, unsupported in (("supported", False), ("unsupported", True)):
        mine = [row for row in rows if row.unsupported == unsupported]
        for policy, shares in _outcomes(mine):
            answers = f"{name}, {label}"
            yield {"table": "decided", "set": name, "answers": answers, "policy": policy, **shares}


def accepted(name: str, rows: Sequence[RowRead]) -> Iterator[Result]:
    """What each policy passes, by what the set says of the answers."""
    for kind in dict.fromkeys(row.kind for row in rows):
        mine = [row for row in rows if row.kind == kind]
        told = {"kind": kind.replace("_", " "), "wanted": "fail" if mine[0].unsupported else "pass"}
        for policy, shares in _outcomes(mine):
            yield {"table": "accepted", "set": name, **told, "policy": policy, **shares}


def cases(folder: Path = SUITE, *, most: int) -> list[Case]:
    """The cases of the contrast suite, at most so many of a family, in the order of the files."""
    lines = (line for file in sorted(folder.glob("*.jsonl")) for line in file.read_text("utf-8").split("\n"))
    families: dict[str, list[Case]] = {}
    for case in (json.loads(line) for line in lines if line):
        families.setdefault(case["family"], []).append(case)
    return [case for held in families.values() for case in held[:most]]


def contrast(sense: Sense, held: Sequence[Case]) -> Iterator[Result]:
    """What each policy says of answers that differ in one thing only."""
    samples = [
        Sample(case["answer"], question=case["question"], passages=tuple(case["passages"])) for case in held
    ]
    for name in scores.DECIDE:
        policy = POLICIES[name]
        verdicts = sense.judge_each(
            ((sample, policy.check()) for sample in samples), batch_size=scores.AT_ONCE
        )
        said = (grounding_of(*one, policy).support for one in zip(samples, verdicts, strict=True))
        yield from by_family(name, held, list(said))
        print(f"contrast: `{name}` read {len(held):,}", file=sys.stderr, flush=True)


def by_family(policy: str, held: Sequence[Case], said: Sequence[str]) -> Iterator[Result]:
    """How often the label is right, and how often what becomes of the answer: by family, and over all."""
    for family in (*dict.fromkeys(case["family"] for case in held), ALL):
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


def _outcomes(rows: Sequence[RowRead]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The shares of every outcome, policy by policy."""
    for policy in scores.DECIDE if rows else ():
        said = [row.outcomes[policy] for row in rows]
        yield policy, {outcome: counted(said.count(outcome), len(said)) for outcome in OUTCOMES}


def _mean_by(found: Scored, said: Mask, masks: Sequence[Mask]) -> Callable[[Numbers], float]:
    """The mean over domains of balanced accuracy, for rows with weights."""

    def mean(weights: Numbers) -> float:
        each = [balanced(said[mine], found.unsupported[mine], weights[mine]) for mine in masks]
        told = [value for value in each if not math.isnan(value)]  # a draw may lack a label of a domain
        return float(np.mean(told)) if told else float("nan")

    return mean


def _shipped(rule: str, found: Scored) -> Mask:
    """What is called unsupported as things ship."""
    if rule in FIXED:
        return np.asarray(found.by_rule[rule] > FIXED[rule])
    return np.array([row.outcomes[DECIDED_BY[rule]] == "fail" for row in found.read], bool)


def _f1(said: Mask, found: Scored) -> dict[str, float]:
    return interval(found.groups, lambda weights: f1(said, found.unsupported, weights))


def _size(found: Scored) -> dict[str, int]:
    bad = int(found.unsupported.sum())
    return {"n": len(found.unsupported), "unsupported": bad, "left_out": found.left_out}
