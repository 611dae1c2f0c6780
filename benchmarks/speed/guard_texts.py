"""Queries with candidates to guard: real questions and turns of talk, and clauses that lie near them."""

import gzip
import json
import random
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sensecheck.core.backends import Encoder, Vectors
from sensecheck.core.space import Space
from sensecheck.text.sentences import sentences

CORPUS, OTHERS = "squad2_derived/dev.jsonl.gz", "begin/wow_cmu.jsonl.gz"
QUESTION, CLAUSE = 70, 48
"""How many characters a question and a candidate may have: 42,000 of them are encoded by each peer."""
CORPUS_SIZE, KNOWN = 1200, 600
"""How many candidates there are to choose from, and how many questions about them."""
SEED = 7


@dataclass(frozen=True, slots=True)
class Asked:
    """A query with its candidates, and how close each of them lies to it."""

    query: str
    texts: tuple[str, ...]
    closeness: tuple[float, ...]


def near_each(data: Path, encoder: Encoder, *, queries: int, candidates: int) -> list[Asked]:
    """Queries with the clauses nearest to them, shuffled; most are turns of talk about something else."""
    known = min(queries // 3, KNOWN)
    asked = [*_questions(data / CORPUS, known), *_questions(data / OTHERS, queries - known)]
    random.Random(SEED).shuffle(asked)
    corpus = _clauses(data, CORPUS_SIZE)
    near = _closeness(asked, corpus, encoder)
    nearest = np.argpartition(-near, candidates, axis=1)[:, :candidates]
    return [
        _asked(query, corpus, chosen, row) for query, chosen, row in zip(asked, nearest, near, strict=True)
    ]


def all_distinct(data: Path, encoder: Encoder, *, queries: int, candidates: int) -> list[Asked]:
    """Queries with clauses of which none occurs twice: remembering saves nothing."""
    corpus = _clauses(data, queries * candidates)
    asked = _questions(data / CORPUS, queries)
    near = _closeness(asked, corpus, encoder)
    return [
        _asked(query, corpus, range(at * candidates, (at + 1) * candidates), near[at])
        for at, query in enumerate(asked)
    ]


def _asked(query: str, corpus: Sequence[str], chosen: Sequence[int], row: Vectors) -> Asked:
    drawn = random.Random(query).sample([int(at) for at in chosen], len(chosen))
    return Asked(query, tuple(corpus[at] for at in drawn), tuple(float(row[at]) for at in drawn))


def _closeness(asked: Sequence[str], corpus: Sequence[str], encoder: Encoder) -> Vectors:
    space = Space.of([*asked, *corpus], encoder)
    return np.stack([space.similarities(query, corpus) for query in asked])


def _clauses(data: Path, count: int) -> list[str]:
    """The beginnings of sentences, up to the end of a word."""
    found: dict[str, None] = {}
    for context in dict.fromkeys(row["context"] for row in _rows(data / CORPUS)):
        pieces = (context[start:end] for start, end in sentences(context))
        found.update(dict.fromkeys(_begun(piece) for piece in pieces if len(piece) >= CLAUSE))
    return _first(found, count, "sentences")


def _begun(sentence: str) -> str:
    return sentence[: CLAUSE + 1].rpartition(" ")[0] or sentence[:CLAUSE]


def _questions(file: Path, count: int) -> list[str]:
    asked = (row["question"].strip() for row in _rows(file))
    return _first(dict.fromkeys(text for text in asked if len(text) <= QUESTION), count, "short questions")


def _first(texts: Collection[str], count: int, what: str) -> list[str]:
    if len(texts) < count:
        raise SystemExit(f"wanted {count} {what}; found {len(texts)}")
    return list(texts)[:count]


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
