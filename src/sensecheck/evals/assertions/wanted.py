"""What an assertion wants, as the report shows it beside the answer."""

from collections.abc import Mapping

from sensecheck.evals.assertions.about import About
from sensecheck.evals.assertions.files import loaded
from sensecheck.evals.node import Node
from sensecheck.evals.titles import as_text

_NAMED = ("value", "expected", "expected_cluster", "passages")
"""The keys that hold what the answer is held against; the first that is there is shown."""
_CODE = ("python", "not-python")
"""The types whose file is a program: what is in it says nothing beside an answer."""
_LONGEST = 2000


def wanted(named: str, held: Mapping[str, Node], about: About) -> str:
    """The text, from its file if it names one, or what stands there as JSON; a long one is seen to be cut."""
    node = next((held[key] for key in _NAMED if key in held), None)
    if node is None:
        return ""
    if named not in _CODE:
        node = loaded(node, about)
    text = as_text(node.plain())
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
