"""Assertions that a language model is asked about."""

from collections.abc import Mapping
from typing import get_args

from sensecheck.batteries.assertions.base import LINE, NUMBER, PORTION, TEXT, YES, Asked, Kind
from sensecheck.checks.gate import Gate
from sensecheck.core.protocols import Check
from sensecheck.measures.judged import PARTS, Judged, Part

SCALE = (0.0, 10.0)
"""The scores that a judge is asked for when the file has a threshold and names no scale of its own."""


def _llm_rubric(asked: Asked) -> Check:
    """PASS or FAIL; with a threshold, a score that is held against it."""
    rubric, reads = asked.value().text("`value` of `llm-rubric`"), _reads(asked)
    if "threshold" not in asked.held:
        return Gate(Judged(rubric, _scale(asked, None), reads), YES, asked.type)
    measure = Judged(rubric, _scale(asked, SCALE), reads)
    return Gate(measure, asked.cutoff(measure, 1.0, PORTION), asked.type)


def _scale(asked: Asked, usual: tuple[float, float] | None) -> tuple[float, float] | None:
    if "scale" not in asked.held:
        return usual
    if "threshold" not in asked.held:
        raise asked.wrong("a `scale` wants a `threshold` to hold the score against", key="scale")
    ends = [node.number("each end of `scale`") for node in asked.held["scale"].items("`scale`")]
    if len(ends) != 2:
        raise asked.wrong(f"`scale` wants the lowest and the highest score; found {len(ends)}", key="scale")
    return ends[0], ends[1]


def _reads(asked: Asked) -> tuple[Part, ...]:
    if "reads" not in asked.held:
        return ()
    named = {node.one_of("part of a sample", PARTS) for node in asked.held["reads"].items("`reads`")}
    return tuple(part for part in PARTS if part in named)


KINDS: Mapping[str, Kind] = {
    "llm-rubric": Kind(
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
