"""The benchmark of cascades counts what it says."""

from benchmarks.quality.asking import Row, cascade, doubting, replayed, three_ways
from benchmarks.quality.cascade import measure, rows_of
from benchmarks.quality.shares import difference

from sensecheck.core.cutoff import at_most
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Outcome

LINE = at_most(0.5, doubt=(0.4, 0.6))


def row(value: float, label: Outcome, judged: Outcome) -> Row:
    return Row(Sample(f"answer {value}", question="A question?"), label, judged, value, LINE)


ROWS = [
    row(0.1, "pass", "fail"),  # the cheap check is right, the judge is wrong
    row(0.45, "fail", "fail"),  # in doubt, and the judge is right
    row(0.55, "fail", "pass"),  # in doubt, and the judge is wrong
    row(0.9, "fail", "fail"),
]


def test_only_what_is_in_doubt_is_asked() -> None:
    with replayed(ROWS) as judge:
        ways = three_ways(ROWS, judge)

    assert {way: found.asked for way, found in ways.items()} == {
        "always the judge": 4,
        "the cheap check alone": 0,
        "cascade": 2,
    }
    assert ways["always the judge"].rights(ROWS) == [False, True, False, True]
    assert ways["the cheap check alone"].rights(ROWS) == [True, False, True, True]
    assert ways["cascade"].rights(ROWS) == [True, True, False, True]


def test_a_band_of_doubt_holds_the_wanted_share_of_readings() -> None:
    with replayed(ROWS) as judge:
        asked = [cascade(doubting(ROWS, share), judge).asked for share in (0.0, 0.5, 1.0)]

    assert asked == [0, 2, 4]


def test_the_goal_wants_few_questions_and_no_loss() -> None:
    found = measure(ROWS)

    assert found["goal"] == {"most_asked": 0.2, "met": False}  # two of four are more than a fifth
    assert found["measured"][2]["against_always"]["right_only_here"] == 1


def test_rows_without_two_plain_labels_are_left_out_and_counted() -> None:
    labels = [("1_full_compliance", "2_full_refusal"), ("3_partial_refusal", "x"), ("2_full_refusal", "x")]
    told = [{"label": label, "gpt": gpt, "response": "Yes.", "prompt": "Why?"} for label, gpt in labels]
    rows, left_out = rows_of([(each, 0.2, LINE) for each in told])

    assert [(one.label, one.judged) for one in rows] == [("pass", "fail")]
    assert list(left_out.values()) == [1, 1]


def test_ways_that_never_differ_have_no_interval() -> None:
    assert difference([True, False], [True, False]) == {
        "right_only_here": 0,
        "right_only_there": 0,
        "difference": 0.0,
        "low": 0.0,
        "high": 0.0,
    }
