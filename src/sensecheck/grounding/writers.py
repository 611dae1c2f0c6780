"""Writers as settings describe them, and one that repeats recorded answers.

A description is `extractive`, `openai:URL#MODEL` or `recorded:FILE`.
"""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from sensecheck.core.errors import BackendError, SpecError
from sensecheck.core.serialization import did_you_mean, from_data, read_json
from sensecheck.grounding.extractive import ExtractiveWriter, Find
from sensecheck.grounding.writer import Writer, WriterFailed, WriterRequest, is_fallback

# ruff: noqa: PLC0415 - who wants no model need not have a client for one

_KNOWN = ("extractive", "openai", "recorded")


def load_writer(
    described: str,
    find: Find,
    *,
    key: str | None = None,
    timeout: float = 30.0,
    first_token: float = 60.0,
) -> Writer:
    """The writer that is described; `find` is for the extractive one, the rest for an endpoint."""
    kind, _, argument = described.partition(":")
    if kind == "extractive":
        if argument:
            raise SpecError("the writer `extractive` needs nothing after its name")
        return ExtractiveWriter(find)
    if kind == "openai":
        return _openai(argument, key, timeout, first_token)
    if kind == "recorded":
        if not argument:
            raise SpecError("the writer `recorded` needs a file: `recorded:FILE.jsonl`")
        return RecordedWriter.from_file(Path(argument).expanduser())
    raise SpecError(did_you_mean("writer", kind, _KNOWN))


@dataclass(frozen=True, slots=True)
class WrittenAnswer:
    """One answer: a line of the file."""

    question: str
    answer: str
    passage: str | None = None
    """The only passage for which it holds; None for any."""
    pieces: tuple[str, ...] = ()
    """How it is cut when it is written; all at once without them."""
    pause_ms: float = 0.0
    """Before each piece."""

    def __post_init__(self) -> None:
        if self.pieces and "".join(self.pieces) != self.answer:
            raise SpecError("`pieces` must be the `answer`, cut; joined they are something else")
        if self.pause_ms < 0:
            raise SpecError(f"`pause_ms` must be at least 0; got {self.pause_ms}")


class RecordedWriter:
    """Says again what was recorded, and nothing else."""

    def __init__(self, recordings: Mapping[tuple[str, str | None], WrittenAnswer], name: str) -> None:
        self._recordings = recordings
        self.name = f"recorded:{name}"

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """From lines `{"question": …, "answer": …}`, with `passage`, `pieces` and `pause_ms` where wanted."""
        try:
            lines = path.read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
            raise BackendError(f"the recording `{path}` cannot be read: {why}") from error
        recordings: dict[tuple[str, str | None], WrittenAnswer] = {}
        for number, line in enumerate(lines, 1):
            if line.strip():
                at = f"line {number} of the recording `{path.name}`"
                recording = _recording(line, at)
                if recordings.setdefault((recording.question, recording.passage), recording) is not recording:
                    raise SpecError(f"{at} has a question and passage that an earlier line has too")
        return cls(recordings, path.name)

    async def write(self, asked: WriterRequest) -> AsyncGenerator[str, None]:
        """The answer in its pieces; nothing where the fallback was recorded."""
        any_passage = self._recordings.get((asked.question, None))
        recording = self._recordings.get((asked.question, asked.passage), any_passage)
        if recording is None:
            raise WriterFailed("refused", f"the question is not in the recording `{self.name}`")
        if is_fallback(recording.answer):
            return
        for piece in recording.pieces or (recording.answer,):
            await asyncio.sleep(recording.pause_ms / 1000)
            yield piece

    async def close(self) -> None:
        """End nothing: there is no connection."""


def _openai(argument: str, key: str | None, timeout: float, first_token: float) -> Writer:
    from sensecheck.grounding.openai_writer import WriterTimeouts, openai_writer
    from sensecheck.judges.openai import Sampling

    url, _, served = argument.partition("#")
    model, _, sampling = served.partition("?")
    patience = WriterTimeouts(whole=timeout, first_token=first_token)
    return openai_writer(url, model, api_key=key, patience=patience, sampling=Sampling.from_text(sampling))


def _recording(line: str, at: str) -> WrittenAnswer:
    data = read_json(line, at=at)
    try:
        return from_data(WrittenAnswer, data, at=at)
    except SpecError as error:
        raise error if at in str(error) else SpecError(f"{at}: {error}") from error
