"""Vectors kept on disk by content, in one SQLite file that several processes may use at once."""

from pathlib import Path

from sensecheck.core.kept_file import Kept, KeptFile

VECTORS = Kept("vectors", "encoder", "vector cache", "clear it with `sensecheck cache clear --all`")


class VectorFile(KeptFile):
    """Placements as bytes, by the encoder's fingerprint and the text's digest; never a text."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        super().__init__(path, VECTORS, max_bytes=max_bytes)
