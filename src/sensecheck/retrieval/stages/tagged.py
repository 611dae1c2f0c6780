"""Those whose metadata says what is wanted."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from sensecheck.core.errors import SpecError
from sensecheck.retrieval.match import Match
from sensecheck.retrieval.selection import Dropped, Step
from sensecheck.retrieval.stage import Asked
from sensecheck.retrieval.wanted import Scalar, Wanted, alternatives, missing


@dataclass(frozen=True, slots=True)
class Tagged:
    """Keeps the matches whose metadata has, for each key, one of the values."""

    name: ClassVar[str] = "tagged"
    wanted: Mapping[str, tuple[Scalar, ...]]

    def __post_init__(self) -> None:
        if not self.wanted:
            raise SpecError("`tagged` wants at least one key, such as `{lang: en}`")
        for key, values in self.wanted.items():
            if not isinstance(values, tuple):
                raise SpecError(f"`{key}` wants a tuple of values; `tagged` makes one of what it is given")

    def __call__(self, matches: Sequence[Match], asked: Asked) -> Step:
        """Those that have them all."""
        lacking = [missing(match.metadata, self.wanted) for match in matches]
        kept = tuple(match for match, key in zip(matches, lacking, strict=True) if key is None)
        dropped = tuple(
            Dropped(match, self.name, self._because(match, key))
            for match, key in zip(matches, lacking, strict=True)
            if key is not None
        )
        return Step(kept, dropped)

    def _because(self, match: Match, key: str) -> str:
        found = f"`{match.metadata[key]}`" if key in match.metadata else "nothing"
        return f"its `{key}` is {found}; wanted {' or '.join(f'`{value}`' for value in self.wanted[key])}"


def tagged(wanted: Wanted | None = None, **more: Scalar | Sequence[Scalar]) -> Tagged:
    """Keep what has these tags: `tagged(lang="en", year=[2025, 2026])`."""
    return Tagged(alternatives({**(wanted or {}), **more}))
