"""Packing a model's files into a wheel, always with the same bytes."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

LICENSE = Path(__file__).resolve().parents[1] / "LICENSE"
GRAPH = "onnx/model.onnx"
MOMENT = "1735689600"
"""2025-01-01, the date on every file in the wheel: the same build gives the same bytes."""


def packed(template: Path, files: Mapping[str, bytes], out: Path) -> Path:
    """Make the wheel of a package's template and its model's files in `out`, and return its path."""
    print(f"graph     {len(files[GRAPH]):,} bytes, sha256 {sha256(files[GRAPH])}")
    with tempfile.TemporaryDirectory() as staging:
        _stage(template, files, Path(staging))
        wheel = _wheel(Path(staging), out)
    print(f"wheel     {wheel} ({wheel.stat().st_size:,} bytes), sha256 {sha256(wheel.read_bytes())}")
    return wheel


def sha256(content: bytes) -> str:
    """The SHA-256 of a file's content, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def _stage(template: Path, files: Mapping[str, bytes], staging: Path) -> None:
    """Lay out the package: our template, the model's files, and their sums."""
    shutil.copytree(template, staging, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (package,) = (path.parent for path in staging.glob("*/__init__.py"))
    sums = "".join(f"{sha256(content)}  {name}\n" for name, content in sorted(files.items()))
    for name, content in {**files, "SHA256SUMS": sums.encode()}.items():
        path = package / "model" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    shutil.copy(LICENSE, staging)


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
