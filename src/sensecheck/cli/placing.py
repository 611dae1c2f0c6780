"""A bar that moves while an encoder places texts."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from sensecheck.cli.progress import bar
from sensecheck.core.backends import Encoder, Placement
from sensecheck.encoders.wrappers import Around

AT_ONCE = 256
"""Enough for an engine to be busy, few enough for a bar to move."""


@contextmanager
def placing_shown(encoder: Encoder, texts: int | None, *, hidden: bool) -> Iterator[Encoder]:
    """The same encoder, with a bar on standard error while it is asked, if that is a terminal.

    `texts` is how many there will be, if that is known.
    """
    with bar(hidden=hidden) as progress:
        if progress.disable:
            yield encoder
            return
        task = progress.add_task("placing texts", total=texts)
        yield _Told(encoder, lambda placed: progress.advance(task, placed))


class _Told(Around):
    """The same vectors, a few texts at a time; each time, somebody is told how many."""

    def __init__(self, inner: Encoder, tell: Callable[[int], None]) -> None:
        super().__init__(inner)
        self._tell = tell

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """One placement a text, in order."""
        placed: list[Placement] = []
        for start in range(0, len(texts), AT_ONCE):
            some = texts[start : start + AT_ONCE]
            placed += self._inner.place(some, tokens=tokens)
            self._tell(len(some))
        return placed
