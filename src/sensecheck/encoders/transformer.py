"""From token ids to vectors, whichever engine runs the model's graph: windows, batches, pooling.

A long text is read whole, as overlapping windows within the model's limit: windows of tokens, or of
characters for encoders whose tokenizer we do not have. Windows of like length share a batch, since on a CPU
speed is lost in padding.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import chain, pairwise
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from sensecheck.core.backends import Embedding, TokenVectors, Vectors
from sensecheck.core.errors import EncoderError
from sensecheck.encoders.wordpiece import Tokenizer, Tokens, unread

BATCH_TOKENS = 4096
"""How many tokens one pass through the model takes; more gains nothing on a CPU and costs memory."""
Ids = npt.NDArray[np.int64]
Graph = Callable[[Ids, Ids], Vectors]
"""(ids, mask), both [batch, length], to token vectors [batch, length, dimension]."""


@dataclass(frozen=True, slots=True)
class EncoderRecipe:
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
    """Of the code that makes embeddings from the graph's output."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        decisive = {key: value for key, value in asdict(self).items() if key not in ("name", "known")}
        digest = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:16]
        return f"{self.name if self.known else 'onnx'}:{self.engine}:{digest}"


class _Window(NamedTuple):
    ids: list[int]
    first: int
    """The first of the text's tokens that it covers."""
    last: int


class Transformer:
    """An encoder made of a tokenizer and a graph; pooling and normalisation are ours."""

    def __init__(self, recipe: EncoderRecipe, tokenizer: Tokenizer, graph: Graph) -> None:
        self.name, self.fingerprint, self.dimension = recipe.name, recipe.fingerprint, recipe.dimension
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

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        """One embedding per text, in order; a long text is read whole, as windows."""
        tokens_by_text = [self._tokenizer.encode(text) for text in texts]
        windows_by_text = [self._windows(text_tokens) for text_tokens in tokens_by_text]
        pooled, rows = self._run(list(chain.from_iterable(windows_by_text)), tokens=tokens)
        embeddings: list[Embedding] = []
        start = 0
        for text, text_tokens, text_windows in zip(texts, tokens_by_text, windows_by_text, strict=True):
            its = slice(start, start + len(text_windows))
            token_rows = rows[its] if tokens else None
            embeddings.append(self._embedding(text, text_tokens, text_windows, pooled[its], token_rows))
            start = its.stop
        return embeddings

    def _windows(self, tokens: Tokens) -> list[_Window]:
        overlap = min(self._recipe.overlap, self._room // 2)
        return [
            _Window(self._opening + tokens.ids[first:last] + self._closing, first, last)
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

    def _embedding(
        self, text: str, tokens: Tokens, windows: list[_Window], pooled: Vectors, rows: list[Vectors] | None
    ) -> Embedding:
        bounds = [(window.first, window.last) for window in windows]
        spans = [(tokens.spans[a][0], tokens.spans[b - 1][1]) if b > a else (0, 0) for a, b in bounds]
        spans[0] = (0, spans[0][1])
        spans[-1] = (spans[-1][0], len(text))
        vectors = read_only_copy(pooled)
        return Embedding(
            whole(vectors, bounds),
            tuple(spans),
            vectors,
            unread(tokens, self._tokenizer.unknown),
            None if rows is None else _joined(tokens, bounds, rows),
        )


def by_length(lengths: Sequence[int], *, tokens_at_once: int = BATCH_TOKENS) -> Iterator[list[int]]:
    """Indices in batches, longest first, with little padding in each."""
    batch: list[int] = []
    longest = 0
    for index in sorted(range(len(lengths)), key=lambda i: (-lengths[i], i)):
        longest = longest or lengths[index]
        full = (len(batch) + 1) * longest > tokens_at_once
        ragged = lengths[index] < 0.9 * longest - 2
        if batch and (full or ragged):
            yield batch
            batch, longest = [], lengths[index]
        batch.append(index)
    if batch:
        yield batch


def window_bounds(length: int, limit: int, overlap: int) -> list[tuple[int, int]]:
    """Windows of at most `limit` that together cover `length`, each sharing `overlap` with the next."""
    if length <= limit:
        return [(0, length)]
    starts = range(0, length - overlap, limit - overlap)
    return [(min(start, length - limit), min(start + limit, length)) for start in starts]


def character_windows(text: str, limit: int, overlap: int) -> list[tuple[int, int]]:
    """Where each window begins and ends: cut at whitespace where there is some, and none of them blank."""
    bounds = window_bounds(len(text), limit, overlap)
    reach = overlap // 2
    starts = [0, *(_begin(text, start, reach) for start, _ in bounds[1:])]
    ends = [*(_end(text, end, reach) for _, end in bounds[:-1]), len(text)]
    windows = [(a, b) for a, b in zip(starts, ends, strict=True) if text[a:b].strip()] or bounds[:1]
    windows[0] = (0, windows[0][1])
    windows[-1] = (windows[-1][0], len(text))
    return windows


def whole(windows: Vectors, bounds: Sequence[tuple[int, int]]) -> Vectors:
    """One unit vector for a text: its windows' mean, each weighing what it adds."""
    if len(bounds) == 1:
        first: Vectors = windows[0]
        return first
    ends = [0, *(end for _, end in bounds)]
    weights = np.diff(np.asarray(ends)).astype(np.float32)
    return read_only_copy(unit(weights @ windows))


def unit(vectors: Vectors) -> Vectors:
    """The same directions, at length one; what has no direction stays at zero."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    scaled: Vectors = (vectors / np.maximum(lengths, 1e-12)).astype(np.float32)
    return scaled


def read_only_copy(rows: Vectors) -> Vectors:
    """A copy of the rows, read-only: it holds no larger array alive, and no one changes it for others."""
    copied: Vectors = np.array(rows, np.float32)
    copied.flags.writeable = False
    return copied


def _joined(tokens: Tokens, bounds: list[tuple[int, int]], rows: list[Vectors]) -> TokenVectors:
    """One row per token: where two windows share tokens, each gives the half that lies deeper inside it."""
    cuts = [0, *((start + end) // 2 for (_, end), (start, _) in pairwise(bounds)), len(tokens.ids)]
    parts = [row[cuts[i] - bounds[i][0] : cuts[i + 1] - bounds[i][0]] for i, row in enumerate(rows)]
    return TokenVectors(tuple(tokens.spans), read_only_copy(np.concatenate(parts)))


def _begin(text: str, start: int, reach: int) -> int:
    """The first beginning of a word within reach after `start`."""
    for index in range(start, start + reach):
        if text[index - 1].isspace() and not text[index].isspace():
            return index
    return start


def _end(text: str, end: int, reach: int) -> int:
    """The last end of a word within reach before `end`."""
    for index in range(end, end - reach, -1):
        if text[index].isspace() and not text[index - 1].isspace():
            return index
    return end
