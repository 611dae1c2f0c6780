"""A chain of guards from a YAML or a JSON file; what is wrong in it is told with its line and column."""

from pathlib import Path
from typing import TYPE_CHECKING

from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.evals.node import Node
    from sensecheck.retrieval.chain import Chain
    from sensecheck.retrieval.described import Parts
    from sensecheck.retrieval.stage import Stage
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - chains bring numpy along, which `--help` does without


def read_chain(path: Path, settings: "Settings") -> "Chain":
    """The chain that a file describes; what it names is had as the settings say."""
    from sensecheck.evals.documents.content import content_of, decoded
    from sensecheck.evals.documents.reading import read_file
    from sensecheck.evals.format.mistakes import Mistakes
    from sensecheck.evals.node import Node, Place
    from sensecheck.retrieval.chain import Chain
    from sensecheck.wiring import chain_parts

    text = decoded(content_of(path, Node(None, Place(str(path), 1))), path)
    parts, mistakes = chain_parts(settings), Mistakes()
    stages = [
        mistakes.noting(lambda: _stage(node, f"chain[{index}]", parts), None)  # noqa: B023 - called at once
        for index, node in enumerate(read_file(text, path).items("a chain"))
    ]
    mistakes.must_be_none()
    return Chain(tuple(stage for stage in stages if stage is not None))


def _stage(node: "Node", at: str, parts: "Parts") -> "Stage":
    from sensecheck.retrieval.spec import stage_from_data

    try:
        return stage_from_data(node.plain(), parts, at=at)
    except SpecError as wrong:
        raise node.wrong(str(wrong)) from wrong
