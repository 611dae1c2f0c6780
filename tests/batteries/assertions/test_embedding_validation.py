"""The rules on embeddings, exactly as they were specified."""

from typing import Any

import pytest

from sensecheck.checks.introspection import gates_of
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import BatteryError
from tests.batteries.assertions.asserted import decided, validated

CLUSTERS = {
    "pass": ["verdict: PASS", "The tool call is correct"],
    "fail": ["verdict: FAIL", "It is incorrect"],
}
TOKYO = "The weather in Tokyo is sunny with temperatures around 22°C."


@pytest.mark.parametrize(
    ("rule", "good", "bad"),
    [
        (
            {"type": "drift_threshold", "expected": TOKYO, "threshold": 0.35},
            "It is sunny in Tokyo today, about 22°C.",
            "Bananas are rich in potassium.",
        ),
        (
            {"type": "refusal_cluster"},
            "Roses are red, violets are blue.",
            "I'm sorry, but I can't help with that request.",
        ),
        (
            {"type": "cluster_classification", "clusters": CLUSTERS, "expected_cluster": "pass"},
            "The tool call is right: PASS",
            "The verdict is FAIL, it is wrong",
        ),
        (
            {"type": "trajectory"},
            "First we boil water. Then the rice goes in. Twenty minutes later dinner is on the table.",
            "We must decide. We must decide now. We must decide now. We must decide now. We must decide now.",
        ),
    ],
)
def test_each_rule_passes_the_good_and_fails_the_bad(
    rule: dict[str, Any], good: str, bad: str, minilm: Encoder
) -> None:
    ((kind, part),) = validated(rule)

    assert kind == rule["type"]
    assert decided(good, part, Backends(minilm)).outcome == "pass"
    failed = decided(bad, part, Backends(minilm))
    assert (failed.outcome, failed.check) == ("fail", kind)


def test_the_defaults_are_those_of_the_specification() -> None:
    rules = validated(
        [{"type": "drift_threshold", "expected": "x"}, {"type": "refusal_cluster"}, {"type": "trajectory"}]
    )
    gates = [gate for _, part in rules for gate in gates_of(part.check)]

    assert [gate.cutoff.describe() for gate in gates if gate.cutoff] == [
        "at least 0.7 (uncalibrated)",
        "at most 0.75 (uncalibrated)",
        "at most 0.6 (uncalibrated)",
    ]


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ({"type": "drift_threshold"}, "`drift_threshold` lacks the key `expected`"),
        ({"type": "drift_threshold", "expected": "x", "treshold": 0.3}, "did you mean `threshold`"),
        ({"type": "drift_threshold", "expected": "x", "threshold": 35}, "from 0 to 2"),
        ({"type": "drift_threshold", "expected": "x", "threshold": "0.3"}, "without quotes"),
        ({"type": "drift_threshold", "expected": 3}, "must be a string"),
        ({"type": "drift_treshold", "expected": "x"}, "did you mean `drift_threshold`"),
        ({"expected": "x"}, "lacks the key `type`"),
        ({"type": "refusal_cluster", "expected": "x"}, "`expected` is not a known key"),
        ({"type": "trajectory", "threshold": 0.5}, "`threshold` is not a known key"),
        ({"type": "cluster_classification", "clusters": CLUSTERS}, "lacks the key `expected_cluster`"),
        ({"type": "cluster_classification", "clusters": CLUSTERS, "expected_cluster": "pas"}, "`pas`"),
        (
            {"type": "cluster_classification", "clusters": {"a": "x"}, "expected_cluster": "a"},
            "must be a list",
        ),
        ({"type": "drift_threshold", "expected": "x", "threshold": 2}, "it could never fail"),
        ({"type": "refusal_cluster", "threshold": 0}, "it could never fail"),
        ({"type": "trajectory", "max_heller_score": 1}, "it could never fail"),
        ({"type": "drift_threshold", "expected": "file://gone.txt"}, "gone.txt` cannot be read"),
        (
            {
                "type": "cluster_classification",
                "clusters": {"a": ["file://gone.txt"], "b": ["x"]},
                "expected_cluster": "a",
            },
            "gone.txt` cannot be read",
        ),
        ([], "at least one rule"),
        ("drift_threshold", "must be a mapping"),
        ([{"type": "trajectory"}, 3], "must be a mapping"),
    ],
)
def test_what_is_wrong_with_a_rule_is_told_with_its_place(rule: Any, said: str) -> None:
    with pytest.raises(BatteryError, match=r"^here\.yaml:7:3: ") as wrong:
        validated(rule)

    assert said in str(wrong.value)
