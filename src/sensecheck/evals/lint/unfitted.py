"""Assertions on a model's reading that say no threshold, so that a number which nobody chose decides."""

from collections.abc import Iterator, Mapping

from sensecheck.evals.lint.finding import Finding
from sensecheck.evals.node import Node

RULE = "no-threshold"
_LINES: Mapping[str, str] = {
    "similar": "threshold",
    "rouge-n": "threshold",
    "bleu": "threshold",
    "levenshtein": "threshold",
    "drift_threshold": "threshold",
    "refusal_cluster": "threshold",
    "trajectory": "max_heller_score",
}
"""Types whose default was picked by hand, and the key that would set it."""
_LISTS = ("assert", "embedding_validation")


def without_threshold(test: Node) -> Iterator[Finding]:
    """The assertions of a test, as it is written, whose line is a default that was never fitted."""
    for node in _assertions(test):
        held = node.held if isinstance(node.held, Mapping) else {}
        named = held["type"].held if "type" in held else None
        key = _LINES.get(str(named).removeprefix("not-"))
        if key is not None and key not in held:
            says = (
                f"`{named}` says no `{key}`; the default was not fitted on your answers; "
                "`sensecheck calibrate` gives a card to name here"
            )
            yield Finding(str(held["type"].place), RULE, says)


def _assertions(node: Node) -> Iterator[Node]:
    if not isinstance(node.held, Mapping):
        return
    for key in _LISTS:
        if key in node.held:
            listed = node.held[key]
            for item in listed.held if isinstance(listed.held, tuple) else (listed,):
                yield item
                yield from _assertions(item)
