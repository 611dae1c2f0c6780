"""What a value of a row must be, and what is said when it is something else."""

import json
import math
from contextlib import suppress

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
    return _finite(found, where, column, "a number")


def label_in(found: object, where: str, column: str) -> float | None:
    """What people said: a number, with 1 for true and 0 for false."""
    if isinstance(found, bool):
        return float(found)
    word = found.strip().casefold() if isinstance(found, str) else ""
    if word in (*_TRUE, *_FALSE):
        return float(word in _TRUE)
    return _finite(found, where, column, "true, false or a number")


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


def _finite(found: object, where: str, column: str, expected: str) -> float | None:
    if found is None or found == "":
        return None
    if isinstance(found, int | float | str) and not isinstance(found, bool):
        with suppress(ValueError, OverflowError):
            if math.isfinite(number := float(found)):
                return number
    raise _value_error(where, column, expected, found)


def _value_error(where: str, column: str, expected: str, value: object) -> SampleError:
    actual = type(value).__name__ if isinstance(value, list | dict) else shortened(str(value))
    return SampleError(f"{where}: `{column}` must be {expected}; got {actual}")


def shortened(text: str) -> str:
    """As much of a value as a message repeats."""
    return f"`{text}`" if len(text) <= 40 else f"`{text[:37]}…`"
