"""An index in one file: its origin, its references, and an array of whatever the engine makes."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.whole_file import whole_binary_file
from sensecheck.retrieval.indexes.index import Reference, kept, reference_of
from sensecheck.retrieval.indexes.origin import Origin, origin_of

Array = npt.NDArray[Any]


def write_index_file(
    path: str | Path, origin: Origin, *, engine: str, references: Sequence[Reference], array: Array
) -> None:
    """Write all of it beside the path, then put it there in one step."""
    lines = "\n".join(kept(reference) for reference in references)
    told = json.dumps({"engine": engine, "origin": origin.written()})
    parts = {"about": _bytes(told), "references": _bytes(lines), "array": array}
    with whole_binary_file(Path(path)) as file:
        np.savez(file, **parts)  # type: ignore[arg-type]  # its stub takes the names for its options


def read_index_file(path: str | Path, encoder: str, *, engine: str) -> tuple[int, list[Reference], Array]:
    """The dimension, the references and the array, if the encoder with this fingerprint made them."""
    at = f"the file `{path}`"
    try:
        with Path(path).open("rb") as file, np.load(file, allow_pickle=False) as parts:
            about = json.loads(parts["about"].tobytes())
            lines, array = parts["references"].tobytes().decode("ascii").splitlines(), parts["array"]
    except FileNotFoundError:
        raise SpecError(f"{at} is not there; `save` writes one") from None
    except (BadZipFile, ValueError, KeyError, EOFError, OSError, AttributeError, TypeError) as problem:
        raise SpecError(f"{at} cannot be read as an index ({type(problem).__name__})") from problem
    if not isinstance(about, dict) or about.get("engine") != engine:
        raise SpecError(f"{at} holds no index of the engine `{engine}`")
    found = origin_of(about.get("origin"), at=at)
    Origin(encoder, found.dimension).must_be_that_of(about["origin"], at=at)
    return found.dimension, [_reference_in(line, number, at) for number, line in enumerate(lines, 1)], array


def _reference_in(line: str, number: int, at: str) -> Reference:
    try:
        return reference_of(line)
    except (ValueError, TypeError) as problem:
        raise SpecError(
            f"{at} is damaged: its reference {number} cannot be read; build it again"
        ) from problem


def _bytes(text: str) -> Array:
    return np.frombuffer(text.encode("ascii"), np.uint8)
