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
    raise _value_error(where, column, "a string", found)


def word_in(found: object, where: str, column: str) -> str | None:
    """A text or a number, written as a text: an id, or the value of a slice."""
    if found is None or isinstance(found, str):
        return found or None
    if isinstance(found, bool | int | float):
        return json.dumps(found)
    raise _value_error(where, column, "a string or a number", found)


def number_in(found: object, where: str, column: str) -> float | None:
    """A finite number, or nothing."""
    number = _number(found)
    if number is None or math.isfinite(number):
        return number
    raise _value_error(where, column, "a number", found)


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
    raise _value_error(where, column, "true, false or a number", found)


def texts_in(found: object, where: str, column: str) -> tuple[str, ...]:
    """A list of texts; a text alone is a list of one, unless it is such a list as JSON."""
    if found is None:
        return ()
    if isinstance(found, str):
        texts = _texts_in_json(found)
        return (found,) if texts is None else texts
    if isinstance(found, list) and all(isinstance(one, str) for one in found):
        return tuple(found)
    raise _value_error(where, column, "a list of strings", found)


def _texts_in_json(cell: str) -> tuple[str, ...] | None:
    if not cell.lstrip().startswith("["):
        return None
    try:
        value = json.loads(cell, object_pairs_hook=each_key_once)
    except (ValueError, RecursionError):  # a passage that begins with a bracket
        return None
    is_texts = isinstance(value, list) and all(isinstance(one, str) for one in value)
    return tuple(value) if is_texts else None


def _number(value: object) -> float | None:
    """The number; NaN for what is none."""
    if value is None or value == "":
        return None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return math.nan
    try:
        return float(value)
    except (ValueError, OverflowError):
        return math.nan


def _value_error(where: str, column: str, expected: str, value: object) -> SampleError:
    shortened = type(value).__name__ if isinstance(value, list | dict) else _shortened(value)
    return SampleError(f"{where}: `{column}` must be {expected}; got {shortened}")


def _shortened(value: object) -> str:
    text = str(value)
    return f"`{text}`" if len(text) <= 40 else f"`{text[:37]}…`"
