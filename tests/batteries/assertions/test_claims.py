"""`context-faithfulness` and `context-recall` with a threshold: the share of the claims that is supported."""

from dataclasses import dataclass
from typing import Any

import pytest

from sensecheck.batteries.assertions.checks import SupportedShare
from sensecheck.checks.gate import Against
from sensecheck.checks.introspection import cutoffs_of, uncalibrated
from sensecheck.checks.weighted import Part
from sensecheck.core.errors import BatteryError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict
from tests.batteries.assertions.asserted import about, read

AROUND = about(context=["The museum opens at nine."], expected="It opens at nine.")


@dataclass(frozen=True)
class Claims:
    """A check of claims that came out so, and as a whole as the first of them that decides."""

    outcomes: tuple[Outcome, ...]
    name: str = "claims"

    def needs(self, sample: Sample, known: Space) -> Needs:
        return Needs()

    def decide(self, sample: Sample, space: Space) -> Verdict:
        parts = tuple(
            Verdict("claim", word, f"claim {n} is {word}") for n, word in enumerate(self.outcomes, 1)
        )
        order: tuple[Outcome, ...] = ("fail", "error", "unsure", "pass")
        whole: Outcome = next((word for word in order if word in self.outcomes), "unsure")
        return Verdict(self.name, whole, "as its claims", Reading(0.2, "the least likely claim"), parts=parts)

    def redecide(self, verdict: Verdict) -> Verdict:
        return self.decide(Sample(""), Space())


def on(*outcomes: Outcome, least: float) -> Verdict:
    return SupportedShare(Claims(outcomes), least=least).decide(Sample("An answer."), Space())


@pytest.mark.parametrize(
    ("outcomes", "least", "outcome", "score"),
    [
        (("pass", "pass", "pass", "fail"), 0.75, "pass", 0.75),
        (("pass", "pass", "pass", "fail"), 0.8, "fail", 0.75),
        (("pass", "fail", "unsure"), 0.5, "unsure", 1 / 3),
        (("pass", "fail", "unsure"), 0.3, "pass", 1 / 3),
        (("pass", "fail", "unsure"), 0.7, "fail", 1 / 3),
        (("pass", "pass"), 1.0, "pass", 1.0),
        (("pass", "unsure"), 1.0, "unsure", 0.5),
        (("fail", "fail", "error"), 0.5, "fail", 0.0),
        (("pass", "fail", "error"), 0.5, "error", 1 / 3),
    ],
)
def test_the_share_of_supported_claims_is_compared_with_the_threshold(
    outcomes: tuple[Outcome, ...], least: float, outcome: Outcome, score: float
) -> None:
    verdict = on(*outcomes, least=least)

    assert verdict.outcome == outcome
    assert verdict.reading is not None
    assert verdict.reading.value == pytest.approx(score)
    assert SupportedShare(Claims(outcomes), least=least).redecide(verdict).outcome == outcome


def test_the_reason_counts_the_claims_and_names_the_one_that_decides() -> None:
    assert on("pass", "fail", "unsure", least=0.9).because == (
        "1 of 3 claims supported, 1 undecided; wanted a share of 0.9 or more: claim 2 is fail"
    )
    assert on("pass", "pass", least=0.9).because == "2 of 2 claims supported; wanted a share of 0.9 or more"


def test_an_answer_without_claims_is_what_the_check_of_claims_says() -> None:
    assert on(least=0.5).because == "as its claims"
    assert on(least=0.5).outcome == "unsure"


@pytest.mark.parametrize("kind", ["context-faithfulness", "context-recall"])
def test_a_number_is_a_share_and_leaves_the_fitted_cutoff_of_a_claim_alone(kind: str) -> None:
    ((_, part),) = read({"type": kind, "threshold": 0.9}, around=AROUND)
    ((_, plain),) = read({"type": kind}, around=AROUND)

    assert isinstance(part.check, SupportedShare)
    assert part.check.least == 0.9
    assert part.graded
    assert [cutoff.value for cutoff in cutoffs_of(part.check)] == [
        cutoff.value for cutoff in cutoffs_of(plain.check)
    ]
    assert uncalibrated(part.check) == ()
    assert not any(
        cutoff.certificate is not None and cutoff.certificate.kept_by for cutoff in cutoffs_of(part.check)
    ), "no promise is shown for a share of the claims"


def test_without_a_threshold_every_claim_must_be_supported() -> None:
    ((_, part),) = read({"type": "context-faithfulness"}, around=AROUND)

    assert type(part.check) is Against
    assert not part.graded


def test_the_opposite_of_a_share_scores_what_it_lacks_of_one() -> None:
    ((_, part),) = read({"type": "not-context-faithfulness", "threshold": 1}, around=AROUND)
    turned: Any = part.check
    opposite = Verdict(turned.name, "fail", "", parts=(on("pass", "pass", "pass", "fail", least=0.5),))

    assert part.graded
    assert Part(turned, graded=True).score(opposite) == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("threshold", "said"),
    [
        (0, "must be more than 0"),
        (1.5, "from 0 to 1"),
        (True, "must be a number"),
        ([0.5], "must be a number"),
    ],
)
def test_a_share_that_decides_nothing_is_an_error(threshold: Any, said: str) -> None:
    with pytest.raises(BatteryError, match=rf"^here\.yaml:7:3: `threshold` of `context-recall` .*{said}"):
        read({"type": "context-recall", "threshold": threshold}, around=AROUND)
