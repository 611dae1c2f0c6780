"""What is judged."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.core.data import from_data, to_data
from sensecheck.core.errors import MissingInput, SampleError


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

    def __post_init__(self) -> None:
        if not isinstance(self.answer, str):
            raise SampleError(f"`answer` wants a text; found {type(self.answer).__name__}")
        for name in ("question", "expected", "id"):
            if not isinstance(getattr(self, name), str | None):
                raise SampleError(f"`{name}` wants a text; found {type(getattr(self, name)).__name__}")
        if not isinstance(self.passages, tuple) or not all(isinstance(p, str) for p in self.passages):
            raise SampleError(
                f"`passages` wants a tuple of texts; found {type(self.passages).__name__}; "
                "one passage is written `(text,)`"
            )
        for name in ("latency_ms", "cost"):
            if not isinstance(getattr(self, name), int | float | None):
                raise SampleError(f"`{name}` wants a number; found {type(getattr(self, name)).__name__}")

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
        held = (passages,) if isinstance(passages, str) else tuple(passages)
        return cls(answer, question=question, expected=expected, passages=held)

    def must_have_expected(self) -> str:
        """The expected answer, or `MissingInput`."""
        if self.expected is None:
            raise MissingInput("the sample has no `expected` answer to compare with")
        return self.expected

    def must_have_passages(self) -> tuple[str, ...]:
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
