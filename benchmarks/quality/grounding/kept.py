"""Readings kept on disk, so that tables can be made again without reading again."""

import hashlib
import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from benchmarks.quality.grounding.reader import Reader
from benchmarks.quality.grounding.readings import RowRead
from benchmarks.quality.grounding.rows import Row
from models.heads.public import ROOT

FOLDER = ROOT / ".cache" / "benchmarks" / "groundedness"
_CODE = ROOT / "src" / "sensecheck"
_READS = ("core", "measures", "checks", "calibration/cards")
"""What readings and outcomes are made by."""


def read_or_kept(name: str, rows: Sequence[Row], reader: Reader, *, as_kept: bool = False) -> list[RowRead]:
    """The readings of a set: from its file if code, models and rows are the same, or else read anew.

    With `as_kept`, the newest file is taken, whatever has changed since.
    """
    path = FOLDER / f"{name}-{digest(rows, reader)}.jsonl"
    if as_kept:
        path = max(FOLDER.glob(f"{name}-*.jsonl"), key=lambda file: file.stat().st_mtime, default=path)
    if not path.is_file():
        _keep(reader.read(rows, name), path)
    return [RowRead.from_line(line) for line in path.read_text(encoding="utf-8").splitlines()]


def digest(rows: Sequence[Row], reader: Reader) -> str:
    """Changes whenever the readings would: with the rows, the models, the lines or the code."""
    told = hashlib.sha256(json.dumps([repr(row) for row in rows]).encode())
    who = [scorer.fingerprint for scorer in reader.verifiers.held_out.values()]
    told.update(json.dumps([reader.encoder.fingerprint, who, sorted(reader.policies.checks)]).encode())
    for folder in _READS:
        for file in sorted((_CODE / folder).rglob("*")):
            if file.suffix in (".py", ".txt", ".json"):
                told.update(file.read_bytes())
    return told.hexdigest()[:12]


def _keep(read: Iterable[RowRead], path: Path) -> None:
    """Write as it comes; the file has its name only when all of it is there."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arriving = path.with_suffix(".arriving")
    with arriving.open("w", encoding="utf-8") as file:
        file.writelines(f"{row.to_line()}\n" for row in read)
    arriving.replace(path)
