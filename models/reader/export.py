"""Write what a run has learned as bytes: `python models/reader/export.py --run NAME`.

The file, `weights/minilm.safetensors` or `weights/mpnet.safetensors`, holds the averaged weights of the
layers that learned, and of the outputs. What stayed as it was published is not in it.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import save
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.minilm.source import WANTED, WrongWeightsError
from models.reader.graph import as_bytes
from models.reader.network import WHOLE
from models.reader.pairs import SETS
from models.reader.source import CACHE, MPNET, base

WEIGHTS = Path(__file__).resolve().parent / "weights"
LABELS = ("supported", "contradicted", "not_stated")
"""The labels of the outputs, in order, as configurations of models write them."""
CLAIM_TOKENS = 160
"""As many tokens of question and claim as its 600 characters in training come to; the session cuts there."""
MAX_BYTES: Mapping[str, int] = {"minilm": 25_000_000, "mpnet": 60_000_000}
PUBLISHED: Mapping[str, str] = {"minilm": WANTED["model.safetensors"], "mpnet": MPNET["model.safetensors"]}
"""The SHA-256 of the weights that a reader of each size starts from."""


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
        made = cls(told["size"], told["frozen"], told["base"], stages, told["digest"])
        if (found := digest_of(weights)) != made.digest:
            raise WrongWeightsError(
                f"the weights of `{path}` must have the digest {made.digest}; got {found}"
            )
        return made, weights


def main() -> None:
    """Export as the command line says."""
    parser = argparse.ArgumentParser(description="Write the weights of a trained reader as bytes.")
    parser.add_argument("--run", required=True, help="its name: a folder under .cache/reader")
    parser.add_argument("--out", type=Path, help="the file; otherwise that of its size in `weights`")
    wanted = parser.parse_args()
    folder = CACHE / wanted.run
    content, made = exported(folder, cache=CACHE)
    if made.base != PUBLISHED[made.size]:
        sys.exit(f"`{CACHE / made.size}` must hold the published weights; remove it, and it is fetched again")
    if len(content) > (most := MAX_BYTES[made.size]):
        sys.exit(f"the file must have at most {most:,} bytes; got {len(content):,}: freeze more layers")
    out: Path = wanted.out or WEIGHTS / f"{made.size}.safetensors"
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(content)
    print(f"weights   {out} ({len(content):,} bytes), digest {made.digest}")
    print(f"trained   {', then '.join(f'{one.run} ({one.pairs:,} pairs)' for one in made.stages)}")


def exported(folder: Path, *, cache: Path) -> tuple[bytes, Made]:
    """The file of a run's averaged weights, and what it says of itself."""
    plan = json.loads((folder / "plan.json").read_text("utf-8"))
    state = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)
    weights = as_bytes(plain(state["mean"]))
    published = hashlib.sha256((base(plan["size"], cache) / "model.safetensors").read_bytes()).hexdigest()
    made = Made(plan["size"], plan["frozen"], published, stages(folder, cache), digest_of(weights))
    # One entry only: those of the metadata are written in no particular order.
    told = asdict(made) | {"limits": limits(), "labels": LABELS}
    return save(weights, metadata={"reader": json.dumps(told, sort_keys=True)}), made


def stages(folder: Path, cache: Path) -> tuple[Stage, ...]:
    """The parts of a run's training: those of the run that it started from, and its own."""
    plan = json.loads((folder / "plan.json").read_text("utf-8"))
    state = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)
    shares = plan.get("shares") or {name: known.share for name, known in SETS.items() if known.share}
    whole = sum(shares.values())
    own = Stage(
        folder.name, state["seen"], round(state["seconds"] / 3600, 2), plan["rate"], plan["seed"],
        {name: round(share / whole, 4) for name, share in shares.items()}, plan.get("teacher", ""),
    )  # fmt: skip
    earlier = stages(cache / plan["start"], cache) if plan.get("start") else ()
    return (*earlier, own)


def plain(state: Mapping[str, Tensor]) -> dict[str, NDArray[Any]]:
    """Weights under the names of the graph."""
    return {
        name.removeprefix("encoder."): np.ascontiguousarray(value.float().numpy())
        for name, value in state.items()
    }


def limits() -> dict[str, int]:
    """How much of a pair is read."""
    return {"claim_tokens": CLAIM_TOKENS, "pair_tokens": WHOLE}


def digest_of(weights: Mapping[str, NDArray[Any]]) -> str:
    """The SHA-256 over names, kinds, shapes and bytes of all weights, in order of their names."""
    sum_ = hashlib.sha256()
    for name in sorted(weights):
        value = weights[name]
        sum_.update(f"{name} {value.dtype} {value.shape}\n".encode())
        sum_.update(np.ascontiguousarray(value).tobytes())
    return sum_.hexdigest()


if __name__ == "__main__":
    main()
