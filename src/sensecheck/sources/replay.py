"""Sources that ask no one: one that replays recorded answers, and one that echoes the prompt."""

from collections.abc import Iterator
from csv import Error as CsvError
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from sensecheck.core.errors import SpecError
from sensecheck.core.serialization import did_you_mean
from sensecheck.datasets.rows import digest_of_file
from sensecheck.datasets.streams import not_utf8
from sensecheck.sources.recordings import (
    AnswerRecord,
    RecordedTable,
    csv_rows,
    json_lines,
    own_run,
    promptfoo_results,
)
from sensecheck.sources.source import Answer, NoAnswer, Question, SourceOptions, SourceSpec, keys_of

PREFIX = "recorded:"
SUFFIXES = (".jsonl", ".ndjson", ".csv", ".json")


class RecordedSource:
    """Answers by whatever a row says of its question: test, key, description, variables, prompt, repeat."""

    concurrency = 1
    cacheable = False

    def __init__(self, label: str, table: RecordedTable, *, name: str, fingerprint: str) -> None:
        self.label = label
        self.fingerprint = fingerprint
        self._table = table
        self._name = name
        self._reading = Lock()

    def answer(self, question: Question) -> Answer | NoAnswer:
        """The recorded answer; a question that has none is reported, not skipped."""
        with self._reading:
            answer = self._table.find(question)
        if answer is not None:
            return answer
        which = f"test {question.number}" + (f", `{question.description}`" if question.description else "")
        return NoAnswer(f"`{self._name}` has no recorded answer for {which}, repeat {question.repeat}")

    def unused(self) -> Iterator[str]:
        """The places of answers that no question has asked for so far."""
        return (f"{self._name}:{line}" for line in self._table.unused())


def check_recorded(spec: SourceSpec) -> str | None:
    """Whose answers are wanted, when the file holds those of several."""
    keys = keys_of(spec.config, PREFIX.rstrip(":"), ("source",))
    path = Path(spec.id.removeprefix(PREFIX))
    if path.suffix.lower() not in SUFFIXES:
        endings = ", ".join(f"`{suffix}`" for suffix in SUFFIXES)
        raise spec.config.error(f"`{spec.id}` needs a file that ends with one of {endings}")
    return keys["source"].text("`source`") if "source" in keys else None


def load_recorded(spec: SourceSpec, options: SourceOptions) -> RecordedSource:
    """The recording in a file, which is read at once."""
    path = options.folder / Path(spec.id.removeprefix(PREFIX)).expanduser()
    table = RecordedTable(path.name)
    try:
        table.add(_rows(path))
        _choose(table, check_recorded(spec), spec)
        digest = digest_of_file(path)[:16]
    except UnicodeDecodeError as error:
        raise spec.config.error(str(not_utf8(path))) from error
    except (OSError, CsvError) as error:
        raise spec.config.error(f"the recording `{path}` cannot be read: {error}") from error
    except SpecError as error:
        raise spec.config.error(str(error)) from error
    return RecordedSource(spec.label, table, name=path.name, fingerprint=f"recorded:{digest}")


def sources_in(path: Path) -> tuple[str, ...]:
    """Whose answers a file holds, by name; none when its rows do not say."""
    try:
        return tuple(dict.fromkeys(row.source for row in _rows(path) if row.source is not None))
    except UnicodeDecodeError as error:
        raise SpecError(str(not_utf8(path))) from error
    except (OSError, CsvError) as error:
        raise SpecError(f"the recording `{path}` cannot be read: {error}") from error


@dataclass(frozen=True, slots=True)
class Echo:
    """Answers with the prompt, to try out a battery without a model."""

    label: str
    fingerprint: str = "echo"
    concurrency: int = 1
    cacheable: bool = False

    def answer(self, question: Question) -> Answer:
        """The prompt."""
        return Answer(question.prompt)


def check_echo(spec: SourceSpec) -> None:
    """It takes no settings."""
    for key in spec.config.mapping(f"`config` of `{spec.id}`"):
        raise spec.config.error(f"`{spec.id}` has no keys under `config`; got `{key}`", key=key)


def load_echo(spec: SourceSpec, options: SourceOptions) -> Echo:
    """The source, under the name that the battery gives it."""
    return Echo(spec.label)


def _choose(table: RecordedTable, source: str | None, spec: SourceSpec) -> None:
    """Keep the rows of one source: the one that is asked for, or has this label, or is the only one there."""
    sources = table.sources
    chosen = source or (spec.label if spec.label in sources or len(sources) != 1 else next(iter(sources)))
    if sources and chosen not in sources:
        message = did_you_mean("source of the recorded answers", chosen, sources)
        raise SpecError(f"{message}; choose one with `config: {{source: …}}`")
    table.keep_only(chosen)


def _rows(path: Path) -> Iterator[AnswerRecord]:
    """By the end of the name; a file of lines is looked into, whether it is a run of ours."""
    if path.suffix.lower() == ".csv":
        return csv_rows(path)
    if path.suffix.lower() == ".json":
        return promptfoo_results(path)
    with path.open(encoding="utf-8") as file:
        is_run = file.read(7) == '{"run":'
    return own_run(path) if is_run else json_lines(path)
