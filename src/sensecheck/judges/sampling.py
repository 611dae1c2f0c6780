"""How a language model is told to reply: as repeatably as it can, unless it is told otherwise."""

from dataclasses import asdict, dataclass, fields
from math import inf
from typing import Self

from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown


@dataclass(frozen=True, slots=True)
class Sampling:
    """What is sent along with every prompt; None is not sent, which leaves it to the server."""

    temperature: float | None = 0.0
    seed: int | None = 0
    max_tokens: int | None = 1024
    """The longest reply; a reply that is cut there is not read."""
    max_completion_tokens: int | None = None
    """The same, as newer models of OpenAI want it: with `max_tokens=none`."""

    @classmethod
    def from_text(cls, text: str) -> Self:
        """From `temperature=none&max_tokens=4096`: what is not named stays as it is."""
        kinds = {field.name: float if field.name == "temperature" else int for field in fields(cls)}
        values: dict[str, float | None] = {}
        for part in text.split("&") if text else ():
            name, _, value = part.partition("=")
            if name not in kinds:
                raise SpecError(unknown("setting of the judge", name, kinds))
            values[name] = None if value == "none" else _number(name, value, kinds[name])
        return cls(**values)  # type: ignore[arg-type]  # each value has the type of its field

    def __post_init__(self) -> None:
        for name, least in (("temperature", 0), ("max_tokens", 1), ("max_completion_tokens", 1)):
            value = getattr(self, name)
            if value is not None and not least <= value < inf:
                raise SpecError(f"`{name}` wants at least {least}, and finite; found {value}")
        if self.temperature is not None:  # 0, 0.0 and -0.0 ask for the same, and get the same fingerprint
            object.__setattr__(self, "temperature", float(self.temperature) + 0.0)

    def parameters(self) -> dict[str, float]:
        """Those that are sent."""
        return {name: value for name, value in asdict(self).items() if value is not None}


def _number(name: str, value: str, kind: type[float] | type[int]) -> float:
    try:
        return kind(value)
    except ValueError as wrong:
        raise SpecError(f"`{name}` wants a number, or `none`; found `{value}`") from wrong
