"""Asking an endpoint for vectors, and believing nothing of what comes back."""

import re
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import numpy as np
import openai

from sensecheck.core.encoder import Vectors
from sensecheck.core.errors import AnswererError, EncoderError, Unreachable
from sensecheck.encoders.windows import unit

SHARED = 12
"""As many letters in a row that an error message shares with a text make it a quotation of the text."""


class Endpoint:
    """A client for one address; the client waits and tries again as it was told to."""

    def __init__(self, client: openai.OpenAI) -> None:
        self._client = client
        split = urlsplit(str(client.base_url))
        self.url = f"{split.scheme}://{split.netloc.rpartition('@')[2]}{split.path.rstrip('/')}"
        """The address as messages show it: without a password."""

    def embed(self, texts: Sequence[str], model: str) -> Vectors:
        """One unit row a text, in order."""
        try:
            reply = self._client.embeddings.create(model=model, input=list(texts), encoding_format="float")
        except (openai.OpenAIError, ValueError) as error:
            failure = self._failure(error, texts)
        else:
            return self._checked(reply, len(texts))
        raise failure  # out here it has no cause that could carry the texts, or the key, into a log

    def _checked(self, reply: Any, count: int) -> Vectors:
        items = getattr(reply, "data", None)
        if not isinstance(items, list) or len(items) != count:
            found = f"{len(items)} vectors" if isinstance(items, list) else "no list of vectors"
            raise EncoderError(f"`{self.url}` answered with {found}; wanted {count}")
        order = {getattr(item, "index", None): getattr(item, "embedding", None) for item in items}
        if order.keys() != set(range(count)):
            raise EncoderError(f"`{self.url}` does not say which vector belongs to which text")
        try:
            rows = np.asarray([order[index] for index in range(count)], np.float64)
        except (TypeError, ValueError):
            rows = np.empty(0)
        if rows.ndim != 2 or rows.shape[1] == 0:
            raise EncoderError(f"`{self.url}` did not answer with one vector a text, all of one dimension")
        if not np.isfinite(rows).all():
            raise EncoderError(f"`{self.url}` answered with a vector that holds NaN or infinity")
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        if (lengths < 1e-9).any():
            raise EncoderError(f"`{self.url}` answered with a vector of zeros")
        return unit((rows / lengths).astype(np.float32))

    def _failure(self, error: Exception, texts: Sequence[str]) -> AnswererError:
        tries = f"tried {self._client.max_retries + 1} x"
        match error:
            case openai.APITimeoutError():
                return Unreachable(f"`{self.url}` did not answer within {self._client.timeout} s, {tries}")
            case openai.APIConnectionError():
                why = type(error.__cause__ or error).__name__
                return Unreachable(f"`{self.url}` could not be reached, {tries}: {why}")
            case openai.APIStatusError(status_code=status) if status >= 500:
                return Unreachable(f"`{self.url}` answered {_status(status)}, {tries}{_said(error, texts)}")
            case openai.APIStatusError(status_code=status):
                return EncoderError(f"`{self.url}` answered {_status(status)}{_said(error, texts)}")
            case _:
                return EncoderError(f"`{self.url}` did not answer as `/v1/embeddings` does")


def _status(code: int) -> str:
    known = code in HTTPStatus.__members__.values()
    return f"{code} {HTTPStatus(code).phrase}" if known else str(code)


def _said(error: openai.APIStatusError, texts: Sequence[str]) -> str:
    """What the server gave as the reason, unless that might quote a text or the key."""
    body = error.body
    reason = body.get("message") if isinstance(body, dict) else body
    if not isinstance(reason, str) or error.status_code in (401, 403):
        return ""
    reason = " ".join(reason.split())[:200]
    return "" if not reason or any(_quotes(reason, text) for text in texts) else f": {reason}"


def _quotes(reason: str, text: str) -> bool:
    said, heard = _letters(reason), _letters(text)
    if not heard:
        return bool(text.strip()) and text.strip() in reason
    length = min(SHARED, len(heard))
    return any(said[i : i + length] in heard for i in range(len(said) - length + 1))


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()
