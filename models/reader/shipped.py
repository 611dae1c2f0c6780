"""The files of weights that are shipped, and what they say of themselves; read without torch or data.

The first file of a size holds what training has changed: for every matrix the difference to the published
encoder, half a byte a weight, each row with a scale of its own; and all else that was learned as it is.
A later file (`SIZE.2.safetensors`) holds what further training has changed since the file before it: of every
matrix its largest directions, a byte a number, so that a repository need not grow by a whole reader.
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
from safetensors.numpy import load

Weights = Mapping[str, NDArray[Any]]
WEIGHTS = Path(__file__).resolve().parent / "weights"
SHIPPED = "shipped"
"""The name under which a training starts from the files in the repository; no run has it."""
RANK = 64
"""How many directions of a matrix a later file holds."""
LABELS = ("supported", "contradicted", "not_stated")
"""The labels of the outputs, in order, as configurations of models write them."""
PAIR_TOKENS = 256
"""The most tokens of a pair, special ones included; the evidence is cut."""
STEPS = 7
"""The most steps of the scale of its row that a change may have, in either direction."""
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
    """The SHA-256 of the published weights that everything else is taken from; of a later file, the digest of
    the file before it."""
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


def chain(first: Path) -> list[Path]:
    """The files of a size, first to last."""
    later = first.parent.glob(f"{first.stem}.*.safetensors")
    return [first, *sorted(later, key=lambda path: int(path.stem.rpartition(".")[2]))]


def learned(
    first: Path, published: bytes, *, until: str = ""
) -> tuple[list[Made], dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
    """What the files of a size say of themselves, what they learned, and the encoder that they began with.

    `published` is the file of that encoder; with `until`, the file of that digest is the last one read.
    """
    told: list[Made] = []
    weights: dict[str, NDArray[Any]] = {}
    since, encoder = hashlib.sha256(published).hexdigest(), load(published)
    for path in chain(first):
        made, kept = Made.read(path)
        if made.base != since:
            what = (
                "must go on from the file before it"
                if told
                else "the encoder is not what was trained further"
            )
            raise WrongWeightsError(f"`{path}`: {what}; found {since}, wanted {made.base}")
        told.append(made)
        weights |= restored(kept, {**encoder, **weights})
        since = made.digest
        if since == until:
            return told, weights, encoder
    if until:
        raise WrongWeightsError(f"no file of `{first}` has the digest {until}")
    return told, weights, encoder


def changes(learned: Weights, published: Weights, *, rank: int | None = None) -> dict[str, NDArray[Any]]:
    """What a training has changed, as a file holds it: with `rank`, as a later one does."""
    kept: dict[str, NDArray[Any]] = {}
    for name, value in learned.items():
        if rank is not None and name in published and np.array_equal(value, published[name]):
            continue  # a later training may learn a part of a reader alone
        if value.ndim != 2 or name not in published or min(value.shape) <= (rank or 0):
            kept[name] = value.astype(np.float32)
        elif rank is None:
            kept[name], kept[f"{name}.scale"] = _halved(value - published[name])
        else:
            for side, part in zip(("left", "right"), _directions(value - published[name], rank), strict=True):
                kept[f"{name}.{side}"], kept[f"{name}.{side}.scale"] = part
    return kept


def restored(kept: Weights, before: Weights) -> dict[str, NDArray[Any]]:
    """The learned weights of a file, for the weights that they began as."""
    found: dict[str, NDArray[Any]] = {}
    for name, value in kept.items():
        if name.endswith((".scale", ".right")):
            continue
        if name.endswith(".left"):
            whole = name.removesuffix(".left")
            left, right = (
                kept[f"{whole}.{side}"].astype(np.float32) * kept[f"{whole}.{side}.scale"]
                for side in ("left", "right")
            )
            found[whole] = before[whole] + left.T @ right
        elif value.dtype == np.uint8:
            found[name] = before[name] + _doubled(value) * kept[f"{name}.scale"]
        else:
            found[name] = value
    return found


def _directions(change: NDArray[Any], rank: int) -> list[tuple[NDArray[np.int8], NDArray[np.float32]]]:
    """The two sides of a matrix's largest directions, a row each, in bytes with a scale a row."""
    left, size, right = np.linalg.svd(change.astype(np.float32), full_matrices=False)
    root = np.sqrt(size[:rank])[:, None]
    sides = []
    for side in (root * left.T[:rank], root * right[:rank]):
        scale = np.maximum(np.abs(side).max(axis=1, keepdims=True), 1e-12).astype(np.float32) / 127
        sides.append((np.ascontiguousarray(np.rint(side / scale).astype(np.int8)), scale))  # as it is written
    return sides


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
