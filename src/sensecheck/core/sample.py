"""What is judged."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

from sensecheck.core.errors import MissingInput, SampleError
from sensecheck.core.serialization import from_data, to_data

Passages = str | Iterable[str]
"""One passage, or any number of them."""


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
            raise _unwanted_passages(self.passages)
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
        passages: Passages = (),
    ) -> Self:
        """A sample from what a caller has at hand: one passage, or any number of them."""
        if isinstance(passages, Mapping | bytes) or not isinstance(passages, str | Iterable):
            raise SampleError(
                f"`passages` must be one string, or several such as a list of them; "
                f"got {type(passages).__name__}; of passages with other fields, pass the texts"
            )
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


def samples_of(
    rows: Iterable[Any], *parts: str, optional: str | None = None, of: str = "rows"
) -> Iterator[Sample]:
    """A sample for each row, read as it is asked for: a `Sample`, or the parts of one in this order.

    A row of one part is that part itself; the optional part may be left out, or be None. `of` is who was
    given the rows, for messages. What is no collection of rows is an error at once.
    """
    if isinstance(rows, str | bytes | Mapping | Sample) or not isinstance(rows, Iterable):
        raise SampleError(
            f"`{of}` must be given a list, or another iterable, of {_shape(parts, optional)}; "
            f"got one {type(rows).__name__}"
        )
    return (_sample_of(row, place, parts, optional, of) for place, row in enumerate(rows))


def _sample_of(row: Any, place: int, parts: tuple[str, ...], optional: str | None, of: str) -> Sample:
    if isinstance(row, Sample):
        return row
    names = parts if optional is None else (*parts, optional)
    plain = not isinstance(row, str | bytes | Mapping) and isinstance(row, Iterable)
    values = (row,) if len(names) == 1 else tuple(row) if plain else ()
    if not len(parts) <= len(values) <= len(names):
        found = f"{len(values)} values" if plain else type(row).__name__
        raise SampleError(
            f"row {place} of `{of}`, counted from 0, must be {_shape(parts, optional)}; got {found}"
        )
    return Sample.of(**dict(zip(names, values, strict=False)))


def _shape(parts: tuple[str, ...], optional: str | None) -> str:
    """How a row may be written, in words."""
    plain = f"({', '.join(parts)})" if len(parts) > 1 or optional else f"strings (`{parts[0]}`)"
    longer = f", ({', '.join((*parts, optional))})" if optional else ""
    return f"{plain}{longer} or a `Sample`" if len(parts) > 1 or optional else f"{plain} or `Sample`s"


def _are_texts(passages: object) -> bool:
    return isinstance(passages, tuple) and all(isinstance(passage, str) for passage in passages)


def _unwanted_passages(passages: object) -> SampleError:
    if isinstance(passages, tuple):
        other = next(type(passage).__name__ for passage in passages if not isinstance(passage, str))
        return SampleError(
            f"`passages` must be a tuple of strings; got one with a {other}; "
            "of passages with other fields, pass the texts"
        )
    return SampleError(
        f"`passages` must be a tuple of strings; got {type(passages).__name__}; "
        "one passage is written `(text,)`"
    )


def _unwanted(name: str, expected: str, value: object) -> SampleError:
    return SampleError(f"`{name}` must be {expected}; got {type(value).__name__}")
