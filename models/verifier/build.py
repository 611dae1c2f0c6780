"""Build the `sensecheck-verifier` wheel: `python models/verifier/build.py [--out dist]`."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from safetensors import safe_open

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.minilm.build import CACHE
from models.minilm.graph import Shape
from models.minilm.source import from_package, unlimited
from models.verifier.graph import verifier
from models.wheel import LICENSE, packed, sha256

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WEIGHTS = HERE / "weights" / "verifier.safetensors"
PINNED = ("onnx/model.onnx", "tokenizer.json", "config.json")
"""The files whose sums stand in `sensecheck/encoders/verifier_weights.py`."""


def main() -> None:
    """Build the wheel as the command line says."""
    parser = argparse.ArgumentParser(description="Build the sensecheck-verifier wheel.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for the wheel")
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="the file that `export.py` has written")
    arguments = parser.parse_args()
    if not arguments.weights.is_file():
        sys.exit(f"`{arguments.weights}` is no file; `export.py` writes it")
    build(arguments.out, weights=arguments.weights)


def build(out: Path, *, weights: Path = WEIGHTS) -> Path:
    """Make the wheel in `out` and return its path."""
    print(f"weights   {weights}")
    files = model_files(weights, from_package(CACHE))
    for name in PINNED:
        print(f"pin       {sha256(files[name])}  {name}")
    return packed(HERE / "package", files, out)


def model_files(weights: Path, source: Mapping[str, bytes]) -> dict[str, bytes]:
    """Turn the weights, and the files of the encoder they began as, into those of the model folder."""
    config = json.loads(source["config.json"])
    with safe_open(weights, framework="numpy") as held:
        limits = json.loads(held.metadata()["limits"])
        kept = {name: held.get_tensor(name) for name in held.keys()}  # noqa: SIM118  # it is no mapping
    graph = verifier(kept, Shape.from_config(config))
    return {
        "onnx/model.onnx": graph.SerializeToString(deterministic=True),
        "tokenizer.json": unlimited(source["tokenizer.json"]),
        "config.json": json.dumps(config | limits, indent=2, sort_keys=True).encode() + b"\n",
        "LICENSE": LICENSE.read_bytes(),
        "README.md": (HERE / "package" / "README.md").read_bytes(),
    }


if __name__ == "__main__":
    main()
