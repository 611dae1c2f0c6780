"""Vectors and pair scores kept on disk by content, each in one SQLite file for several processes at once."""

from pathlib import Path

from sensecheck.core.kept_file import Kept, KeptFile

_MEND = "clear it with `sensecheck cache clear --all`"
VECTORS = Kept("vectors", "encoder", "vector cache", _MEND)
PAIRS = Kept("pairs", "verifier", "cache of pair scores", _MEND)


class VectorFile(KeptFile):
    """Placements as bytes, by the encoder's fingerprint and the text's digest; never a text."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        super().__init__(path, VECTORS, max_bytes=max_bytes)


class PairFile(KeptFile):
    """Pair scores as bytes, by the verifier's fingerprint and the digest of a pair; never a text."""

    def __init__(self, path: Path, *, max_bytes: int) -> None:
        super().__init__(path, PAIRS, max_bytes=max_bytes)
