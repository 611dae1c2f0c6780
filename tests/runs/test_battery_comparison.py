"""Two runs of a suite, compared by the rules of all comparisons."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.core.verdict import Outcome
from sensecheck.runs.comparison import compare
from sensecheck.runs.comparison_result import FAIL_ON, Comparison
from sensecheck.runs.comparison_text import comparison_html, comparison_markdown
from sensecheck.runs.result import Result
from sensecheck.runs.shift import MetricShift
from tests.runs.kept_runs import HOSTILE, kept, no_answer, result

PASS: Outcome = "pass"
FAIL: Outcome = "fail"


def compared(folder: Path, before: list[Result], after: list[Result], **header: Any) -> Comparison:
    old = kept(folder / "1.jsonl", before)
    return compare(old, kept(folder / "2.jsonl", after, **header))


def shift(found: Comparison, name: str = "passed") -> MetricShift:
    return next(one for one in found.metrics if one.metric == name)


def outcomes(*words: Outcome) -> list[Result]:
    return [result(n, word) for n, word in enumerate(words, 1)]


def test_flips_are_sorted_by_what_they_are(tmp_path: Path) -> None:
    found = compared(
        tmp_path,
        outcomes("pass", "fail", "pass", "unsure", "error", "pass", "fail", "pass"),
        outcomes("fail", "pass", "error", "fail", "pass", "unsure", "fail", "pass"),
    )

    assert [change.title for change in found.regressions] == ["test 1", "test 6"]
    assert [change.title for change in found.fixes] == ["test 2"]
    assert [change.title for change in found.to_error] == ["test 3"]
    assert [change.title for change in found.from_error] == ["test 5"]
    assert [change.title for change in found.other] == ["test 4"]
    assert (found.n, found.errors) == (8, 1)
    assert (found.regression_count, found.fix_count) == (2, 1)
    assert found.regressions[0].because == "it is a fail"


def test_rates_are_of_the_tests_that_both_runs_judged(tmp_path: Path) -> None:
    old = outcomes(*[PASS] * 8, "fail", "error")
    new = outcomes(*[PASS] * 2, *[FAIL] * 7, "pass")
    passed = shift(compared(tmp_path, old, new))

    assert passed.n == 9
    assert (passed.before, passed.after) == pytest.approx((8 / 9, 2 / 9))
    assert passed.difference == pytest.approx(-6 / 9)
    assert passed.p == pytest.approx(2 * 0.5**6)
    assert passed.low is not None
    assert passed.high is not None
    assert passed.low < -6 / 9 < passed.high < 0


def test_an_unsure_test_is_no_fail_in_the_pass_rate_as_in_large_runs(tmp_path: Path) -> None:
    """It counted as a fail in suites alone: 25 % and 75 % there, where large runs said 33 % and 100 %."""
    old, new = outcomes("pass", "fail", "fail", "unsure"), outcomes("pass", "pass", "pass", "unsure")
    passed = shift(compared(tmp_path, old, new))

    assert (passed.n, passed.na_before, passed.na_after) == (3, 1, 1)
    assert (passed.before, passed.after) == pytest.approx((1 / 3, 1.0))


def test_a_significant_fall_any_regression_and_a_claim_are_three_things(tmp_path: Path) -> None:
    """Whether a fall of the pass rate is significant, p is corrected for all columns of the suite."""
    one = compared(tmp_path, outcomes("pass", "pass"), outcomes("pass", "fail"))
    many = compared(tmp_path, outcomes(*[PASS] * 8), outcomes(*[FAIL] * 8))
    better = compared(tmp_path, outcomes(*[FAIL] * 8), outcomes(*[PASS] * 8))
    enough = compared(tmp_path, outcomes(*[PASS] * 20), outcomes(*[FAIL] * 20))

    assert [one.fails(on) for on in FAIL_ON] == [True, False, False]
    assert [many.fails(on) for on in FAIL_ON] == [True, True, False]
    assert [better.fails(on) for on in FAIL_ON] == [False, False, False]
    assert [enough.fails(on) for on in FAIL_ON] == [True, True, True]
    assert shift(many).adjusted == pytest.approx(2 * 2 * 0.5**8)
    assert many.not_known == ("fewer than 20 tests have a number in both, too few to claim a fall",)


def test_repeats_sources_and_prompts_of_one_test_are_one_unit(tmp_path: Path) -> None:
    def run(outcome: Outcome) -> list[Result]:
        return [
            result(1, outcome, source=source, wording=wording, repeat=repeat, runs=3, passes=2)
            for wording in ("a", "b")
            for source in ("one", "two")
            for repeat in (1, 2, 3)
        ]

    found = compared(tmp_path, run("pass"), run("fail"))

    assert found.n == 4
    assert len(found.regressions) == 4
    assert (shift(found).n, shift(found).p) == (1, 1.0)
    assert "slices with fewer than 5 tests are not compared: `source=one`, `source=two`" in found.notes[-1]


def test_tests_are_found_by_their_key_wherever_they_stand(tmp_path: Path) -> None:
    new = [result(1, key="new"), result(2, "fail", key="key1"), result(3, key="key2")]
    found = compared(tmp_path, [*outcomes("pass", "pass"), result(3, description="gone")], new)

    assert [change.key for change in found.regressions] == ["key1"]
    assert found.only_before == ("gone",)
    assert found.only_after == ("test 1",)


def test_one_source_and_one_prompt_are_paired_whatever_they_are_called(tmp_path: Path) -> None:
    old, new = [result(1, source="small", wording="v1")], [result(1, "fail", source="large", wording="v2")]
    found = compared(tmp_path, old, new)

    assert len(found.regressions) == 1
    assert found.notes == ("the source was `small` and is `large`", "the prompt was `v1` and is `v2`")


def test_whatever_else_differs_is_said(tmp_path: Path) -> None:
    old = [result(1), result(2)]
    new = [result(1, runs=2), result(1, repeat=2, runs=2), result(2)]
    found = compared(tmp_path, old, new, digest="d2", encoder="other", sensecheck="0.2.0")

    assert found.notes == (
        "the battery, or a file that it names, has changed",
        "the encoder was `minilm` and is `other`",
        "sensecheck was 0.1.0 and is 0.2.0",
        "1 of the tests were not repeated as often before as now",
    )


def test_an_interrupted_run_is_no_whole_comparison(tmp_path: Path) -> None:
    old = kept(tmp_path / "1.jsonl", outcomes("pass", "pass"))
    found = compare(old, kept(tmp_path / "2.jsonl", outcomes("pass"), cells=2))

    assert found.errors == 1
    assert "`2.jsonl` was interrupted: 1 of its 2 results are there" in found.notes


def test_runs_with_nothing_in_common_cannot_be_compared(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"`1\.jsonl` and `2\.jsonl` have no test in common"):
        compared(tmp_path, [result(1)], [result(2)])


def test_several_sources_are_not_guessed_at(tmp_path: Path) -> None:
    old = [result(1, source="a"), result(1, source="b")]

    with pytest.raises(SpecError, match="no test in common"):
        compared(tmp_path, old, [result(1, source="c")])


def test_scores_that_moved_most_come_first(tmp_path: Path) -> None:
    old = [result(n, score=0.9) for n in (1, 2, 3)]
    new = [result(1, score=0.9), result(2, score=0.8), result(3, score=0.6)]
    found = compared(tmp_path, old, new)

    assert [(one.id, one.metric) for one in found.moved] == [("test 3", "score"), ("test 2", "score")]
    assert shift(found, "score").difference == pytest.approx(-0.4 / 3)


def test_without_a_test_that_both_judged_there_are_no_rates(tmp_path: Path) -> None:
    found = compared(tmp_path, [result(1)], [no_answer(1)])

    assert ({one.n for one in found.metrics}, found.errors) == ({0}, 1)
    assert found.is_empty
    assert found.to_data()["metrics"][0]["difference"] is None


def test_markdown_tells_it_and_holds_no_markup_of_strangers(tmp_path: Path) -> None:
    old = [result(1), result(2, key="old", description=HOSTILE), *(result(n) for n in range(3, 63))]
    new = [
        result(1, "fail", description=HOSTILE, because=HOSTILE),
        *(result(n, "fail") for n in range(3, 63)),
    ]
    found = compared(tmp_path, old, new)
    text, page = comparison_markdown(found), comparison_html(found)

    assert "### 61 tests no longer passing" in text
    assert "and 11 more." in text
    assert "### 1 test only before" in text
    assert "<script>" not in text
    assert "**a**" not in text
    assert "<h2>61 tests no longer passing</h2>" in page
    assert "&lt;script&gt;" in page
    assert "<script>" not in page
    assert "\x1b" not in page
