"""From a plan to results."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from sensecheck.batteries.battery import BatteryTest
from sensecheck.batteries.plan import Plan, TestFilter
from sensecheck.batteries.trials import BATCH_SIZE, run_trials
from sensecheck.checks.assess import Case
from sensecheck.core.verdict import Verdict
from sensecheck.runs.jsonl import result_line
from tests.batteries.hand_built import Answering, asking, battery, near, sense, spec

FEW = battery([asking(number) for number in range(1, 6)])


def test_every_answer_is_judged_in_its_order() -> None:
    wrong = battery([asking(1), asking(2, check=near("Something else.")), asking(3)])

    results = list(run_trials(Plan.of(wrong, TestFilter()), [Answering()], sense().judge_each))

    assert [(one.test, one.outcome) for one in results] == [(1, "pass"), (2, "fail"), (3, "pass")]
    first = results[0]
    assert (first.prompt, first.answer, first.source) == ("Question 1?", "Question 1?", "echo")
    assert (first.latency_ms, first.cost, first.place) == (5.0, 0.25, "bot.battery.yaml:1:1")
    assert [(score.type, score.score) for score in first.scores] == [("similar", 1.0)]


def test_how_long_an_answer_took_is_judged_as_people_read_it() -> None:
    held: list[Case] = []

    def judge_each(cases: Iterable[Case]) -> Iterator[Verdict]:
        held.extend(cases)
        return sense().judge_each(held)

    source = Answering(latency_ms=1234.56789)
    (result,) = run_trials(Plan.of(battery([asking(1)]), TestFilter()), [source], judge_each)

    assert held[0][0].latency_ms == 1234.6
    assert result.latency_ms == 1234.56789, "what is stored is what was measured"


def test_what_has_no_answer_is_an_error_and_is_not_judged() -> None:
    judged: list[str] = []

    def judge_each(cases: Iterable[Case]) -> Iterator[Verdict]:
        held = list(cases)
        judged.extend(sample.answer for sample, _ in held)
        return sense().judge_each(held)

    results = list(run_trials(Plan.of(FEW, TestFilter()), [Answering(silent=frozenset({2, 5}))], judge_each))

    assert [one.outcome for one in results] == ["pass", "error", "pass", "pass", "error"]
    assert results[1].verdict.because == "no answer: it sleeps"
    assert (results[1].answer, results[1].scores) == (None, ())
    assert judged == ["Question 1?", "Question 3?", "Question 4?"]


def test_an_answer_in_the_battery_is_judged_and_nobody_is_asked() -> None:
    source = Answering()
    mixed = battery([asking(1), asking(2, recorded="Question 2?"), asking(3)])

    results = list(run_trials(Plan.of(mixed, TestFilter()), [source], sense().judge_each))

    assert [(one.source, one.outcome) for one in results] == [
        ("echo", "pass"),
        ("recorded", "pass"),
        ("echo", "pass"),
    ]
    assert source.asked == [(1, 1), (3, 1)]


def test_what_is_done_is_neither_asked_nor_judged_again() -> None:
    source = Answering()

    results = list(run_trials(Plan.of(FEW, TestFilter(repeat=2)), [source], sense().judge_each, done=7))

    assert source.asked == [(4, 2), (5, 1), (5, 2)]
    assert [(one.test, one.repeat, one.runs, one.passes) for one in results] == [
        (4, 2, 2, 2),
        (5, 1, 2, 2),
        (5, 2, 2, 2),
    ]


def test_answers_that_are_waited_for_give_the_same_results() -> None:
    plan = Plan.of(battery([asking(number) for number in range(1, 60)], (spec("a"), spec("b"))), TestFilter())

    def lines(*, live: bool) -> list[str]:
        sources = [Answering("a", cacheable=live), Answering("b", frozenset({7}), cacheable=live)]
        return [result_line(one) for one in run_trials(plan, sources, sense().judge_each)]

    assert lines(live=True) == lines(live=False)


def test_no_more_is_read_than_is_judged_next() -> None:
    read: list[int] = []

    def tests() -> Iterator[BatteryTest]:
        for number in range(1, 10 * BATCH_SIZE):
            read.append(number)
            yield asking(number)

    plan = replace(Plan.of(FEW, TestFilter()), battery=replace(FEW, read_tests=tests))

    next(run_trials(plan, [Answering()], sense().judge_each))

    assert len(read) <= BATCH_SIZE + 1
