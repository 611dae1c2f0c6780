"""A verifier for tests: the encoder as published, with heads of fixed random numbers."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import load, save_file

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `models` is a folder of recipes, not installed

from models.minilm.build import CACHE
from models.minilm.graph import narrowed
from models.minilm.source import from_package
from models.verifier.graph import HEADS

LIMITS = '{"claim_tokens": 96, "pair_tokens": 256}'


def untrained() -> dict[str, NDArray[Any]]:
    """The weights in float32."""
    source = load(from_package(CACHE)["model.safetensors"])
    rng = np.random.default_rng(0)
    heads = {
        "token.weight": rng.normal(0, 0.1, (1, 384)),
        "token.bias": rng.normal(0, 0.1, 1),
        "whole.weight": rng.normal(0, 0.1, (1, 384)),
        "whole.bias": rng.normal(0, 0.1, 1),
    }
    body = {name: value for name, value in source.items() if not name.startswith("pooler.")}
    body.pop("embeddings.position_ids", None)
    return {**body, **{name: value.astype(np.float32) for name, value in heads.items()}}


def untrained_file(folder: Path) -> Path:
    """The weights as bytes, in the file that `export.py` would write."""
    path = folder / "verifier.safetensors"
    save_file(narrowed(untrained(), whole=HEADS), path, metadata={"limits": LIMITS})
    return path
