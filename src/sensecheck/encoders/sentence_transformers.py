"""Any model that the `sentence-transformers` library loads, on the CPU."""

import json
from collections.abc import Sequence
from hashlib import sha256
from itertools import pairwise
from math import isfinite
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch
from sentence_transformers import SentenceTransformer

from sensecheck.core.backends import Embedding, TokenVectors, Vectors
from sensecheck.core.errors import EncoderError, Unreachable, WeightsError
from sensecheck.encoders.hub import Hub, unreported
from sensecheck.encoders.transformer import read_only_copy, unit, whole, window_bounds
from sensecheck.encoders.wordpiece import Tokens, unread

Spans = list[tuple[int, int]]


class SentenceTransformerEncoder:
    """A SentenceTransformer that reads long texts whole, in windows that its own tokenizer measures."""

    def __init__(
        self, model: SentenceTransformer, *, name: str, prefix: str | None = None, overlap: int = 64
    ) -> None:
        self._model = model
        self.name = name
        self._prompt = prefix or model.prompts.get(model.default_prompt_name or "") or ""
        self._limit = model.max_seq_length
        self._overlap = overlap
        self._busy = Lock()
        """The tokenizer keeps state between calls: one call at a time."""
        self._unknown: int | None = getattr(model.tokenizer, "unk_token_id", None)
        self._room = self._room_for_text()
        self.dimension = int(model.encode(["a"], show_progress_bar=False).shape[1])
        identity = [2, self._prompt, self._limit, overlap, self.dimension, *_described(model)]
        digest = sha256(json.dumps(identity, default=lambda thing: type(thing).__name__).encode())
        self.fingerprint = f"torch:sentence-transformers:{digest.hexdigest()[:16]}"

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        """One embedding per text, in order; a long text is read whole, as windows."""
        with self._busy:
            tokens_by_text = [self._tokens(text) for text in texts]
            spans = [
                self._windows(text, text_tokens.spans)
                for text, text_tokens in zip(texts, tokens_by_text, strict=True)
            ]
            pieces = [text[a:b] for text, text_spans in zip(texts, spans, strict=True) for a, b in text_spans]
            rows, token_vectors = self._encode(pieces, tokens=tokens)
        embeddings: list[Embedding] = []
        start = 0
        for text_spans, text_tokens in zip(spans, tokens_by_text, strict=True):
            windows = read_only_copy(rows[start : start + len(text_spans)])
            joined = _joined(text_spans, token_vectors[start : start + len(text_spans)]) if tokens else None
            unread_chars = unread(text_tokens, self._unknown)
            embeddings.append(
                Embedding(whole(windows, text_spans), tuple(text_spans), windows, unread_chars, joined)
            )
            start += len(text_spans)
        return embeddings

    def _room_for_text(self) -> int | None:
        """How many tokens of a text one window has room for; None when there is no limit."""
        if self._limit is None or not isfinite(self._limit):
            return None
        room = int(self._limit) - len(self._tokens(self._prompt, special=True).ids)
        if room < 1:
            raise EncoderError(f"`{self.name}` reads {self._limit} tokens; its prompt leaves none for a text")
        return room

    def _windows(self, text: str, tokens: Spans) -> Spans:
        """The characters of each window; a piece that reads longer by itself makes all of them shorter."""
        if self._room is None or self._limit is None:
            return [(0, len(text))]
        room = self._room
        while room > 0:
            bounds = window_bounds(len(tokens), room, min(self._overlap, room // 2))
            spans = [(tokens[a][0], tokens[b - 1][1]) if b > a else (0, 0) for a, b in bounds]
            spans[0] = (0, spans[0][1])
            spans[-1] = (spans[-1][0], len(text))
            longest = max(len(self._tokens(self._prompt + text[a:b], special=True).ids) for a, b in spans)
            if longest <= self._limit:
                return spans
            room -= max(longest - self._limit, 1)
        raise EncoderError(f"`{self.name}` reads {self._limit} tokens; a text cannot be cut to fit")

    def _tokens(self, text: str, *, special: bool = False) -> Tokens:
        encoded = self._model.tokenizer(
            text, add_special_tokens=special, truncation=False, return_offsets_mapping=True, verbose=False
        )
        return Tokens(list(encoded["input_ids"]), [(int(a), int(b)) for a, b in encoded["offset_mapping"]])

    def _encode(self, pieces: list[str], *, tokens: bool) -> tuple[Vectors, list[TokenVectors]]:
        if not pieces:
            return np.empty((0, self.dimension), np.float32), []
        outputs: Any = self._model.encode(
            pieces,
            prompt=self._prompt or None,
            output_value=None if tokens else "sentence_embedding",
            show_progress_bar=False,
        )
        if not tokens:
            return unit(np.asarray(outputs, np.float32)), []
        rows = unit(torch.stack([output["sentence_embedding"] for output in outputs]).float().numpy())
        return rows, [self._token_vectors(text, output) for text, output in zip(pieces, outputs, strict=True)]

    def _token_vectors(self, piece: str, output: Any) -> TokenVectors:
        spans = self._tokens(self._prompt + piece, special=True).spans
        rows = output["token_embeddings"][output["attention_mask"].bool()].float().numpy()
        if len(rows) != len(spans):
            raise EncoderError(f"the token vectors of `{self.name}` cannot be matched with its tokens")
        prompt_chars = len(self._prompt)
        text_rows = [i for i, (a, b) in enumerate(spans) if b > a >= prompt_chars]
        return TokenVectors(
            tuple((spans[i][0] - prompt_chars, spans[i][1] - prompt_chars) for i in text_rows),
            unit(rows[text_rows]),
        )


def sentence_transformers_encoder(
    source: str, *, threads: int = 1, prefix: str = "", token: str | None = None
) -> SentenceTransformerEncoder:
    """The model in a folder, or at one commit of the hub: `ORG/NAME@COMMIT`."""
    path = Path(source).expanduser()
    folder = path.exists()
    model_name, revision = (str(path), None) if folder else _commit(source)
    torch.set_num_threads(threads)
    try:
        with unreported(), torch.random.fork_rng(devices=[]):
            torch.manual_seed(0)  # weights that a file lacks are drawn at random: always the same ones
            model = SentenceTransformer(model_name, revision=revision, device="cpu", token=token or False)
    except (OSError, ValueError) as error:
        if folder:
            raise WeightsError(f"`{source}` is not a model for sentence-transformers: {error}") from error
        raise Unreachable(f"`{source}` is neither a folder here nor could it be had from the hub") from error
    return SentenceTransformerEncoder(model, name=Path(model_name).name, prefix=prefix)


def _commit(source: str) -> tuple[str, str]:
    hub = Hub.of(source)
    return hub.repository, hub.revision


def _described(model: SentenceTransformer) -> list[Any]:
    """All that decides the vectors: the weights, the modules with their settings, the tokenizer."""
    weights = sha256()
    for name, tensor in sorted(model.state_dict().items()):
        weights.update(f"{name}{tuple(tensor.shape)}{tensor.dtype}".encode())
        weights.update(tensor.detach().cpu().contiguous().flatten().view(torch.uint8).numpy())
    modules: list[Any] = [(type(part).__name__, getattr(part, "get_config_dict", dict)()) for part in model]
    backend = getattr(model.tokenizer, "backend_tokenizer", model.tokenizer)
    tokenizer = json.loads(backend.to_str()) | {"truncation": None, "padding": None}
    return [weights.hexdigest(), modules, tokenizer]


def _joined(spans: Spans, token_vectors: list[TokenVectors]) -> TokenVectors:
    """One row per token: where two windows share characters, each gives the half deeper inside it."""
    cuts = [0, *((start + end) // 2 for (_, end), (start, _) in pairwise(spans)), spans[-1][1]]
    token_spans: Spans = []
    rows: list[Vectors] = []
    for (start, _), window, first, last in zip(spans, token_vectors, cuts, cuts[1:], strict=False):
        selected = [i for i, (a, _) in enumerate(window.spans) if first <= a + start < last]
        token_spans += [(window.spans[i][0] + start, window.spans[i][1] + start) for i in selected]
        rows.append(window.vectors[selected])
    return TokenVectors(tuple(token_spans), read_only_copy(np.concatenate(rows)))
