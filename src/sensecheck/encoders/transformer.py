"""From token ids to placements, whichever engine runs the graph."""

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from sensecheck.core.encoder import Placement, TokenVectors, Vectors
from sensecheck.core.errors import EncoderError
from sensecheck.encoders.batches import by_length
from sensecheck.encoders.tokens import Tokenizer, Tokens, unread
from sensecheck.encoders.windows import kept, unit, whole, window_bounds

Ids = npt.NDArray[np.int64]
Graph = Callable[[Ids, Ids], Vectors]
"""(ids, mask), both [batch, length], to token vectors [batch, length, dimension]."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """All that decides a text's vector besides the engine; its hash is the fingerprint."""

    name: str
    """What people call it; the same weights in another folder are the same encoder, whatever its name."""
    weights: str
    """The SHA-256 of the graph, and of each file with weights of its own."""
    tokenizer: str
    """The SHA-256 of the tokenizer's file."""
    engine: str
    """What runs the graph, and in which precision: `onnx-fp32`."""
    dimension: int
    max_tokens: int
    pooling: Literal["mean", "cls"] = "mean"
    prefix: str = ""
    """Put before every text; some models want `query: `."""
    overlap: int = 64
    """How many tokens two neighbouring windows of a long text share."""
    known: bool = False
    """Whether we pinned the model: then its name stands in the fingerprint."""
    version: int = 2
    """Of the code that makes placements from the graph's output."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        decisive = {key: value for key, value in asdict(self).items() if key not in ("name", "known")}
        digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:16]
        return f"{self.name if self.known else 'onnx'}:{self.engine}:{digest}"


class _Window(NamedTuple):
    text: int
    ids: list[int]
    first: int
    """The first of the text's tokens that it covers."""
    last: int


class Transformer:
    """An encoder made of a tokenizer and a graph; pooling and normalisation are ours."""

    def __init__(self, recipe: Recipe, tokenizer: Tokenizer, graph: Graph) -> None:
        self._recipe = recipe
        self._tokenizer = tokenizer
        self._graph = graph
        self._opening = [] if tokenizer.start is None else [tokenizer.start]
        self._opening += tokenizer.encode(recipe.prefix).ids
        self._closing = [] if tokenizer.end is None else [tokenizer.end]
        self._room = recipe.max_tokens - len(self._opening) - len(self._closing)
        if self._room < 1:
            raise EncoderError(
                f"`{recipe.name}` reads {recipe.max_tokens} tokens at once; the prefix, "
                "and what opens and closes a text, leave none for the text"
            )

    @property
    def name(self) -> str:
        """What people call it."""
        return self._recipe.name

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return self._recipe.fingerprint

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._recipe.dimension

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> list[Placement]:
        """One placement a text, in order; a long text is read whole, as windows."""
        read = [self._tokenizer.encode(text) for text in texts]
        windows = [window for i, t in enumerate(read) for window in self._windows(i, t)]
        pooled, rows = self._run(windows, tokens=tokens)
        placements: list[Placement] = []
        start = 0
        for i, text in enumerate(texts):
            end = start
            while end < len(windows) and windows[end].text == i:
                end += 1
            own = slice(start, end)
            found = rows[own] if tokens else None
            placements.append(self._placement(text, read[i], windows[own], pooled[own], found))
            start = end
        return placements

    def _windows(self, text: int, tokens: Tokens) -> list[_Window]:
        overlap = min(self._recipe.overlap, self._room // 2)
        return [
            _Window(text, self._opening + tokens.ids[first:last] + self._closing, first, last)
            for first, last in window_bounds(len(tokens.ids), self._room, overlap)
        ]

    def _run(self, windows: list[_Window], *, tokens: bool) -> tuple[Vectors, list[Vectors]]:
        pooled = np.empty((len(windows), self.dimension), np.float32)
        rows: list[Vectors] = [pooled[:0]] * len(windows)
        for batch in by_length([len(window.ids) for window in windows]):
            longest = max(len(windows[i].ids) for i in batch)
            ids = np.zeros((len(batch), longest), np.int64)
            mask = np.zeros_like(ids)
            for row, i in enumerate(batch):
                ids[row, : len(windows[i].ids)] = windows[i].ids
                mask[row, : len(windows[i].ids)] = 1
            hidden = self._hidden(ids, mask)
            pooled[batch] = self._pool(hidden, mask)
            if tokens:
                for row, i in enumerate(batch):
                    rows[i] = unit(hidden[row, len(self._opening) :][: windows[i].last - windows[i].first])
        return pooled, rows

    def _hidden(self, ids: Ids, mask: Ids) -> Vectors:
        """What the graph gives; an engine that cannot read so many tokens may repeat an earlier answer."""
        hidden = self._graph(ids, mask)
        if hidden.shape != (*ids.shape, self.dimension):
            raise EncoderError(
                f"the graph of `{self.name}` gave vectors of the shape {hidden.shape} for tokens of "
                f"the shape {ids.shape}; can it read {ids.shape[1]} tokens at once?"
            )
        return hidden

    def _pool(self, hidden: Vectors, mask: Ids) -> Vectors:
        if self._recipe.pooling == "cls":
            return unit(hidden[:, 0])
        weights = mask[:, None, :].astype(np.float32)
        return unit(np.matmul(weights, hidden)[:, 0] / weights.sum(axis=2))

    def _placement(
        self, text: str, tokens: Tokens, windows: list[_Window], pooled: Vectors, rows: list[Vectors] | None
    ) -> Placement:
        bounds = [(window.first, window.last) for window in windows]
        spans = [(tokens.spans[a][0], tokens.spans[b - 1][1]) if b > a else (0, 0) for a, b in bounds]
        spans[0] = (0, spans[0][1])
        spans[-1] = (spans[-1][0], len(text))
        own = kept(pooled)
        return Placement(
            whole(own, bounds),
            tuple(spans),
            own,
            unread(tokens, self._tokenizer.unknown),
            None if rows is None else _joined(tokens, bounds, rows),
        )


def _joined(tokens: Tokens, bounds: list[tuple[int, int]], rows: list[Vectors]) -> TokenVectors:
    """One row a token: where two windows share tokens, each gives the half that lies deeper inside it."""
    cuts = [0]
    for (_, end), (start, _) in pairwise(bounds):
        cuts.append((start + end) // 2)
    cuts.append(len(tokens.ids))
    parts = [row[cuts[i] - bounds[i][0] : cuts[i + 1] - bounds[i][0]] for i, row in enumerate(rows)]
    return TokenVectors(tuple(tokens.spans), kept(np.concatenate(parts)))
