"""Reading public sets, and keeping some of their prompts from training."""

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sensecheck.measures.heads.recipe import Source


def rows_of(data: Path, name: str) -> Iterator[dict[str, Any]]:
    """The rows of a public set."""
    with gzip.open(data / name, "rt", encoding="utf-8") as file:
        yield from map(json.loads, file)


def is_held_out(group: str, share: float) -> bool:
    """Whether all rows of a prompt are kept from training, for a card: by the hash of the prompt."""
    return int.from_bytes(hashlib.blake2b(group.encode(), digest_size=4).digest()) < share * 2**32


def sources(rows: Mapping[str, int], licences: Mapping[str, str]) -> tuple[Source, ...]:
    """How many rows of each set were trained on, and to whom they are owed."""
    return tuple(Source(name, count, licences[name]) for name, count in rows.items())
