"""One measure with its cutoff, and a check that is given other parts of a sample."""

from dataclasses import replace

import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.gate import Against, Gate
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import Similarity
from sensecheck.measures.wording.text import Contains

NEAR = Gate(Similarity(), at_least(0.9), "near")
SAMPLE = Sample("The museum opens at nine.", expected="Dogs may not come in.", passages=("Cats sleep.",))


def judged(check: Check, sample: Sample = SAMPLE) -> Verdict:
    (verdict,) = assess([(sample, check)], Backends(HashingEncoder()))
    return verdict


def test_a_gate_is_called_by_its_label_or_its_measure() -> None:
    assert (NEAR.name, Gate(Similarity()).name) == ("near", "similarity")


def test_a_sample_that_lacks_what_is_compared_needs_nothing_and_is_an_error() -> None:
    sample = replace(SAMPLE, expected=None)
    verdict = judged(NEAR, sample)

    assert NEAR.needs(sample, Space()) == Needs()
    assert (verdict.outcome, verdict.because, verdict.cutoff) == (
        "error",
        "the sample has no `expected` answer to compare with",
        NEAR.cutoff,
    )
    assert NEAR.redecide(verdict) is verdict


def test_a_verdict_with_parts_is_not_that_of_a_gate() -> None:
    verdict = replace(judged(NEAR), parts=(judged(NEAR),))

    with pytest.raises(SpecError, match=r"^the verdict of `near` has parts; the gate has none$"):
        NEAR.redecide(verdict)


def test_the_checks_own_parts_take_the_place_of_the_samples() -> None:
    same = Against(NEAR, expected="The museum opens at nine.")

    assert same.name == "near"
    assert (judged(NEAR).outcome, judged(same).outcome) == ("fail", "pass")
    assert judged(Against(NEAR, answer="Dogs may not come in.")).outcome == "pass"
    words = Gate(KeywordOverlap(), at_least(0.5))
    assert judged(words).outcome == "fail"
    assert judged(Against(words, passages=("The museum opens early.",))).outcome == "pass"
    assert same.redecide(judged(same)) == judged(same)
    asked = Against(Gate(Similarity()), question="When?").needs(SAMPLE, Space())
    assert asked == Gate(Similarity()).needs(replace(SAMPLE, question="When?"), Space())


def test_what_is_made_of_the_answer_is_judged() -> None:
    shout = Gate(Contains(("MUSEUM",), ignore_case=False), at_least(1))

    assert judged(shout).outcome == "fail"
    assert judged(Against(shout, transform=str.upper)).outcome == "pass"
    assert judged(Against(shout, answer="a museum", transform=str.upper)).outcome == "pass"


def _broken(_: str) -> str:
    raise CannotJudge("the answer is no JSON")


def test_a_transform_that_fails_is_no_judgement() -> None:
    check = Against(NEAR, transform=_broken)
    verdict = judged(check)

    assert check.needs(SAMPLE, Space()) == Needs()
    assert (verdict.check, verdict.outcome, verdict.because) == ("near", "error", "the answer is no JSON")


@pytest.mark.parametrize(
    ("sample", "named"),
    [
        (replace(SAMPLE, answer="a" * 1_000_001), "the answer"),
        (replace(SAMPLE, expected="a" * 1_000_001), "the expected answer"),
        (replace(SAMPLE, passages=("short", "a" * 1_000_001)), "passage 2"),
    ],
)
def test_a_text_that_is_too_long_is_an_error_whatever_is_read_of_it(sample: Sample, named: str) -> None:
    verdict = judged(Gate(Contains(("a",)), at_least(1)), sample)

    assert verdict.outcome == "error"
    assert named in verdict.because
    assert "has 1,000,001 characters; at most 1,000,000 are read" in verdict.because
