"""What an assertion may refer to besides itself."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sensecheck.calibration.library import Shelf


@dataclass(frozen=True, slots=True)
class About:
    """The test around an assertion, and where the files and cards that it names lie."""

    vars: Mapping[str, Any]
    folder: Path
    """Where paths begin: the battery's own folder."""
    shelf: Shelf
