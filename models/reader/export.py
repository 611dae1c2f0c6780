"""Write what a run has learned: `python models/reader/export.py --run NAME`.

The file, `weights/minilm.safetensors` or `weights/mpnet.safetensors`, holds how far the averaged weights are
from the published ones, and the outputs. What stayed as it was published is not in it. A run that began with
the files in the repository (`--start shipped`) adds a file to them, which holds how far it went from there;
with `--instead N` its file takes the place of the last N of them, and holds what these held too.
"""

import argparse
import json
import sys
from collections.abc import Mapping
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import load, save
from torch import Tensor

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.minilm.source import WANTED
from models.reader import shipped
from models.reader.card import RESULTS
from models.reader.network import GUIDE
from models.reader.pairs import SETS
from models.reader.shipped import LABELS, RANK, SHIPPED, WEIGHTS, Made, Stage
from models.reader.source import CACHE, MPNET, base

MAX_BYTES: Mapping[str, int] = {"minilm": 10_000_000, "mpnet": 40_000_000}
PUBLISHED: Mapping[str, str] = {"minilm": WANTED["model.safetensors"], "mpnet": MPNET["model.safetensors"]}
"""The SHA-256 of the weights that a reader of each size starts from."""


def main() -> None:
    """Export as the command line says."""
    parser = argparse.ArgumentParser(description="Write the weights of a trained reader as bytes.")
    parser.add_argument("--run", required=True, help="its name: a folder under .cache/reader")
    parser.add_argument("--rank", type=int, help="directions of a matrix that a later file holds")
    parser.add_argument(
        "--instead", type=int, default=0, help="of so many of the last files it takes the place"
    )
    parser.add_argument("--out", type=Path, help="the file; otherwise that of its size in `weights`")
    wanted = parser.parse_args()
    folder = CACHE / wanted.run
    name, content, made, _ = exported(folder, cache=CACHE, rank=wanted.rank, instead=wanted.instead)
    if name == f"{made.size}.safetensors" and made.base != PUBLISHED[made.size]:
        sys.exit(f"`{CACHE / made.size}` must hold the published weights; remove it, and it is fetched again")
    if len(content) > (most := MAX_BYTES[made.size]):
        sys.exit(f"the file must have at most {most:,} bytes; got {len(content):,}: freeze more layers")
    out: Path = wanted.out or WEIGHTS / name
    out.parent.mkdir(parents=True, exist_ok=True)
    if not wanted.out:
        for path in shipped.chain(WEIGHTS / f"{made.size}.safetensors")[-wanted.instead :][: wanted.instead]:
            path.unlink()
    out.write_bytes(content)
    print(f"weights   {out} ({len(content):,} bytes), digest {made.digest}")
    print(f"trained   {', then '.join(f'{one.run} ({one.pairs:,} pairs)' for one in made.stages)}")


class Exported(NamedTuple):
    """A file of weights."""

    name: str
    content: bytes
    made: Made
    """What it says of itself."""
    weights: Mapping[str, NDArray[Any]]
    """Everything that was learned, as a reader of the file has it."""


def exported(
    folder: Path, *, cache: Path, weights: Path = WEIGHTS, rank: int | None = None, instead: int = 0
) -> Exported:
    """The file of a run's averaged weights; `weights` is the folder with those that it may go on from.

    A later file has as many directions of a matrix as the run learned, unless `rank` says another number.
    It may take the place of the last files that the run began with, so that they are not kept twice.
    """
    plan = json.loads((folder / "plan.json").read_text("utf-8"))
    size = plan["size"]
    state = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)
    published = (base(size, cache) / "model.safetensors").read_bytes()
    before: tuple[Stage, ...] = ()
    name, most, began = f"{size}.safetensors", None, load(published)
    known: dict[str, NDArray[Any]] = {}
    if since := began_with(folder, cache):
        earlier, known, began = shipped.learned(weights / name, published, until=since)
        before = earlier[-1].stages
        if instead:
            since = earlier[-instead].base
            earlier, known, began = shipped.learned(weights / name, published, until=since)
        name = f"{size}.{len(earlier) + 1}.safetensors"
        most = rank or plan.get("rank") or RANK
        began |= known
    kept = shipped.changes(plain(state["mean"]), began, rank=most)
    parts = (*before, *stages(folder, cache))
    counted = json.loads(RESULTS.read_text("utf-8"))["sets"]
    sets = {
        one: (SETS[one].licence, counted[one]["pairs"])
        for one in dict.fromkeys(one for stage in parts for one in stage.shares)
    }
    made = Made(
        size, plan["frozen"], since or sha256(published).hexdigest(), parts, sets, shipped.digest_of(kept)
    )
    # One entry only: those of the metadata are written in no particular order.
    told = asdict(made) | {"limits": shipped.limits(), "labels": LABELS}
    content = save(kept, metadata={"reader": json.dumps(told, sort_keys=True)})
    return Exported(name, content, made, known | shipped.restored(kept, began))


def stages(folder: Path, cache: Path) -> tuple[Stage, ...]:
    """The parts of a run's training: those of the runs that it started from, and its own."""
    plan = json.loads((folder / "plan.json").read_text("utf-8"))
    state = torch.load(folder / "checkpoint.pt", weights_only=True, mmap=True)
    shares = plan.get("shares") or {name: known.share for name, known in SETS.items() if known.share}
    whole = sum(shares.values())
    own = Stage(
        folder.name, state["seen"], round(state["seconds"] / 3600, 2), plan["rate"], plan["seed"],
        {name: round(share / whole, 4) for name, share in shares.items()}, plan.get("teacher", ""),
    )  # fmt: skip
    start = plan.get("start", "")
    return (*(stages(cache / start, cache) if start and not from_shipped(start) else ()), own)


def began_with(folder: Path, cache: Path) -> str:
    """The digest of the shipped file that the first part of a run's training began with; empty for none."""
    start: str = json.loads((folder / "plan.json").read_text("utf-8")).get("start", "")
    return from_shipped(start) or (began_with(cache / start, cache) if start else "")


def from_shipped(start: str) -> str:
    """The digest in the start of a plan that names a shipped file; empty for a run."""
    name, _, digest = start.partition(":")
    return digest if name == SHIPPED else ""


def plain(state: Mapping[str, Tensor]) -> dict[str, NDArray[Any]]:
    """Weights under the names of the graph."""
    return {
        name.removeprefix("encoder."): np.ascontiguousarray(value.float().numpy())
        for name, value in state.items()
        if not name.startswith(GUIDE)
    }


if __name__ == "__main__":
    main()
