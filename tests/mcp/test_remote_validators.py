"""Validators with tools that misbehave: whatever comes back, nothing passes by mistake."""

import asyncio
from typing import Any

import pytest

from sensecheck.core.errors import CannotJudge, SpecError, ToolError
from sensecheck.validators import (
    REFUSAL_EXEMPLARS,
    ClusterClassificationValidator,
    DriftThresholdValidator,
    RefusalClusterValidator,
    TrajectoryValidator,
)


class Giving:
    """Tools that give the same to everybody, and remember what they were asked."""

    def __init__(self, given: Any) -> None:
        self.given = given
        self.asked: list[tuple[str, dict[str, Any]]] = []
        self.busy = self.busiest = 0

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        self.asked.append((name, arguments))
        self.busy += 1
        self.busiest = max(self.busiest, self.busy)
        await asyncio.sleep(0.001)
        self.busy -= 1
        if isinstance(self.given, Exception):
            raise self.given
        return self.given


CLUSTERS = {"pass": ["fine", "good"], "fail": ["bad"]}
VALIDATORS = (
    DriftThresholdValidator("x", threshold=5.0),
    ClusterClassificationValidator(CLUSTERS, "pass"),
    RefusalClusterValidator(),
    TrajectoryValidator(5.0),
)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"drift": None, "heller_score": None},
        {"drift": "0.1", "heller_score": "0.1"},
        {"drift": True, "heller_score": True},
        {"drift": float("nan"), "heller_score": float("nan")},
        {"drift": 0.1, "heller_score": 0.1, "error": "no backend"},
        0.1,
        None,
        ToolError("`calculate_drift`: it broke"),
    ],
    ids=repr,
)
def test_what_is_no_number_is_no_judgement(given: object) -> None:
    for validator in VALIDATORS:
        with pytest.raises(CannotJudge):
            asyncio.run(validator.using(Giving(given)).validate("y", {}))


def test_every_exemplar_is_one_call_and_few_are_under_way_at_once() -> None:
    tools = Giving({"drift": 0.5})
    valid, why = asyncio.run(RefusalClusterValidator().using(tools).validate("y", {}))

    assert (valid, why) == (True, "Not a refusal (min drift: 0.500)")
    assert tools.asked == [("calculate_drift", {"text_a": text, "text_b": "y"}) for text in REFUSAL_EXEMPLARS]
    assert 1 < tools.busiest <= 8


def test_a_trajectory_is_asked_for_without_its_sentences() -> None:
    tools = Giving({"heller_score": 0.6})

    assert asyncio.run(TrajectoryValidator().using(tools).validate("y", {}))[0]
    assert tools.asked == [("analyze_trajectory", {"text": "y", "include_sentences": False})]


def test_of_clusters_at_the_same_distance_the_first_is_taken() -> None:
    validator = ClusterClassificationValidator(CLUSTERS, "fail").using(Giving({"drift": 0.5}))

    assert asyncio.run(validator.validate("y", {})) == (False, "Classified as 'pass' (expected 'fail')")


def test_what_has_no_tools_is_refused() -> None:
    nothing: Any = object()
    with pytest.raises(SpecError, match="must be a `Sense`, or have `call_tool`; got object"):
        TrajectoryValidator().using(nothing)
