"""Answers and `means` pairs in the form in which people write them."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # `models` is a folder of recipes, not installed

from models.reader import written

ANSWERS = """\
== museum
P: The museum opens at nine. It is closed on Mondays.
P: Children get in free.
Q: can i come on monday
- Yes, from nine.   #case
. Anything else?
--
. Here is what applies:
+ * It is closed on Mondays.
? * Parking is free.   #addition
+ Children pay nothing.

== second
P: Buses leave hourly.
Q: How often?
+ Every hour.
"""
MEANS = """\
Q: Who was first?
E: Neil Armstrong
= It was Armstrong.  #long
x Buzz Aldrin  #name

E: The shop is open on Sunday.
x The shop is closed on Sunday.
"""


def lines(text: str) -> list[tuple[str, str]]:
    return [(f"here:{number}", line) for number, line in enumerate(text.splitlines(), 1) if line]


def test_answers_have_labelled_sentences_and_the_passages_of_their_group() -> None:
    first, second, third = written.answers_of(lines(ANSWERS), "here")

    assert (first["id"], first["group"], third["group"]) == ("here-001", "here-g01", "here-g02")
    assert first["passages"] == second["passages"]
    assert len(first["passages"]) == 2
    assert first["sentences"][0] == {"text": "Yes, from nine.", "label": "contradicted", "kind": "case"}
    assert [row["label"] for row in (first, second, third)] == ["unsupported", "unsupported", "supported"]
    assert second["answer"] == (
        "Here is what applies:\n- It is closed on Mondays.\n- Parking is free.\n\nChildren pay nothing."
    )


def test_expected_texts_have_their_answers_and_a_question_only_where_one_is_written() -> None:
    first, second = written.means_of(lines(MEANS), "here")

    assert (first["question"], second["question"]) == ("Who was first?", "")
    assert [one["label"] for one in first["answers"]] == ["same", "different"]
    assert first["answers"][0]["text"] == "It was Armstrong."


def test_a_line_that_says_nothing_known_is_refused_with_its_place() -> None:
    with pytest.raises(ValueError, match="here:1 must be a line of an answer"):
        list(written.answers_of(lines("+ Too early."), "here"))
    with pytest.raises(ValueError, match="here:2 must be a line of an entry"):
        list(written.means_of(lines("Q: Why?\n= Because."), "here"))


def test_what_was_written_is_whole_and_nothing_is_there_twice() -> None:
    named = (written.LONGER, written.SHORT, written.REPEATED, written.FOR_CARDS)
    folders = (written.EVERYDAY / "answers", *named)
    rows = [row for folder in folders for row in written.answers(folder)]
    expected = [*written.means(), *written.means(written.NEAR)]

    assert len({row["id"] for row in (*rows, *expected)}) == len(rows) + len(expected)
    assert all(row["passages"] and row["question"] and row["sentences"] for row in rows)
    assert all({one["label"] for one in row["answers"]} == {"same", "different"} for row in expected)
    assert sum(given for given, _ in written.agreement().values()) == 2511  # each found where it belongs
    said = [(row["question"], row["answer"], *row["passages"]) for row in rows]
    assert len(set(said)) == len(said)


def test_no_reader_learns_from_the_trials() -> None:
    trials = Path(__file__).resolve().parents[2] / "benchmarks" / "data" / "trials"
    tried = [json.loads(line) for line in (trials / "means.jsonl").read_text("utf-8").splitlines()]
    known = [row for folder in (written.EVERYDAY / "means", written.NEAR) for row in written.means(folder)]

    assert not {(row["question"], row["expected"]) for row in tried} & {
        (row["question"], row["expected"]) for row in known
    }
    pairs = {(row["expected"], one["text"]) for row in known for one in row["answers"]}
    assert not {(row["expected"], row["answer"]) for row in tried} & pairs
    passages = {
        tuple(json.loads(line)["passages"])
        for line in (trials / "grounded.jsonl").read_text("utf-8").splitlines()
    }
    folders = (written.EVERYDAY / "answers", written.LONGER, written.SHORT, written.REPEATED)
    assert not passages & {tuple(row["passages"]) for folder in folders for row in written.answers(folder)}
