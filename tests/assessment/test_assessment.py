"""Answers checked and grounded, and texts compared, as a notebook does it."""

import json
from pathlib import Path

import pytest

from sensecheck.assessment import (
    AnswerCheckRequest,
    GroundingRequest,
    check_answers,
    embed,
    explain,
    ground_answers,
)
from sensecheck.config import Settings
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.sample import Sample
from sensecheck.encoders.hashing import HashingEncoder

HASHING = Settings(encoder="hashing", verifier="off", cache="off")
SAMPLES = [Sample("It is red.", expected="It is red.", id="same"), Sample("In 1932.", expected="In 1937.")]


def test_one_answer_is_judged_by_every_question_about_it() -> None:
    rows = check_answers(
        AnswerCheckRequest(
            answer="It opened in 1932.",
            keeps_facts_of="It opened in 1937.",
            not_circling=True,
            settings=HASHING,
        )
    )

    assert [(label, verdict.check, verdict.outcome) for label, verdict in rows] == [
        ("", "keeps_facts", "fail"),
        ("", "not_circling", "pass"),
    ]
    assert rows.tally == {"fail": 1, "pass": 1}


def test_rows_are_judged_by_one_check(tmp_path: Path) -> None:
    request = AnswerCheckRequest(rows=SAMPLES, preset="keeps_facts", settings=HASHING)
    path = tmp_path / "samples.jsonl"
    path.write_text("".join(f"{json.dumps(sample.to_data())}\n" for sample in SAMPLES), encoding="utf-8")
    of_file = AnswerCheckRequest(rows=str(path), check={"kind": "keeps_facts"}, settings=HASHING)

    assert [(label, one.outcome) for label, one in check_answers(request)] == [
        ("same", "pass"),
        ("row 2", "fail"),
    ]
    assert [label for label, _ in check_answers(of_file)] == ["same", "line 2"]


@pytest.mark.parametrize(
    ("fields", "because"),
    [
        ({}, "there is no answer to judge"),
        ({"answer": "a"}, "nothing was asked about the answer"),
        ({"answer": "a", "not_refusal": True, "passages": ("p",)}, "are for `--check` and `--preset`"),
        ({"rows": SAMPLES}, "`--file` must come with"),
        ({"rows": SAMPLES, "preset": "means", "answer": "a"}, "`--file` must come with"),
        ({"answer": "a", "preset": "meens"}, "did you mean `means`"),
        ({"answer": "a", "preset": "means", "check": {}}, "one check at a time"),
        ({"answer": "a", "check": {}, "doubt": 0.1}, "`--doubt` is not for `--check`"),
    ],
)
def test_fields_that_do_not_go_together_are_refused(fields: dict[str, object], because: str) -> None:
    with pytest.raises(SpecError, match=because):
        check_answers(AnswerCheckRequest(**fields, settings=HASHING))  # type: ignore[arg-type] # by case


def test_no_row_is_an_error() -> None:
    with pytest.raises(SampleError, match="`rows` holds no sample"):
        list(check_answers(AnswerCheckRequest(rows=[], preset="keeps_facts", settings=HASHING)))


def test_an_answer_is_grounded_and_so_are_rows() -> None:
    moon = "The moon orbits the earth in 27 days."
    request = GroundingRequest(
        answer="Penguins swim north.", passages=(moon,), policy="similarity-or-keywords", settings=HASHING
    )
    sample = Sample(moon, passages=(moon,))
    rows = GroundingRequest(rows=[sample], policy="similarity-or-keywords", settings=HASHING)

    ((label, grounding),) = ground_answers(request)
    ((row, same),) = ground_answers(rows)

    assert (label, grounding.outcome) == ("", "fail")
    assert (row, same.outcome) == ("row 1", "pass")
    with pytest.raises(SpecError, match="there is no passage"):
        ground_answers(GroundingRequest(answer="a", settings=HASHING))
    with pytest.raises(SpecError, match="must stand without an answer"):
        ground_answers(GroundingRequest(rows=SAMPLES, answer="a", settings=HASHING))


def test_texts_are_compared_and_encoded() -> None:
    compared = explain("It opened in 1932. It is red.", "It opened in 1937.", encoder=HashingEncoder())
    first, second = embed(["a text", "another"], encoder=HashingEncoder())

    assert [difference.kind for difference in compared.differences] == ["date"]
    assert len(compared.pairs) == 2
    assert first.dimension == len(first.vector) == second.dimension
    assert first.to_data()["text_chars"] == 6
