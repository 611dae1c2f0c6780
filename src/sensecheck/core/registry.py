"""Encoders, verifiers, judges and measures by name, and measures as data.

Names are entry points, ours and those of other packages; what a name stands for is loaded on first use.
A measure becomes data, and data a measure, under its registered name.
"""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean, from_data, to_data

if TYPE_CHECKING:  # names alone need no numpy
    from sensecheck.core.protocols import Measure

ENCODERS = "sensecheck.encoders"
JUDGES = "sensecheck.judges"
MEASURES = "sensecheck.measures"
VERIFIERS = "sensecheck.verifiers"


@cache
def registered(group: str) -> Mapping[str, EntryPoint]:
    """What installed packages offer in a group, by name; two packages with one name are an error."""
    by_name: dict[str, EntryPoint] = {}
    for entry in entry_points(group=group):
        twin = by_name.setdefault(entry.name, entry)
        if twin.value != entry.value:
            raise SpecError(f"`{entry.name}` is registered twice: as `{twin.value}` and as `{entry.value}`")
    return by_name


@cache
def load(group: str, name: str) -> Any:
    """The thing registered under a name."""
    available = registered(group)
    if name not in available:
        raise SpecError(did_you_mean(group.rpartition(".")[2].removesuffix("s"), name, available))
    return available[name].load()


def measure_from_data(data: Any, *, at: str = "measure") -> "Measure":
    """The measure that data describes: its registered name as `kind`, and its fields."""
    kind, rest = kind_of(data, at, registered(MEASURES))
    measure: Measure = from_data(load(MEASURES, kind), rest, at=at)
    return measure


def measure_to_data(measure: "Measure") -> dict[str, Any]:
    """The data that describes a measure; one that is registered under no name cannot be described."""
    name, home = measure.name, type(measure)
    if name not in registered(MEASURES):
        raise SpecError(
            f"the measure `{name}` is not registered under `{MEASURES}`; to calibrate or store it, add "
            f'`[project.entry-points."{MEASURES}"]` to the pyproject.toml of your package, below it '
            f'`{name} = "{home.__module__}:{home.__qualname__}"`, and install the package'
        )
    if home is not load(MEASURES, name):
        raise SpecError(
            f"the measure `{name}` of `{home.__module__}` is not registered under `{MEASURES}`; there it is "
            f"the name of `{registered(MEASURES)[name].value}`, so give yours a name of its own"
        )
    return {"kind": name, **to_data(measure)}


def kind_of(data: Any, at: str, known: Any) -> tuple[str, dict[str, Any]]:
    """What kind of thing data describes, and the rest of the data."""
    if not isinstance(data, Mapping):
        raise SpecError(f"`{at}` must be a mapping with a `kind`; got {type(data).__name__}")
    rest = dict(data)
    kind = rest.pop("kind", None)
    if kind is None:
        raise SpecError(
            f"`{at}` lacks the key `kind`; known: {', '.join(f'`{name}`' for name in sorted(known))}"
        )
    if not isinstance(kind, str) or kind not in known:
        raise SpecError(f"in `{at}`: {did_you_mean('kind', kind, known)}")
    return kind, rest
