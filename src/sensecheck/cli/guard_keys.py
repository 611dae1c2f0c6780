"""The keys of a row and of a reference; who writes another that is common elsewhere is told ours."""

from collections.abc import Mapping
from typing import Any

from sensecheck.core.serialization import unknown
from sensecheck.evals.node import FREE, Node

ROW = ("query", "references", "id", "item")
REFERENCE = (
    "text",
    "closeness",
    "score",
    "source",
    "metadata",
    "reference_score",
    "encoder",
    "id",
    "relevant",
)
EXAMPLE = '{"query": "…", "references": ["…", "…"]}'

_QUERY, _REFERENCES, _TEXT = "here it is `query`", "here it is `references`", "here it is `text`"
_SCORE = "a cosine is `closeness` here; anything else is `score`, and `--scale` says what it is"
_DISTANCE = "here it is `score`, with `--scale cosine-distance`, `l2` or `squared-l2`"
_OF_ROWS = {
    "question": _QUERY,
    "input": _QUERY,
    "user_input": _QUERY,
    "contexts": _REFERENCES,
    "retrieved_contexts": _REFERENCES,
    "context": _REFERENCES,
    "documents": _REFERENCES,
    "passages": _REFERENCES,
    "chunks": _REFERENCES,
}
_OF_REFERENCES = {
    "page_content": _TEXT,
    "content": _TEXT,
    "similarity": _SCORE,
    "distance": _DISTANCE,
}


def row_keys(node: Node) -> Mapping[str, Node]:
    """What a row holds under keys of ours."""
    if not isinstance(node.held, Mapping):
        raise node.wrong(f"a row wants one JSON object a line, such as {EXAMPLE}; found {node.kind}")
    return _known(node, "a row", ROW, _OF_ROWS)


def reference_keys(node: Node, at: str) -> Mapping[str, Node]:
    """What a reference holds under keys of ours."""
    if not isinstance(node.held, Mapping):
        raise node.wrong(f"`{at}` wants a text or a mapping; found {node.kind}")
    return _known(node, f"`{at}`", REFERENCE, _OF_REFERENCES)


def own_keys(node: Node) -> dict[str, Any]:
    """What stands under keys of the user's own: it means nothing here, and is written out as it came."""
    held = node.held if isinstance(node.held, Mapping) else {}
    return {key: one.plain() for key, one in held.items() if key.startswith(FREE)}


def _known(node: Node, what: str, known: tuple[str, ...], meant: Mapping[str, str]) -> Mapping[str, Node]:
    held = node.mapping(what)
    for key in held:
        if key not in known and key in meant:
            raise node.wrong(f"`{key}` is not a known key of {what}; {meant[key]}")
        if key not in known:
            raise node.wrong(unknown(f"key of {what}", key, known))
    return held
