"""Measures as data and back, by the names they are registered under."""

from collections.abc import Mapping
from typing import Any

from sensecheck.core.data import from_data, to_data
from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown
from sensecheck.core.protocols import Measure
from sensecheck.core.registry import MEASURES, load, registered


def measure_from_data(data: Any, *, at: str = "measure") -> Measure:
    """The measure that data describes: its registered name as `kind`, and its fields."""
    kind, rest = kind_of(data, at, registered(MEASURES))
    measure: Measure = from_data(load(MEASURES, kind), rest, at=at)
    return measure


def measure_to_data(measure: Measure) -> dict[str, Any]:
    """The data that describes a measure; one that is registered under no name cannot be described."""
    if measure.name not in registered(MEASURES) or type(measure) is not load(MEASURES, measure.name):
        raise SpecError(f"the measure `{measure.name}` is not registered under `{MEASURES}`")
    return {"kind": measure.name, **to_data(measure)}


def kind_of(data: Any, at: str, known: Any) -> tuple[str, dict[str, Any]]:
    """What kind of thing data describes, and the rest of the data."""
    if not isinstance(data, Mapping):
        raise SpecError(f"`{at}` wants a mapping with a `kind`; found {type(data).__name__}")
    rest = dict(data)
    kind = rest.pop("kind", None)
    if kind is None:
        raise SpecError(
            f"`{at}` lacks the key `kind`; known: {', '.join(f'`{name}`' for name in sorted(known))}"
        )
    if not isinstance(kind, str) or kind not in known:
        raise SpecError(f"in `{at}`: {unknown('kind', kind, known)}")
    return kind, rest
