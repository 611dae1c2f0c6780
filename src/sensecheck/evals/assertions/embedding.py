"""The rules on embeddings that a test may have beside its assertions: `embedding_validation`."""

from collections.abc import Iterator, Mapping

from sensecheck.checks.gate import Against
from sensecheck.checks.weighted import Part
from sensecheck.core.errors import BatteryError
from sensecheck.core.serialization import unknown
from sensecheck.evals.assertions.about import About
from sensecheck.evals.assertions.clusters import loaded_clusters
from sensecheck.evals.assertions.files import loaded
from sensecheck.evals.assertions.kind import Schema
from sensecheck.evals.assertions.readings import DRIFT, NEARNESS, REPEATED, Readings
from sensecheck.evals.assertions.shapes import CLUSTERS, LINE, TEXT
from sensecheck.evals.assertions.thresholds import preset
from sensecheck.evals.assertions.wanted import wanted
from sensecheck.evals.node import Node

RULES: Mapping[str, Mapping[str, Schema]] = {
    "drift_threshold": {"expected": TEXT, "threshold": LINE},
    "cluster_classification": {"clusters": CLUSTERS, "expected_cluster": TEXT},
    "refusal_cluster": {"threshold": LINE},
    "trajectory": {"max_heller_score": LINE},
}
"""What each rule takes; the presets of these names decide."""
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "drift_threshold": ("expected",),
    "cluster_classification": ("clusters", "expected_cluster"),
}
LINES: Mapping[str, tuple[str, Readings]] = {
    "drift_threshold": ("threshold", DRIFT),
    "refusal_cluster": ("threshold", NEARNESS),
    "trajectory": ("max_heller_score", REPEATED),
}
"""The key of each rule's line, and what the line is held against."""


def read_embedding_validation(node: Node, about: About) -> tuple[tuple[str, Part], ...]:
    """The parts of a test's check: one rule, or a list of them."""
    rules = node.items("`embedding_validation`") if isinstance(node.held, tuple) else (node,)
    if not rules:
        raise node.wrong("`embedding_validation` wants at least one rule; found an empty list")
    return tuple(_rule(rule, about) for rule in rules)


def _rule(node: Node, about: About) -> tuple[str, Part]:
    held = dict(node.mapping("`embedding_validation`"))
    if "type" not in held:
        raise node.wrong(f"`embedding_validation` lacks the key `type`; known: {', '.join(RULES)}")
    kind = held.pop("type").one_of("type of `embedding_validation`", RULES)
    for wrong in unknown_keys_of_rule(kind, node):
        raise wrong
    for key in REQUIRED.get(kind, ()):
        if key not in held:
            raise node.wrong(f"`{kind}` lacks the key `{key}`")
    _must_decide(kind, held)
    shown = wanted(kind, held, about)
    expected = held.pop("expected", None)
    if "clusters" in held:
        held["clusters"] = loaded_clusters(held["clusters"], about)
    check = preset(kind, held, node, about)
    if expected is not None:
        check = Against(check, expected=loaded(expected, about).text(f"`expected` of `{kind}`"))
    return kind, Part(check, wanted=shown)


def unknown_keys_of_rule(kind: str, node: Node) -> Iterator[BatteryError]:
    """What is wrong with each key that a rule does not take."""
    known = ("type", *RULES[kind])
    for key in node.mapping("`embedding_validation`"):
        if key not in known:
            yield node.wrong(unknown(f"key of `{kind}`", key, known), key=key)


def _must_decide(kind: str, held: Mapping[str, Node]) -> None:
    """Raise for a line that is a number, and that no answer could be on the wrong side of."""
    key, readings = LINES.get(kind, ("", DRIFT))
    if key in held and not isinstance(held[key].held, str | Mapping):
        readings.line(held[key], f"`{key}` of `{kind}`")
