"""Two runs held against each other."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.core.verdict import Outcome
from sensecheck.runs.comparison import BatteryComparison, compare_runs
from sensecheck.runs.comparison_text import comparison_markdown
from sensecheck.runs.result import Result
from tests.runs.kept_runs import HOSTILE, kept, no_answer, result

PASS: Outcome = "pass"
FAIL: Outcome = "fail"


def compared(folder: Path, before: list[Result], after: list[Result], **header: Any) -> BatteryComparison:
    old = kept(folder / "1.jsonl", before)
    return compare_runs(old, kept(folder / "2.jsonl", after, **header))


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
    assert (found.compared, found.errors) == (6, 1)
    assert found.regressions[0].because == "it is a fail"


def test_rates_are_of_the_tests_that_both_runs_judged(tmp_path: Path) -> None:
    old = outcomes(*[PASS] * 8, "fail", "error")
    new = outcomes(*[PASS] * 2, *[FAIL] * 7, "pass")
    passes = compared(tmp_path, old, new).passes

    assert passes is not None
    assert passes.tests == 9
    assert (passes.before.value, passes.after.value) == pytest.approx((8 / 9, 2 / 9))
    assert passes.difference.value == pytest.approx(-6 / 9)
    assert passes.p == pytest.approx(2 * 0.5**6)
    assert passes.difference.low < -6 / 9 < passes.difference.high < 0


def test_more_than_chance_and_any_regression_are_two_things(tmp_path: Path) -> None:
    one = compared(tmp_path, outcomes("pass", "pass"), outcomes("pass", "fail"))
    many = compared(tmp_path, outcomes(*[PASS] * 8), outcomes(*[FAIL] * 8))
    better = compared(tmp_path, outcomes(*[FAIL] * 8), outcomes(*[PASS] * 8))

    assert (one.regressed, one.significantly_worse) == (True, False)
    assert (many.regressed, many.significantly_worse) == (True, True)
    assert (better.regressed, better.significantly_worse) == (False, False)


def test_repeats_sources_and_prompts_of_one_test_are_one_unit(tmp_path: Path) -> None:
    def run(outcome: Outcome) -> list[Result]:
        return [
            result(1, outcome, source=source, wording=wording, repeat=repeat, runs=3, passes=2)
            for wording in ("a", "b")
            for source in ("one", "two")
            for repeat in (1, 2, 3)
        ]

    found = compared(tmp_path, run("pass"), run("fail"))

    assert found.compared == 4
    assert len(found.regressions) == 4
    assert found.passes is not None
    assert (found.passes.tests, found.passes.p) == (1, 1.0)


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
    found = compare_runs(old, kept(tmp_path / "2.jsonl", outcomes("pass"), cells=2))

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

    assert [change.key for change in found.moved] == ["key3", "key2"]
    assert found.scores is not None
    assert found.scores.difference.value == pytest.approx(-0.4 / 3)


def test_without_a_test_that_both_judged_there_are_no_rates(tmp_path: Path) -> None:
    found = compared(tmp_path, [result(1)], [no_answer(1)])

    assert (found.passes, found.scores, found.errors) == (None, None, 1)
    assert found.to_data()["passes"] is None


def test_markdown_tells_it_and_holds_no_markup_of_strangers(tmp_path: Path) -> None:
    old = [result(1), result(2, key="old", description=HOSTILE), *(result(n) for n in range(3, 63))]
    new = [
        result(1, "fail", description=HOSTILE, because=HOSTILE),
        *(result(n, "fail") for n in range(3, 63)),
    ]
    text = comparison_markdown(compared(tmp_path, old, new))

    assert "### 61 no longer passing" in text
    assert "and 11 more." in text
    assert "### 1 only before" in text
    assert "<script>" not in text
    assert "**a**" not in text
