"""Rows of a file as questions, with the answers that stand next to them."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sensecheck.core.errors import SampleError
from sensecheck.core.run import Item, RecordedAnswer
from sensecheck.datasets.columns import COLUMN_NAMES, ColumnMeaning, Columns
from sensecheck.datasets.rows import FileRow, rows_of
from sensecheck.datasets.values import label_in, number_in, text_in, texts_in, word_in

MAX_UNKNOWN_COLUMNS = 50
"""Columns that are remembered as unknown; a file that makes up a name a row has no end of them."""
MAX_MEANINGS = 256
"""Lists of columns whose meaning is remembered; objects of JSON may each have their own."""


class QuestionRow(NamedTuple):
    """A question, and the answer that stands next to it, if one does."""

    where: str
    item: Item
    given: RecordedAnswer | None
    tells_passages: bool = False
    """Whether it says what passages there were, be it that there were none."""


@dataclass(slots=True)
class FileContents:
    """What has been met in a file so far."""

    columns: set[str] = field(default_factory=set)
    """Columns that hold a part, a slice or a label."""
    parts: set[str] = field(default_factory=set)
    """Parts that some row has."""
    strange: dict[str, None] = field(default_factory=dict)
    """Columns that mean nothing to us, in the order in which they were met."""
    rows: int = 0


@dataclass(frozen=True, slots=True)
class QuestionRows:
    """The rows of a file, as often as they are gone through."""

    path: Path
    columns: Columns
    wanted: tuple[str, ...] = tuple(COLUMN_NAMES)
    """The parts that are read; a column that holds another one counts as strange."""
    seen: FileContents = field(default_factory=FileContents)

    def __iter__(self) -> Iterator[QuestionRow]:
        meanings: dict[tuple[str, ...], ColumnMeaning] = {}
        column_of: dict[str, tuple[str, str]] = {}
        for row in rows_of(self.path):
            names = tuple(row.values)
            if names not in meanings:
                if len(meanings) == MAX_MEANINGS:
                    meanings.clear()
                meanings[names] = self._meaning(names, row.where, column_of)
            self.seen.rows += 1
            yield self._read(row, meanings[names].parts)

    def _meaning(
        self, names: Collection[str], where: str, column_of: dict[str, tuple[str, str]]
    ) -> ColumnMeaning:
        """What the columns are; a part that stands in another column than before is an error."""
        meaning = self.columns.meaning_of(names, self.wanted, where)
        for part, column in meaning.parts.items():
            earlier, first = column_of.setdefault(part, (column, where))
            if earlier != column:
                raise SampleError(f"{where} has the `{part}` in `{column}`, and {first} in `{earlier}`")
        for column in meaning.strange[: MAX_UNKNOWN_COLUMNS - len(self.seen.strange)]:
            self.seen.strange[column] = None
        named_columns = {*self.columns.slices, *self.columns.labels} & set(names)
        self.seen.columns |= named_columns | set(meaning.parts.values())
        return meaning

    def _read(self, row: FileRow, columns: Mapping[str, str]) -> QuestionRow:
        """Strictly; of an empty cell only that of the answer says something."""
        where, values = row.where, {part: row.values[column] for part, column in columns.items()}
        if row.is_cells:
            values = {part: cell for part, cell in values.items() if cell != "" or part == "answer"}
        values = {part: value for part, value in values.items() if value is not None}
        self.seen.parts |= {part for part, value in values.items() if value != []}
        pair = Item(
            text_in(values.get("question"), where, columns.get("question", "")),
            text_in(values.get("expected"), where, columns.get("expected", "")),
            texts_in(values.get("passages"), where, columns.get("passages", "")),
            self._slices(row),
            word_in(values.get("id"), where, columns.get("id", "")) or "",
        )
        return QuestionRow(where, pair, self._recorded_answer(values, row, columns), "passages" in values)

    def _slices(self, row: FileRow) -> dict[str, str]:
        words = ((name, word_in(row.values.get(name), row.where, name)) for name in self.columns.slices)
        return {name: word for name, word in words if word is not None}

    def _recorded_answer(
        self, values: Mapping[str, object], row: FileRow, columns: Mapping[str, str]
    ) -> RecordedAnswer | None:
        answer = text_in(values.get("answer"), row.where, columns.get("answer", ""))
        spent = {
            part: number_in(values.get(part), row.where, columns.get(part, ""))
            for part in ("latency_ms", "cost")
        }
        values_by_name = (
            (name, label_in(row.values.get(name), row.where, name)) for name in self.columns.labels
        )
        labels = {name: value for name, value in values_by_name if value is not None}
        if answer is not None:
            return RecordedAnswer(answer, latency_ms=spent["latency_ms"], cost=spent["cost"], labels=labels)
        if labels:
            raise SampleError(f"{row.where} has a label, and no answer that it could be about")
        return None
