"""Which prompts or sources a test names, by their labels."""

from collections.abc import Mapping

from sensecheck.core.serialization import unknown
from sensecheck.evals.battery import SourceSpec, Wording
from sensecheck.evals.node import Node


def named_sources(node: Node, sources: tuple[SourceSpec, ...]) -> tuple[str, ...]:
    """The labels of the sources that are named by label or id."""
    return _named(node, "provider", {spec.label: (spec.label, spec.id) for spec in sources})


def named_wordings(node: Node, wordings: tuple[Wording, ...]) -> tuple[str, ...]:
    """The labels of the prompts that are named by label or by their text."""
    return _named(node, "prompt", {wording.label: (wording.label, wording.raw) for wording in wordings})


def _named(node: Node, what: str, known: Mapping[str, tuple[str, str]]) -> tuple[str, ...]:
    chosen: dict[str, None] = {}
    for reference in node.texts(f"`{what}s`"):
        fitting = [label for label, names in known.items() if any(_fits(reference, name) for name in names)]
        if not fitting and known:
            raise node.wrong(unknown(what, reference, known))
        if not fitting:
            raise node.wrong(f"the test names the {what} `{reference}`; the battery has no `{what}s`")
        chosen |= dict.fromkeys(fitting)
    return tuple(chosen)


def _fits(reference: str, name: str) -> bool:
    """As promptfoo does it: whole, up to a colon, or up to a star."""
    if reference.endswith("*") and name.startswith(reference[:-1]):
        return True
    return name == reference or name.startswith(f"{reference}:")
