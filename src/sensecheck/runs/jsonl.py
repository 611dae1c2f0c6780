"""Runs as a folder of JSON lines: `1.jsonl`, `2.jsonl`, …

The first line of a file says what was run, and each further line is a result, in the order of the run.
Results are written as they come, so that an interrupted run can go on where it stopped. What a complete run
came to is in a small file beside it, `1.summary.json`, so that a list of runs need not read them.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from io import FileIO
from pathlib import Path
from secrets import token_hex
from typing import Any, BinaryIO, Self

from sensecheck.core.errors import NoSuchRun, SpecError, StorageError
from sensecheck.core.serialization import from_data, read_json, to_data
from sensecheck.io.atomic import write_whole
from sensecheck.io.locks import only_writer
from sensecheck.runs.result import Result

FORMAT = 1
SUFFIX = ".jsonl"
_CAUSES = {
    "digest": "the battery, or a file that it names,",
    "answers": "where its answers come from",
    "sensecheck": "the version of sensecheck",
    "encoder": "the encoder",
    "chosen": "the choice of tests",
    "conditions": "a card, the judge, the verifier, a setting or a variable of the environment",
}
"""What is named first when it has changed: the rest follows from it."""


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
    """A digest of what else decides: thresholds of checks, the judge, variables of the environment."""
    chosen: Mapping[str, Any] = field(default_factory=dict)
    """By what tests were chosen and repeated: pattern, sample, seed, repeat."""
    format: int = FORMAT

    def to_line(self) -> str:
        """The first line of a run's file."""
        return json_line({"run": to_data(self) | {"format": self.format}}).decode()

    @classmethod
    def from_line(cls, line: str, *, at: str) -> Self:
        """The header that `to_line` wrote."""
        data = read_json(line, at=at)
        if not isinstance(data, dict) or data.keys() != {"run"}:
            raise SpecError(f"`{at}` is not the beginning of a run of sensecheck")
        if isinstance(data["run"], dict) and data["run"].get("format") != FORMAT:
            raise SpecError(f"`{at}` has the format {data['run'].get('format')}; this version reads {FORMAT}")
        return from_data(cls, data["run"], at=at)


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
                at = f"{self.path}, line {number}"
                try:
                    yield Result.from_data(read_json(line.decode(), at=at))
                except UnicodeDecodeError as wrong:
                    raise SpecError(f"`{at}` is not UTF-8: {wrong.reason}") from wrong


@dataclass(frozen=True, slots=True)
class BatteryRunWriter:
    """A run that is being written."""

    number: int
    run: RunFile
    done: int
    """How many results were there before."""
    _file: FileIO
    """Without a buffer: what could not be written is not tried again when the file is closed."""

    def add(self, result: Result) -> None:
        """Keep one more result, before anything else is done with it."""
        try:
            write_all(self._file, json_line(result.to_data()))
        except OSError as wrong:
            raise StorageError(
                f"the result of test {result.test} cannot be stored in `{self.run.path}`: "
                f"{wrong.strerror or wrong}; what was judged before it is stored: fix that, and resume with "
                f"`--resume {self.number}` and the same options"
            ) from wrong

    def keeping(self, results: Iterable[Result]) -> Iterator[Result]:
        """The same results, each kept before it is handed on."""
        for result in results:
            self.add(result)
            yield result


@dataclass(frozen=True, slots=True)
class RunFolder:
    """Runs by their number."""

    path: Path

    def numbers(self) -> list[int]:
        """The runs that are there, the oldest first."""
        stems = (entry.stem for entry in self.path.glob(f"*{SUFFIX}")) if self.path.is_dir() else ()
        return sorted(
            int(stem) for stem in stems if stem.isascii() and stem.isdigit() and stem == str(int(stem))
        )

    def file(self, number: int) -> Path:
        """Where the run with this number is, or would be."""
        return self.path / f"{number}{SUFFIX}"

    def find(self, named: str) -> Path:
        """The run that is meant: by its number, as `latest` or `previous`, or by the path of its file."""
        numbers = self.numbers()
        if named in ("latest", "previous"):
            back = 1 if named == "latest" else 2
            if len(numbers) < back:
                raise NoSuchRun(f"there is no `{named}` run in `{self.path}`, which holds {len(numbers)}")
            return self.file(numbers[-back])
        if named.isascii() and named.isdigit():
            if int(named) not in numbers:
                held = ", ".join(map(str, numbers[-10:])) or "none"
                raise NoSuchRun(f"there is no run `{named}` in `{self.path}`; it holds {held}")
            return self.file(int(named))
        if not Path(named).is_file():
            raise NoSuchRun(f"`{named}` is no run: wanted a number, `latest`, `previous` or a run's file")
        return Path(named)

    def token(self, number: int) -> str:
        """The name under which answers to an interrupted run were kept; a new one when that is lost."""
        path = self._token_file(number)
        return path.read_text(encoding="ascii") if path.is_file() else new_token()

    @contextmanager
    def begin(self, header: RunHeader, token: str) -> Iterator[BatteryRunWriter]:
        """A new run, under the next number that nobody has taken."""
        number, file = self._create_file()
        with file, only_writer(file, number):
            with self._usable():
                self._token_file(number).write_text(token, encoding="ascii")
                write_all(file, header.to_line().encode())
            yield BatteryRunWriter(number, RunFile(self.file(number), header), 0, file)
            self._token_file(number).unlink(missing_ok=True)

    @contextmanager
    def resume(self, number: int, header: RunHeader) -> Iterator[BatteryRunWriter]:
        """A run that was interrupted, if it is still the same run; half a line at its end is dropped."""
        path = self.find(str(number))
        with path.open("r+b") as file, only_writer(file, number):
            first = file.readline()
            if not first.endswith(b"\n"):
                raise SpecError(f"the run {number} was interrupted before it began; start a new one")
            _require_same_header(number, RunHeader.from_line(first.decode(), at=f"{path}, line 1"), header)
            done = _drop_torn(file)
            with path.open("ab", buffering=0) as end:
                yield BatteryRunWriter(number, RunFile(path, header), done, end)
            self._token_file(number).unlink(missing_ok=True)

    def resumable(self, named: str, battery: str) -> int:
        """The run to go on with: by its number, or `latest` for the newest of a battery that is not whole."""
        if named != "latest":
            if not (named.isascii() and named.isdigit()):
                raise SpecError(f"`{named}` is not the number of a run; wanted one, or `latest`")
            number = int(named)
            if State.of(self.find(str(number))).whole:
                raise SpecError(f"the run {number} is whole; there is nothing to resume")
            return number
        for number in reversed(self.numbers()):
            state = State.of(self.file(number))
            if state.header is not None and state.header.battery == battery and not state.whole:
                return number
        raise SpecError(f"no run of `{battery}` in `{self.path}` was interrupted; there is nothing to resume")

    def _token_file(self, number: int) -> Path:
        return self.path / f"{number}.token"

    def _create_file(self) -> tuple[int, FileIO]:
        number = max(self.numbers(), default=0)
        with self._usable():
            self.path.mkdir(parents=True, exist_ok=True)
            while True:
                number += 1
                try:
                    return number, self.file(number).open("xb", buffering=0)
                except FileExistsError:
                    continue

    @contextmanager
    def _usable(self) -> Iterator[None]:
        try:
            yield
        except OSError as wrong:
            raise SpecError(f"no run can be kept in `{self.path}`: {wrong.strerror or wrong}") from wrong


@dataclass(frozen=True, slots=True)
class StoredSummary:
    """What a complete run came to; it counts only as long as the run is as it was."""

    bytes: int
    """The size of the run's file."""
    results: int
    tests: int
    passed: int

    @property
    def pass_rate(self) -> float | None:
        """The share of tests that passed; None without any."""
        return self.passed / self.tests if self.tests else None

    @classmethod
    def of(cls, path: Path) -> Self | None:
        """That of the run in a file; None where there is none, or the run was changed after it."""
        with suppress(OSError, SpecError, UnicodeDecodeError):  # the run itself is read then
            summary_path, run = summary_file(path), path.stat()
            summary = from_data(
                cls, read_json(summary_path.read_text("utf-8"), at=str(summary_path)), at=str(summary_path)
            )
            if summary.bytes == run.st_size and summary_path.stat().st_mtime_ns >= run.st_mtime_ns:
                return summary
        return None

    @classmethod
    def write(cls, path: Path, *, results: int, tests: int, passed: int) -> None:
        """Store it beside the run; where that is not possible, a list reads the run."""
        with suppress(OSError, SpecError):
            summary = cls(path.stat().st_size, results, tests, passed)
            write_whole(summary_file(path), json_line(to_data(summary)).decode())


@dataclass(frozen=True, slots=True)
class State:
    """What is known of a run without reading its results."""

    header: RunHeader | None
    """None when it was interrupted before it began."""
    done: int

    @classmethod
    def of(cls, path: Path) -> Self:
        """That of the run in a file; results are counted where no summary says how many there are."""
        with path.open("rb") as file:
            first = file.readline()
            if not first.endswith(b"\n"):
                return cls(None, 0)
            header = RunHeader.from_line(first.decode(errors="replace"), at=f"{path}, line 1")
            summary = StoredSummary.of(path)
            lines = (line.endswith(b"\n") for line in file)
            return cls(header, sum(lines) if summary is None else summary.results)

    @property
    def whole(self) -> bool:
        """Whether all of its results are there."""
        return self.header is not None and self.done >= self.header.cells


def summary_file(path: Path) -> Path:
    """Where the summary of the run in a file is."""
    return path.with_suffix(".summary.json")


def result_line(result: Result) -> str:
    """A result as it stands in a run's file."""
    return json_line(result.to_data()).decode()


def json_line(data: Mapping[str, Any]) -> bytes:
    """One line of JSON; halves of surrogate pairs are escaped."""
    return compact_json(data).encode("utf-8", "backslashreplace") + b"\n"


def write_all(file: FileIO, content: bytes) -> None:
    """Write all of it to a file without a buffer, which takes as much at a time as it can."""
    left = memoryview(content)
    while left:
        left = left[file.write(left) :]


def compact_json(data: Any) -> str:
    """Plain data as JSON without spaces; a number that is not finite is an error."""
    return json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def new_token() -> str:
    """A name that no run had before: when a folder is deleted, its numbers begin again."""
    return token_hex(8)


def _drop_torn(file: BinaryIO) -> int:
    """How many whole results follow; the file ends after them, and is resumed there."""
    done, end = 0, file.tell()
    for line in file:
        if not line.endswith(b"\n"):
            break
        done, end = done + 1, end + len(line)
    file.seek(end)
    file.truncate()
    return done


def _require_same_header(number: int, was: RunHeader, now: RunHeader) -> None:
    for name in dict.fromkeys([*_CAUSES, *(one.name for one in fields(RunHeader))]):
        before, after = getattr(was, name), getattr(now, name)
        if before != after:
            what = _CAUSES.get(name, f"its `{name}`")
            raise SpecError(
                f"the run {number} cannot go on: {what} has changed, from `{_in_words(before)}` to "
                f"`{_in_words(after)}`; start a new one without `--resume`"
            )


def _in_words(value: object) -> str:
    return ", ".join(value) if isinstance(value, tuple) else str(value)
