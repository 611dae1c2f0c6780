"""The tables, each from kept readings alone."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from benchmarks.quality.grounding import scores
from benchmarks.quality.grounding.ranks import (
    balanced,
    best_line,
    cross_fitted,
    f1,
    figures_of,
    interval,
    parts_of,
    ranked,
)
from benchmarks.quality.grounding.readings import Numbers, RowRead
from benchmarks.quality.grounding.scores import Mask, Scored
from benchmarks.quality.grounding.trained import taught
from benchmarks.quality.shares import counted

from sensecheck.core.cutoff import Cutoff

Result = dict[str, Any]
PUBLISHED = {"factcheck_gpt": ("MiniCheck, as published", 0.777)}
OUTCOMES = ("pass", "fail", "unsure", "error")
DECIDED_BY = {scores.COMMON: "similarity-or-keywords", scores.WORDS: "default", scores.BOTH: "strict"}
"""The policies that decide by what a rule reads."""


def ranking(name: str, found: Scored) -> Iterator[Result]:
    """How well each rule ranks the answers of a set."""
    for rule, values in found.by_rule.items():
        area = ranked(values, found.unsupported, found.groups)
        yield {"table": "ranking", "set": name, "rule": rule, **_size(found), "auroc": area}


def detecting(name: str, found: Scored, shipped: Mapping[str, Cutoff]) -> Iterator[Result]:
    """F1 of each rule: at the line that ships, at one placed on other groups, and the best by looking."""
    halves = parts_of(found.groups, 2)
    for rule, values in found.by_rule.items():
        fitted = cross_fitted(values, found.unsupported, halves, f1)
        looking = values > best_line(values, found.unsupported, f1)
        said = _shipped(rule, found, shipped)
        yield {
            "table": "detecting",
            "set": name,
            "rule": rule,
            **_size(found),
            "at_shipped": None if said is None else _f1(said, found),
            "cross_fitted": _f1(fitted, found),
            "by_looking": _f1(looking, found),
        }


def trained_on_some(name: str, found: Scored) -> Iterator[Result]:
    """A small model over our readings, taught four fifths of the groups and asked about the fifth."""
    for way, words in (("our readings", False), ("our readings and a model of words", True)):
        said = taught(found, words=words)
        yield {
            "table": "trained",
            "set": name,
            "rule": way,
            **_size(found),
            "auroc": ranked(said.values, found.unsupported, found.groups),
            "f1": _f1(said.said, found),
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


def domains(found: Scored) -> Iterator[Result]:
    """Balanced accuracy by domain, at a line placed on the other domains."""
    others = np.unique(found.kinds, return_inverse=True)[1]
    for rule, values in found.by_rule.items():
        said = cross_fitted(values, found.unsupported, others.astype(np.intp), balanced)
        each = {
            str(domain): balanced(said[found.kinds == domain], found.unsupported[found.kinds == domain])
            for domain in sorted(set(found.kinds))
        }
        # A domain that lacks a label has no balanced accuracy; only a few rows of the set can be so.
        told = {domain: None if math.isnan(value) else round(value, 4) for domain, value in each.items()}
        mean = interval(found.groups, _mean_by(found, said))
        yield {"table": "domains", "rule": rule, **_size(found), "bacc": told, "mean": mean}


def changes(found: Scored, *, kept: str = "kept") -> Iterator[Result]:
    """How well claims with one thing changed are told from kept ones, by what was changed."""
    for kind in sorted(set(found.kinds) - {kept}):
        mine = found.where((found.kinds == kind) | (found.kinds == kept))
        for rule, values in mine.by_rule.items():
            area = ranked(values, mine.unsupported, mine.groups)
            count = int((mine.kinds == kind).sum())
            yield {"table": "changes", "kind": kind, "rule": rule, "n": count, "auroc": area}


def decided(name: str, rows: Sequence[RowRead]) -> Iterator[Result]:
    """What each policy makes of the supported and of the unsupported answers of a set."""
    for unsupported in (False, True):
        mine = [row for row in rows if row.unsupported == unsupported]
        for policy in mine[0].outcomes if mine else ():
            said = [row.outcomes[policy] for row in mine]
            yield {
                "table": "decided",
                "set": name,
                "answers": f"{name}, {'unsupported' if unsupported else 'supported'}",
                "policy": policy,
                **{outcome: counted(said.count(outcome), len(said)) for outcome in OUTCOMES},
            }


def accepted(name: str, rows: Sequence[RowRead]) -> Iterator[Result]:
    """What each policy passes, by what the set says of the answers."""
    for kind in dict.fromkeys(row.kind for row in rows):
        mine = [row for row in rows if row.kind == kind]
        for policy in mine[0].outcomes:
            said = [row.outcomes[policy] for row in mine]
            yield {
                "table": "accepted",
                "set": name,
                "kind": kind.replace("_", " "),
                "wanted": "fail" if mine[0].unsupported else "pass",
                "policy": policy,
                **{outcome: counted(said.count(outcome), len(said)) for outcome in OUTCOMES},
            }


def _mean_by(found: Scored, said: Mask) -> Callable[[Numbers], float]:
    """The mean over domains of balanced accuracy, for rows with weights."""
    masks = [found.kinds == domain for domain in sorted(set(found.kinds))]

    def mean(weights: Numbers) -> float:
        each = [balanced(said[mine], found.unsupported[mine], weights[mine]) for mine in masks]
        told = [value for value in each if not math.isnan(value)]  # a draw may lack a label of a domain
        return float(np.mean(told)) if told else float("nan")

    return mean


def _shipped(rule: str, found: Scored, lines: Mapping[str, Cutoff]) -> Mask | None:
    """What is called unsupported as things ship; None for what cannot be decided yet."""
    fixed = {scores.OVERLAP: -scores.HELD, scores.COSINE: -scores.NEAR}
    if rule in fixed:
        return np.asarray(found.by_rule[rule] > fixed[rule])
    if rule == scores.VERIFIER:
        line = lines.get("verifier")
        return None if line is None else np.array([_doubted(row, line) for row in found.read])
    said = [row.outcomes.get(DECIDED_BY[rule]) for row in found.read]
    return None if None in said else np.array([outcome == "fail" for outcome in said])


def _doubted(row: RowRead, line: Cutoff) -> bool:
    """Whether the verifier's own line rejects any claim."""
    pairs = (scores.pair_logit(claim, row.fold) for claim in row.claims)
    return any(pair is not None and line.side(pair) == "fail" for pair in pairs)


def _f1(said: Mask, found: Scored) -> dict[str, float]:
    return interval(found.groups, lambda weights: f1(said, found.unsupported, weights))


def _size(found: Scored) -> dict[str, int]:
    bad = int(found.unsupported.sum())
    return {"n": len(found.unsupported), "unsupported": bad, "left_out": found.left_out}
