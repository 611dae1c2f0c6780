"""What all encoders share that are put around another one."""

from sensecheck.core.encoder import Encoder


class Around:
    """An encoder inside: what it is called, and what its vectors are, it says itself."""

    def __init__(self, inner: Encoder) -> None:
        self._inner = inner

    @property
    def name(self) -> str:
        """What people call it."""
        return self._inner.name

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return self._inner.fingerprint

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._inner.dimension
