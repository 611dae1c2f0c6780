"""The file of weights that is shipped, and what it says of itself; it is read without torch or data.

It holds what training has changed: for every matrix the difference to the published encoder, half a byte a
weight, each row with a scale of its own; and everything else that was learned as it is.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from models.minilm.source import WrongWeightsError
from numpy.typing import NDArray
from safetensors import safe_open

Weights = Mapping[str, NDArray[Any]]
WEIGHTS = Path(__file__).resolve().parent / "weights"
LABELS = ("supported", "contradicted", "not_stated")
"""The labels of the outputs, in order, as configurations of models write them."""
PAIR_TOKENS = 256
"""At most so many tokens of a pair are read, those around them too; the evidence is cut."""
STEPS = 7
"""A change is so many steps of its row's scale at most, in either direction."""
CLIPPED = (1.0, 0.85, 0.7, 0.6, 0.5, 0.4)
"""Where a row may be cut, as shares of its largest change."""
CLAIM_TOKENS = 160
"""As many tokens of question and claim as its 600 characters in training come to; the session cuts there."""


@dataclass(frozen=True, slots=True)
class Stage:
    """A part of the training: a run, and what it learned from."""

    run: str
    pairs: int
    hours: float
    rate: float
    seed: int
    shares: Mapping[str, float]
    """How often each set was drawn from; they add up to 1."""
    teacher: str = ""
    """The run whose probabilities were learned beside the labels."""


@dataclass(frozen=True, slots=True)
class Made:
    """What a file of weights says of itself."""

    size: str
    frozen: int
    base: str
    """The SHA-256 of the weights that everything else is taken from."""
    stages: tuple[Stage, ...]
    """First to last: each began with the averaged weights of the one before."""
    sets: Mapping[str, tuple[str, int]]
    """The licence of every set that was drawn from, and how many pairs it has."""
    digest: str
    """Of all weights in the file."""

    @classmethod
    def read(cls, path: Path) -> tuple["Made", dict[str, NDArray[Any]]]:
        """The description and the weights of a file, or `WrongWeightsError` when they differ."""
        with safe_open(path, framework="numpy") as held:
            told = json.loads(held.metadata()["reader"])
            weights = {name: held.get_tensor(name) for name in held.keys()}  # noqa: SIM118  # no mapping
        if told["limits"] != limits() or tuple(told["labels"]) != LABELS:
            raise WrongWeightsError(f"`{path}` was trained with other limits or labels; export the run again")
        stages = tuple(Stage(**stage) for stage in told["stages"])
        sets = {name: (licence, pairs) for name, (licence, pairs) in told["sets"].items()}
        made = cls(told["size"], told["frozen"], told["base"], stages, sets, told["digest"])
        if (found := digest_of(weights)) != made.digest:
            raise WrongWeightsError(
                f"the weights of `{path}` must have the digest {made.digest}; got {found}"
            )
        return made, weights


def changes(learned: Weights, published: Weights) -> dict[str, NDArray[Any]]:
    """What a training has changed, as the file holds it."""
    kept: dict[str, NDArray[Any]] = {}
    for name, value in learned.items():
        if value.ndim != 2 or name not in published:
            kept[name] = value.astype(np.float32)
            continue
        kept[name], kept[f"{name}.scale"] = _halved(value - published[name])
    return kept


def restored(kept: Weights, published: Weights) -> dict[str, NDArray[Any]]:
    """The learned weights of a file, for the encoder that they began as."""
    return {
        name: published[name] + _doubled(value) * kept[f"{name}.scale"] if value.dtype == np.uint8 else value
        for name, value in kept.items()
        if not name.endswith(".scale")
    }


def _halved(change: NDArray[Any]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Two steps a byte, the first in its lower half; each row gets the scale that errs least."""
    widest = np.maximum(np.abs(change).max(axis=1, keepdims=True), 1e-12)  # a row of zeros has no scale
    best, error = widest, np.full_like(widest, np.inf)
    for share in CLIPPED:
        scale = widest * share / STEPS
        missed = (_steps(change, scale) * scale - change) ** 2
        better = missed.sum(axis=1, keepdims=True) < error
        best, error = np.where(better, scale, best), np.minimum(error, missed.sum(axis=1, keepdims=True))
    scale = best.astype(np.float32)
    steps: NDArray[np.uint8] = (_steps(change, scale) + STEPS).astype(np.uint8)
    pairs: NDArray[np.uint8] = np.bitwise_or(steps[:, ::2], np.left_shift(steps[:, 1::2], np.uint8(4)))
    return pairs, scale


def _steps(change: NDArray[Any], scale: NDArray[Any]) -> NDArray[np.float32]:
    found: NDArray[np.float32] = np.clip(np.rint(change / scale), -STEPS, STEPS)
    return found


def _doubled(halves: NDArray[np.uint8]) -> NDArray[np.float32]:
    steps = np.stack([halves & 15, halves >> 4], axis=-1).reshape(len(halves), -1)
    return steps.astype(np.float32) - STEPS


def limits() -> dict[str, int]:
    """How much of a pair is read."""
    return {"claim_tokens": CLAIM_TOKENS, "pair_tokens": PAIR_TOKENS}


def digest_of(weights: Mapping[str, NDArray[Any]]) -> str:
    """The SHA-256 over names, kinds, shapes and bytes of all weights, in order of their names."""
    sum_ = hashlib.sha256()
    for name in sorted(weights):
        value = weights[name]
        sum_.update(f"{name} {value.dtype} {value.shape}\n".encode())
        sum_.update(np.ascontiguousarray(value).tobytes())
    return sum_.hexdigest()
