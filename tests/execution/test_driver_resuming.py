from hypothesis import given
from hypothesis import strategies as some

from sensecheck.execution.driver import cover
from sensecheck.execution.tasks import parsed_result_name, result_name

STRETCHES = some.tuples(some.integers(0, 30), some.integers(1, 10))
SPANS = some.lists(STRETCHES.map(lambda two: (two[0], sum(two))))


def test_what_is_there_is_taken_and_what_is_not_is_left_to_do() -> None:
    assert cover(10, []) == ([], [(0, 10)])
    assert cover(10, [(0, 10), (0, 5)]) == ([(0, 10)], [])
    assert cover(10, [(5, 7), (0, 2)]) == ([(0, 2), (5, 7)], [(2, 5), (7, 10)])


@given(SPANS)
def test_every_row_is_taken_once_or_left_to_do_once(spans: list[tuple[int, int]]) -> None:
    chosen, missing = cover(40, spans)

    rows = [row for start, stop in (*chosen, *missing) for row in range(start, stop)]
    assert sorted(rows) == list(range(40))
    assert set(chosen) <= set(spans)


def test_names_of_results_say_what_they_are_about() -> None:
    assert parsed_result_name(result_name("ab12")) == ("ab12", None)
    assert parsed_result_name(result_name("ab12", (0, 5))) == ("ab12", (0, 5))
    assert parsed_result_name("results/ab12.0-5~9f3c.parquet") == ("ab12", (0, 5))
    assert parsed_result_name("results/notes.txt") is None
