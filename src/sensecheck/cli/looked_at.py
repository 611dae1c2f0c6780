"""What a head is to look at: parts and cues, as the command line names them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sensecheck.cli.inputs import data_from
from sensecheck.core.errors import SpecError

if TYPE_CHECKING:
    from sensecheck.measures.heads.features import Cue, Part, Recipe

# ruff: noqa: PLC0415 - heads bring numpy along, which `--help` does without

WORDS = 16
"""Of a sentence for which nobody says how many are read."""
_USUAL = {"parts": [{"name": name, "words": WORDS} for name in ("first", "second", "last")]}


@dataclass(frozen=True, slots=True)
class LookedAt:
    """A recipe as data, which may lack its classes; with other parts instead, and more cues."""

    data: Mapping[str, Any]
    at: str
    """Where it comes from, for messages."""
    parts: "tuple[Part, ...]"
    cues: "tuple[Cue, ...]"

    @classmethod
    def of(
        cls, recipe: str | None, like: str | None, parts: Sequence[str], cues: Sequence[str]
    ) -> "LookedAt":
        """A recipe in a file, that of a shipped head, or the usual one; and what is said besides."""
        if recipe is not None and like is not None:
            raise SpecError("`--recipe` and `--like` are two ways to say the same; give one of them")
        found = _like(like) if like is not None else {} if recipe is None else _in_file(recipe)
        return cls(found, recipe or "recipe", tuple(map(_part, parts)), tuple(map(_cue, cues)))

    def telling(self, labels: Sequence[str]) -> "Recipe":
        """The recipe for answers with these labels; they are its classes, unless it has its own."""
        from sensecheck.core.serialization import from_data
        from sensecheck.measures.heads.features import Recipe

        classes = {"classes": sorted(set(labels))}
        found = from_data(Recipe, {**_USUAL, **classes, **self.data}, at=self.at)
        names = Counter(cue.name for cue in (*found.cues, *self.cues))
        if twice := [name for name, count in names.items() if count > 1]:
            raise SpecError(f"there are two cues `{twice[0]}`; call one of them otherwise")
        return replace(found, parts=self.parts or found.parts, cues=(*found.cues, *self.cues))


def _like(name: str) -> dict[str, Any]:
    """The parts and cues of a shipped head; its classes are its own."""
    from sensecheck.core.serialization import to_data, unknown
    from sensecheck.measures.heads.model import shipped_head, shipped_heads

    if name not in shipped_heads():
        raise SpecError(unknown("shipped head", name, shipped_heads()))
    return {key: held for key, held in to_data(shipped_head(name).recipe).items() if key != "classes"}


def _in_file(path: str) -> dict[str, Any]:
    found = data_from(path)
    if not isinstance(found, dict):
        raise SpecError(f"`{path}` wants a mapping such as {{…}}; found {type(found).__name__}")
    return found


def _part(text: str) -> "Part":
    from sensecheck.core.serialization import from_data
    from sensecheck.measures.heads.features import Part

    name, _, words = text.partition(":")
    if words and not (words.isascii() and words.isdecimal()):
        raise SpecError(f"`--part` wants a sentence and how many words of it, as in first:16; found `{text}`")
    return from_data(Part, {"name": name, "words": int(words or WORDS)}, at="--part")


def _cue(text: str) -> "Cue":
    from sensecheck.core.serialization import from_data
    from sensecheck.measures.heads.features import Cue

    name, _, rest = text.partition(":")
    where, _, pattern = rest.partition(":")
    if not (name and pattern):
        raise SpecError(f"`--cue` wants NAME:WHERE:PATTERN, as in sorry:opening:\\bsorry\\b; found `{text}`")
    return from_data(Cue, {"name": name, "where": where, "pattern": pattern}, at="--cue")
