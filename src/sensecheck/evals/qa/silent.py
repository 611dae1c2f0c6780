"""An encoder that does not answer, in the place of which nobody is asked again and again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NoReturn

from sensecheck.core.errors import Unreachable


@dataclass(frozen=True, slots=True)
class Silent:
    """Says of everything why nobody answers."""

    name: str
    because: str

    @property
    def fingerprint(self) -> str:
        """Not known."""
        raise Unreachable(self.because)

    @property
    def dimension(self) -> int:
        """Not known."""
        raise Unreachable(self.because)

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> NoReturn:
        """Nowhere; text by text it would be no better."""
        raise Unreachable(self.because)
