"""What the tools work with: the model, loaded once, however many calls come at the same time."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from threading import Lock

from sensecheck.core.backends import Encoder
from sensecheck.core.errors import EncoderError
from sensecheck.encoders.memory import remembering
from sensecheck.sense import MEMORY, Sense
from sensecheck.wiring import Settings, answerers, shelf


@dataclass(frozen=True, slots=True)
class Desk:
    """A `Sense`, and the encoder that it places texts with."""

    sense: Sense
    encoder: Encoder

    @classmethod
    def of(cls, settings: Settings) -> "Desk":
        """The desk that the settings describe; this loads the model."""
        parts = answerers(settings)
        if parts.encoder is None:
            raise EncoderError("the tools want an encoder; found none")
        encoder = remembering(parts.encoder, MEMORY)
        return cls(Sense(replace(parts, encoder=encoder), shelf(settings)), encoder)


class OneDesk:
    """A desk that is made when it is first wanted, once; a try that failed is made again."""

    def __init__(self, make: Callable[[], Desk]) -> None:
        self._make = make
        self._made: Desk | None = None
        self._making = Lock()

    def __call__(self) -> Desk:
        """The desk."""
        with self._making:
            if self._made is None:
                self._made = self._make()
            return self._made
