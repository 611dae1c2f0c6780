"""Build the `sensecheck-minilm` wheel: `python models/minilm/build.py [--out dist]`."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path

from safetensors.numpy import load

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.minilm.graph import Shape, encoder
from models.minilm.source import PACKAGE, WrongWeightsError, from_folder, from_package, unlimited
from models.wheel import packed

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".cache" / "minilm"


def main() -> None:
    """Build the wheel as the command line says."""
    parser = argparse.ArgumentParser(description="Build the sensecheck-minilm wheel.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for the wheel")
    parser.add_argument("--weights", type=Path, help="folder with the model; downloaded if not given")
    arguments = parser.parse_args()
    try:
        build(arguments.out, weights=arguments.weights)
    except WrongWeightsError as error:
        sys.exit(str(error))


def build(out: Path, *, weights: Path | None = None) -> Path:
    """Make the wheel in `out` and return its path."""
    print(f"weights   {weights or PACKAGE}")
    files = model_files(from_folder(weights) if weights else from_package(CACHE))
    return packed(HERE / "package", files, out)


def model_files(source: Mapping[str, bytes]) -> dict[str, bytes]:
    """Turn the files of the source into the files of the model folder."""
    shape = Shape.from_config(json.loads(source["config.json"]))
    model = encoder(load(source["model.safetensors"]), shape)
    return {
        **{name: content for name, content in source.items() if name != "model.safetensors"},
        "tokenizer.json": unlimited(source["tokenizer.json"]),
        "onnx/model.onnx": model.SerializeToString(deterministic=True),
        "LICENSE": (ROOT / "LICENSE").read_bytes(),
        "README.md": (HERE / "package" / "README.md").read_bytes(),
    }


if __name__ == "__main__":
    main()
