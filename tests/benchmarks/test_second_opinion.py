"""The benchmark of second opinions shows a judge no label, and records what it said of every row."""

import json
from pathlib import Path

import pytest
from benchmarks.quality.asking import Given
from benchmarks.quality.second_opinion import Replayed, Row, became, recorded, replies_in, shown, spread

from sensecheck.checks.gate import Gate
from sensecheck.checks.second_opinion import seconded
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import at_least
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome
from sensecheck.judges.cache import prompt_key
from sensecheck.sense import Sense

MEANS = Row("q001", "means", Sample("At noon.", question="When?", expected="12:00"), "pass")
GROUNDED = Row("q002", "grounded", Sample("It is free.", question="Is it?", passages=("It is not.",)), "fail")
ROWS = [MEANS, GROUNDED]
SAID: list[tuple[str, Outcome, str]] = [("q001", "pass", "The same time."), ("q002", "fail", 'It is "not".')]
UNSURE = Gate(Given(0.5), at_least(0.5, doubt=(0.4, 0.6)), "means")


def test_a_judge_is_shown_no_label() -> None:
    assert list(shown(MEANS)) == ["id", "task", "question", "expected", "answer", "rubric"]
    assert list(shown(GROUNDED)) == ["id", "task", "question", "passages", "answer", "rubric"]
    assert shown(MEANS)["rubric"] in MEANS.prompt.user


def test_every_group_has_a_row_before_any_has_two() -> None:
    rows = [{"id": f"{group}{at}", "group": group} for group in "abc" for at in range(5)]

    assert sorted(row["group"] for row in spread(rows, 4))[::3] == ["a", "c"]
    assert len({row["group"] for row in spread(rows, 3)}) == 3
    assert spread(rows, 4) == spread(rows[::-1], 4)


def test_replies_are_recorded_as_the_prompt_asks_for_them() -> None:
    lines = recorded(ROWS, SAID)

    assert [line["prompt"] for line in lines] == [prompt_key(row.prompt).hex() for row in ROWS]
    assert json.loads(lines[1]["reply"]) == {"reasoning": 'It is "not".', "verdict": "FAIL"}


@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        (SAID[:1], "1 replies are missing: q002"),
        ([*SAID, SAID[0]], "1 replies stand there more than once: q001"),
        ([*SAID, ("q003", "pass", "")], "1 replies are not among the rows: q003"),
    ],
)
def test_replies_to_other_rows_are_refused(said: list[tuple[str, Outcome, str]], wrong: str) -> None:
    with pytest.raises(SystemExit, match=wrong):
        recorded(ROWS, said)


@pytest.mark.parametrize("line", ['{"id": "q001", "verdict": "maybe", "why": ""}', '{"id": "q001"}', "yes"])
def test_a_reply_of_another_form_is_refused(tmp_path: Path, line: str) -> None:
    path = tmp_path / "replies.jsonl"
    path.write_text(f'{{"id": "q001", "verdict": "yes", "why": "It does."}}\n{line}\n')

    with pytest.raises(SystemExit, match="line 2 of"):
        list(replies_in(path))


def test_what_the_judge_was_asked_is_counted_with_what_is_right() -> None:
    lines = recorded(ROWS, SAID)
    judge = Replayed({line["prompt"]: line["reply"] for line in lines}, "judge", "replies")
    verdicts = Sense(Backends(judge=judge)).judge_each([(MEANS.sample, seconded(UNSURE))])

    found = became(zip([MEANS], verdicts, strict=True))

    assert (found["asked"], found["errors"]) == (1, 0)
    assert (found["to_pass"], found["to_fail"]) == ({"n": 1, "right": 1}, {"n": 0, "right": 0})


def test_a_prompt_that_nobody_recorded_ends_the_run() -> None:
    sense = Sense(Backends(judge=Replayed({}, "judge", "replies")))

    with pytest.raises(SystemExit, match="1 of 1 prompts are not in the recording"):
        list(sense.judge_each([(MEANS.sample, seconded(UNSURE))]))
