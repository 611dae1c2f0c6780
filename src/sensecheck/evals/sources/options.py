"""What every source is given beside its own description."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

AT_ONCE = 4
"""Questions under way at the same time, where nobody says otherwise."""


@dataclass(frozen=True, slots=True)
class SourceOptions:
    """Where a battery lies, and how its sources are asked."""

    folder: Path
    """Where the paths of the battery begin."""
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The variables that a battery may name: it holds keys, so it is never shown."""
    timeout: float = 60.0
    """Seconds for one try."""
    retries: int = 4
    """How often a question is asked again when the source has too much to do."""
    at_once: int = AT_ONCE
    """How many questions one source takes at the same time, unless its own description says fewer."""
