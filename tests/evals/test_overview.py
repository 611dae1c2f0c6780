"""What is told of a run when it ends."""

from sensecheck.runs.result import Result
from sensecheck.runs.tally import MOST, Overview
from tests.evals.kept_runs import no_answer, result


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
