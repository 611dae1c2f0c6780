"""Finding encoders, verifiers, judges and measures by name, ours and other people's, loaded on first use."""

from collections.abc import Mapping
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown

ENCODERS = "sensecheck.encoders"
JUDGES = "sensecheck.judges"
MEASURES = "sensecheck.measures"
VERIFIERS = "sensecheck.verifiers"


@cache
def registered(group: str) -> Mapping[str, EntryPoint]:
    """What installed packages offer in a group, by name; two packages with one name are an error."""
    found: dict[str, EntryPoint] = {}
    for entry in entry_points(group=group):
        twin = found.setdefault(entry.name, entry)
        if twin.value != entry.value:
            raise SpecError(f"`{entry.name}` is registered twice: as `{twin.value}` and as `{entry.value}`")
    return found


@cache
def load(group: str, name: str) -> Any:
    """The thing registered under a name."""
    known = registered(group)
    if name not in known:
        raise SpecError(unknown(group.rpartition(".")[2].removesuffix("s"), name, known))
    return known[name].load()
