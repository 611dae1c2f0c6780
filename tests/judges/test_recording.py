"""Replies recorded once, and said again without the judge."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from sensecheck.core.backends import Unanswered
from sensecheck.core.errors import BackendError
from sensecheck.core.loading import load_judge
from sensecheck.core.needs import Prompt
from sensecheck.judges.cache import prompt_key
from sensecheck.judges.recording import Recorded, Recording
from tests.judges.asked import REPLIES, Server

PROMPTS = [Prompt(text) for text in REPLIES]


def test_what_was_recorded_is_said_again_in_the_name_of_who_said_it(server: Server, tmp_path: Path) -> None:
    file, judge = tmp_path / "replies.jsonl", server.judge("recorded")
    said = Recording.to_file(judge, file).ask([*PROMPTS, Prompt("!silent"), PROMPTS[0]])
    replayed = load_judge(f"recorded:{file}")

    assert replayed.ask(PROMPTS) == said[:2] == ["yes", "no"]
    assert replayed.fingerprint == judge.fingerprint
    assert len(file.read_text().splitlines()) == 2
    (unknown,) = replayed.ask([Prompt("!silent")])
    assert unknown == Unanswered("the prompt is not in the recording `replies.jsonl`")


def test_a_recording_goes_on_where_it_stopped_and_holds_no_prompt(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    file.touch()
    for prompts in (PROMPTS, PROMPTS, [*PROMPTS, Prompt("a new one, with Aurelia in it")]):
        Recording.to_file(server.judge("goes-on"), file).ask(prompts)

    assert len(file.read_text().splitlines()) == 3
    assert "Aurelia" not in file.read_text()


def test_a_recording_of_another_judge_is_left_alone(server: Server, tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    Recording.to_file(server.judge("mine"), file).ask(PROMPTS)

    with pytest.raises(BackendError, match=r"records the judge `openai:mine:.*; record to another file"):
        Recording.to_file(server.judge("yours"), file)


def test_a_recording_may_be_written_by_hand(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    lines = [{"prompt": prompt_key(PROMPTS[0]).hex(), "reply": reply} for reply in ("first", "second")]
    file.write_text("\n\n".join(json.dumps(line) for line in lines))
    judge = Recorded.from_file(file)

    assert judge.ask(PROMPTS[:1]) == ["first"]
    assert judge.fingerprint.startswith("recorded:")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"prompt": "a", "reply": 1}', "line 1 of the recording"),
        ('{"prompt": "a"}', "line 1 of the recording"),
        ('{"prompt": "a", "reply": "b", "judeg": "c"}', "line 1 of the recording"),
        ('{"prompt": "a", "reply": "b"}\n["a"]', "line 2 of the recording"),
        ('{"prompt": "a", "reply": "b"}\n{"prom', "line 2 of the recording .* torn while it was written"),
        ('{"prompt": "a", "reply": "b", "judge": "x"}\n{"prompt": "c", "reply": "d"}', "of 2 judges"),
    ],
)
def test_what_is_no_recording_is_an_error_that_says_where(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(content)

    with pytest.raises(BackendError, match=says):
        load_judge(f"recorded:{file}")


def test_a_file_that_is_not_there_or_cannot_be_written_is_an_error(server: Server, tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="cannot be read: No such file"):
        load_judge(f"recorded:{tmp_path / 'nowhere.jsonl'}")
    with pytest.raises(BackendError, match="cannot be recorded to: No such file"):
        Recording.to_file(server.judge("unwritten"), tmp_path / "no" / "folder.jsonl").ask(PROMPTS)


class Yes:
    """A judge that agrees."""

    fingerprint = "yes"

    def ask(self, prompts: Sequence[Prompt]) -> list[str | Unanswered]:
        return ["yes"] * len(prompts)


def test_a_recording_goes_on_after_a_last_line_that_nothing_ends(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    Recording.to_file(Yes(), file).ask(PROMPTS[:1])
    file.write_text(file.read_text().rstrip())
    Recording.to_file(Yes(), file).ask(PROMPTS)

    assert Recorded.from_file(file).ask(PROMPTS) == ["yes", "yes"]
    assert len(file.read_text().splitlines()) == 2


def test_a_torn_line_costs_no_other_and_is_named_when_the_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    judge = Recording.to_file(Yes(), file)
    judge.ask(PROMPTS[:1])
    with file.open("a") as torn:
        torn.write('{"prompt": "12')
    judge.ask(PROMPTS[1:])

    for read in (Recorded.from_file, lambda path: Recording.to_file(Yes(), path)):
        with pytest.raises(BackendError, match=r"line 2 of the recording .* written, delete it$"):
            read(file)
    first, _, last = file.read_text().splitlines()
    file.write_text(f"{first}\n{last}")
    assert Recorded.from_file(file).ask(PROMPTS) == ["yes", "yes"]


FULL = """
import resource, sys
from pathlib import Path
from sensecheck.core.errors import BackendError
from sensecheck.core.needs import Prompt
from sensecheck.judges.recording import Recording
from tests.judges.test_recording import Yes
resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
try:
    Recording.to_file(Yes(), Path(sys.argv[1])).ask([Prompt("a"), Prompt("b")])
except BackendError as told:
    print(told)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a file's size cannot be limited there")
def test_a_file_that_takes_only_a_part_is_an_error(tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    done = subprocess.run([sys.executable, "-c", FULL, str(file)], capture_output=True, text=True, check=True)

    assert file.stat().st_size == 100
    assert f"`{file}` cannot be recorded to: it took 100 of " in done.stdout
    assert "delete its last line, which is torn" in done.stdout
