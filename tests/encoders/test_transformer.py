"""Embeddings: they own their rows, nobody can change them, and every text has its tokens."""

import numpy as np
import pytest

from sensecheck.core.backends import Encoder
from sensecheck.encoders.hashing import HashingEncoder

TEXTS = [f"text {number}" for number in range(100)]
LONG = " ".join(f"Sentence number {i} is here." for i in range(100))


def test_one_kept_text_does_not_keep_its_batch(minilm: Encoder) -> None:
    placed = minilm.encode([*TEXTS, LONG], tokens=True)

    for one in placed:
        assert one.tokens is not None
        for rows, size in ((one.windows, one.windows.size), (one.tokens.vectors, one.tokens.vectors.size)):
            assert rows.base is None or rows.base.size <= size
        assert one.vector.base is None or one.vector.base.size <= one.windows.size


@pytest.mark.parametrize("kind", ["minilm", "hashing"])
def test_placements_are_read_only(kind: str, minilm: Encoder) -> None:
    encoder = minilm if kind == "minilm" else HashingEncoder()
    for one in encoder.encode(["short", LONG], tokens=True):
        assert one.tokens is not None
        for rows in (one.vector, one.windows, one.tokens.vectors):
            with pytest.raises(ValueError, match="read-only"):
                rows[..., 0] = 1


@pytest.mark.parametrize("text", ["", "\u200b", " \n"])
def test_a_text_without_tokens_has_none_of_them_but_is_answered(text: str, minilm: Encoder) -> None:
    with_tokens, without = minilm.encode([text], tokens=True)[0], minilm.encode([text])[0]

    assert without.tokens is None
    assert with_tokens.tokens is not None
    assert with_tokens.tokens.spans == ()
    assert with_tokens.tokens.vectors.shape == (0, 384)


def test_dropped_characters_are_unread(minilm: Encoder) -> None:
    text = "The museum \ufffd\ufffd\u200b opens."

    assert minilm.encode([text])[0].unread_chars == 3
    assert np.isclose(minilm.encode([text])[0].vector @ minilm.encode(["The museum opens."])[0].vector, 1)
