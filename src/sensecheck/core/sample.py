"""What is judged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.core.errors import MissingInput, SampleError
from sensecheck.core.serialization import from_data, to_data


@dataclass(frozen=True, slots=True)
class Sample:
    """An answer, and what it is judged by: a question, an expected answer, passages."""

    answer: str
    question: str | None = None
    expected: str | None = None
    passages: tuple[str, ...] = ()
    id: str | None = None
    latency_ms: float | None = None
    """How long the answer took to come."""
    cost: float | None = None
    """What the answer cost, in the currency of whoever was paid."""

    def __post_init__(self) -> None:  # written out, since there is one for every row of a large run
        if not isinstance(self.answer, str):
            raise _unwanted("answer", "a string", self.answer)
        if not (self.question is None or isinstance(self.question, str)):
            raise _unwanted("question", "a string", self.question)
        if not (self.expected is None or isinstance(self.expected, str)):
            raise _unwanted("expected", "a string", self.expected)
        if not (self.id is None or isinstance(self.id, str)):
            raise _unwanted("id", "a string", self.id)
        if self.passages != () and not _are_texts(self.passages):
            raise SampleError(
                f"`passages` must be a tuple of strings; got {type(self.passages).__name__}; "
                "one passage is written `(text,)`"
            )
        if not (self.latency_ms is None or isinstance(self.latency_ms, int | float)):
            raise _unwanted("latency_ms", "a number", self.latency_ms)
        if not (self.cost is None or isinstance(self.cost, int | float)):
            raise _unwanted("cost", "a number", self.cost)

    @classmethod
    def of(
        cls,
        answer: str,
        *,
        question: str | None = None,
        expected: str | None = None,
        passages: str | Iterable[str] = (),
    ) -> Self:
        """A sample from what a caller has at hand: one passage, or any number of them."""
        texts = (passages,) if isinstance(passages, str) else tuple(passages)
        return cls(answer, question=question, expected=expected, passages=texts)

    def require_expected(self) -> str:
        """The expected answer, or `MissingInput`."""
        if self.expected is None:
            raise MissingInput("the sample has no `expected` answer to compare with")
        return self.expected

    def require_passages(self) -> tuple[str, ...]:
        """The passages, or `MissingInput`."""
        if not self.passages:
            raise MissingInput("the sample has no `passages` to look into")
        return self.passages

    def to_data(self) -> dict[str, Any]:
        """The sample as plain data, ready for JSON."""
        return to_data(self)

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """The sample that `to_data` described; unknown keys are errors."""
        return from_data(cls, data, at="sample")


def _are_texts(passages: object) -> bool:
    return isinstance(passages, tuple) and all(isinstance(passage, str) for passage in passages)


def _unwanted(name: str, expected: str, value: object) -> SampleError:
    return SampleError(f"`{name}` must be {expected}; got {type(value).__name__}")
