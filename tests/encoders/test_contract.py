"""The contract of an encoder: ours keep it, and it notices who does not."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from sensecheck.core.backends import Embedding, Encoder
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.testing import encoder_contract


def test_hashing_keeps_the_contract() -> None:
    encoder_contract(HashingEncoder(), limited=False)


def test_minilm_keeps_the_contract(minilm: Encoder) -> None:
    encoder_contract(minilm)


class _Wrong(HashingEncoder):
    """An encoder with one fault."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self._fault = fault

    @property
    def dimension(self) -> int:
        return 7 if self._fault == "dimension" else super().dimension

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        if self._fault == "cuts":
            texts = [text[:300] for text in texts]
        placed = super().encode(texts, tokens=tokens)
        match self._fault:
            case "order":
                placed.reverse()
            case "length":
                placed = [replace(one, vector=one.vector * np.float32(2)) for one in placed]
            case "dtype":
                placed = [replace(one, windows=one.windows.astype(np.float64)) for one in placed]
            case "spans":
                placed = [replace(one, spans=((0, 5),)) for one in placed]
            case "outside":
                placed = [replace(one, spans=((0, one.spans[0][1] + 1),)) for one in placed]
            case "missing":
                placed = placed[1:]
            case "tokens":
                placed = [replace(one, tokens=None) for one in placed]
        return placed


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("order", "are embeddings in order|in no window"),
        ("length", "wanted 1"),
        ("dtype", "wanted float32"),
        ("dimension", "has the shape"),
        ("spans", "in no window"),
        ("outside", "outside the text"),
        ("missing", "gave 4 embeddings"),
        ("tokens", "token vectors were asked for"),
        ("cuts", "no window|left no trace"),
    ],
)
def test_the_contract_notices(fault: str, says: str) -> None:
    with pytest.raises(AssertionError, match=says):
        encoder_contract(_Wrong(fault), limited=False)


def test_an_encoder_of_plain_arrays_is_told_what_to_return() -> None:
    class Plain(HashingEncoder):
        def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
            return [one.vector for one in super().encode(texts, tokens=tokens)]  # type: ignore[misc]

    with pytest.raises(AssertionError, match="`encode` must return Embeddings; got ndarray"):
        encoder_contract(Plain(), limited=False)


def test_an_encoder_with_a_limit_must_show_windows() -> None:
    with pytest.raises(AssertionError, match="was the rest cut off"):
        encoder_contract(HashingEncoder())
