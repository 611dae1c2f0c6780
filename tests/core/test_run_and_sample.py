"""What a run holds, what a sample takes, and messages for packages that are missing."""

from datetime import UTC, datetime
from typing import Any

import pytest

from sensecheck.core.errors import MissingExtra, SampleError, SpecError
from sensecheck.core.extras import loaded_on_use, require_packages
from sensecheck.core.run import (
    Item,
    MetricScore,
    QuestionSet,
    RecordedAnswer,
    Run,
    RunBrief,
    Test,
    name_of,
    storable,
)
from sensecheck.core.sample import Sample


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"answer": 3}, "`answer` must be a string"),
        ({"question": 3}, "`question` must be a string"),
        ({"expected": 3}, "`expected` must be a string"),
        ({"id": 3}, "`id` must be a string"),
        ({"passages": "one"}, "`passages` must be a tuple of strings; got str"),
        ({"latency_ms": "soon"}, "`latency_ms` must be a number"),
        ({"cost": "little"}, "`cost` must be a number"),
    ],
)
def test_a_sample_of_other_types_is_an_error_that_names_the_part(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(SampleError) as raised:
        Sample(**{"answer": "One.", **wrong})

    assert said in str(raised.value)


def test_a_question_without_an_id_is_known_by_what_it_says() -> None:
    one, same = Item("When?", "At nine."), Item("When?", "At nine.", passages=("It opens at nine.",))

    assert one.name == same.name == name_of("When?", "At nine.")
    assert one.digest != same.digest
    assert Item("When?", "At nine.", id="open").name == "open"


def test_an_answer_is_kept_as_any_database_can_hold_it() -> None:
    recorded = RecordedAnswer("a\0b\ud800", cost=0.5, labels={"correct": 1.0})
    kept = recorded.scored((MetricScore("bleu", 0.5),))

    assert recorded.answer == kept.answer == "a\ufffdb\ufffd"
    assert (kept.cost, kept.labels, kept.readings[0].value) == (0.5, {"correct": 1.0}, 0.5)
    assert RecordedAnswer(None, "it broke").answer is None
    assert storable("plain") == "plain"
    assert storable("naïve 😀") == "naïve 😀"


def test_a_run_is_whole_when_no_question_is_left_and_is_named_in_a_word() -> None:
    test = Test(1, "t", "museum", "default", {}, {})
    began = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    run = Run(7, "r", test, QuestionSet(1, 2, "d"), "first", "minilm", {}, began, None, 1)
    brief = RunBrief.of(run)

    assert not run.whole
    assert brief.title == "run 7 (first)"
    assert brief.to_data()["at"] == "2026-01-02T03:04:05+00:00"
    assert RunBrief("museum.jsonl", "r", "", "", "", "", 2, 2).title == "museum.jsonl"


def test_a_package_that_is_missing_is_named_with_the_command_that_installs_it() -> None:
    require_packages("eval", "json")
    with pytest.raises(MissingExtra, match=r"`no_such_package` is not installed; .*'sensecheck\[eval\]'"):
        require_packages("eval", "json", "no_such_package")


def test_a_name_of_a_package_is_loaded_when_it_is_used() -> None:
    load = loaded_on_use("sensecheck.core", {"SpecError": "errors"})

    assert load("SpecError") is SpecError
    with pytest.raises(AttributeError, match="has no attribute `Other`"):
        load("Other")
