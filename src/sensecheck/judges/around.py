"""What all judges share that are put around another one."""

from sensecheck.core.encoder import Judge


class Around:
    """A judge inside: what its replies depend on, it says itself."""

    def __init__(self, inner: Judge) -> None:
        self._inner = inner

    @property
    def fingerprint(self) -> str:
        """Changes whenever the model or its settings do."""
        return self._inner.fingerprint
