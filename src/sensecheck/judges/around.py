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

    @property
    def at_once(self) -> int:
        """How many prompts are asked at the same time; a judge that does not say so asks one."""
        said = getattr(self._inner, "at_once", 1)
        return said if isinstance(said, int) else 1
