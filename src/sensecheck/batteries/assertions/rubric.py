"""Assertions that a language model is asked about."""

from collections.abc import Mapping
from typing import get_args

from sensecheck.batteries.assertions.base import (
    LINE,
    NUMBER,
    PORTION,
    TEXT,
    YES,
    AssertionInput,
    AssertionType,
)
from sensecheck.checks.gate import Gate
from sensecheck.core.protocols import Check
from sensecheck.measures.rubric import PARTS, Judged, Part

SCALE = (0.0, 10.0)
"""The scores that a judge is asked for when the file has a threshold and names no scale of its own."""


def _llm_rubric(assertion: AssertionInput) -> Check:
    """PASS or FAIL; with a threshold, a score that is compared with it."""
    rubric, reads = assertion.value().text("`value` of `llm-rubric`"), _reads(assertion)
    if "threshold" not in assertion.entries:
        return Gate(Judged(rubric, _scale(assertion, None), reads), YES, assertion.type)
    measure = Judged(rubric, _scale(assertion, SCALE), reads)
    return Gate(measure, assertion.cutoff(measure, 1.0, PORTION), assertion.type)


def _scale(assertion: AssertionInput, usual: tuple[float, float] | None) -> tuple[float, float] | None:
    if "scale" not in assertion.entries:
        return usual
    if "threshold" not in assertion.entries:
        raise assertion.error("a `scale` must have a `threshold` to compare the score with", key="scale")
    ends = [node.number("each end of `scale`") for node in assertion.entries["scale"].items("`scale`")]
    if len(ends) != 2:
        raise assertion.error(
            f"`scale` must be the lowest and the highest score; got {len(ends)}", key="scale"
        )
    return ends[0], ends[1]


def _reads(assertion: AssertionInput) -> tuple[Part, ...]:
    if "reads" not in assertion.entries:
        return ()
    named = {node.one_of("part of a sample", PARTS) for node in assertion.entries["reads"].items("`reads`")}
    return tuple(part for part in PARTS if part in named)


KINDS: Mapping[str, AssertionType] = {
    "llm-rubric": AssertionType(
        "A judge finds that the answer does what this rubric asks.",
        _llm_rubric,
        {
            "value": TEXT,
            "threshold": LINE,
            "scale": {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2},
            "reads": {"type": "array", "items": {"enum": list(get_args(Part))}},
        },
        ("value",),
        graded=True,
    ),
}
