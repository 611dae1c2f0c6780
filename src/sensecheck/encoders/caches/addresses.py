"""From the address of a cache to what keeps vectors there."""

from pathlib import Path
from typing import Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.extras import extra
from sensecheck.encoders.caches.keeper import Keeper

# ruff: noqa: PLC0415 - each kind of cache imports what it is made of, when it is asked for

Kind = Literal["sqlite", "parquet", "redis"]
Precision = Literal["float32", "float16"]
_SCHEMES: dict[str, Kind] = {"parquet": "parquet", "redis": "redis", "rediss": "redis"}


def kind_of(address: str) -> Kind:
    """What `PATH`, `parquet:FOLDER`, `parquet:s3://…` or `redis://…` names."""
    scheme, colon, _ = address.partition(":")
    return _SCHEMES.get(scheme, "sqlite") if colon else "sqlite"


def precision_of(address: str) -> Precision:
    """How vectors are kept: as they are, or rounded where `parquet:FOLDER#float16` says so."""
    _, _, named = address.partition("#")
    if kind_of(address) != "parquet" or not named:
        return "float32"
    if named not in ("float32", "float16"):
        raise SpecError(f"segments keep vectors as `#float32` or `#float16`; found `#{named}`")
    return "float16" if named == "float16" else "float32"


def keeper_at(address: str, *, max_bytes: int) -> Keeper:
    """What keeps vectors at an address; segments and Redis are not bounded by `max_bytes`."""
    _, _, rest = address.partition(":")
    match kind_of(address):
        case "parquet":
            with extra("scale"):
                from sensecheck.encoders.caches.segment_folder import SegmentFolder
                from sensecheck.encoders.caches.segments import Segments
            return Segments(SegmentFolder.at(rest.partition("#")[0]))
        case "redis":
            with extra("redis"):
                from sensecheck.encoders.caches.redis_keys import RedisKeys
            return RedisKeys.at(address)
        case "sqlite":
            from sensecheck.encoders.vector_file import VectorFile

            return VectorFile(Path(address).expanduser(), max_bytes=max_bytes)
