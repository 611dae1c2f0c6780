"""Chains as data and back, strictly: what is not understood is an error that says where."""

from collections.abc import Mapping
from typing import Any

from sensecheck.calibration.library import Shelf
from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import unknown
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.described import Parts
from sensecheck.retrieval.stage import Stage
from sensecheck.retrieval.stage_data import stage_to_data
from sensecheck.retrieval.stage_reading import known_stages, read_stage


def chain_from_data(data: Any, *, at: str = "chain", shelf: Shelf | None = None) -> Chain:
    """The chain that data describes: a list of stages, each `{name: …}`, or its name alone for its defaults.

    Cards that it names, or whose promise it asks for, lie on the shelf; without one, they are ours. Encoders
    and cross-encoders that it names are loaded now.
    """
    return chain_from_parts(data, Parts() if shelf is None else Parts(shelf), at=at)


def chain_from_parts(data: Any, parts: Parts, *, at: str = "chain") -> Chain:
    """The same, with whatever it names taken from these parts."""
    if not isinstance(data, list | tuple):
        raise SpecError(
            f"`{at}` wants a list of stages such as `- above: 0.6`, `- top: 4`; found {type(data).__name__}"
        )
    return Chain(tuple(stage_from_data(item, parts, at=f"{at}[{i}]") for i, item in enumerate(data)))


def chain_to_data(chain: Chain) -> list[Any]:
    """The data that describes a chain; a line that was fitted is written out with its certificate."""
    return [stage_to_data(stage, at=f"chain[{i}]") for i, stage in enumerate(chain.stages)]


def stage_from_data(data: Any, parts: Parts, *, at: str) -> Stage:
    """The stage that one entry of a chain describes."""
    name, given = _named(data, at)
    return read_stage(name, given, parts, at=f"{at}.{name}")


def _named(data: Any, at: str) -> tuple[str, Any]:
    """A stage's name, and what it is told; a name alone is told nothing."""
    known = known_stages()
    entry = {data: {}} if isinstance(data, str) else data
    if not isinstance(entry, Mapping):
        raise SpecError(f"`{at}` wants a stage such as {{top: 4}}; found {type(data).__name__}")
    if len(entry) != 1:
        names = ", ".join(f"`{key}`" for key in entry) or "none"
        raise SpecError(f"`{at}` wants one stage; found {len(entry)}: {names}; each is an entry of its own")
    ((name, given),) = entry.items()
    if name not in known:
        raise SpecError(f"in `{at}`: {unknown('stage', name, known)}")
    return name, given
