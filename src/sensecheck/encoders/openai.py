"""An encoder behind any server that answers `/v1/embeddings` as OpenAI does.

Such servers are LM Studio, vLLM, TEI, Ollama and llama.cpp. Nothing that one of them answers is believed
before it is checked: the number of vectors, their order, their dimension and that each has a direction.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

import numpy as np

from sensecheck.core.backends import Embedding, Vectors
from sensecheck.core.errors import EncoderError, SpecError, Unreachable
from sensecheck.encoders.invariance import PROBE, sketch
from sensecheck.encoders.transformer import character_windows, read_only_copy, unit, whole
from sensecheck.io.openai import Endpoint, Failure, is_address

ROUTE = "/v1/embeddings"
BATCH_SIZE = 64
"""How many texts one request carries."""


@dataclass(frozen=True, slots=True)
class _Served:
    """What an endpoint serves, as its answer to the probe shows."""

    dimension: int
    fingerprint: str


class OpenAIEncoder:
    """A model behind an endpoint. Nothing is asked of it before the first use."""

    def __init__(
        self,
        endpoint: Endpoint,
        model: str,
        *,
        prefix: str = "",
        window_chars: int = 1200,
        overlap: int = 200,
    ) -> None:
        self._endpoint = endpoint
        self.name = model
        self._prefix = prefix
        self._window_chars = window_chars
        self._overlap = overlap
        self._probed: _Served | None = None
        self._asking = Lock()

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would; also when another model is served under the same name."""
        return self._served().fingerprint

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._served().dimension

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        """One embedding per text, in order; a long text is read whole, as windows."""
        if tokens:
            raise EncoderError(f"the encoder `{self.name}` has no token vectors: its endpoint gives none")
        spans = [character_windows(text, self._window_chars, self._overlap) for text in texts]
        pieces = [[text[a:b] for a, b in bounds] for text, bounds in zip(texts, spans, strict=True)]
        vectors = self._vectors(list(dict.fromkeys(piece for text_pieces in pieces for piece in text_pieces)))
        embeddings = []
        for text_pieces, bounds in zip(pieces, spans, strict=True):
            windows = read_only_copy(np.stack([vectors[piece] for piece in text_pieces]))
            embeddings.append(Embedding(whole(windows, bounds), tuple(bounds), windows))
        return embeddings

    def _vectors(self, pieces: list[str]) -> dict[str, Vectors]:
        vectors: dict[str, Vectors] = {}
        for start in range(0, len(pieces), BATCH_SIZE):
            batch = pieces[start : start + BATCH_SIZE]
            rows = embed(self._endpoint, [self._prefix + piece for piece in batch], self.name)
            if rows.shape[1] != self.dimension:
                raise EncoderError(
                    f"`{self._endpoint.url}` gave vectors of {rows.shape[1]} dimensions for `{self.name}`; "
                    f"wanted {self.dimension}, as at first: is another model served there now?"
                )
            vectors.update(zip(batch, rows, strict=True))
        return vectors

    def _served(self) -> _Served:
        with self._asking:
            if self._probed is None:
                vector = embed(self._endpoint, [self._prefix + PROBE], self.name)[0]
                windows = [self._window_chars, self._overlap]
                identity = json.dumps([1, self.name, len(vector), windows, self._prefix, sketch(vector)])
                digest = hashlib.sha256(identity.encode()).hexdigest()[:16]
                self._probed = _Served(len(vector), f"{self.name}:openai:{digest}")
            return self._probed


def openai_encoder(
    url: str,
    model: str,
    *,
    prefix: str = "",
    api_key: str | None = None,
    timeout: float = 30.0,
    retries: int = 4,
    window_chars: int = 1200,
    overlap: int = 200,
) -> OpenAIEncoder:
    """The encoder behind an address such as `http://localhost:1234/v1`."""
    if not (is_address(url) and model):
        raise SpecError("the encoder `openai` needs `openai:http://HOST:PORT/v1#MODEL`")
    endpoint = Endpoint.at(url, ROUTE, api_key=api_key, timeout=timeout, retries=retries)
    return OpenAIEncoder(endpoint, model, prefix=prefix, window_chars=window_chars, overlap=overlap)


def embed(endpoint: Endpoint, texts: Sequence[str], model: str) -> Vectors:
    """One unit row a text, in order."""
    reply = endpoint.ask(
        lambda client: client.embeddings.create(model=model, input=list(texts), encoding_format="float"),
        texts,
    )
    if isinstance(reply, Failure):
        raise Unreachable(reply.says) if reply.unreachable else EncoderError(reply.says)
    return _checked(reply, len(texts), endpoint.url)


def _checked(reply: Any, count: int, url: str) -> Vectors:
    items = getattr(reply, "data", None)
    if not isinstance(items, list) or len(items) != count:
        answer = f"{len(items)} vectors" if isinstance(items, list) else "no list of vectors"
        raise EncoderError(f"`{url}` answered with {answer}; wanted {count}")
    order = {getattr(item, "index", None): getattr(item, "embedding", None) for item in items}
    if order.keys() != set(range(count)):
        raise EncoderError(f"`{url}` does not say which vector belongs to which text")
    try:
        rows = np.asarray([order[index] for index in range(count)], np.float64)
    except (TypeError, ValueError):
        rows = np.empty(0)
    if rows.ndim != 2 or rows.shape[1] == 0:
        raise EncoderError(f"`{url}` did not answer with one vector a text, all of one dimension")
    if not np.isfinite(rows).all():
        raise EncoderError(f"`{url}` answered with a vector that holds NaN or infinity")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if (lengths < 1e-9).any():
        raise EncoderError(f"`{url}` answered with a vector of zeros")
    return unit((rows / lengths).astype(np.float32))
