"""Which column of a file holds which part of a row; no column is taken for something that no one said."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Self

from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import did_you_mean

COLUMN_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id",),
    "question": ("question", "user_input"),
    "expected": ("expected", "reference", "ground_truth", "gold"),
    "answer": ("answer", "response"),
    "passages": ("passages", "contexts", "retrieved_contexts"),
    "latency_ms": ("latency_ms",),
    "cost": ("cost",),
}
"""The parts of a row, and what a column may be called that holds one."""


class ColumnMeaning(NamedTuple):
    """What the columns of a row mean."""

    parts: Mapping[str, str]
    """The column of each part that is there."""
    strange: tuple[str, ...]
    """Columns that mean nothing to us."""


@dataclass(frozen=True, slots=True)
class Columns:
    """What people said of the columns; those with the names above need no explaining."""

    parts: Mapping[str, str] = field(default_factory=dict)
    """Parts whose column is called otherwise: `{"question": "query"}`."""
    slices: tuple[str, ...] = ()
    labels: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        *,
        parts: Iterable[str] = (),
        slices: Iterable[str] = (),
        labels: Iterable[str] = (),
        ignored: Iterable[str] = (),
    ) -> Self:
        """As a command line names them: parts as `question=query`."""
        return cls(named_columns(parts, COLUMN_NAMES, of="row"), tuple(slices), tuple(labels), tuple(ignored))

    def __post_init__(self) -> None:
        named = (*self.parts.values(), *self.slices, *self.labels, *self.ignored)
        for column in named:
            if named.count(column) > 1:
                raise SpecError(f"the column `{column}` was named for two things")

    @property
    def named(self) -> tuple[str, ...]:
        """Columns that someone named, and which must therefore be there."""
        return (*self.parts.values(), *self.slices, *self.labels)

    def meaning_of(self, found: Collection[str], wanted: Collection[str], where: str) -> ColumnMeaning:
        """What these columns mean, of the parts that are wanted; two for one part are an error."""
        used = {*self.slices, *self.labels, *self.ignored}
        columns = ((part, self._column_of(part, found, used, where)) for part in wanted)
        parts = {part: column for part, column in columns if column is not None}
        explained = used | set(parts.values())
        return ColumnMeaning(parts, tuple(column for column in found if column not in explained))

    def _column_of(self, part: str, names: Collection[str], used: set[str], where: str) -> str | None:
        unavailable = used | {column for name, column in self.parts.items() if name != part}
        candidates = dict.fromkeys((self.parts.get(part, part), *COLUMN_NAMES[part]))
        present = [column for column in candidates if column in names and column not in unavailable]
        if len(present) > 1:
            listed = " and ".join(f"`{column}`" for column in present)
            raise SampleError(
                f"{where} has {listed}, which are both the `{part}`; leave one unread: "
                f"`--ignore-column {present[-1]}`, say"
            )
        return present[0] if present else None


def named_columns(given: Iterable[str], parts: Collection[str], *, of: str) -> dict[str, str]:
    """The column of each part, from what `--column` was given; each part once."""
    columns: dict[str, str] = {}
    for pair in given:
        part, is_pair, column = pair.partition("=")
        if not (is_pair and column):
            raise SpecError(f"`--column` must be PART=COLUMN, such as `question=query`; got `{pair}`")
        if part not in parts:
            raise SpecError(f"`--column {pair}`: {did_you_mean(f'part of a {of}', part, parts)}")
        if part in columns:
            raise SpecError(f"`--column` names two columns for `{part}`: `{columns[part]}` and `{column}`")
        columns[part] = column
    return columns
