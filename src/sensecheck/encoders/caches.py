"""From the address of a cache to what keeps vectors and pair scores there."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.core.serialization import did_you_mean

if TYPE_CHECKING:
    from sensecheck.encoders.disk_cache import Keeper

# ruff: noqa: PLC0415 - each kind of cache imports what it is made of, when it is requested

Kind = Literal["sqlite", "parquet", "redis"]
Precision = Literal["float32", "float16"]
What = Literal["vectors", "pairs"]
PAIRS_NAME = "pairs.sqlite3"
"""The file of pair scores, which is next to that of the vectors."""
_SCHEME = re.compile(r"([a-z][a-z0-9+]+):")
"""What stands before a colon; one letter is a drive of Windows, and a folder may have a colon in its name."""
_SCHEMES: dict[str, Kind] = {"parquet": "parquet", "redis": "redis", "rediss": "redis"}


def kind_of(address: str) -> Kind:
    """What `PATH`, `parquet:FOLDER`, `parquet:s3://…` or `redis://…` names."""
    scheme = _SCHEME.match(address)
    if scheme is None:
        return "sqlite"
    if scheme[1] not in _SCHEMES:
        raise SpecError(f"{did_you_mean('kind of cache', scheme[1], _SCHEMES)}; a path names a SQLite file")
    return _SCHEMES[scheme[1]]


def precision_of(address: str) -> Precision:
    """How vectors are kept: as they are, or rounded where `parquet:FOLDER#float16` says so."""
    _, _, precision = address.partition("#")
    if kind_of(address) != "parquet" or not precision:
        return "float32"
    if precision not in ("float32", "float16"):
        raise SpecError(f"segments keep vectors as `#float32` or `#float16`; got `#{precision}`")
    return "float16" if precision == "float16" else "float32"


def keeper_at(address: str, *, max_bytes: int, what: What = "vectors") -> "Keeper":
    """What keeps vectors at an address, or pair scores; only a file is bounded by `max_bytes`."""
    _, _, rest = address.partition(":")
    match kind_of(address):
        case "parquet":
            with extra("scale"):
                from sensecheck.encoders.parquet_cache import SegmentFolder, Segments
            folder = rest.partition("#")[0]
            return Segments(SegmentFolder.at(f"{folder.rstrip('/')}/{what}" if what == "pairs" else folder))
        case "redis":
            with extra("redis"):
                from sensecheck.encoders.redis_cache import PREFIXES, RedisKeys
            return RedisKeys.at(address, prefix=PREFIXES[what])
        case "sqlite":
            from sensecheck.io.blobcache import PairFile, VectorFile

            path = Path(address).expanduser()
            if what == "pairs":
                return PairFile(path.with_name(PAIRS_NAME), max_bytes=max_bytes)
            return VectorFile(path, max_bytes=max_bytes)
