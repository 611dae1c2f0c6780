"""What a user's own code may do to us: print, put another output in its place, raise what few expect."""

import sys
from pathlib import Path

import pytest

from sensecheck.documents.node import Node, Place
from sensecheck.sources.loading import SourceOptions, load_source
from sensecheck.sources.source import AnswerSource, NoAnswer, Question, SourceSpec


def source(folder: Path, code: str) -> AnswerSource:
    (folder / "own_source.py").write_text(code)
    spec = SourceSpec("file://own_source.py", "own", Node.of({}, Place("b.yaml", 1)))
    return load_source(spec, SourceOptions(folder, {}, timeout=5.0, retries=0, concurrency=1))


@pytest.mark.parametrize("raised", ["asyncio.CancelledError()", "SystemExit(0)", "ValueError('a key')"])
def test_whatever_a_function_raises_is_no_answer(raised: str, tmp_path: Path) -> None:
    found = source(tmp_path, f"import asyncio\n\ndef answer(prompt):\n    raise {raised}\n").answer(
        Question("?")
    )

    assert isinstance(found, NoAnswer)
    assert "line 4" in found.because
    assert found.because.endswith({"SystemExit(0)": ": 0", "ValueError('a key')": ": a key"}.get(raised, "4"))


def test_an_output_that_a_file_puts_in_place_of_ours_does_not_stay(tmp_path: Path) -> None:
    before = sys.stdout
    code = "import io, sys\nsys.stdout = io.StringIO()\n\ndef answer(prompt):\n    return prompt\n"
    source(tmp_path, code)

    assert sys.stdout is before
