"""Labelled answers as the numbers that the model of support is fitted on."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from models.support.fit import Bag
from models.support.rows import Row

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import Unreadable
from sensecheck.core.space import Space
from sensecheck.measures.support.support import MISMATCHES, AnswerBeside, beside
from sensecheck.measures.support.words import FEATURES

AT_ONCE = 256
KINDS = tuple(kind + how for kind in MISMATCHES for how in ("", ":new"))
"""The signals that are weighed; `:new` where the source says nothing of the thing."""


def bags(rows: Sequence[Row], encoder: Encoder) -> list[Bag]:
    """The rows by set."""
    by_set: dict[str, list[tuple[Row, AnswerBeside]]] = {}
    for row, found in _read(rows, encoder):
        by_set.setdefault(row.source, []).append((row, found))
    return [_bag(name, held) for name, held in by_set.items()]


def _read(rows: Sequence[Row], encoder: Encoder) -> Iterator[tuple[Row, AnswerBeside]]:
    for start in range(0, len(rows), AT_ONCE):
        part = rows[start : start + AT_ONCE]
        texts = (text for row in part for text in (row.sample.answer, *row.sample.passages))
        space = Space.of(texts, encoder, tokens=True)
        for row in part:
            try:
                yield row, beside(row.sample, space)
            except Unreadable as reason:
                print(f"left out a row of {row.source}: {reason}", flush=True)
        print(f"read {start + len(part):,} of {len(rows):,} answers", flush=True)


def _bag(name: str, held: Iterable[tuple[Row, AnswerBeside]]) -> Bag:
    words: list[np.ndarray] = [np.zeros((0, len(FEATURES)))]
    home: list[int] = []
    signals: list[list[int]] = []
    labels: list[float] = []
    for at, (row, found) in enumerate(held):
        claims = [claim for claim in found.claims if not claim.verbatim]
        own = [index for claim in claims for index in claim.words]
        said = [s.kind if s.changed else f"{s.kind}:new" for claim in claims for s in claim.signals]
        words.append(found.words.features[own])
        home += [at] * len(own)
        signals.append([said.count(kind) for kind in KINDS])
        labels.append(float(not row.supported))
    return Bag(name, np.concatenate(words), np.array(home), np.array(signals, float), np.array(labels))
