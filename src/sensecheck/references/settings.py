"""How references are chosen: the numbers that can be set, and the chain that they stand for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Self

from sensecheck.config import variables
from sensecheck.core.errors import SpecError
from sensecheck.retrieval.chain import Chain
from sensecheck.retrieval.stage import Stage
from sensecheck.retrieval.stages.limits import top, within_chars
from sensecheck.retrieval.stages.threshold import above

PREFIX = "EMBEDDING_"
_NEAR = 0.7
"""How alike two names are, from 0 to 1, when one is taken for a slip of the other."""
_NEAR_WORD = 0.85
"""The same for a word of a name: words are short, and `store` is not `score`."""
_MIN_FUZZY_CHARS = 5
"""Letters of a word that is also known by a slip: `stop` is not `top`, and `prefs` are not `refs`."""
_GUARDED = {
    "similarity": "min_reference_similarity",
    "sim": "min_reference_similarity",
    "closeness": "min_reference_similarity",
    "cosine": "min_reference_similarity",
    "distance": "min_reference_similarity",
    "threshold": "min_reference_similarity",
    "cutoff": "min_reference_similarity",
    "score": "min_reference_similarity",
    "evidence": "min_evidence_chars",
    "chars": "max_reference_chars_per_item",
    "characters": "max_reference_chars_per_item",
    "budget": "max_reference_chars_per_item",
    "topk": "top_k_references",
    "k": "top_k_references",
    "refs": "top_k_references",
    "references": "top_k_references",
}
"""Words that a name has when it is about what we guard, and the setting that is then likely meant.

Of several, the first in this order says it. `top` alone is not among them: others have `EMBEDDING_TOP_P`.
"""

_DEFAULTS: dict[str, int | float] = {
    "dimension": 0,
    "top_k_references": 2,
    "min_evidence_chars": 8,
    "min_reference_similarity": 0.0,
    "max_reference_chars_per_item": 0,
}

_LEAST = {
    "dimension": 0,
    "top_k_references": 1,
    "min_evidence_chars": 0,
    "max_reference_chars_per_item": 0,
}


def _setting(name: str) -> Any:
    """A field that, where it is not given, is read from the environment of the process."""
    return field(default_factory=lambda: _values(variables()).get(name, _DEFAULTS[name]))


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddingSettings:
    """What can be set. The guards are off unless they are set.

    A field that is not given has the value of the variable `EMBEDDING_` and its name in capitals, and
    without that its default.
    """

    dimension: int = _setting("dimension")
    """How long a vector is; 0 for whatever the encoder has."""
    top_k_references: int = _setting("top_k_references")
    """How many references an item gets at most."""
    min_evidence_chars: int = _setting("min_evidence_chars")
    """An item with less evidence than this gets no references."""
    min_reference_similarity: float = _setting("min_reference_similarity")
    """A reference less similar than this is dropped; 0 drops none, not even one whose cosine is negative."""
    max_reference_chars_per_item: int = _setting("max_reference_chars_per_item")
    """How many characters the references of one item may have together; 0 for any number."""

    def __post_init__(self) -> None:
        for name, least in _LEAST.items():
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or value < least:
                raise SpecError(f"`{name}` must be a whole number, at least {least}; got {value!r:.40}")
        similarity = self.min_reference_similarity
        if (
            not isinstance(similarity, int | float)
            or isinstance(similarity, bool)
            or not 0 <= similarity <= 1
        ):
            raise SpecError(
                f"`min_reference_similarity` must be a number from 0 to 1; got {similarity!r:.40}"
            )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Self:
        """The settings in the environment, their names in any case.

        Other programs also begin their variables with `EMBEDDING_`. One that is about what we guard is an
        error, for a guard that a slip turned off would not be missed; any other is left alone.
        """
        source = variables() if environment is None else environment
        values: dict[str, Any] = {**_DEFAULTS, **_values(source)}
        return cls(**values)

    def guards(self) -> Chain:
        """The chain that the settings stand for: a guard that is off is not in it."""
        return guards(
            self.min_reference_similarity, self.top_k_references, chars=self.max_reference_chars_per_item
        )


def guards(similarity: float, top_k: int, *, chars: int) -> Chain:
    """The chain of the document: at least so similar, then the first N, then the budget; 0 is off."""
    stages: list[Stage] = []
    if similarity > 0:
        stages.append(above(similarity))
    stages.append(top(top_k))
    if chars > 0:
        stages.append(within_chars(chars))
    return Chain(tuple(stages))


def _values(environment: Mapping[str, str]) -> dict[str, int | float]:
    """The settings among these variables, by the names of their fields."""
    values: dict[str, int | float] = {}
    for variable, text in environment.items():
        if not variable.upper().startswith(PREFIX):
            continue
        name = variable[len(PREFIX) :].lower()
        if name in values:
            raise SpecError(f"`{PREFIX}{name.upper()}` is set twice, in capitals and in small letters")
        if name in _DEFAULTS:
            values[name] = _number_from(variable, text, type(_DEFAULTS[name]))
        elif suggested := _suggested_name(name):
            known_settings = ", ".join(f"`{PREFIX}{setting.upper()}`" for setting in _DEFAULTS)
            raise SpecError(
                f"`{variable}` is not a known setting; did you mean `{PREFIX}{suggested.upper()}`? "
                f"known: {known_settings}; where it is another program's, give `from_environment` a mapping "
                "without it"
            )
    return values


def _number_from(variable: str, text: str, kind: type[int] | type[float]) -> int | float:
    try:
        return kind(text)
    except ValueError as error:
        expected = "a whole number" if kind is int else "a number"
        raise SpecError(f"`{variable}` must be {expected}; got `{text[:40]}`") from error


def _suggested_name(name: str) -> str | None:
    """The guard that an unknown name is likely meant for; None where it is about something else.

    Nothing is near to `dimension`: others have `EMBEDDING_DIMENSIONS`, and no guard is lost without it.
    """
    if matches := get_close_matches(name, set(_GUARDED.values()), n=1, cutoff=_NEAR):
        return matches[0]
    words = name.split("_")
    return next(
        (
            setting
            for guarded_word, setting in _GUARDED.items()
            if any(_is_word(word, guarded_word) for word in words)
        ),
        None,
    )


def _is_word(word: str, guarded_word: str) -> bool:
    """Whether it is the word, or a slip of it; `instance`, with another first letter, is no `distance`."""
    if word == guarded_word or len(guarded_word) < _MIN_FUZZY_CHARS or word[:1] != guarded_word[0]:
        return word == guarded_word
    return bool(get_close_matches(word, [guarded_word], cutoff=_NEAR_WORD))
