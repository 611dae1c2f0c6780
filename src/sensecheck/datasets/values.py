"""What a value of a row must be, and what is said when it is something else."""

import json
import math

from sensecheck.core.errors import SampleError
from sensecheck.core.serialization import each_key_once

_TRUE, _FALSE = ("true", "yes"), ("false", "no")


def text_in(found: object, where: str, column: str) -> str | None:
    """A text, or nothing."""
    if found is None or isinstance(found, str):
        return found
    raise _wrong(where, column, "a string", found)


def word_in(found: object, where: str, column: str) -> str | None:
    """A text or a number, written as a text: an id, or the value of a slice."""
    if found is None or isinstance(found, str):
        return found or None
    if isinstance(found, bool | int | float):
        return json.dumps(found)
    raise _wrong(where, column, "a string or a number", found)


def number_in(found: object, where: str, column: str) -> float | None:
    """A finite number, or nothing."""
    number = _number(found)
    if number is None or math.isfinite(number):
        return number
    raise _wrong(where, column, "a number", found)


def label_in(found: object, where: str, column: str) -> float | None:
    """What people said: a number, with 1 for true and 0 for false."""
    if isinstance(found, bool):
        return float(found)
    word = found.strip().casefold() if isinstance(found, str) else ""
    if word in (*_TRUE, *_FALSE):
        return float(word in _TRUE)
    number = _number(found)
    if number is None or math.isfinite(number):
        return number
    raise _wrong(where, column, "true, false or a number", found)


def texts_in(found: object, where: str, column: str) -> tuple[str, ...]:
    """A list of texts; a text alone is a list of one, unless it is such a list as JSON."""
    if found is None:
        return ()
    if isinstance(found, str):
        listed = _listed(found)
        return (found,) if listed is None else listed
    if isinstance(found, list) and all(isinstance(one, str) for one in found):
        return tuple(found)
    raise _wrong(where, column, "a list of strings", found)


def _listed(cell: str) -> tuple[str, ...] | None:
    if not cell.lstrip().startswith("["):
        return None
    try:
        held = json.loads(cell, object_pairs_hook=each_key_once)
    except (ValueError, RecursionError):  # a passage that begins with a bracket
        return None
    listed = isinstance(held, list) and all(isinstance(one, str) for one in held)
    return tuple(held) if listed else None


def _number(found: object) -> float | None:
    """The number; NaN for what is none."""
    if found is None or found == "":
        return None
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return math.nan
    try:
        return float(found)
    except (ValueError, OverflowError):
        return math.nan


def _wrong(where: str, column: str, wanted: str, found: object) -> SampleError:
    shown = type(found).__name__ if isinstance(found, list | dict) else _short(found)
    return SampleError(f"{where}: `{column}` must be {wanted}; got {shown}")


def _short(found: object) -> str:
    text = str(found)
    return f"`{text}`" if len(text) <= 40 else f"`{text[:37]}…`"
