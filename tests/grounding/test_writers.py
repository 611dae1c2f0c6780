"""Writers without a model: recorded answers, and sentences of the passage; and how each is described."""

import asyncio
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import BackendError, SpecError
from sensecheck.grounding.extractive import ExtractiveWriter
from sensecheck.grounding.writer import FALLBACK, Writer, WriterRequest
from sensecheck.grounding.writers import RecordedWriter, load_writer
from tests.grounding.written import heard


def recording(folder: Path, *lines: dict[str, Any]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    return path


def written(writer: Writer, question: str, passage: str = "p") -> tuple[list[str], str]:
    """The pieces, and the trouble."""
    pieces, failed = asyncio.run(heard(writer, WriterRequest(question, passage)))
    return pieces, failed.trouble if failed else ""


def test_a_recorded_answer_comes_in_its_pieces_and_pauses(tmp_path: Path) -> None:
    line = {"question": "When?", "answer": "In 1932.", "pieces": ["In", " 19", "32."], "pause_ms": 30}
    before = time.perf_counter()

    assert written(RecordedWriter.from_file(recording(tmp_path, line)), "When?") == (["In", " 19", "32."], "")
    assert time.perf_counter() - before > 0.08


def test_a_recording_for_the_passage_comes_before_one_for_any(tmp_path: Path) -> None:
    lines = [{"question": "q", "answer": "any"}, {"question": "q", "passage": "mine", "answer": "this"}]
    writer = RecordedWriter.from_file(recording(tmp_path, *lines))

    assert written(writer, "q", "mine") == (["this"], "")
    assert written(writer, "q", "other") == (["any"], "")


def test_an_unknown_question_is_a_failure_and_the_fallback_is_no_answer(tmp_path: Path) -> None:
    writer = RecordedWriter.from_file(recording(tmp_path, {"question": "q", "answer": FALLBACK}))

    assert written(writer, "q") == ([], "")
    assert written(writer, "Q?") == ([], "refused")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "is not JSON"),
        ("[]", "must be a mapping"),
        ('{"question": "q"}', "lacks the key `answer`"),
        ('{"question": "q", "answer": "a", "peices": []}', "peices"),
        ('{"question": "q", "answer": "a", "pieces": ["b"]}', "must be the `answer`"),
        ('{"question": "q", "answer": "a", "pause_ms": -1}', "at least 0"),
        ('{"question": "q", "answer": "a"}\n{"question": "q", "answer": "b"}', "line 2 .* earlier line"),
    ],
)
def test_a_line_that_is_wrong_is_an_error_that_says_where(tmp_path: Path, line: str, says: str) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text(line, encoding="utf-8")

    with pytest.raises(SpecError, match=says) as wrong:
        RecordedWriter.from_file(path)
    assert "of the recording" in str(wrong.value)


def test_a_file_that_is_not_there_or_no_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="cannot be read: No such file"):
        RecordedWriter.from_file(tmp_path / "none.jsonl")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    with pytest.raises(BackendError, match="not UTF-8"):
        RecordedWriter.from_file(tmp_path / "bytes")


def finding(*spans: tuple[int, int]) -> ExtractiveWriter:
    async def find(asked: WriterRequest) -> Sequence[tuple[int, int]]:
        return spans

    return ExtractiveWriter(find)


def test_an_extract_has_the_words_and_the_order_of_the_passage() -> None:
    passage = "One is here.  Two is there. Three is away.\n\nFour is last."

    assert written(finding((14, 27), (0, 12)), "q", passage) == (["One is here.", "  Two is there."], "")
    assert "".join(written(finding((0, 12), (28, 42)), "q", passage)[0]) == "One is here. Three is away."
    assert "".join(written(finding((0, 12), (44, 57)), "q", passage)[0]) == "One is here.\n\nFour is last."
    assert written(finding(), "q", passage) == ([], "")


def test_writers_are_loaded_by_how_they_are_described(tmp_path: Path) -> None:
    path = recording(tmp_path, {"question": "q", "answer": "a"})

    async def find(asked: WriterRequest) -> Sequence[tuple[int, int]]:
        return [(0, 1)]

    assert load_writer("extractive", find).name == "extractive"
    assert load_writer("openai:http://localhost:1/v1#smol?temperature=1", find, key="k").name == "openai:smol"
    assert load_writer(f"recorded:{path}", find).name == "recorded:answers.jsonl"
    for wrong, says in (
        ("extracive", "extractive"),
        ("", "extractive"),
        ("extractive:x", "nothing after"),
        ("openai:localhost", "openai:http"),
        ("recorded:", "recorded:FILE"),
    ):
        with pytest.raises(SpecError, match=says):
            load_writer(wrong, find)
