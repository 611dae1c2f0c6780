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


def _closed_question(assertion: AssertionInput) -> Check:
    """PASS or FAIL, by one criterion, with the question before the judge."""
    criterion = assertion.value().text(f"`value` of `{assertion.named}`")
    rubric = f"The answer to the question meets this criterion: {criterion}"
    return Gate(Judged(rubric, None, ("question",)), YES, assertion.type)


def _answer_relevance(assertion: AssertionInput) -> Check:
    """How far the answer is about the question, on the scale of a judge."""
    measure = Judged(_RELEVANT, SCALE, ("question",))
    return Gate(measure, assertion.cutoff(measure, _RELEVANT_FROM, PORTION), assertion.type)


def _scale(assertion: AssertionInput, default: tuple[float, float] | None) -> tuple[float, float] | None:
    if "scale" not in assertion.entries:
        return default
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
    parts = {node.one_of("part of a sample", PARTS) for node in assertion.entries["reads"].items("`reads`")}
    return tuple(part for part in PARTS if part in parts)


_RELEVANT = (
    "How directly and completely does the answer address the question? The highest score is for an answer "
    "that does nothing else; the lowest for one that does not address it."
)
_RELEVANT_FROM = 0.7


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
    "model-graded-closedqa": AssertionType(
        "A judge finds that the answer to the question meets this criterion.",
        _closed_question,
        {"value": TEXT},
        ("value",),
    ),
    "answer-relevance": AssertionType(
        "A judge finds that the answer addresses the question; its score must reach the threshold, 0.7 "
        "unless given.",
        _answer_relevance,
        {"threshold": LINE},
        graded=True,
    ),
}
