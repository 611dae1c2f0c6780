"""Expectations without a model: each method asks its own check, and passes on how it is to decide."""

import re
from collections.abc import Callable

import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.expectation import SHOWN, Expectation, failure_message, quoted
from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import named
from sensecheck.checks.questions import PARAMETERS, grounding_check, preset_check
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import CannotJudge, ExpectationFailed, SpecError
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.similarity import Similarity

SAID = "Tablets are lent for three weeks."
CLUSTERS = {"pass": ["It is right"], "fail": ["It is wrong"]}


def judge(sample: Sample, check: Check) -> Verdict:
    (verdict,) = assess([(sample, check)], Backends(HashingEncoder()))
    return verdict


class Noted:
    """Judges nothing; remembers what it was to judge."""

    def __init__(self) -> None:
        self.seen: list[tuple[Sample, Check]] = []

    def __call__(self, sample: Sample, check: Check) -> Verdict:
        self.seen.append((sample, check))
        return Verdict(check.name, "pass", "noted")


ASKED: list[tuple[Callable[[Expectation], Expectation], Sample, Check]] = [
    (
        lambda one: one.means("x", question="q", threshold=0.4, doubt=0.1, policy="similarity"),
        Sample(SAID, question="q", expected="x"),
        preset_check("means", threshold=0.4, doubt=0.1, policy="similarity"),
    ),
    (lambda one: one.keeps_facts_of("x"), Sample(SAID, expected="x"), preset_check("keeps_facts")),
    (
        lambda one: one.is_not_refusal(threshold=0.3, doubt=0.1),
        Sample(SAID),
        preset_check("not_a_refusal", threshold=0.3, doubt=0.1),
    ),
    (
        lambda one: one.is_grounded_in("p", question="q", policy="fast", threshold=0.3),
        Sample(SAID, question="q", passages=("p",)),
        grounding_check("fast", threshold=0.3),
    ),
    (
        lambda one: one.is_classified_as(CLUSTERS, "pass", doubt=0.1),
        Sample(SAID),
        preset_check("classified_as", clusters=CLUSTERS, wanted="pass", doubt=0.1),
    ),
    (
        lambda one: one.is_not_circling(threshold=0.3),
        Sample(SAID),
        preset_check("not_circling", threshold=0.3),
    ),
    (
        lambda one: one.has_verdict("fail", threshold=0.3),
        Sample(SAID),
        preset_check("verdict_is", threshold=0.3, wanted="fail"),
    ),
]


@pytest.mark.parametrize(("method", "sample", "check"), ASKED)
def test_each_method_asks_its_own_check(
    method: Callable[[Expectation], Expectation], sample: Sample, check: Check
) -> None:
    noted = Noted()
    expected = Expectation(SAID, noted)

    assert method(expected) is expected
    assert noted.seen == [(sample, check)]


def test_a_refusal_is_the_opposite_of_its_check() -> None:
    noted = Noted()
    Expectation(SAID, noted).is_refusal(threshold=0.3)

    ((_, check),) = noted.seen
    assert check.name == "is_refusal"
    assert getattr(check, "check", None) == preset_check("not_a_refusal", threshold=0.3)


def test_what_is_not_met_says_the_verdict_and_then_the_answer() -> None:
    expected = Expectation(SAID, judge)
    near = Gate(Similarity(), at_least(0.9))

    assert expected.passes(near, expected=SAID) is expected
    with pytest.raises(ExpectationFailed) as failed:
        expected.passes(near, expected="Dogs stay outside.")
    verdict = judge(Sample(SAID, expected="Dogs stay outside."), near)
    assert str(failed.value) == f"{verdict.explain()}\nthe answer: “{SAID}”"
    assert str(failed.value) == failure_message(SAID, verdict)


def test_what_was_not_decided_is_no_assertion() -> None:
    expected = Expectation(SAID, judge)

    with pytest.raises(CannotJudge, match=r"^MEASURED similarity: "):
        expected.passes(Gate(Similarity()), expected=SAID)
    with pytest.raises(CannotJudge, match=r"^ERROR similarity: the sample has no `expected` answer"):
        expected.passes(Gate(Similarity(), at_least(0.9)))
    with pytest.raises(ExpectationFailed, match=r"^UNSURE similarity: "):
        expected.passes(Gate(Similarity(), at_least(0.9, doubt=(-1, 1.1))), expected="Dogs.")


def test_as_much_of_an_answer_is_shown_as_people_read() -> None:
    assert quoted("a\x1bb\nc") == "“a\N{REPLACEMENT CHARACTER}b\nc”"
    assert quoted("x" * SHOWN) == f"“{'x' * SHOWN}”"
    assert quoted("x" * (SHOWN + 1)) == f"“{'x' * SHOWN}…” (and 1 more characters)"


def test_a_preset_as_it_is_is_made_once() -> None:
    assert preset_check("means") is preset_check("means", threshold=None)
    assert preset_check("means", policy="similarity") is not preset_check("means")
    assert PARAMETERS["means"] == ("threshold", "doubt", "policy")
    assert PARAMETERS["classified_as"] == ("doubt", "by")
    assert PARAMETERS["verdict_is"] == ("threshold",)


def test_the_check_of_a_policy_by_name_as_data_or_as_it_is() -> None:
    fast = named("fast")

    assert grounding_check("fast") == grounding_check(fast) == grounding_check(fast.to_data()) == fast.check()
    line = grounding_check("fast", threshold=0.3)
    assert getattr(line, "words", None) == at_least(0.3)
    with pytest.raises(SpecError, match=re.escape("has two cutoffs of its own; got a threshold")):
        grounding_check("similarity-or-keywords", threshold=0.3)
