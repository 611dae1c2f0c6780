"""An encoder that is loaded when the first text is placed: who needs none waits for none."""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from sensecheck.core.backends import Encoder, Placement
from sensecheck.core.errors import SpecError
from sensecheck.core.registry import ENCODERS, registered
from sensecheck.core.serialization import unknown

if TYPE_CHECKING:
    from sensecheck.wiring import Settings

# ruff: noqa: PLC0415 - an encoder brings its engine along


class LateEncoder:
    """The encoder that the settings name; its kind must be a known one, though nobody may ever ask for it."""

    def __init__(self, settings: "Settings") -> None:
        kind, known = settings.encoder.partition(":")[0], registered(ENCODERS)
        if kind not in known:
            raise SpecError(unknown("encoder", kind, known))
        self._settings = settings

    @property
    def is_loaded(self) -> bool:
        """Whether anybody has asked for it."""
        return "_loaded" in self.__dict__

    @cached_property
    def _loaded(self) -> Encoder:
        from sensecheck.wiring import encoder

        return encoder(self._settings)

    @property
    def name(self) -> str:
        """What people call it."""
        return self._loaded.name

    @property
    def fingerprint(self) -> str:
        """Changes whenever the vectors would."""
        return self._loaded.fingerprint

    @property
    def dimension(self) -> int:
        """How long a vector is."""
        return self._loaded.dimension

    def place(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Placement]:
        """One placement a text, in order."""
        return self._loaded.place(texts, tokens=tokens)
