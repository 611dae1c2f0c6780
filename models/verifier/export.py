"""Write a trained verifier as bytes: `python models/verifier/export.py --weights weights.pt`."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.numpy import save

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.minilm.graph import narrowed
from models.verifier.batches import CLAIM, WHOLE
from models.verifier.graph import HEADS

OUT = Path(__file__).resolve().parent / "weights" / "verifier.safetensors"


def main() -> None:
    """Export as the command line says."""
    parser = argparse.ArgumentParser(description="Write the weights of a trained verifier as bytes.")
    parser.add_argument("--weights", type=Path, required=True, help="the file that training has written")
    parser.add_argument("--out", type=Path, default=OUT)
    wanted = parser.parse_args()
    content = exported(torch.load(wanted.weights, map_location="cpu", weights_only=True))
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    wanted.out.write_bytes(content)
    print(f"weights   {wanted.out} ({len(content):,} bytes)")


def exported(state: Mapping[str, torch.Tensor]) -> bytes:
    """The file of a network's weights, with the limits that it was trained with."""
    # One entry only: those of the metadata are written in no particular order.
    limits = json.dumps({"claim_tokens": CLAIM, "pair_tokens": WHOLE})
    return save(narrowed(plain(state), whole=HEADS), metadata={"limits": limits})


def plain(state: Mapping[str, torch.Tensor]) -> dict[str, NDArray[Any]]:
    """A network's weights under the names of the graph, in order."""
    named = {
        name.removeprefix("encoder."): value for name, value in state.items() if value.is_floating_point()
    }
    return {name: np.ascontiguousarray(named[name].float().numpy()) for name in sorted(named)}


if __name__ == "__main__":
    main()
