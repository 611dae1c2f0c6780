"""Replies recorded once, and said again without the judge."""

import json
from pathlib import Path

import pytest

from sensecheck.core.encoder import Unanswered
from sensecheck.core.errors import AnswererError
from sensecheck.core.judging import load_judge
from sensecheck.core.needs import Prompt
from sensecheck.judges.prompt_key import prompt_key
from sensecheck.judges.recorded import Recorded
from sensecheck.judges.recording import Recording
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

    with pytest.raises(AnswererError, match=r"records the judge `openai:mine:.*; record to another file"):
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
        ('{"prompt": "a", "reply": "b"}\n{"prom', "line 2 of the recording"),
        ('{"prompt": "a", "reply": "b", "judge": "x"}\n{"prompt": "c", "reply": "d"}', "of 2 judges"),
    ],
)
def test_what_is_no_recording_is_an_error_that_says_where(tmp_path: Path, content: str, says: str) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(content)

    with pytest.raises(AnswererError, match=says):
        load_judge(f"recorded:{file}")


def test_a_file_that_is_not_there_or_cannot_be_written_is_an_error(server: Server, tmp_path: Path) -> None:
    with pytest.raises(AnswererError, match="cannot be read: No such file"):
        load_judge(f"recorded:{tmp_path / 'nowhere.jsonl'}")
    with pytest.raises(AnswererError, match="cannot be recorded to: No such file"):
        Recording.to_file(server.judge("unwritten"), tmp_path / "no" / "folder.jsonl").ask(PROMPTS)
