"""Write what a run has learned: `python models/reader/export.py --run NAME`.

The file, `weights/minilm.safetensors` or `weights/mpnet.safetensors`, holds how far the averaged weights are
from the published ones, and the outputs. What stayed as it was published is not in it.
"""

import argparse
import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load, save
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.minilm.source import WANTED
from models.reader.card import RESULTS
from models.reader.pairs import SETS
from models.reader.shipped import LABELS, WEIGHTS, Made, Stage, changes, digest_of, limits
from models.reader.source import CACHE, MPNET, base

MAX_BYTES: Mapping[str, int] = {"minilm": 10_000_000, "mpnet": 40_000_000}
PUBLISHED: Mapping[str, str] = {"minilm": WANTED["model.safetensors"], "mpnet": MPNET["model.safetensors"]}
"""The SHA-256 of the weights that a reader of each size starts from."""


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
    published = (base(plan["size"], cache) / "model.safetensors").read_bytes()
    weights = changes(plain(state["mean"]), load(published))
    parts = stages(folder, cache)
    known = json.loads(RESULTS.read_text("utf-8"))["sets"]
    sets = {
        name: (SETS[name].licence, known[name]["pairs"])
        for name in dict.fromkeys(name for stage in parts for name in stage.shares)
    }
    made = Made(
        plan["size"], plan["frozen"], hashlib.sha256(published).hexdigest(), parts, sets, digest_of(weights)
    )
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


if __name__ == "__main__":
    main()
