"""What the metadata of a reference must say: the same for the stage `tagged` and for every index."""

from collections.abc import Mapping, Sequence
from typing import Any

from sensecheck.core.errors import SpecError

Scalar = str | int | float | bool
Wanted = Mapping[str, Scalar | Sequence[Scalar]]
"""By key, the value that it must have, or several of which it must have one."""


def alternatives(wanted: Wanted) -> dict[str, tuple[Scalar, ...]]:
    """By key, the values of which the metadata must have one; what is no plain value is an error."""
    return {key: _several(key, value) for key, value in wanted.items()}


def missing(metadata: Mapping[str, Any], wanted: Mapping[str, tuple[Scalar, ...]]) -> str | None:
    """The first key that the metadata lacks, or has otherwise; None when all is as wanted."""
    for key, values in wanted.items():
        if key not in metadata or not any(_same(metadata[key], value) for value in values):
            return key
    return None


def _several(key: str, value: object) -> tuple[Scalar, ...]:
    if not isinstance(key, str):
        raise SpecError(f"a filter wants the names of keys; found {type(key).__name__}")
    listed = tuple(value) if isinstance(value, list | tuple) else (value,)
    for one in listed:
        if not isinstance(one, str | int | float | bool):
            raise SpecError(
                f"the filter for `{key}` wants a text, a number, true or false, or a list of them; "
                f"found {type(one).__name__}"
            )
    if not listed:
        raise SpecError(f"the filter for `{key}` names no value: nothing could pass it")
    return listed


def _same(found: object, value: Scalar) -> bool:
    """`True` is not 1, as in every store that we know."""
    return isinstance(found, bool) == isinstance(value, bool) and found == value
