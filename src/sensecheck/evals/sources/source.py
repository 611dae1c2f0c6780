"""The shape of what answers the questions of a battery."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Question:
    """What a source is asked: one test, worded by one prompt."""

    prompt: str
    """With all variables put in; a JSON list of messages when the prompt is a chat."""
    vars: Mapping[str, Any] = field(default_factory=dict)
    test: str = ""
    """The test's key."""
    description: str = ""
    number: int = 0
    repeat: int = 1
    """The same question again is another one: 2 for the second time, and so on."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What a source said, and what is known about how it came."""

    text: str
    latency_ms: float | None = None
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """Why there is no answer, in words that hold neither secrets nor what was asked."""

    because: str
    unreachable: bool = False
    """Whether the source, rather than the question, is the reason."""
    absent: bool = False
    """Whether nobody is there to be asked."""


class Source(Protocol):
    """Answers questions. It is called from several threads, at most `at_once` of them."""

    @property
    def label(self) -> str:
        """What reports call it."""
        ...

    @property
    def fingerprint(self) -> str:
        """Changes whenever other answers are to be expected."""
        ...

    @property
    def at_once(self) -> int:
        """How many questions it takes at the same time."""
        ...

    @property
    def kept(self) -> bool:
        """Whether its answers are worth keeping: not those that are read from a file, or made at no cost."""
        ...

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The answer, or why there is none; what is merely wrong with the setup raises instead."""
        ...
