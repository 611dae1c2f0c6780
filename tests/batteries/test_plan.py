"""Which tests of a battery are run."""

from pathlib import Path
from typing import Any

import pytest

from sensecheck.batteries.assertions.script import Script
from sensecheck.batteries.battery import BatteryTest
from sensecheck.batteries.plan import FailedTests, Plan, TestFilter, answered_by
from sensecheck.batteries.reader import read_battery
from sensecheck.checks.combine import AllOf, AnyOf, Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import SpecError
from sensecheck.core.protocols import Check
from sensecheck.measures.similarity import Similarity
from tests.batteries.hand_built import asking, battery, spec
from tests.runs.kept_runs import kept, no_answer, result

MANY = battery([asking(number, metadata={"topic": f"t{number % 3}"}) for number in range(1, 101)])


def numbers(test_filter: TestFilter) -> list[int]:
    plan = Plan.of(MANY, test_filter)
    found = [test.number for test in plan.each_test()]
    assert plan.tests == len(found) == plan.trials
    return found


def test_all_are_run_unless_something_is_asked_for() -> None:
    assert numbers(TestFilter()) == list(range(1, 101))
    assert Plan.of(MANY, TestFilter()).chosen is None


def test_a_pattern_is_looked_for_in_the_description() -> None:
    assert numbers(TestFilter(pattern=r"^test \d$")) == list(range(1, 10))


def test_metadata_must_be_equal() -> None:
    assert numbers(TestFilter(metadata={"topic": "t1"}, limit=3)) == [1, 4, 7]


def test_a_list_in_the_metadata_holds_each_of_its_values() -> None:
    tagged = battery([asking(1, metadata={"tags": ["a", "b"]}), asking(2, metadata={"tags": ["c"]})])

    assert Plan.of(tagged, TestFilter(metadata={"tags": "b"})).chosen == frozenset({1})


def test_a_sample_is_the_same_for_the_same_seed_and_in_the_order_of_the_battery() -> None:
    one, again, other = (
        numbers(TestFilter(sample=10)),
        numbers(TestFilter(sample=10)),
        numbers(TestFilter(sample=10, seed=7)),
    )

    assert one == again == sorted(one)
    assert len(one) == len(other) == 10
    assert one != other


def test_a_larger_sample_holds_the_smaller_one() -> None:
    assert set(numbers(TestFilter(sample=10))) < set(numbers(TestFilter(sample=20)))


def test_what_did_not_pass_is_run_again(tmp_path: Path) -> None:
    run = kept(
        tmp_path / "1.jsonl", [result(1), result(2, "fail"), no_answer(3), result(4, "unsure"), result(5)]
    )

    failed = FailedTests.of(run)
    assert numbers(TestFilter(failed=failed)) == [2, 3, 4]
    assert TestFilter(failed=failed).to_data() == {"failing_of": "1.jsonl", "failing": failed.digest}


def test_a_run_in_which_all_passed_has_nothing_to_run_again(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"every test of the run `.*` passed"):
        FailedTests.of(kept(tmp_path / "1.jsonl", [result(1)]))


@pytest.mark.parametrize(
    ("test_filter", "said"),
    [
        (TestFilter(pattern="nothing like it"), "none of them matches the pattern `nothing like it`"),
        (TestFilter(metadata={"topic": "t9"}), "none of them matches the metadata `topic=t9`"),
        (
            TestFilter(failed=FailedTests("1.jsonl", frozenset({"gone"}))),
            "none of them matches the tests that did not pass in `1.jsonl`",
        ),
    ],
)
def test_a_filter_that_leaves_nothing_is_an_error(test_filter: TestFilter, said: str) -> None:
    with pytest.raises(SpecError, match=f"no test of `bot.battery.yaml` is left to run: {said}"):
        Plan.of(MANY, test_filter)


def test_a_battery_without_tests_is_not_green() -> None:
    with pytest.raises(SpecError, match="it holds none"):
        Plan.of(battery([]), TestFilter())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pattern": "("}, "`\\(` is not a regular expression"),
        ({"limit": 0}, "`limit` must be 1 or more; got 0"),
        ({"sample": -1}, "`sample` must be 1 or more"),
        ({"repeat": 0}, "`repeat` must be 1 or more"),
        ({"limit": 1, "sample": 1}, "both given"),
    ],
)
def test_a_filter_that_cannot_be_meant_is_an_error(wrong: dict[str, int], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        TestFilter(**wrong)  # type: ignore[arg-type]


def test_other_sources_take_the_place_of_those_that_a_test_names() -> None:
    asked = battery([asking(1, sources=("b",))], (spec("a"), spec("b")))

    plan = Plan.of(answered_by(asked, (spec("recorded"),)), TestFilter())

    assert [trial.label for trial in plan.each_trial()] == ["recorded"]
    assert plan.labels == ("recorded",)


def test_the_plan_names_who_is_asked() -> None:
    tests: list[BatteryTest] = [asking(1, recorded="Yes."), asking(2, sources=("b",))]

    assert Plan.of(battery(tests, (spec("a"), spec("b"))), TestFilter()).labels == ("b", "recorded")


SEVERAL_KINDS = """\
prompts: ["Answer: {{user}}"]
providers: [echo]
tests:
  - vars: {user: Where is the tower?, context: The tower is in Paris.}
    threshold: 0.5
    assert:
      - {type: contains, value: Paris, weight: 2, metric: place}
      - {type: not-icontains, value: sorry}
      - {type: similar, value: It is in Paris., threshold: 0.8}
      - {type: not-python, value: len(output) > 100}
      - type: check
        check:
          kind: any_of
          checks:
            - {kind: gate, measure: {kind: keyword_overlap}, cutoff: {at_least: 0.5}}
            - {kind: not, check: {kind: gate, measure: {kind: repetition}}, label: fresh}
            - {kind: claims, words: {at_least: 0.5, certificate: {fitted_on: a file}}, reader: {at_least: 1}}
"""


def test_a_plan_is_known_by_what_its_checks_are_as_data(tmp_path: Path) -> None:
    """No rename of a class may move this: a run that was begun before it could not be resumed."""
    path = tmp_path / "bot.yaml"
    path.write_text(SEVERAL_KINDS)

    plan = Plan.of(read_battery(path, environment={}), TestFilter())

    assert plan.digest == "37c82dea0f6d31746adb9a7da90c4246a9ec95bca15778de3fb9ed4000bc5206"


class Named(Similarity):
    """A measure of somebody's own, whose class has a name of its own."""


def digest_with(check: Check, **part: Any) -> str:
    """Of a plan with one test, which has this check."""
    test = asking(1, check=Scored((Part(check, **part),)))
    return Plan.of(battery([test]), TestFilter()).digest


def test_another_check_makes_another_plan() -> None:
    line = at_least(0.5)
    gate = Gate(Similarity("Yes."), line)
    checks: list[Check] = [
        gate,
        Gate(Similarity("No."), line),
        Gate(Similarity("Yes."), at_least(0.6)),
        Gate(Similarity("Yes."), at_least(0.5, doubt=(0.4, 0.6))),
        Gate(Similarity("Yes."), line, "named"),
        Gate(Named("Yes."), line),
        Gate(Named("No."), line),
        Not(gate),
        AnyOf((gate,)),
        AllOf((gate,)),
        Against(gate, expected="Yes."),
        Against(gate, question="Yes?"),
        Script(len, "own.py", {}, 0.5),
        Script(len, "own.py", {}, 0.6),
        Script(len, "other.py", {}, 0.5),
        Not(Script(len, "own.py", {}, 0.5)),
    ]
    digests = [digest_with(check) for check in checks]
    digests += [digest_with(gate, weight=2.0), digest_with(gate, metric="m"), digest_with(gate, graded=True)]

    assert len(set(digests)) == len(digests)


def test_what_a_class_is_called_and_where_a_function_lies_in_memory_is_not_asked() -> None:
    class Renamed(Similarity):
        pass

    line = at_least(0.5)

    assert digest_with(Gate(Named("Yes."), line)) == digest_with(Gate(Renamed("Yes."), line))
    assert digest_with(Script(len, "own.py", {})) == digest_with(
        Script(lambda output, context: True, "own.py", {})
    )
