"""An encoder from a model folder and an engine: the one way in which the two are put together."""

from collections.abc import Callable
from pathlib import Path

from sensecheck.encoders.digests import graph_hash, sha256
from sensecheck.encoders.folder import ModelFolder
from sensecheck.encoders.transformer import Graph, Recipe, Transformer

Engine = Callable[[Path], tuple[Graph, int]]
"""A graph's file to a graph that runs, and the dimension of its vectors."""


def assembled(
    path: Path, engine: Engine, *, engine_name: str, name: str, known: bool, prefix: str
) -> Transformer:
    """The encoder in a model folder; `known` when the model is pinned."""
    folder = ModelFolder.at(path)
    graph, dimension = engine(folder.graph)
    recipe = Recipe(
        name,
        graph_hash(folder.graph),
        sha256(folder.tokenizer_file),
        engine_name,
        dimension,
        folder.max_tokens,
        folder.pooling,
        prefix,
        known=known,
    )
    return Transformer(recipe, folder.tokenizer(), graph)
