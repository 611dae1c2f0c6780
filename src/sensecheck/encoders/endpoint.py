"""Asking an endpoint for vectors, and believing nothing of what comes back."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sensecheck.core.encoder import Vectors
from sensecheck.core.endpoint import Endpoint, Failure
from sensecheck.core.errors import EncoderError, Unreachable
from sensecheck.encoders.windows import unit

ROUTE = "/v1/embeddings"


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
        found = f"{len(items)} vectors" if isinstance(items, list) else "no list of vectors"
        raise EncoderError(f"`{url}` answered with {found}; wanted {count}")
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
