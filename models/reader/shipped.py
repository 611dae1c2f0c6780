"""The file of weights that is shipped, and what it says of itself; it is read without torch or data."""

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

WEIGHTS = Path(__file__).resolve().parent / "weights"
LABELS = ("supported", "contradicted", "not_stated")
"""The labels of the outputs, in order, as configurations of models write them."""
PAIR_TOKENS = 256
"""At most so many tokens of a pair are read, those around them too; the evidence is cut."""
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
