"""Vectors by the million: real sentences, and made-up neighbours of them, as near as real neighbours are."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from models.heads.public import remembering_encoder, rows_of

from sensecheck.core.backends import Vectors
from sensecheck.core.space import Space

SETS = (
    "squad2_derived/dev.jsonl.gz",
    "ragtruth_qa/test.jsonl.gz",
    "halueval_qa/one_turn.jsonl.gz",
    "summedits/all.jsonl.gz",
    "begin/wow_cmu.jsonl.gz",
    "factcheck_gpt/claim_evidence.jsonl.gz",
    "lfqa_verification/sentences.jsonl.gz",
    "faithbench/all.jsonl.gz",
    "xstest/completions.jsonl.gz",
    "refusal_direction_harmless/baseline.jsonl.gz",
)
FIELDS = ("context", "question", "response", "prompt")
SHORT, LONG = 25, 140
"""Characters of a sentence that is taken."""
SEED = 7
AT_ONCE = 1000
CHUNK = 20_000


@dataclass(frozen=True, slots=True)
class Many:
    """Unit rows, real ones first; and real queries that are not among them."""

    vectors: Vectors
    texts: list[str]
    """Those of the real rows."""
    bases: npt.NDArray[np.intp]
    """For each made-up row, the real one that it is a neighbour of."""
    queries: Vectors

    @property
    def about(self) -> str:
        """How the set was made, for whoever reads the result."""
        return (
            f"{len(self.texts)} real sentences from public sets, placed by minilm, and {len(self.bases)} "
            "made-up neighbours of them: a real vector, moved in a random direction (spread as the real "
            "vectors are) to a cosine drawn from those of real sentences with their nearest; queries are "
            "real sentences that are not in the set"
        )

    def text(self, row: int) -> str:
        """The sentence of a row; a made-up one has that of its neighbour, with a number."""
        real = len(self.texts)
        return self.texts[row] if row < real else f"{self.texts[self.bases[row - real]]} ({row})"


def many(data: Path, count: int, *, real: int, queries: int) -> Many:
    """So many vectors, of which at most `real` are of real sentences."""
    texts, placed = places(sentences(data, real + queries))
    asked, held = placed[:queries], placed[queries:]
    vectors = np.empty((count, placed.shape[1]), np.float32)
    vectors[: len(held)] = held
    bases = fill_with_neighbours(vectors[len(held) :], held)
    return Many(vectors, texts[queries:], bases, asked)


def sentences(data: Path, count: int) -> list[str]:
    """Distinct real sentences, in a random order that is the same every time."""
    found = {
        sentence: None
        for name in SETS
        for row in rows_of(data, name)
        for field in FIELDS
        if isinstance(row.get(field), str)
        for sentence in _split(row[field])
    }
    listed = list(found)
    random.Random(SEED).shuffle(listed)
    return [sentence for sentence in listed if sentence.isprintable()][:count]


def places(texts: list[str]) -> tuple[list[str], Vectors]:
    """The texts that can be read, and where they lie; kept on disk, so that only the first run encodes."""
    encoder = remembering_encoder()
    found: dict[str, Vectors] = {}
    for start in range(0, len(texts), AT_ONCE):
        placed = Space.of(texts[start : start + AT_ONCE], encoder).embeddings
        found |= {text: one.vector for text, one in placed.items()}
    return list(found), np.stack(list(found.values()))


def fill_with_neighbours(made: Vectors, real: Vectors) -> npt.NDArray[np.intp]:
    """Fill rows, each as near to a real one as real ones are to their nearest; to which, is returned."""
    draw = np.random.default_rng(SEED)
    near = nearest(real)
    spread = np.linalg.cholesky(np.cov(real, rowvar=False) + 1e-9 * np.eye(real.shape[1])).astype(np.float32)
    bases = draw.integers(len(real), size=len(made))
    for start in range(0, len(made), CHUNK):
        base = real[bases[start : start + CHUNK]]
        away = draw.standard_normal(base.shape, np.float32) @ spread.T
        away -= np.sum(away * base, axis=1, keepdims=True) * base
        away /= np.linalg.norm(away, axis=1, keepdims=True)
        cosine = draw.choice(near, size=(len(base), 1))
        row = cosine * base + np.sqrt(1 - cosine**2) * away
        made[start : start + CHUNK] = row / np.linalg.norm(row, axis=1, keepdims=True)
    return bases


def nearest(real: Vectors, sample: int = 2000) -> Vectors:
    """The cosines of some rows with the nearest other row."""
    some = real[:sample]
    near = some @ real.T
    near[np.arange(len(some)), np.arange(len(some))] = -1
    found: Vectors = np.clip(near.max(axis=1), 0, 1)
    return found


def _split(text: str) -> Iterator[str]:
    for part in re.split(r"(?<=[.!?])\s+|\n+", text):
        sentence = " ".join(part.split())
        if SHORT <= len(sentence) <= LONG and sentence.isascii():
            yield sentence
