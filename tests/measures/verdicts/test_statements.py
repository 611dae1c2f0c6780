"""What a judge's text states, in well-formed JSON and in marks; and how the measure reports it."""

import json
from typing import Any

import pytest
from tests.corpus import each_row

from sensecheck.checks.assess import assess
from sensecheck.checks.combine import Cascade
from sensecheck.checks.gate import Gate
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Reading
from sensecheck.core.registry import measure_from_data, measure_to_data
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.verdicts.statements import StatedVerdict, verdict_in

LINE = at_least(0.5, doubt=(0.26, 0.74))


def judged(answer: str, measure: StatedVerdict | None = None) -> Verdict:
    check = Gate(measure or StatedVerdict(), LINE)
    return next(assess([(Sample(answer), check)], Backends(HashingEncoder())))


def read(answer: str, measure: StatedVerdict | None = None) -> Reading:
    reading = judged(answer, measure).reading
    assert reading is not None
    return reading


@each_row
def test_well_formed_json_is_read(data: Any, value: float, stated: str) -> None:
    for indent in (None, 2):
        text = json.dumps(data, indent=indent, ensure_ascii=False)
        found = verdict_in(text)

        assert found is not None
        assert (found.value, found.how) == (value, "json")
        assert text[found.start : found.end] == stated


@each_row
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


@each_row
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
    verdicts = list(assess([(sample, check) for sample in samples], Backends(HashingEncoder())))

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
    with pytest.raises(SpecError, match="`scale` must be the lowest score and a higher one"):
        StatedVerdict((5, 1))


def test_the_measure_goes_to_data_and_back() -> None:
    data = {"kind": "stated_verdict", "scale": [0.0, 10.0]}

    assert measure_to_data(measure_from_data(data)) == data
    assert measure_from_data({"kind": "stated_verdict"}) == StatedVerdict()
