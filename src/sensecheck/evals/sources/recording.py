"""One recorded answer: what tells which question it belongs to, and what was answered."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sensecheck.evals.sources.source import Answer, NoAnswer, Question

VARS = "vars."
"""What stands before a variable's name where it identifies a question."""


@dataclass(frozen=True, slots=True)
class Recording:
    """A row of a recording. It belongs to the questions that are the same in all that the row tells."""

    line: int
    told: Mapping[str, str]
    """Of `key`, `test`, `description`, `prompt`, `repeat` and `vars.NAME`, those that the row has."""
    answer: Answer | NoAnswer
    source: str | None = None
    """Whose answer it is."""

    @property
    def shape(self) -> tuple[str, ...]:
        """What the row tells, in a fixed order."""
        return tuple(sorted(self.told))

    @property
    def values(self) -> tuple[str, ...]:
        """What it tells about each."""
        return tuple(self.told[name] for name in self.shape)


def told_by(question: Question, shape: tuple[str, ...]) -> tuple[str, ...] | None:
    """What a question says of the same things; None when it lacks one of them."""
    plain = {
        "key": question.test,
        "test": str(question.number),
        "description": question.description,
        "prompt": question.prompt,
        "repeat": str(question.repeat),
    }
    try:
        return tuple(
            as_text(question.vars[name.removeprefix(VARS)]) if name.startswith(VARS) else plain[name]
            for name in shape
        )
    except KeyError:
        return None


def as_text(value: Any) -> str:
    """A variable's value in the form in which values are compared: a text as it is, other data as JSON."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, default=str)
