"""Which questions a battery asks, and in which order."""

import pytest

from sensecheck.batteries.battery import BatteryTest, Repeat
from sensecheck.batteries.plan import count_trials, trials_of
from sensecheck.core.errors import BatteryError
from tests.batteries.hand_built import asking, battery, spec

TWO = (spec("a"), spec("b"))


def told(test: BatteryTest, repeat: int | None = None) -> list[tuple[str, str, int]]:
    asked = battery([test], TWO, "Short: {{ user }}", "Long: {{ user }}")
    trials = list(trials_of(asked, test, repeat))
    assert len(trials) == count_trials(asked, test, repeat)
    return [(trial.prompt.label.partition(":")[0], trial.label, trial.repeat) for trial in trials]


def test_prompts_come_before_sources_and_sources_before_repeats() -> None:
    assert told(asking(1), 2) == [
        ("Short", "a", 1),
        ("Short", "a", 2),
        ("Short", "b", 1),
        ("Short", "b", 2),
        ("Long", "a", 1),
        ("Long", "a", 2),
        ("Long", "b", 1),
        ("Long", "b", 2),
    ]


def test_a_test_that_says_how_often_is_not_overruled() -> None:
    asked = battery([], TWO)
    trials = list(trials_of(asked, asking(1, repeat=Repeat(5, 4)), 2))

    assert len(trials) == 10
    assert {(trial.of.runs, trial.of.passes) for trial in trials} == {(5, 4)}


def test_all_runs_must_pass_when_the_command_line_says_how_often() -> None:
    asked = battery([], TWO)

    assert {trial.of for trial in trials_of(asked, asking(1), 3)} == {Repeat(3, 3)}


def test_an_answer_in_the_battery_is_judged_once() -> None:
    assert told(asking(1, recorded="Yes.", repeat=Repeat(5, 5)), 3) == [("Short", "recorded", 1)]


def test_a_test_may_ask_some_sources_in_some_words() -> None:
    assert told(asking(1, sources=("b",), prompts=("Long: {{ user }}",))) == [("Long", "b", 1)]


def test_a_source_may_be_for_some_prompts() -> None:
    asked = battery([], (spec("a", ("Short",)), spec("b")), "Short", "Long")

    trials = [(trial.prompt.label, trial.label) for trial in trials_of(asked, asking(1))]
    assert trials == [("Short", "a"), ("Short", "b"), ("Long", "b")]


@pytest.mark.parametrize(
    ("test", "sources", "complaint"),
    [
        (asking(7), (), "7:1: nothing answers the test; name `providers`"),
        (asking(7, sources=("c",)), TWO, "7:1: no source is left that the test asks"),
        (asking(7, prompts=("None",)), TWO, "7:1: no prompt is left that the test asks"),
    ],
)
def test_a_test_that_would_ask_nothing_is_an_error(
    test: BatteryTest, sources: tuple[()], complaint: str
) -> None:
    with pytest.raises(BatteryError, match=complaint):
        count_trials(battery([test], sources, "Short"), test)
