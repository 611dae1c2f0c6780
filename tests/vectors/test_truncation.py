"""The vectors that the browser is tested with too."""

import json
from typing import Any

import pytest

from sensecheck.validators import truncate_to_tokens
from tests.vectors.make_truncation import COUNT, FILE, SPACES, vectors, words_of

VECTORS: list[dict[str, Any]] = [json.loads(line) for line in FILE.read_text().splitlines()]


def text_of(vector: dict[str, Any]) -> str:
    return "".join(piece * times for piece, times in vector["text"])


@pytest.mark.slow
def test_the_file_is_what_its_script_writes() -> None:
    assert FILE.read_text().splitlines() == vectors()
    assert len(VECTORS) == COUNT


@pytest.mark.slow
def test_the_vectors_cut_often_and_often_just_not() -> None:
    fits = [vector["max_tokens"] * 10 // 13 for vector in VECTORS]
    words = [len(words_of(text_of(vector))) for vector in VECTORS]
    pairs = list(zip(fits, words, strict=True))
    assert sum(fit < there for fit, there in pairs) > 300
    assert sum(fit == there for fit, there in pairs) > 150
    assert sum(fit + 1 == there for fit, there in pairs) > 150


def test_every_vector_is_cut_where_it_says() -> None:
    for vector in VECTORS:
        text = text_of(vector)
        assert truncate_to_tokens(text, vector["max_tokens"]) == text[: vector["kept"]], vector


@pytest.mark.parametrize("space", SPACES, ids=lambda space: f"U+{ord(space):04X}")
def test_every_white_space_of_javascript_parts_words(space: str) -> None:
    assert truncate_to_tokens(f"one{space}two", 2) == "one"


def test_two_thousand_tokens_unless_another_limit_is_named() -> None:
    assert truncate_to_tokens("word\n" * 5_000) == "\n".join(["word"] * 1_538)


def test_less_than_one_word_is_nothing() -> None:
    assert truncate_to_tokens("one two", 1) == ""
    assert truncate_to_tokens("one two", -5) == ""
