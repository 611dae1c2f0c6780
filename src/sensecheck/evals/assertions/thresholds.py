"""Lines that were fitted, as a battery names them: a card, a card's file, or a promise."""

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from sensecheck.calibration.library import Shelf
from sensecheck.checks.spec import check_from_data
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.core.threshold import Threshold
from sensecheck.evals.assertions.about import About
from sensecheck.evals.node import Node

THRESHOLDS = ("threshold", "max_heller_score")


def threshold_of(node: Node, about: About) -> Threshold:
    """The line that a card's name, the path to a card or a promise stands for."""
    try:
        return _threshold(json.dumps(node.plain(), sort_keys=True), about.folder, about.shelf)
    except SpecError as wrong:
        raise node.wrong(str(wrong)) from wrong


def preset(kind: str, given: dict[str, Node], node: Node, about: About) -> Check:
    """The preset of this name with these arguments; what does not depend on the test is made only once."""
    written = json.dumps({key: value.plain() for key, value in given.items()}, sort_keys=True)
    try:
        return _preset(kind, written, about.folder, about.shelf)
    except SpecError as wrong:
        said = str(wrong)
        raise node.wrong(said, key=next((key for key in given if f".{key}`" in said), None)) from wrong


@lru_cache(maxsize=1024)
def _preset(kind: str, written: str, folder: Path, shelf: Shelf) -> Check:
    given: dict[str, Any] = json.loads(written)
    for key in THRESHOLDS:
        if isinstance(given.get(key), str):
            given[key] = _line(given[key], folder, shelf)
    return check_from_data({"kind": kind, **given}, at=kind, shelf=shelf)


@lru_cache(maxsize=1024)
def _threshold(written: str, folder: Path, shelf: Shelf) -> Threshold:
    return _line(json.loads(written), folder, shelf)


def _line(data: Any, folder: Path, shelf: Shelf) -> Threshold:
    """A text that ends in `.json` is the path to a card, from the battery's folder on."""
    if isinstance(data, str) and data.endswith(".json"):
        path = folder / data.removeprefix("file://")
        return Shelf((path.parent,)).card(path.stem)
    return shelf.line(data)
