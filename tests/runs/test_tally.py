"""How repeats count together, and what is counted while a run goes on."""

from dataclasses import replace

import pytest

from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.runs.result import Result
from sensecheck.runs.tally import MOST, Overview, TestOutcome
from tests.runs.kept_runs import no_answer, result

ONE = Result(1, "k", "test", {}, "", "", "model", Verdict("test", "pass", "it is so"), ())
WORDS: dict[str, Outcome] = {"p": "pass", "f": "fail", "u": "unsure", "e": "error"}


def tried(outcomes: str, passes: int) -> TestOutcome:
    return TestOutcome(
        tuple(
            replace(ONE, verdict=replace(ONE.verdict, outcome=WORDS[one]), runs=len(outcomes), passes=passes)
            for one in outcomes
        )
    )


@pytest.mark.parametrize(
    ("outcomes", "passes", "wanted"),
    [
        ("p", 1, "pass"),
        ("f", 1, "fail"),
        ("u", 1, "unsure"),
        ("e", 1, "error"),
        ("ppf", 2, "pass"),
        ("pff", 2, "fail"),
        ("puf", 2, "unsure"),
        ("pef", 2, "error"),
        ("peu", 2, "error"),
        ("ppe", 2, "pass"),
        ("ffe", 2, "fail"),
        ("ffu", 2, "fail"),
    ],
)
def test_a_test_is_decided_once_what_is_open_cannot_tip_it(outcomes: str, passes: int, wanted: str) -> None:
    assert tried(outcomes, passes).outcome == wanted


@pytest.mark.parametrize(
    ("outcomes", "wanted"),
    [("p", ""), ("ppp", "consistent pass"), ("ff", "consistent fail"), ("ppf", "inconsistent 2/3")],
)
def test_repeats_are_consistent_or_not(outcomes: str, wanted: str) -> None:
    assert tried(outcomes, 1).consistency == wanted


def test_a_test_whose_repeats_were_cut_off_has_not_failed() -> None:
    cut = TestOutcome((replace(ONE, runs=3, passes=2),))

    assert cut.outcome == "unsure"


def seen(results: list[Result], *, by_wording: bool = False) -> Overview:
    overview = Overview(by_wording=by_wording)
    assert list(overview.watch(results)) == results
    return overview


def test_results_pass_by_and_are_counted() -> None:
    found = seen([result(1), result(2, "fail"), no_answer(3), result(4, "unsure")])

    assert dict(found.tally.outcomes) == {"pass": 1, "fail": 1, "error": 1, "unsure": 1}
    assert {word: [one.first.test for one in held] for word, held in found.worst.items()} == {
        "fail": [2],
        "error": [3],
        "unsure": [4],
    }


def test_few_tests_are_all_in_the_grid() -> None:
    found = seen([result(test, source=label) for test in (1, 2) for label in ("a", "b")])

    assert [row.outcomes for row in found.grid] == [{"a": "pass", "b": "pass"}] * 2
    assert {label: tally.total for label, tally in found.columns.items()} == {"a": 2, "b": 2}


def test_of_many_tests_those_are_in_the_grid_on_which_sources_differ() -> None:
    results: list[Result] = []
    for test in range(1, 100):
        results += [result(test, source="a"), result(test, "fail" if test % 10 == 0 else "pass", source="b")]

    assert [row.first.test for row in seen(results).grid] == list(range(10, 100, 10))


def test_prompts_are_columns_of_their_own_where_there_are_several() -> None:
    found = seen([result(1, wording="long"), result(1, wording="short")], by_wording=True)

    assert list(found.columns) == ["model, long", "model, short"]


def test_memory_does_not_grow_with_the_tests() -> None:
    found = seen([result(test, "fail") for test in range(1, 10 * MOST)])

    assert len(found.worst["fail"]) == MOST
    assert found.tally.total == 10 * MOST - 1
