"""Several checks, each worth its weight."""

from dataclasses import dataclass, replace

import pytest

from sensecheck.checks.combine import Not
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.cutoff import Cutoff, at_least
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict
from sensecheck.measures.overlap import KeywordOverlap

SAMPLE, SPACE = Sample("The museum opens at nine."), Space()
SURE, TORN = at_least(0.5), at_least(0.5, doubt=(0.2, 0.8))


@dataclass(frozen=True, slots=True)
class Fixed:
    """Reads the same number everywhere, or nothing."""

    value: float | None

    @property
    def name(self) -> str:
        return "fixed"

    def needs(self, sample: Sample) -> Needs:
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        if self.value is None:
            raise CannotJudge("there is nothing to read")
        return Reading(self.value, f"it is {self.value}")


def part(
    value: float | None, weight: float = 1.0, *, cutoff: Cutoff | None = SURE, graded: bool = False
) -> Part:
    return Part(Gate(Fixed(value), cutoff), weight, graded=graded)


def judged(*parts: Part, threshold: float | None = None) -> Verdict:
    return Scored(parts, threshold).decide(SAMPLE, SPACE)


def test_without_a_threshold_every_part_must_pass() -> None:
    assert judged(part(1), part(0.6)).outcome == "pass"
    assert judged(part(1), part(0.4)).outcome == "fail"
    assert judged(part(1), part(0.6, cutoff=TORN)).outcome == "unsure"


def test_with_a_threshold_the_weighed_mean_decides() -> None:
    passes = judged(part(1, 3), part(0, 1), threshold=0.75)
    fails = judged(part(1, 3), part(0, 1), threshold=0.76)

    assert (passes.outcome, fails.outcome) == ("pass", "fail")
    assert passes.reading is not None
    assert passes.reading.value == 0.75
    assert "it is 0" in fails.because


def test_what_is_unsure_decides_nothing_unless_it_cannot_matter() -> None:
    torn = part(0.6, cutoff=TORN)

    assert judged(torn, part(1), threshold=0.5).outcome == "pass"
    assert judged(torn, part(1), threshold=0.6).outcome == "unsure"
    assert judged(torn, part(0), threshold=0.6).outcome == "fail"


def test_a_graded_part_is_worth_what_it_reads_and_any_other_all_or_nothing() -> None:
    graded = judged(part(0.6, graded=True), part(0.9), threshold=0.1)
    beyond = judged(part(7.0, graded=True), threshold=0.1)

    assert graded.reading is not None
    assert graded.reading.value == pytest.approx(0.8)
    assert beyond.reading is not None
    assert beyond.reading.value == 1.0


def test_a_part_without_weight_is_reported_and_decides_nothing() -> None:
    verdict = judged(part(1), part(0, 0.0), part(None, 0.0))

    assert verdict.outcome == "pass"
    assert [held.outcome for held in verdict.parts] == ["pass", "fail", "error"]


@pytest.mark.parametrize("threshold", [None, 0.0, 0.5])
def test_a_part_that_cannot_be_judged_is_an_error_of_the_whole(threshold: float | None) -> None:
    verdict = judged(part(1), part(None), threshold=threshold)

    assert verdict.outcome == "error"
    assert "nothing to read" in verdict.because
    assert len(verdict.parts) == 2


def test_a_part_that_only_measures_is_an_error_of_the_whole() -> None:
    assert judged(part(1), part(1, cutoff=None)).outcome == "error"


@pytest.mark.parametrize("parts", [(), (part(1, 0.0),)])
def test_what_could_never_fail_is_refused(parts: tuple[Part, ...]) -> None:
    with pytest.raises(SpecError, match="never fail"):
        Scored(parts)


def test_a_weight_below_nothing_is_refused() -> None:
    with pytest.raises(SpecError, match="weight"):
        part(1, -1.0)


def test_a_verdict_can_be_decided_again() -> None:
    strict = Scored((part(0.6), part(0.9)), 0.5)
    verdict = strict.decide(SAMPLE, SPACE)

    assert strict.redecide(verdict) == verdict
    assert Verdict.from_json(verdict.to_json()) == verdict
    assert Scored((part(0.6, cutoff=at_least(0.95)), part(0.9)), 0.6).redecide(verdict).outcome == "fail"


def test_a_check_can_bring_along_what_it_holds_the_answer_against() -> None:
    @dataclass(frozen=True, slots=True)
    class Expected:
        name: str = "expected"

        def needs(self, sample: Sample) -> Needs:
            return Needs()

        def read(self, sample: Sample, space: Space) -> Reading:
            return Reading(1.0, f"{sample.expected} / {sample.passages} / {sample.question}")

    gate = Gate(Expected(), SURE)
    own = Sample("a", question="q", expected="e", passages=("p",))

    assert Against(gate, expected="other").decide(own, SPACE).because == "other / ('p',) / q"
    assert Against(gate, question="why", passages=("x", "y")).decide(own, SPACE).because == (
        "e / ('x', 'y') / why"
    )


@pytest.mark.parametrize("graded", [True, False])
def test_what_is_unsure_within_a_set_stays_open(graded: bool) -> None:
    torn = Scored((part(0.6, cutoff=TORN, graded=graded),), label="assert-set")
    whole = Scored((Part(torn, graded=True),), 0.5)

    assert torn.decide(SAMPLE, SPACE).outcome == "unsure"
    assert whole.decide(SAMPLE, SPACE).outcome == "unsure"
    assert judged(part(0.6, cutoff=TORN, graded=True), threshold=0.5).outcome == "unsure"


@pytest.mark.parametrize("weights", [(0.1, 0.2, 0.7), (0.1, 0.3, 0.6), (0.1, 0.4, 0.5), (1, 2, 7)])
def test_weights_add_up_as_they_are_written(weights: tuple[float, ...]) -> None:
    first, *others = weights
    verdict = judged(part(0, first), *(part(1, weight) for weight in others), threshold=0.9)

    assert verdict.outcome == "pass", verdict.because
    assert verdict.reading is not None
    assert verdict.reading.value == 0.9


@pytest.mark.parametrize("threshold", [float("nan"), float("inf")])
def test_a_threshold_is_a_finite_number(threshold: float) -> None:
    with pytest.raises(SpecError) as refused:
        Scored((Part(Gate(KeywordOverlap(), at_least(0.5))),), threshold)
    assert str(refused.value) == f"`threshold` must be a finite number; got {threshold}"


def test_a_set_without_weights_is_refused_by_its_name() -> None:
    with pytest.raises(SpecError) as refused:
        Scored((Part(Gate(KeywordOverlap()), 0.0),), label="all of it")
    assert str(refused.value) == "`all of it` must have at least one check that counts; it could never fail"


def test_a_verdict_of_other_parts_is_not_decided_again() -> None:
    gate = Gate(KeywordOverlap(), at_least(0.5))
    two, one = Scored((Part(gate), Part(gate))), Scored((Part(gate),))
    verdict = two.decide(Sample("a museum", passages=("a museum",)), Space())

    with pytest.raises(SpecError, match=r"^the verdict of `test` has 2 parts; wanted 1$"):
        one.redecide(verdict)
    assert two.redecide(replace(verdict, sample="seven")).sample == "seven"


def test_the_opposite_of_a_graded_part_is_worth_what_its_reading_lacks() -> None:
    gate = Gate(KeywordOverlap(), at_least(0.9))
    sample = Sample("a museum and dogs", passages=("a museum",))
    (part,) = Scored((Part(gate, graded=True),), 0.1).decide(sample, Space()).parts
    value = part.reading.value if part.reading is not None else None

    assert value is not None
    assert 0 < value < 1
    turned = Scored((Part(Not(gate), graded=True),), 0.1).decide(sample, Space())
    assert turned.reading is not None
    assert turned.reading.value == pytest.approx(1 - value)
    assert turned.because == f"the score is {1 - value:.3f}; wanted 0.1 or more"
    twice = Scored((Part(Not(Not(gate)), graded=True),), 0.1).decide(sample, Space())
    assert twice.reading is not None
    assert twice.reading.value == pytest.approx(value)
