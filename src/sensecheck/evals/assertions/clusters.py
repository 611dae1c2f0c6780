"""Clusters of exemplars, whose texts may stand in files."""

from sensecheck.evals.assertions.about import About
from sensecheck.evals.assertions.files import loaded
from sensecheck.evals.documents.content import names_file
from sensecheck.evals.node import Node


def loaded_clusters(node: Node, about: About) -> Node:
    """Lists of texts by label; each list, each text or the whole may come from a file."""
    whole = loaded(node, about) if names_file(node) else node
    found = {label: _exemplars(label, texts, about) for label, texts in whole.entries("`clusters`").items()}
    return Node(found, whole.place, whole.keys)


def _exemplars(label: str, node: Node, about: About) -> Node:
    """A list of texts; a file with a single text is one of a single entry."""
    texts, what = loaded(node, about), f"`{label}` of `clusters`"
    if names_file(node) and isinstance(texts.held, str):
        return Node((texts,), node.place)
    if not isinstance(texts.held, tuple):
        raise texts.wrong(f"{what} wants a list of texts; found {texts.kind}")
    for text in texts.held:
        text.text(f"each entry of {what}")
    return texts
