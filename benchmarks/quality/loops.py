"""Literal loops, made from ordinary paragraphs."""

import random
from collections.abc import Iterable, Iterator

from sensecheck.text.sentences import sentences

FEWEST = 4


def paragraphs(texts: Iterable[str]) -> Iterator[str]:
    """Each distinct text of at least four sentences, once."""
    for text in dict.fromkeys(texts):
        if len(sentences(text)) >= FEWEST:
            yield text


def loop_of(paragraph: str, draw: random.Random) -> str:
    """Two or three neighbouring sentences of the paragraph, said three times over."""
    said = [paragraph[start:end] for start, end in sentences(paragraph)]
    length = draw.choice((2, 3))
    start = draw.randrange(len(said) - length + 1)
    return " ".join(said[start : start + length] * 3)
