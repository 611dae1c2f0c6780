"""What a judge's text states, in well-formed JSON and in marks; and how the measure reports it."""

import json
from typing import Any

import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.cascade import Cascade
from sensecheck.checks.gate import Gate
from sensecheck.core.cutoff import at_least
from sensecheck.core.described import measure_from_data, measure_to_data
from sensecheck.core.encoder import Answerers
from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.verdicts.stated import StatedVerdict, verdict_in

LINE = at_least(0.5, doubt=(0.26, 0.74))


def judged(answer: str, measure: StatedVerdict | None = None) -> Verdict:
    check = Gate(measure or StatedVerdict(), LINE)
    return next(assess([(Sample(answer), check)], Answerers(HashingEncoder())))


def read(answer: str, measure: StatedVerdict | None = None) -> Reading:
    reading = judged(answer, measure).reading
    assert reading is not None
    return reading


@pytest.mark.parametrize(
    ("data", "value", "stated"),
    [
        ({"verdict": "PASS"}, 1.0, "PASS"),
        ({"verdict": "fail"}, 0.0, "fail"),
        ({"verdict": "Passed"}, 1.0, "Passed"),
        ({"verdict": "FAILED"}, 0.0, "FAILED"),
        ({"result": "pass"}, 1.0, "pass"),
        ({"decision": "reject"}, 0.0, "reject"),
        ({"decision": "Accept"}, 1.0, "Accept"),
        ({"judgement": "correct"}, 1.0, "correct"),
        ({"judgment": "incorrect"}, 0.0, "incorrect"),
        ({"outcome": "fail"}, 0.0, "fail"),
        ({"label": "yes"}, 1.0, "yes"),
        ({"answer": "No"}, 0.0, "No"),
        ({"pass": True}, 1.0, "true"),
        ({"pass": False}, 0.0, "false"),
        ({"passed": True}, 1.0, "true"),
        ({"is_correct": False}, 0.0, "false"),
        ({"isCorrect": True}, 1.0, "true"),
        ({"correct": "no"}, 0.0, "no"),
        ({"correct": 1}, 1.0, "1"),
        ({"passed": 0}, 0.0, "0"),
        ({"failed": True}, 0.0, "true"),
        ({"failed": False}, 1.0, "false"),
        ({"score": 4}, 0.75, "4"),
        ({"score": 1}, 0.0, "1"),
        ({"score": 5}, 1.0, "5"),
        ({"score": 3.5}, 0.625, "3.5"),
        ({"score": "4"}, 0.75, "4"),
        ({"score": "4/5"}, 0.75, "4/5"),
        ({"score": "7/10"}, 6 / 9, "7/10"),
        ({"score": "80%"}, 0.8, "80%"),
        ({"score": "4 out of 5"}, 0.75, "4 out of 5"),
        ({"score": 7, "max_score": 10}, 6 / 9, "7"),
        ({"rating": 2}, 0.25, "2"),
        ({"rating": "3 stars"}, 0.5, "3 stars"),
        ({"grade": "pass"}, 1.0, "pass"),
        ({"result": 4}, 0.75, "4"),
        ({"verdict": 4}, 0.75, "4"),
        ({"winner": "A"}, 1.0, "A"),
        ({"winner": "B"}, 0.0, "B"),
        ({"winner": "tie"}, 0.5, "tie"),
        ({"winner": 2}, 0.0, "2"),
        ({"winner": "model_a"}, 1.0, "a"),
        ({"winner": "Response 1"}, 1.0, "1"),
        ({"preference": "Assistant B"}, 0.0, "B"),
        ({"preferred": "first"}, 1.0, "first"),
        ({"verdict": "A>B"}, 1.0, "A>B"),
        ({"VERDICT": "PASS"}, 1.0, "PASS"),
        ({"Final Verdict": "FAIL"}, 0.0, "FAIL"),
        ({"final-verdict": "PASS"}, 1.0, "PASS"),
        ({"finalVerdict": "FAIL"}, 0.0, "FAIL"),
        ({"overall_score": 2}, 0.25, "2"),
        ({"overall": "pass"}, 1.0, "pass"),
        ({"verdict": "✅ Pass"}, 1.0, "Pass"),
        ({"verdict": "❌"}, 0.0, "❌"),
        ({"verdict": "**FAIL**"}, 0.0, "FAIL"),
        ({"verdict": "PASS."}, 1.0, "PASS"),
        ({"verdict": "FAIL - the date is wrong"}, 0.0, "FAIL"),
        ({"verdict": "Yes, the answer holds"}, 1.0, "Yes"),
        ({"verdict": "not a pass"}, 0.0, "not a pass"),
        ({"verdict": "does not pass"}, 0.0, "not pass"),
        ({"verdict": "not incorrect"}, 1.0, "not incorrect"),
        ({"verdict": "fails to pass"}, 0.0, "fails to pass"),
        ({"verdict": "The answer is incorrect."}, 0.0, "incorrect"),
        ({"verdict": "not supported"}, 0.0, "not supported"),
        ({"verdict": "partially correct"}, 0.5, "partially correct"),
        ({"evaluation": {"verdict": "FAIL"}}, 0.0, "FAIL"),
        ({"response": {"evaluation": {"score": 4}}}, 0.75, "4"),
        ({"verdict": {"label": "PASS", "why": "it fails nowhere"}}, 1.0, "PASS"),
        ({"verdict": {"value": "FAIL"}}, 0.0, "FAIL"),
        ({"verdict": ["PASS"]}, 1.0, "PASS"),
        ([{"verdict": "FAIL"}], 0.0, "FAIL"),
        ({"criteria": [{"verdict": "PASS"}, {"verdict": "FAIL"}], "verdict": "FAIL"}, 0.0, "FAIL"),
        ({"verdict": "PASS", "details": {"verdict": "FAIL"}}, 1.0, "PASS"),
        ({"answer": "No", "evaluation": {"verdict": "PASS"}}, 1.0, "PASS"),
        ({"score": 2, "verdict": "PASS"}, 1.0, "PASS"),
        ({"initial_verdict": "PASS", "final_verdict": "FAIL"}, 0.0, "FAIL"),
        ({"verdict": "PASS", "final_verdict": "FAIL"}, 0.0, "FAIL"),
        ({"reasoning": 'It says "verdict": "PASS", but', "verdict": "FAIL"}, 0.0, "FAIL"),
        ({"reasoning": '{"verdict": "PASS"}', "verdict": "FAIL"}, 0.0, "FAIL"),
        ({"reasoning": "verdict: PASS\nverdict: PASS", "verdict": "FAIL"}, 0.0, "FAIL"),
        ({"reasoning": "[RESULT] 5 and [[A]]", "score": 2}, 0.25, "2"),
        ({"reasoning": "<think>", "verdict": "FAIL"}, 0.0, "FAIL"),
        ({"reasoning": "It’s “fine”, “verdict”: “PASS”", "verdict": "FAIL"}, 0.0, "FAIL"),
        ({"reasoning": "a \\ b", "verdict": "PASS"}, 1.0, "PASS"),
        ({"reasoning": "ends in \\", "verdict": "PASS"}, 1.0, "PASS"),
        ({"": 1, "verdict": "PASS"}, 1.0, "PASS"),
        ({"x": {}, "y": [], "z": [[1, "a"], None], "verdict": "PASS"}, 1.0, "PASS"),
        ({"passed": 12, "failed": 3, "verdict": "FAIL"}, 0.0, "FAIL"),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_well_formed_json_is_read(data: Any, value: float, stated: str, indent: int | None) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    found = verdict_in(text)

    assert found is not None
    assert (found.value, found.how) == (value, "json")
    assert text[found.start : found.end] == stated


@pytest.mark.parametrize(
    "data",
    [
        {"verdict": None},
        {"verdict": "unknown"},
        {"verdict": "PASS or FAIL"},
        {"verdict": "PASS|FAIL"},
        {"verdict": "<PASS/FAIL>"},
        {"verdict": "mostly correct"},
        {"verdict": "not fully correct"},
        {"verdict": "pass rates are high"},
        {"verdict": "PASS?"},
        {"verdict": 1},
        {"score": "<1-5>"},
        {"score": "1-5"},
        {"score": 8},
        {"score": -1},
        {"score": "B+"},
        {"score": "11/10"},
        {"passed": 12, "failed": 3},
        {"answer": "Yes, it opens at nine"},
        {"answer": 4},
        {"reasoning": "The verdict is PASS."},
        {"passing_score": 3},
        {"initial_verdict": "PASS"},
    ],
)
def test_json_without_a_clear_verdict_states_none(data: Any) -> None:
    assert verdict_in(json.dumps(data)) is None


@pytest.mark.parametrize(
    "text",
    [
        '{"reasoning": "The answer is right, so it should PASS, and',
        '{"reasoning": "It says \\"verdict\\": \\"PASS\\" and',
        '{"reasoning": "It says \\"verdict\\": \\"PASS\\".',
        '{"reasoning": "fine", "verdict": "PA',
        '{"reasoning": "fine", "verd',
        '{"reasoning": "fine", "verdict":',
    ],
)
def test_json_that_breaks_off_before_its_verdict_states_none(text: str) -> None:
    assert verdict_in(text) is None


@pytest.mark.parametrize(
    ("text", "value", "stated", "how"),
    [
        ("The answer is sound. [RESULT] 4", 0.75, "4", "marker"),
        ("[RESULT] PASS", 1.0, "PASS", "marker"),
        ("[RESULT]: 2", 0.25, "2", "marker"),
        ("**[RESULT]** 5", 1.0, "5", "marker"),
        ("[RESULT]\n3", 0.5, "3", "marker"),
        ("[RESULT] Score: 1.", 0.0, "1", "marker"),
        ("[RESULT: 4]", 0.75, "4", "marker"),
        ("[Score] 4/5", 0.75, "4/5", "marker"),
        ("[VERDICT] FAIL because of the date", 0.0, "FAIL", "marker"),
        ("My final verdict is: [[A>B]]", 1.0, "A>B", "marker"),
        ("[[A>>B]]", 1.0, "A>>B", "marker"),
        ("[[B>A]]", 0.0, "B>A", "marker"),
        ("[[B>>A]]", 0.0, "B>>A", "marker"),
        ("[[A<B]]", 0.0, "A<B", "marker"),
        ("[[A=B]]", 0.5, "A=B", "marker"),
        ("[[A]]", 1.0, "A", "marker"),
        ("[[b]]", 0.0, "b", "marker"),
        ("[[tie]]", 0.5, "tie", "marker"),
        ("Rating: [[5]]", 1.0, "5", "marker"),
        ("Rating: [[7/10]]", 6 / 9, "7/10", "marker"),
        ("<verdict>PASS</verdict>", 1.0, "PASS", "tag"),
        ("<verdict>\n  FAIL\n</verdict>", 0.0, "FAIL", "tag"),
        ("<Verdict>pass", 1.0, "pass", "tag"),
        ("<score>4</score>", 0.75, "4", "tag"),
        ("<score>2</score><verdict>PASS</verdict>", 1.0, "PASS", "tag"),
        ("<evaluation>\n<final_verdict>FAIL</final_verdict>\n</evaluation>", 0.0, "FAIL", "tag"),
        ("<reasoning>verdict: PASS</reasoning><verdict>FAIL</verdict>", 0.0, "FAIL", "tag"),
        ("<answer>yes</answer>", 1.0, "yes", "tag"),
        ("&lt;verdict&gt;PASS&lt;/verdict&gt;", 1.0, "PASS", "tag"),
        (r"So the better one is \boxed{B}.", 0.0, "B", "marker"),
        (r"\boxed{\text{PASS}}", 1.0, "PASS", "marker"),
        (r"\boxed{4}", 0.75, "4", "marker"),
    ],
)
def test_marks_are_read(text: str, value: float, stated: str, how: str) -> None:
    found = verdict_in(text)

    assert found is not None
    assert (found.value, text[found.start : found.end], found.how) == (value, stated, how)


@pytest.mark.parametrize(
    "text",
    [
        "Output [[A]] if A is better, and [[B]] if B is better.",
        "[RESULT] (an integer from 1 to 5)",
        "[[rating]]",
        "[[PASS/FAIL]]",
        "<verdict>PASS or FAIL</verdict>",
        "<verdict></verdict>",
        "<score>1-5</score>",
        r"\boxed{42}",
        "[1] Smith 2004, [2] Jones 2005",
    ],
)
def test_marks_that_are_not_filled_in_state_nothing(text: str) -> None:
    assert verdict_in(text) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('Verdict: FAIL\n{"verdict": "PASS"}', 1.0),
        ("Verdict: FAIL\n<verdict>PASS</verdict>", 1.0),
        ("PASS\n\nFinal verdict: FAIL", 0.0),
        ("Verdict: PASS\nOn reflection, no.\nFinal verdict: FAIL", 0.0),
        ("Score: 2\nVerdict: PASS", 1.0),
        ('{"verdict": "PASS", "passed": false}\nVerdict: FAIL', 0.0),
        ('{"verdict": "PASS"}\n{"final_verdict": "FAIL"}', 0.0),
        ('{"final_verdict": "FAIL"}\n{"verdict": "PASS"}', 0.0),
        ('{"verdict": "PASS"\n{"verdict": "FAIL"}', 0.0),
        ('{"verdict": "PASS"}\n{"verdict": "PASS"}', 1.0),
        ('{"score": 2}\n{"verdict": "PASS"}', 1.0),
        ('{"verdict": "PASS"}\nScore: 2', 1.0),
        ('{"score": 4}\nVerdict: PASS', 0.75),
        ('{"verdict": "PASS"}\nVerdict: pass', 1.0),
        ('{"verdict": "PASS"}\nAnswer: no', 1.0),
        ('{"verdict": "PASS"}\n{"answer": "no"}', 1.0),
    ],
)
def test_the_most_trusted_way_of_stating_a_verdict_wins(text: str, value: float) -> None:
    found = verdict_in(text)

    assert found is not None
    assert found.value == value


@pytest.mark.parametrize(
    "text",
    [
        '{"verdict": "PASS"}\nNo, wait.\n{"verdict": "FAIL"}',
        '{"reasoning":"wrong","verdict":"FAIL"}\n\nNote: the answer contained {"verdict": "PASS"}.',
        '{"criterion":"a","verdict":"FAIL"}\n{"criterion":"b","verdict":"PASS"}',
        '{"step": 1}\n{"verdict": "FAIL",}\n{"verdict": "PASS",}',
        'Draft: {"verdict": "FAIL"}\nAfter checking: {"verdict": "PASS"}',
        '{"evaluation": {"verdict": "FAIL"}}\n{"verdict": "PASS"}',
        '{"final_verdict": "FAIL"}\n{"final_verdict": "PASS"}',
        '{"score": 2}\n{"score": 4}',
        '{"score": 4}\n{"score": 5}',
        'Format: {"verdict": "PASS"}\n\nVerdict: FAIL',
        '{"verdict": "PASS"}\n\nFinal verdict: FAIL',
        '{"verdict": "PASS"}\n\n<verdict>FAIL</verdict>',
        '{"score": 5}\n\nVerdict: FAIL',
        '{"score": 5}\n\nScore: 4',
        "[RESULT] PASS\n\nVerdict: FAIL",
    ],
)
def test_objects_that_disagree_and_labels_after_them_that_do_are_a_conflict(text: str) -> None:
    reading = read(text)

    assert reading.value == 0.5
    assert reading.because.startswith("two verdicts are stated that disagree: ")


def test_a_verdict_is_evidence_with_its_place_and_how_it_was_found() -> None:
    answer = "Thinking… ✅ aside.\n```json\n{“verdict”: “FA\u200bIL”}\n```"
    reading = read(answer)
    span = reading.evidence[0].answer

    assert span is not None
    assert (reading.value, reading.because) == (0.0, "the verdict is stated: FA\u200bIL at [40:45]")
    assert (reading.evidence[0].kind, reading.evidence[0].note) == ("stated", "json")
    assert span.text == answer[span.start : span.end] == "FA\u200bIL"


@pytest.mark.parametrize(
    ("answer", "because"),
    [
        ("The bus may pass here.", "no verdict is stated"),
        ("", "no verdict is stated"),
        ("Verdict: tie", "neither pass nor fail is stated: tie at [9:12]"),
        (
            "Verdict: PASS\n\nVerdict: FAIL",
            "two verdicts are stated that disagree: PASS at [9:13] and FAIL at [24:28]",
        ),
        ("Score: 8", "the score stated is not on the scale from 1 to 5: 8 at [7:8]"),
    ],
)
def test_what_is_undecided_is_unsure_and_says_why(answer: str, because: str) -> None:
    verdict = judged(answer)

    assert verdict.reading is not None
    assert (verdict.outcome, verdict.reading.value) == ("unsure", 0.5)
    assert verdict.reading.because == because


@pytest.mark.parametrize(
    ("answer", "outcome"), [("PASS", "pass"), ("Score: 2/5", "fail"), ("Score: 3", "unsure")]
)
def test_a_line_in_the_middle_decides(answer: str, outcome: str) -> None:
    assert judged(answer).outcome == outcome


def test_in_a_cascade_the_next_check_is_asked_only_where_nothing_is_stated() -> None:
    check = Cascade((Gate(StatedVerdict(), LINE), Gate(KeywordOverlap(), at_least(0.5))))
    samples = [
        Sample(answer, passages=("Tea is hot.",)) for answer in ("Verdict: FAIL. Tea is hot.", "Tea is hot.")
    ]
    verdicts = list(assess([(sample, check) for sample in samples], Answerers(HashingEncoder())))

    assert [verdict.outcome for verdict in verdicts] == ["fail", "pass"]


@pytest.mark.parametrize(
    ("scale", "text", "value"),
    [
        ((1, 10), "[[7]]", 6 / 9),
        ((0, 10), "Score: 7", 0.7),
        ((0, 10), "Score: 7/10", 0.7),
        ((1, 5), "Score: 7/10", 6 / 9),
        ((1, 5), "Score: 0/10", 0.0),
        ((1, 5), "Score (0-10): 7", 0.7),
        ((1, 5), "Score: 7 on a scale from 0 to 10", 0.7),
        ((0, 1), "Score: 0.85", 0.85),
        ((0, 1), '{"verdict": 1}', 1.0),
        ((0, 100), "85%", 0.85),
        ((-2, 2), "Score: 1", 0.75),
    ],
)
def test_a_score_lies_between_the_lowest_and_the_highest(
    scale: tuple[float, float], text: str, value: float
) -> None:
    assert read(text, StatedVerdict(scale)).value == pytest.approx(value)


def test_a_scale_runs_upwards() -> None:
    with pytest.raises(SpecError, match="`scale` wants the lowest score and a higher one"):
        StatedVerdict((5, 1))


def test_the_measure_goes_to_data_and_back() -> None:
    data = {"kind": "stated_verdict", "scale": [0.0, 10.0]}

    assert measure_to_data(measure_from_data(data)) == data
    assert measure_from_data({"kind": "stated_verdict"}) == StatedVerdict()
