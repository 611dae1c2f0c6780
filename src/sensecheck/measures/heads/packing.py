"""Numbers and bytes inside a JSON file."""

import base64
from typing import Any

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import decode

Numbers = npt.NDArray[np.float32]


def packed(content: bytes) -> str:
    """Bytes as text."""
    return base64.b64encode(content).decode()


def packed_numbers(numbers: Numbers) -> str:
    """Numbers as text, the same on every machine."""
    return packed(np.ascontiguousarray(numbers, "<f4").tobytes())


def unpacked(text: Any, *, at: str) -> bytes:
    """The bytes that a text stands for; `at` names the place in messages."""
    given: str = decode(str, text, at=at)
    try:
        return base64.b64decode(given, validate=True)
    except ValueError as wrong:  # letters beyond ASCII are no binascii.Error
        raise SpecError(f"`{at}` is not base64: {wrong}") from wrong


def unpacked_numbers(text: Any, shape: tuple[int, ...], *, at: str) -> Numbers:
    """The numbers that a text stands for: finite, and as many as the shape wants."""
    content = unpacked(text, at=at)
    wanted = 4 * int(np.prod(shape))
    if len(content) != wanted:
        raise SpecError(f"`{at}` holds {len(content)} bytes; wanted {wanted}")
    numbers: Numbers = np.frombuffer(content, "<f4").reshape(shape).astype(np.float32, copy=False)
    if not np.isfinite(numbers).all():
        raise SpecError(f"`{at}` holds a number that is not finite")
    return numbers
