"""What a source that wraps another has in common with it."""

from sensecheck.evals.sources.source import Source


class Around:
    """Passes on what the source inside is; what is asked of it is the wrapper's own business."""

    def __init__(self, inner: Source) -> None:
        self._inner = inner

    @property
    def label(self) -> str:
        """That of the source inside."""
        return self._inner.label

    @property
    def fingerprint(self) -> str:
        """That of the source inside."""
        return self._inner.fingerprint

    @property
    def at_once(self) -> int:
        """As many as the source inside takes."""
        return self._inner.at_once

    @property
    def kept(self) -> bool:
        """Whether the answers of the source inside are worth keeping."""
        return self._inner.kept
