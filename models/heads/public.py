"""Public sets: where they lie, reading them, and keeping some of their prompts from training."""

import gzip
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sensecheck.config import Settings, encoder
from sensecheck.core.backends import Encoder
from sensecheck.measures.heads.features import TrainingSource

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache" / "benchmarks" / "vectors.sqlite3"


def data_folder(*, nothing: str = "nothing was measured") -> Path:
    """The folder that the settings name; without one, the end, with `nothing` as what has come of it."""
    data = Settings.from_environment().data
    if not data:
        sys.exit(f"SENSECHECK_DATA does not name a folder of labelled public data: {nothing}")
    return Path(data)


def remembering_encoder(name: str = "minilm") -> Encoder:
    """A packaged model, which keeps its vectors from one run to the next."""
    CACHE.parent.mkdir(parents=True, exist_ok=True)
    return encoder(Settings(encoder=name, cache=str(CACHE)))


def rows_of(data: Path, name: str) -> Iterator[dict[str, Any]]:
    """The rows of a public set."""
    with gzip.open(data / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def is_held_out(group: str, share: float) -> bool:
    """Whether all rows of a prompt are kept from training, for a card: by the hash of the prompt."""
    return int.from_bytes(hashlib.blake2b(group.encode(), digest_size=4).digest()) < share * 2**32


def sources(rows: Mapping[str, int], licences: Mapping[str, str]) -> tuple[TrainingSource, ...]:
    """How many rows of each set were trained on, and to whom they are owed."""
    return tuple(TrainingSource(name, count, licences[name]) for name, count in rows.items())
