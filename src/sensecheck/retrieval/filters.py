"""What the metadata of a reference must say: the same for the stage `tagged` and for every index."""

from collections.abc import Mapping, Sequence
from typing import Any

from sensecheck.core.errors import SpecError

Scalar = str | int | float | bool
Wanted = Mapping[str, Scalar | Sequence[Scalar]]
"""By key, the value that it must have, or several of which it must have one."""
MAX_VALUES = 500
"""Values in one filter, those of all its keys together: a question that every store takes."""
WIDEST = 64
"""Bits of a whole number."""


def alternatives(wanted: Wanted) -> dict[str, tuple[Scalar, ...]]:
    """By key, the values of which the metadata must have one.

    What is no plain value is an error, and so are more than `MAX_VALUES` values, half a surrogate pair, and a
    whole number of more than `WIDEST` bits: some store would refuse each of them, or lose it.
    """
    listed = {key: _several(key, value) for key, value in wanted.items()}
    many = sum(len(values) for values in listed.values())
    if many > MAX_VALUES:
        raise SpecError(
            f"a filter names at most {MAX_VALUES} values; got {many}: ask more than once, or give the "
            "references a key that says the same in fewer values"
        )
    return listed


def missing(metadata: Mapping[str, Any], wanted: Mapping[str, tuple[Scalar, ...]]) -> str | None:
    """The first key that the metadata lacks, or has otherwise; None when all is as wanted."""
    for key, values in wanted.items():
        if key not in metadata or not any(_same(metadata[key], value) for value in values):
            return key
    return None


def unwritable(value: object) -> str | None:
    """What keeps a key or a value from being written in every store, in words; None when nothing does."""
    if isinstance(value, str) and any("\ud800" <= character <= "\udfff" for character in value):
        return "half a character (a lone surrogate)"
    if isinstance(value, int) and value.bit_length() > WIDEST:
        return f"a whole number of more than {WIDEST} bits"
    return None


def _several(key: str, value: object) -> tuple[Scalar, ...]:
    if not isinstance(key, str):
        raise SpecError(f"a filter must have the names of keys; got {type(key).__name__}")
    if trouble := unwritable(key):
        raise SpecError(f"a filter must have keys that can be written; got {trouble} in one")
    listed = tuple(value) if isinstance(value, list | tuple) else (value,)
    for item in listed:
        if not isinstance(item, str | int | float | bool):
            raise SpecError(
                f"the filter for `{key}` must be a string, a number, true or false, or a list of them; "
                f"got {type(item).__name__}"
            )
        if trouble := unwritable(item):
            raise SpecError(f"the filter for `{key}` must have values that can be written; got {trouble}")
    if not listed:
        raise SpecError(f"the filter for `{key}` names no value: nothing could pass it")
    return listed


def _same(actual: object, value: Scalar) -> bool:
    """`True` is not 1, as in every store that we know."""
    return isinstance(actual, bool) == isinstance(value, bool) and actual == value
