"""Combinations: what could not be judged is never hidden by what could."""

import pickle
from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sensecheck.checks.assess import assess
from sensecheck.checks.combine import AllOf, AnyOf, Cascade, Not, Vetoed
from sensecheck.checks.gate import Gate
from sensecheck.checks.presets import grounded, means, refusal_cluster
from sensecheck.core.backends import Backends, Embedding
from sensecheck.core.cutoff import Certificate, Cutoff, at_least, at_most
from sensecheck.core.errors import CannotJudge, SpecError, Unreachable
from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.reading import Evidence, Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict
from sensecheck.measures.similarity import PassageSimilarity, Similarity
from tests.conftest import Counting

BAND = at_least(0.5, doubt=(0.4, 0.6))
VALUES: dict[str, float] = {"pass": 0.9, "unsure": 0.5, "fail": 0.1}


@dataclass(frozen=True)
class Given:
    """A measure that reads the number it was given, or cannot read."""

    value: float | None
    name: str = "given"
    evidence: tuple[Evidence, ...] = ()

    def needs(self, sample: Sample) -> Needs:
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        if self.value is None:
            raise CannotJudge("nothing given")
        return Reading(self.value, "given", self.evidence)


def gate(outcome: str) -> Check:
    if outcome == "measured":
        return Gate(Given(0.5))
    return Gate(Given(VALUES.get(outcome)), BAND)


def decided(check: Check) -> Verdict:
    return next(assess([(Sample("x"), check)], Backends()))


OUTCOMES = st.sampled_from(["pass", "fail", "unsure", "error", "measured"])
JUDGED = st.sampled_from(["pass", "fail", "unsure"])


@given(st.lists(JUDGED, min_size=1, max_size=4))
def test_any_of_is_the_best_and_all_of_the_worst_of_what_was_judged(outcomes: list[str]) -> None:
    order = ["fail", "unsure", "pass"]
    ranks = [order.index(outcome) for outcome in outcomes]

    assert decided(AnyOf(tuple(map(gate, outcomes)))).outcome == order[max(ranks)]
    assert decided(AllOf(tuple(map(gate, outcomes)))).outcome == order[min(ranks)]


@given(st.lists(OUTCOMES, min_size=1, max_size=4).filter(lambda o: {"error", "measured"} & set(o)))
def test_what_was_not_judged_is_an_error_of_the_whole(outcomes: list[str]) -> None:
    checks = tuple(map(gate, outcomes))

    assert decided(AnyOf(checks)).outcome == "error"
    assert decided(AllOf(checks)).outcome == "error"


CHECKS = st.recursive(
    OUTCOMES.map(gate),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3).map(lambda some: AnyOf(tuple(some))),
        st.lists(inner, min_size=1, max_size=3).map(lambda some: AllOf(tuple(some))),
        st.lists(inner, min_size=1, max_size=3).map(lambda some: Cascade(tuple(some))),
        inner.map(Not),
    ),
    max_leaves=6,
)


def has_an_unjudged_part(verdict: Verdict) -> bool:
    leaf = not verdict.parts and verdict.outcome in ("error", "measured")
    return leaf or any(map(has_an_unjudged_part, verdict.parts))


@given(CHECKS)
def test_no_combination_turns_an_error_into_a_pass_or_a_fail(check: Check) -> None:
    verdict = decided(check)

    if has_an_unjudged_part(verdict):
        assert verdict.outcome in ("error", "measured")


@given(CHECKS)
def test_not_never_turns_an_error_into_a_pass(check: Check) -> None:
    turned: dict[Outcome, Outcome] = {"pass": "fail", "fail": "pass", "unsure": "unsure"}
    plain = decided(check)

    assert decided(Not(check)).outcome == turned.get(plain.outcome, "error")


@given(CHECKS)
def test_a_check_decides_again_from_its_stored_verdict_as_it_did(check: Check) -> None:
    verdict = decided(check)

    assert check.redecide(Verdict.from_json(verdict.to_json())) == verdict


@given(CHECKS)
def test_deciding_again_keeps_the_samples_id(check: Check) -> None:
    verdict = next(assess([(Sample("x", id="7"), check)], Backends()))

    assert verdict.sample == "7"
    assert check.redecide(verdict) == verdict


def test_a_verdict_of_another_check_is_not_decided_again() -> None:
    stored = decided(AllOf((gate("pass"),)))

    for other in (gate("pass"), AnyOf((gate("pass"),)), Not(gate("pass")), Cascade((gate("pass"),))):
        with pytest.raises(SpecError, match="the verdict is one of `all_of`"):
            other.redecide(stored)
    with pytest.raises(SpecError, match="has 1 parts; the check has 2"):
        AllOf((gate("pass"), gate("pass"))).redecide(stored)
    with pytest.raises(SpecError, match="has 2 parts; wanted 1 to 1"):
        Cascade((gate("pass"),)).redecide(decided(Cascade((gate("unsure"), gate("pass")))))
    with pytest.raises(SpecError, match="has parts; the gate has none"):
        Gate(Given(0.9), BAND, "all_of").redecide(stored)


@pytest.mark.parametrize("check", [AllOf((gate("pass"),)), means(), grounded(), refusal_cluster()])
def test_samples_checks_and_verdicts_can_be_sent_to_another_process(check: Check) -> None:
    verdict = decided(AllOf((gate("pass"), gate("error"))))

    for value in (check, verdict, Sample("a", passages=("p",)), Needs(texts=("t",))):
        assert pickle.loads(pickle.dumps(value)) == value


def test_a_moved_line_changes_the_stored_verdict_without_a_model() -> None:
    strict = AllOf((Gate(Given(0.7), at_least(0.9)), Gate(Given(0.7), at_least(0.6))))
    loose = AllOf((Gate(Given(0.7), at_least(0.5)), Gate(Given(0.7), at_least(0.6))))
    stored = decided(strict)

    assert stored.outcome == "fail"
    assert loose.redecide(stored).outcome == "pass"


@pytest.mark.parametrize("several", [AnyOf, AllOf, Cascade])
def test_nothing_to_combine_is_refused(several: type[AnyOf] | type[AllOf] | type[Cascade]) -> None:
    with pytest.raises(SpecError, match="at least one check"):
        several(())


STALE = Cutoff(0.0, "above", certificate=Certificate("labels", encoder="another:encoder"))


@pytest.mark.parametrize(
    "wrap", [AnyOf, AllOf, lambda parts: Not(AnyOf(parts)), lambda parts: Cascade(parts)]
)
@pytest.mark.parametrize(
    ("part", "said"),
    [
        (Gate(Similarity("expected"), STALE), "fitted for the encoder `another:encoder`"),
        (Gate(PassageSimilarity(), at_least(0)), "has no `passages`"),
        (Gate(Similarity(), at_least(0)), "has no `expected`"),
        (Gate(Similarity(""), at_least(0)), "the text is empty"),
    ],
)
def test_stale_cutoffs_and_missing_parts_are_errors_in_every_combination(
    wrap: type[AnyOf], part: Gate, said: str
) -> None:
    sure = Gate(Given(0.9), BAND)
    verdict = next(assess([(Sample("x"), wrap((part, sure)))], Backends(Counting())))

    assert verdict.outcome == "error"
    assert said in verdict.explain()


class Dead(Counting):
    """An encoder whose endpoint does not answer."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        raise Unreachable("nobody answers at the endpoint")


@pytest.mark.parametrize(
    "wrap", [AnyOf, AllOf, lambda parts: Not(AnyOf(parts)), lambda parts: Cascade(parts)]
)
def test_an_unreachable_endpoint_is_an_error_in_every_combination(wrap: type[AnyOf]) -> None:
    check = wrap((Gate(Similarity("expected"), at_least(0)), Gate(Given(0.9), BAND)))
    verdict = next(assess([(Sample("x"), check)], Backends(Dead())))

    assert verdict.outcome == "error"
    assert "nobody answers" in verdict.because


def test_a_part_that_only_measures_says_that_it_lacks_a_cutoff() -> None:
    assert "`given` has no cutoff" in decided(AllOf((Gate(Given(0.9)), gate("pass")))).because


@pytest.mark.parametrize(
    ("first", "veto", "outcome"),
    [
        ("pass", "pass", "pass"),
        ("pass", "fail", "unsure"),
        ("pass", "unsure", "unsure"),
        ("unsure", "pass", "unsure"),
        ("unsure", "fail", "unsure"),
        ("fail", "pass", "fail"),
        ("fail", "fail", "fail"),
    ],
)
def test_a_veto_keeps_from_passing_what_is_likely(first: str, veto: str, outcome: str) -> None:
    check = Vetoed((Gate(Given(VALUES[first]), BAND, "first"), Gate(Given(VALUES[veto]), BAND, "veto")))

    verdict = check.decide(Sample("An answer."), Space())

    assert verdict.outcome == outcome
    assert check.redecide(verdict) == verdict
    if veto == "fail":
        assert verdict.because.startswith("veto: ")


@pytest.mark.parametrize(
    ("probability", "outcome"), [(0.41, "fail"), (0.49, "fail"), (0.5, "unsure"), (0.59, "unsure")]
)
@pytest.mark.parametrize("line", [BAND, at_least(0.3)], ids=["a band", "a line below"])
def test_a_veto_fails_what_is_less_probable_than_not(probability: float, outcome: str, line: Cutoff) -> None:
    """The same under every cutoff, so that one can be fitted."""
    check = Vetoed((Gate(Given(probability), line, "first"), Gate(Given(0.1), BAND, "veto")))

    assert check.decide(Sample("An answer."), Space()).outcome == outcome


@pytest.mark.parametrize(
    ("kind", "probability", "outcome"),
    [
        ("number", 0.89, "fail"),
        ("date", 0.7, "fail"),
        ("number", 0.9, "unsure"),
        ("name", 0.95, "unsure"),
        ("negation", 0.89, "unsure"),
        ("negation", 0.9, "pass"),  # words alone: who is nearly sure is more often right
        ("negation", 0.49, "fail"),
    ],
)
def test_what_differs_decides_how_sure_the_first_must_be(kind: str, probability: float, outcome: str) -> None:
    differing = Given(0.1, evidence=(Evidence(kind),))
    check = Vetoed((Gate(Given(probability), BAND, "first"), Gate(differing, BAND, "veto")))

    assert check.decide(Sample("An answer."), Space()).outcome == outcome


def test_a_veto_does_not_fail_a_small_reading_where_less_is_better() -> None:
    check = Vetoed((Gate(Given(0.1), at_most(0.3), "first"), Gate(Given(0.1), BAND, "veto")))

    assert check.decide(Sample("An answer."), Space()).outcome == "unsure"
