"""Reading mappings strictly: what is strange, what is missing, and where."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.nearest import unknown


def only(given: Mapping[str, Any], known: Iterable[str], at: str) -> None:
    """Raise `SpecError` for a key that is not known."""
    names = tuple(known)
    for key in given:
        if key not in names:
            raise SpecError(f"in `{at}`: {unknown('key', key, names)}")


def held(given: Mapping[str, Any], key: str, at: str) -> Any:
    """What a key holds, or `SpecError` when it is not there."""
    if key not in given:
        raise SpecError(f"`{at}` lacks the key `{key}`")
    return given[key]


@contextmanager
def told_where(at: str) -> Iterator[None]:
    """What is wrong inside is told with its place."""
    try:
        yield
    except SpecError as wrong:
        raise SpecError(f"in `{at}`: {wrong}") from wrong
