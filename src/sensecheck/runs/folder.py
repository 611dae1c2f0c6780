"""Runs in a folder of JSON lines: no database, and nothing to install.

The answers of a run are lines of `answers.jsonl`, appended a batch at a time; after each batch a line says
that it is complete. What follows the last of these lines was cut off while it was written: readers do not
see it, and the next writer drops it. So a batch is there completely or not at all, whatever happens.
"""

import json
import os
import re
from array import array
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from io import FileIO
from pathlib import Path
from typing import Any, Self, cast

import numpy as np

from sensecheck.core.run import MetricScore, Run, ScoredAnswer
from sensecheck.execution.local import NO_LOCKS, LocalLocation, folder_to_disk
from sensecheck.execution.location import refusals
from sensecheck.io.locks import lock
from sensecheck.runs.file_place import FilePlace, answer_data, answer_of, folder_of
from sensecheck.runs.jsonl import json_line, write_all
from sensecheck.runs.place import Answered
from sensecheck.runs.stored_values import counted_answers, positions_once, storable_answer, written_by_another
from sensecheck.store.columns import now

ANSWERS_FILE = "answers.jsonl"
_BATCH = b'{"batch":'
"""How the line begins that ends a batch; lines of answers begin with their position."""
_POSITION = re.compile(rb'\{"position":(\d+)[,}]')
_BLOCK = 1 << 16
_LEFT_OUT = {"value": None, **MetricScore._field_defaults}
"""What need not be written."""


class FolderPlace(FilePlace):
    """A folder of this machine, or of a disk that several machines share."""

    kind = "folder"

    def __init__(self, path: Path) -> None:
        self._path = path
        self._writers: list[FolderWriter] = []
        super().__init__(LocalLocation(path))

    @classmethod
    def open(cls, address: str) -> Self:
        """The folder at `folder:PATH` or at a path; it is made when something is stored."""
        return cls(Path(address.removeprefix(f"{cls.kind}:")).expanduser())

    def writer(self, run: Run) -> "FolderWriter":
        """The only one who writes the answers of a run, from its first batch until the place is closed."""
        writer = FolderWriter(self._answers_file(run.key), run)
        self._writers.append(writer)
        return writer

    def finish(self, run: Run) -> None:
        """Record that a run is complete; only once."""
        super().finish(run)
        for writer in self._writers:
            if writer.run.key == run.key:
                writer.close()

    def close(self) -> None:
        """Release files and locks."""
        for writer in self._writers:
            writer.close()
        self._writers.clear()
        super().close()

    def progress(self, key: int) -> tuple[int, int]:
        """As the last complete batch says."""
        with suppress(FileNotFoundError), self._answers_file(key).open("rb") as file:
            batch, _ = _last_batch(file)
            return batch.get("done", 0), batch.get("answered", 0)
        return 0, 0

    def scored(self, run: Run, positions: Sequence[int] | None = None) -> Iterator[tuple[int, ScoredAnswer]]:
        """The answers of a run in rising order of their positions, or those at some positions."""
        with suppress(FileNotFoundError), self._answers_file(run.key).open("rb") as file:
            _, end = _last_batch(file)
            places, offsets = _lines_of_answers(file, end)
            order = np.argsort(places, kind="stable")
            if positions is not None:
                order = order[np.isin(places[order], np.array(positions, dtype=np.int64))]
            for at in order.tolist():
                file.seek(offsets[at])
                yield int(places[at]), answer_of(json.loads(file.readline()))

    def _answers_file(self, key: int) -> Path:
        return self._path / folder_of(key) / ANSWERS_FILE


@dataclass(slots=True)
class FolderWriter:
    """Appends batches to the file of a run, which is locked from the first batch on.

    The lock goes with the process, however that ends.
    """

    path: Path
    run: Run
    _file: FileIO | None = None
    """Without a buffer: what could not be written is not tried again when the file is closed."""
    _there: set[int] = field(default_factory=set)
    _firsts: set[int] = field(default_factory=set)
    """Where batches of this writer begin."""
    _done: int = 0
    _answered: int = 0

    def add(self, answered: Answered) -> None:
        """Store a batch; when it returns, the batch is on the disk."""
        if not answered:
            return
        with refusals(str(self.path)):
            first = answered[0][0].position
            positions = positions_once(placed.position for placed, _ in answered)
            file = self._opened(first) if self._file is None else self._file
            if first in self._firsts:
                return
            if positions & self._there:
                raise written_by_another(self.run, first)
            end = file.seek(0, os.SEEK_END)
            try:
                self._append(file, answered)
            except BaseException:
                file.truncate(end)
                raise
            self._firsts.add(first)
            self._there |= positions

    def close(self) -> None:
        """Release the file and its lock."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def _append(self, file: FileIO, answered: Answered) -> None:
        stored_answers = [(placed, storable_answer(scored)) for placed, scored in answered]
        lines = (_line_of(placed.position, scored) for placed, scored in stored_answers)
        write_all(file, b"".join(lines))
        os.fsync(file.fileno())  # a line that says that a batch is complete is never there before it
        done, count = self._done + len(stored_answers), self._answered + counted_answers(stored_answers)
        batch = {
            "first": stored_answers[0][0].position,
            "size": len(stored_answers),
            "done": done,
            "answered": count,
        }
        write_all(file, json_line({"batch": {**batch, "written_at": now().isoformat()}}))
        os.fsync(file.fileno())
        self._done, self._answered = done, count

    def _opened(self, first: int) -> FileIO:
        """The file, locked, and without what was cut off."""
        missing = [folder for folder in self.path.parents if not folder.is_dir()]
        self.path.parent.mkdir(parents=True, exist_ok=True)
        for folder in missing:  # the name of a new folder survives as well as those in it
            folder_to_disk(folder.parent)
        file = FileIO(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o666), "r+")
        try:
            lock(cast(Any, file))
        except OSError as error:
            if error.errno not in NO_LOCKS:
                file.close()
                raise written_by_another(self.run, first) from None
        folder_to_disk(self.path.parent)
        batch, end = _last_batch(file)
        file.truncate(end)
        self._done, self._answered = batch.get("done", 0), batch.get("answered", 0)
        with self.path.open("rb") as lines:
            self._there = set(_lines_of_answers(lines, end)[0].tolist())
        self._file = file
        return file


def _last_batch(file: Any) -> tuple[dict[str, Any], int]:
    """What the last complete batch says, and where it ends; looked for from the end."""
    end = size = file.seek(0, os.SEEK_END)
    tail = b""
    while end > 0:
        start = max(0, end - _BLOCK)
        file.seek(start)
        tail = file.read(end - start) + tail
        end = start
        at = len(tail)
        while (at := tail.rfind(b"\n" + _BATCH, 0, at)) >= 0:
            line, newline, _ = tail[at + 1 :].partition(b"\n")
            if newline:
                return json.loads(line)["batch"], size - len(tail) + at + 1 + len(line) + 1
            at += 1
    return {}, 0


def _lines_of_answers(file: Any, end: int) -> tuple[np.ndarray[Any, np.dtype[np.int64]], "array[int]"]:
    """The position of each answer up to an end, and where its line begins."""
    places, offsets, at = array("q"), array("q"), 0
    file.seek(0)
    for line in file:
        if at >= end:
            break
        if (match := _POSITION.match(line)) is not None:
            places.append(int(match[1]))
            offsets.append(at)
        at += len(line)
    return np.array(places, dtype=np.int64), offsets


def _line_of(position: int, scored: ScoredAnswer) -> bytes:
    data = answer_data(position, scored)
    scores = [
        {part: value for part, value in score.items() if value != _LEFT_OUT.get(part)}
        for score in data["scores"]
    ]
    there = {**data, "labels": data["labels"] or None, "scores": scores or None}
    return json_line({part: value for part, value in there.items() if value is not None})
