"""Recorded answers find their questions, by id or by question, and never somebody else's."""

import json
from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import SampleError
from sensecheck.core.run import Item, PlacedItem, RecordedAnswer
from sensecheck.datasets.answers import ANSWER_PARTS, AnswerTable
from sensecheck.datasets.columns import Columns
from sensecheck.datasets.questions import QuestionRows
from sensecheck.evaluation.answers import NO_ANSWER, BesideQuestions, InAnswerTable

WHY, HOW = Item("Why?", "Because.", id="why"), Item("How?", "So.")


def rows(tmp_path: Path, *held: dict[str, Any], wanted: tuple[str, ...] = ANSWER_PARTS) -> QuestionRows:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(f"{json.dumps(row)}\n" for row in held), encoding="utf-8")
    return QuestionRows(path, Columns(labels=("correct",)), wanted)


def placed(*pairs: Item) -> list[PlacedItem]:
    return [PlacedItem(position, position + 1, pair) for position, pair in enumerate(pairs)]


def test_an_answer_is_found_by_id_or_by_question_with_all_that_was_said_of_it(tmp_path: Path) -> None:
    table = AnswerTable.of(
        rows(
            tmp_path,
            {"question": "How?", "answer": "Like this.", "passages": ["A manual."], "cost": 0.5},
            {"id": "why", "answer": "Since.", "correct": True},
        )
    )

    found = InAnswerTable(table)(placed(WHY, HOW))

    assert found == [
        RecordedAnswer("Since.", labels={"correct": 1.0}),
        RecordedAnswer("Like this.", passages=("A manual.",), cost=0.5),
    ]
    assert table.unused == 0


def test_a_question_without_an_answer_is_told_and_an_answer_without_a_question_is_counted(
    tmp_path: Path,
) -> None:
    table = AnswerTable.of(rows(tmp_path, {"id": "who", "answer": "Me."}))

    assert InAnswerTable(table)(placed(WHY)) == [RecordedAnswer(None, NO_ANSWER)]
    assert table.unused == 1


def test_ids_may_be_in_one_of_the_files_only(tmp_path: Path) -> None:
    table = AnswerTable.of(rows(tmp_path, {"id": "7", "question": "How?", "answer": "Like this."}))

    assert InAnswerTable(table)(placed(HOW)) == [RecordedAnswer("Like this.")]


def test_a_question_that_two_rows_answer_is_found_by_id_only(tmp_path: Path) -> None:
    table = AnswerTable.of(
        rows(
            tmp_path,
            {"id": "a", "question": "How?", "answer": "Like this."},
            {"id": "b", "question": "How?", "answer": "Like that."},
        )
    )

    assert table.find(Item("How?", None, id="b")) == RecordedAnswer("Like that.")
    with pytest.raises(SampleError, match=r"`answers.jsonl` has several answers to the question"):
        table.find(HOW)


def test_a_row_that_has_another_id_answers_no_question_that_has_one(tmp_path: Path) -> None:
    table = AnswerTable.of(rows(tmp_path, {"id": "old-7", "question": "Why?", "answer": "Since."}))

    assert InAnswerTable(table)(placed(WHY)) == [RecordedAnswer(None, NO_ANSWER)]
    assert table.unused == 1


def test_a_row_without_an_id_answers_a_question_that_has_one(tmp_path: Path) -> None:
    table = AnswerTable.of(
        rows(
            tmp_path,
            {"question": "Why?", "answer": "Since."},
            {"id": "other", "question": "Why?", "answer": "So."},
        )
    )

    assert table.find(WHY) == RecordedAnswer("Since.")


def test_an_id_beside_another_question_is_an_error_with_its_place(tmp_path: Path) -> None:
    table = AnswerTable.of(rows(tmp_path, {"id": "why", "question": "Who?", "answer": "Me."}))

    with pytest.raises(SampleError, match=r"line 1 of `answers.jsonl` has the id `why` and another question"):
        table.find(WHY)


def test_passages_that_were_none_are_told_apart_from_those_that_nobody_told(tmp_path: Path) -> None:
    table = AnswerTable.of(
        rows(
            tmp_path,
            {"question": "How?", "answer": "So.", "passages": []},
            {"id": "why", "answer": "Since."},
        )
    )

    nothing, untold = InAnswerTable(table)(placed(HOW, WHY))

    assert (nothing.passages, untold.passages) == ((), None)
    assert (nothing.scored(()).passages, untold.scored(()).passages) == ((), None)


@pytest.mark.parametrize(
    ("held", "message"),
    [
        (
            [{"id": "a", "answer": "x"}, {"id": "a", "answer": "y"}],
            "line 2 of `answers.jsonl` answers the same question as line 1 of `answers.jsonl`",
        ),
        (
            [{"question": "a", "answer": "x"}, {"question": "a", "answer": "y"}],
            "line 2 .* answers the same question as line 1",
        ),
        ([{"id": "a"}], "line 1 of `answers.jsonl` has no `answer`"),
        ([{"answer": "a"}], "does not tell what it answers; wanted an `id` or a `question`"),
        ([], "`answers.jsonl` holds no answers"),
    ],
)
def test_answers_that_cannot_be_told_apart_are_an_error(
    held: list[dict[str, Any]], message: str, tmp_path: Path
) -> None:
    with pytest.raises(SampleError, match=message):
        AnswerTable.of(rows(tmp_path, *held))


def test_answers_beside_their_questions_come_in_order_and_from_any_question_on(tmp_path: Path) -> None:
    read = rows(
        tmp_path,
        {"id": "why", "question": "Why?", "answer": "Since.", "correct": 0},
        {"question": "How?"},
        {"question": "Who?", "answer": "Me."},
    )
    first, second, third = placed(WHY, HOW, Item("Who?", None))

    every = BesideQuestions(read)
    later = BesideQuestions(read, after=2)

    assert every([first]) == [RecordedAnswer("Since.", labels={"correct": 0.0})]
    assert every([second, third]) == [RecordedAnswer(None, NO_ANSWER), RecordedAnswer("Me.")]
    assert later([third]) == [RecordedAnswer("Me.")]


def test_a_file_that_changed_while_it_was_read_is_told(tmp_path: Path) -> None:
    read = rows(tmp_path, {"question": "Why?", "answer": "Since."})

    with pytest.raises(SampleError, match="has changed since its questions were read, after line 1"):
        BesideQuestions(read)(placed(HOW))
    with pytest.raises(SampleError, match="has changed since its questions were read, at its end"):
        BesideQuestions(read, after=1)(placed(HOW))
