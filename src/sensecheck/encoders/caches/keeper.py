"""The shape of what keeps vectors and pair scores: on a laptop, in a cluster, behind a service."""

from collections.abc import Mapping, Sequence
from typing import Protocol


class Keeper(Protocol):
    """Bodies by maker and key; the first write of a key wins, so that a run repeated reads the same.

    Several processes may use one at once. It is given digests and numbers, never a text. What it cannot do
    is a `CacheError` that names it and says what to do.
    """

    @property
    def address(self) -> str:
        """Where it keeps them, without secrets."""
        ...

    @property
    def max_bytes(self) -> int | None:
        """How much it may take; None where that is for others to say."""
        ...

    def read(self, maker: str, keys: Sequence[bytes]) -> dict[bytes, bytes]:
        """The bodies that are there."""
        ...

    def write(self, maker: str, bodies: Mapping[bytes, bytes]) -> dict[bytes, bytes]:
        """Keep bodies; for the keys that somebody else had written first, what is kept instead."""
        ...

    def drop(self, maker: str, keys: Sequence[bytes]) -> None:
        """Let go of single bodies, which were damaged."""
        ...

    def count(self) -> dict[str, int]:
        """How many bodies are kept, by their maker."""
        ...

    def used_bytes(self) -> int:
        """How much the kept bodies take."""
        ...

    def clear(self, maker: str | None = None) -> int:
        """Let go of everything, or of what one maker made; how many bodies that were."""
        ...
