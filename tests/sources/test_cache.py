"""Answers that are kept: none is asked for twice, and none is lost when a run is killed."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from sensecheck.io.blobcache import AnswerFile
from sensecheck.sources.cache import CachedSource
from sensecheck.sources.loading import SourceOptions, connect
from sensecheck.sources.source import Answer, AnswerSource, NoAnswer, Question
from tests.sources.described import Server, spec, text

ROOT = Path(__file__).parents[2]


class Counting:
    """A source that says how often it was asked before."""

    label = fingerprint = "counting"
    concurrency = 1
    cacheable = True

    def __init__(self) -> None:
        self.asked = 0

    def answer(self, question: Question) -> Answer | NoAnswer:
        self.asked += 1
        if question.prompt == "nobody":
            return NoAnswer("nobody is there")
        return Answer(f"{question.prompt} {self.asked}", latency_ms=12.5, cost=0.003)


@pytest.fixture
def file(tmp_path: Path) -> AnswerFile:
    return AnswerFile(tmp_path / "answers.sqlite3")


def test_a_question_is_asked_once(file: AnswerFile) -> None:
    first = CachedSource(Counting(), file).answer(Question("hi"))
    again = Counting()

    assert CachedSource(again, file).answer(Question("hi")) == first == Answer("hi 1", 12.5, 0.003)
    assert again.asked == 0


def test_a_repeat_is_another_question(file: AnswerFile) -> None:
    source = CachedSource(Counting(), file)
    said = [text(source.answer(Question("hi", repeat=repeat))) for repeat in (1, 2, 3, 1, 2, 3)]

    assert said == ["hi 1", "hi 2", "hi 3", "hi 1", "hi 2", "hi 3"]


def test_variables_matter_to_those_who_read_them(file: AnswerFile) -> None:
    questions = [Question("hi", vars={"city": city}) for city in ("Bern", "Rom")]
    reads, reads_not = (
        CachedSource(Counting(), file, namespace="a"),
        CachedSource(Counting(), file, namespace="b", reads_vars=False),
    )

    assert [text(reads.answer(one)) for one in questions] == ["hi 1", "hi 2"]
    assert [text(reads_not.answer(one)) for one in questions] == ["hi 1", "hi 1"]


def test_why_there_was_no_answer_is_not_kept(file: AnswerFile) -> None:
    source = Counting()
    remembered = CachedSource(source, file)
    assert remembered.answer(Question("nobody")) == remembered.answer(Question("nobody"))
    assert source.asked == 2
    assert file.count() == {}


def test_the_answer_that_was_kept_first_counts(file: AnswerFile) -> None:
    class Overtaken(Counting):
        """A source during whose answer somebody else keeps one."""

        def answer(self, question: Question) -> Answer | NoAnswer:
            text(CachedSource(Counting(), file).answer(question))
            return Answer("too late")

    assert text(CachedSource(Overtaken(), file).answer(Question("hi"))) == "hi 1"


def test_a_damaged_answer_is_asked_for_again(file: AnswerFile) -> None:
    source = Counting()
    remembered = CachedSource(source, file)
    remembered.answer(Question("hi"))
    with file._open() as rows:
        rows.execute("UPDATE answers SET body = x'ff00'")

    assert text(remembered.answer(Question("hi"))) == "hi 2"
    assert text(remembered.answer(Question("hi"))) == "hi 2"


def test_half_a_surrogate_pair_survives(file: AnswerFile) -> None:
    source = CachedSource(Counting(), file)
    assert text(source.answer(Question("\ud83d"))) == text(source.answer(Question("\ud83d"))) == "\ud83d 1"


def connected(server: Server, folder: Path, run: str) -> tuple[AnswerSource, ...]:
    (folder / "answers.py").write_text(
        "from itertools import count\nN = count(1)\ndef answer(p): return str(next(N))"
    )
    specs = [
        spec("openai:chat:m", {"apiBaseUrl": f"{server.address}/v1"}),
        spec("file://answers.py"),
        spec("echo"),
    ]
    return connect(specs, SourceOptions(folder), cache_file=folder / "kept.sqlite3", run=run)


def test_code_is_asked_anew_by_another_run_and_an_endpoint_is_not(server: Server, tmp_path: Path) -> None:
    for run, said in (("1", "1"), ("1", "1"), ("2", "1")):
        model, code, echo = connected(server, tmp_path, run)
        assert text(model.answer(Question("another-run-mark"))) == "m heard another-run-mark"
        assert text(code.answer(Question("x"))) == said
        assert text(echo.answer(Question("x"))) == "x"

    assert len(server.stats("another-run-mark")["asked"]) == 1
    counts = AnswerFile(tmp_path / "kept.sqlite3").count()
    assert sorted((maker.partition(":")[0], count) for maker, count in counts.items()) == [
        ("openai", 1),
        ("python", 2),
    ]


KILLED = """
import sys
from pathlib import Path
from sensecheck.sources.concurrency import ask_in_order
from sensecheck.sources.loading import SourceOptions, connect
from sensecheck.sources.source import Question
from tests.sources.described import spec

config = {"body": {"ask": "{{prompt}}"}, "transformResponse": "json.reply[0].text"}
options = SourceOptions(Path(), concurrency=1)
(page,) = connect([spec(sys.argv[1] + "/ask", config)], options, cache_file=Path(sys.argv[2]), run="1")
for heard in ask_in_order(((page, Question(f"!slow killed-mark {n}")) for n in range(8)), concurrency=1):
    print(heard.text, flush=True)
"""


@pytest.mark.slow
def test_a_killed_run_asks_nothing_again_that_was_answered(server: Server, tmp_path: Path) -> None:
    command = [sys.executable, "-c", KILLED, server.address, str(tmp_path / "kept.sqlite3")]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(3)]
        process.kill()
    time.sleep(0.3)
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines(
        keepends=True
    )

    assert said == [f"heard !slow killed-mark {n}\n" for n in range(8)]
    assert said[:3] == lines
    assert 8 <= len(server.stats("killed-mark")["asked"]) <= 9  # one may have been under way
