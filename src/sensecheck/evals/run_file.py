"""A run on disk: a line that says what was run, then a line for each result, in the order of the run."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import from_data, read_json, to_data
from sensecheck.evals.result import Result

FORMAT = 1


@dataclass(frozen=True, slots=True)
class RunHeader:
    """What was run: the same input gives the same header, so it knows no dates and no machines."""

    battery: str
    """The name of the battery's file."""
    digest: str
    """Of the battery and of all files that it names."""
    sensecheck: str
    """The version that judged."""
    encoder: str
    """As the settings name it; every verdict carries the fingerprint."""
    sources: tuple[str, ...]
    wordings: tuple[str, ...]
    tests: int
    """How many tests were chosen."""
    cells: int
    """How many results there will be, when the run is whole."""
    description: str = ""
    answers: str = ""
    """Of the sources: changes whenever other answers are to be expected."""
    conditions: str = ""
    """A digest of what else decides: the lines of the checks, the judge, variables of the environment."""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """By what tests were chosen and repeated: pattern, sample, seed, repeat."""
    format: int = FORMAT

    def to_line(self) -> str:
        """The first line of a run's file."""
        return _line({"run": to_data(self) | {"format": self.format}})

    @classmethod
    def from_line(cls, line: str, *, at: str) -> Self:
        """The header that `to_line` wrote."""
        held = read_json(line, at=at)
        if not isinstance(held, dict) or held.keys() != {"run"}:
            raise SpecError(f"`{at}` is not the beginning of a run of sensecheck")
        if isinstance(held["run"], dict) and held["run"].get("format") != FORMAT:
            raise SpecError(f"`{at}` has the format {held['run'].get('format')}; this version reads {FORMAT}")
        return from_data(cls, held["run"], at=at)


@dataclass(frozen=True, slots=True)
class RunFile:
    """A run that can be read again and again, a line at a time."""

    path: Path
    header: RunHeader

    @classmethod
    def open(cls, path: Path) -> Self:
        """The run in a file; what is no run is an error."""
        try:
            with path.open(encoding="utf-8") as file:
                return cls(path, RunHeader.from_line(file.readline(), at=f"{path}, line 1"))
        except (OSError, UnicodeDecodeError) as wrong:
            raise SpecError(f"the run `{path}` cannot be read: {wrong}") from wrong

    def results(self) -> Iterator[Result]:
        """Its results, in the order of the run; half a line at the end of one that was cut off is none."""
        with self.path.open("rb") as file:
            file.readline()
            for number, line in enumerate(file, 2):
                if not line.endswith(b"\n"):
                    return
                yield _result(line, at=f"{self.path}, line {number}")


def result_line(result: Result) -> str:
    """A result as it stands in a run's file."""
    return _line(result.to_data())


def _result(line: bytes, *, at: str) -> Result:
    try:
        return Result.from_data(read_json(line.decode(), at=at))
    except UnicodeDecodeError as wrong:
        raise SpecError(f"`{at}` is not UTF-8: {wrong.reason}") from wrong


def _line(data: Mapping[str, Any]) -> str:
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode("utf-8", "backslashreplace").decode() + "\n"
