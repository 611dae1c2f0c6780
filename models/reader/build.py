"""Build the wheels of the readers: `python models/reader/build.py [--out dist] [--pins]`.

`sensecheck-verifier` is made of `weights/minilm.safetensors`, `sensecheck-verifier-large` of
`weights/mpnet.safetensors`, each with the files that go on from it; `export.py` writes them. `--pins` writes
the sums of what was built into the package, which then loads nothing else.
"""

import argparse
import json
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # run as a script, `models` is not on the path

from models.minilm.source import WrongWeightsError, unlimited
from models.reader.graph import as_bytes, reader
from models.reader.shipped import LABELS, WEIGHTS, Made, learned, limits
from models.reader.source import ROOT, base
from models.wheel import LICENSE, packed, sha256

TEMPLATE = Path(__file__).resolve().parent / "package"
PINS = ROOT / "src" / "sensecheck" / "encoders" / "verifier_weights.py"
PINNED = ("onnx/model.onnx", "tokenizer.json", "config.json")
MAX_WHEEL_BYTES = 120_000_000
_BLOCK = re.compile(r"<!-- (?P<name>\w+) -->\n<!-- /(?P=name) -->")


@dataclass(frozen=True, slots=True)
class Package:
    """The package that carries a reader."""

    name: str
    """As `pip` knows it."""
    base: str
    """The published encoder that it began as."""

    @property
    def module(self) -> str:
        """As Python imports it."""
        return self.name.replace("-", "_")

    @property
    def extra(self) -> str:
        """The extra of sensecheck that installs it, and the name of its pins."""
        return self.name.removeprefix("sensecheck-")


PACKAGES: Mapping[str, Package] = {
    "minilm": Package("sensecheck-verifier", "all-MiniLM-L6-v2"),
    "mpnet": Package("sensecheck-verifier-large", "all-mpnet-base-v2"),
}


def main() -> None:
    """Build every reader whose weights are there, as the command line says."""
    parser = argparse.ArgumentParser(description="Build the wheels of the readers.")
    parser.add_argument("--out", type=Path, default=ROOT / "dist", help="folder for the wheels")
    parser.add_argument(
        "--weights", type=Path, default=WEIGHTS, help="folder with what `export.py` has written"
    )
    parser.add_argument("--pins", type=Path, nargs="?", const=PINS, help="write the sums into this module")
    wanted = parser.parse_args()
    found = [path for size in PACKAGES if (path := wanted.weights / f"{size}.safetensors").is_file()]
    if not found:
        sys.exit(f"`{wanted.weights}` must have a file of weights; `export.py` writes it")
    try:
        built = {path.stem: build(path, out=wanted.out) for path in found}
    except WrongWeightsError as wrong:
        sys.exit(str(wrong))
    if wanted.pins:
        wanted.pins.write_text(pins({PACKAGES[size]: sums for size, sums in built.items()}), "utf-8")
        print(f"pins      {wanted.pins}")


def build(weights: Path, *, out: Path) -> dict[str, str]:
    """Make the wheel of one file of weights in `out`, and return the sums of the files that are pinned."""
    files, made = model_files(weights, base(weights.stem))
    print(f"weights   {weights}, {made.stages[-1].run}")
    with tempfile.TemporaryDirectory() as staging:
        wheel = packed(template(PACKAGES[made.size], files["README.md"], Path(staging)), files, out)
    if (size := wheel.stat().st_size) > MAX_WHEEL_BYTES:
        sys.exit(f"`{wheel}` must have at most {MAX_WHEEL_BYTES:,} bytes; got {size:,}")
    return pinned(files)


def pinned(files: Mapping[str, bytes]) -> dict[str, str]:
    """The sums of the files that a session checks."""
    return {name: sha256(files[name]) for name in PINNED}


def model_files(first: Path, source: Path) -> tuple[dict[str, bytes], Made]:
    """Turn what was learned, and the folder of the encoder that it began as, into the model folder."""
    told, changed, encoder = learned(first, (source / "model.safetensors").read_bytes())
    config = json.loads((source / "config.json").read_text("utf-8"))
    graph = reader(as_bytes({**encoder, **changed}), config)
    files = {
        "onnx/model.onnx": graph.SerializeToString(deterministic=True),
        "tokenizer.json": unlimited((source / "tokenizer.json").read_bytes()),
        "config.json": json.dumps(configured(config), indent=2, sort_keys=True).encode() + b"\n",
        "LICENSE": LICENSE.read_bytes(),
    }
    inputs = [entry.name for entry in graph.graph.input]
    return {**files, "README.md": card(told[-1], inputs).encode()}, told[-1]


def configured(config: Mapping[str, Any]) -> dict[str, Any]:
    """The configuration of the encoder as that of a cross-encoder: its labels, and how much it reads."""
    own = {
        "id2label": {str(at): label for at, label in enumerate(LABELS)},
        "label2id": {label: at for at, label in enumerate(LABELS)},
        "sensecheck": {"order": "claim_first"},
        **limits(),
    }
    return {name: value for name, value in config.items() if name != "architectures"} | own


def card(made: Made, inputs: Sequence[str]) -> str:
    """The model's page: what it is, what it was trained on, and how it is read."""
    package = PACKAGES[made.size]
    runs = (
        (
            one.run,
            f"{one.pairs:,}",
            f"{one.hours:.1f}",
            f"{one.rate:g}",
            one.seed,
            f"labels, and what {one.teacher} says" if one.teacher else "labels",
        )
        for one in made.stages
    )
    sets = (
        (name, licence, f"{pairs:,}", *(f"{100 * stage.shares.get(name, 0):.1f}%" for stage in made.stages))
        for name, (licence, pairs) in made.sets.items()
    )
    shares = [f"share in {stage.run}" for stage in made.stages]
    tables = {
        "runs": table(("run", "pairs read", "hours of computing", "rate", "seed", "learned from"), runs),
        "sets": table(("set", "licence", "pairs", *shares), sets),
    }
    text = (TEMPLATE / "README.md").read_text("utf-8")
    words = {
        "BASE": package.base,
        "INPUTS": ", ".join(f"`{name}`" for name in inputs),
        "sensecheck_verifier": package.module,
        **{name.upper(): str(value) for name, value in limits().items()},
    }
    for word, value in words.items():
        text = text.replace(word, value)
    return _BLOCK.sub(lambda block: "\n".join(tables[block["name"]]), text)


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> list[str]:
    """The lines of a table."""
    lines = [head, ["---"] * len(head), *rows]
    return ["| " + " | ".join(map(str, line)) + " |" for line in lines]


def template(package: Package, readme: bytes, folder: Path) -> Path:
    """The package around the model, under the name that it has."""
    target = folder / "package"
    shutil.copytree(TEMPLATE, target, ignore=shutil.ignore_patterns("__pycache__"))
    (target / "sensecheck_verifier").rename(target / package.module)
    (target / "README.md").write_bytes(readme)
    project = (target / "pyproject.toml").read_text("utf-8")
    named = project.replace("sensecheck-verifier", package.name).replace(
        "sensecheck_verifier", package.module
    )
    (target / "pyproject.toml").write_text(named, "utf-8")
    return target


def pins(built: Mapping[Package, Mapping[str, str]]) -> str:
    """The module that names the sums of the files that were built."""
    lines = [
        '"""The verifiers that we pin, as `models/reader/build.py --pins` wrote them; nothing else loads."""',
        "",
        "from sensecheck.encoders.pins import PackagedModel",
    ]
    for package, sums in built.items():
        lines += [
            "",
            f"{package.extra.upper().replace('-', '_')} = PackagedModel(",
            f'    name="{package.extra}",',
            f'    extra="{package.extra}",',
            f'    package="{package.module}",',
            "    package_files={",
            *(f'        "{name}": "{sum_}",' for name, sum_ in sums.items()),
            "    },",
            ")",
        ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
