"""Pairs as batches of tokens, each with about the same number of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import torch
from models.verifier.pair import Pair
from torch import Tensor

CLAIM, WHOLE = 96, 256
"""At most so many tokens of a claim, and of a pair."""
UNKNOWN = -1.0
"""The label of a token of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some pairs of about the same length."""

    ids: Tensor
    mask: Tensor
    types: Tensor
    labels: Tensor
    tokens: Tensor
    """0 supported, 1 not, `UNKNOWN` for tokens that are not to be learned from."""


def batches(
    pairs: Sequence[Pair], tokenizer: Any, rng: Random, *, tokens: int = 3072, pool: int = 2048
) -> Iterator[Batch]:
    """The pairs in their order, sorted by length within each pool, in batches of so many tokens."""
    for start in range(0, len(pairs), pool):
        held = [(pair, encoded(pair, tokenizer)) for pair in pairs[start : start + pool]]
        held.sort(key=lambda item: len(item[1]["input_ids"]))
        cut: list[list[tuple[Pair, Any]]] = [[]]
        for item in held:
            if (len(cut[-1]) + 1) * len(item[1]["input_ids"]) > tokens:
                cut.append([])
            cut[-1].append(item)
        for group in rng.sample(cut, len(cut)):
            yield _batch(group)


def encoded(pair: Pair, tokenizer: Any) -> dict[str, list[Any]]:
    """The tokens of a pair, with where each stands in its text."""
    claim = pair.claim
    spans = tokenizer(claim, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
    if len(spans) > CLAIM:
        claim = claim[: spans[CLAIM - 1][1]]
    found: dict[str, list[Any]] = tokenizer(
        claim, pair.evidence, truncation="only_second", max_length=WHOLE, return_offsets_mapping=True
    )
    return found


def _batch(group: Sequence[tuple[Pair, Any]]) -> Batch:
    longest = max(len(item["input_ids"]) for _, item in group)

    def padded(values: Sequence[float], empty: float) -> list[float]:
        return [*values, *[empty] * (longest - len(values))]

    return Batch(
        torch.tensor([padded(item["input_ids"], 0) for _, item in group]),
        torch.tensor([padded(item["attention_mask"], 0) for _, item in group]),
        torch.tensor([padded(item["token_type_ids"], 1) for _, item in group]),
        torch.tensor([float(pair.unsupported) for pair, _ in group]),
        torch.tensor([padded(_token_labels(pair, item), UNKNOWN) for pair, item in group]),
    )


def _token_labels(pair: Pair, item: Any) -> list[float]:
    known = pair.changed is not None
    labels = []
    for (start, end), kind in zip(item["offset_mapping"], item["token_type_ids"], strict=True):
        if kind or start == end or not known:
            labels.append(UNKNOWN)
        else:
            labels.append(float(any(start < b and a < end for a, b in pair.changed or ())))
    return labels
