"""What a test expects of an answer, one expectation after the other."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.combine import Not
from sensecheck.checks.presets import MeansPolicy
from sensecheck.checks.questions import PolicyLike, ThresholdLike, grounding_check, preset_check
from sensecheck.core.errors import CannotJudge, ExpectationFailed
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.unicode import readable
from sensecheck.core.verdict import Verdict
from sensecheck.measures.exemplars import Nearness, clusters_of

__tracebackhide__ = True  # pytest shows the line of the test and the message, not our frames

SHOWN = 600
"""How many characters of an answer a message shows."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Says what an answer must be: each method returns the expectation itself, or raises.

    `ExpectationFailed` (an `AssertionError`) when the verdict is a fail or unsure; `CannotJudge` without one.
    """

    answer: str
    judge: Callable[[Sample, Check], Verdict]
    library: CardLibrary | None = None
    """Where the cards of policies lie; None for ours."""

    def means(
        self,
        expected: str,
        *,
        question: str | None = None,
        threshold: ThresholdLike | None = None,
        doubt: float | None = None,
        policy: MeansPolicy | None = None,
    ) -> Self:
        """It says what was expected, with none of its facts changed."""
        check = self._preset_check("means", threshold, doubt=doubt, policy=policy)
        return self.passes(check, question=question, expected=expected)

    def keeps_facts_of(self, reference: str) -> Self:
        """Its numbers, dates, names and negations are those of the reference."""
        return self.passes(self._preset_check("keeps_facts"), expected=reference)

    def is_not_refusal(self, *, threshold: ThresholdLike | None = None, doubt: float | None = None) -> Self:
        """It does anything else than refuse."""
        return self.passes(self._preset_check("not_a_refusal", threshold, doubt=doubt))

    def is_refusal(self, *, threshold: ThresholdLike | None = None, doubt: float | None = None) -> Self:
        """It refuses."""
        return self.passes(Not(self._preset_check("not_a_refusal", threshold, doubt=doubt), "is_refusal"))

    def is_grounded_in(
        self,
        passages: str | Iterable[str],
        *,
        question: str | None = None,
        policy: PolicyLike = "default",
        threshold: ThresholdLike | None = None,
    ) -> Self:
        """Every claim of it is supported by the passages, as the policy decides it."""
        check = grounding_check(policy, self.library, threshold)
        return self.passes(check, passages=passages, question=question)

    def is_classified_as(
        self,
        clusters: Mapping[str, tuple[str, ...] | list[str]],
        wanted: str,
        *,
        doubt: float | None = None,
        by: Nearness | None = None,
    ) -> Self:
        """It is more like the wanted cluster of examples than like any other."""
        examples = clusters_of(clusters)
        return self.passes(
            self._preset_check("classified_as", clusters=examples, wanted=wanted, doubt=doubt, by=by)
        )

    def is_not_circling(self, *, threshold: ThresholdLike | None = None) -> Self:
        """It gets on, rather than say the same again."""
        return self.passes(self._preset_check("not_circling", threshold))

    def has_verdict(self, wanted: Literal["pass", "fail"], *, threshold: ThresholdLike | None = None) -> Self:
        """As the text of a judge, it amounts to this verdict."""
        return self.passes(self._preset_check("verdict_is", threshold, wanted=wanted))

    def passes(
        self,
        check: Check,
        *,
        question: str | None = None,
        expected: str | None = None,
        passages: str | Iterable[str] = (),
    ) -> Self:
        """It passes any check, compared with what the check reads next to the answer."""
        sample = Sample.of(self.answer, question=question, expected=expected, passages=passages)
        verdict = self.judge(sample, check)
        if verdict.outcome in ("error", "measured"):
            raise CannotJudge(failure_message(self.answer, verdict))
        if verdict.outcome != "pass":
            raise ExpectationFailed(failure_message(self.answer, verdict))
        return self

    def _preset_check(self, preset: str, threshold: ThresholdLike | None = None, **options: Any) -> Check:
        return preset_check(preset, self.library, threshold=threshold, **options)


def failure_message(answer: str, verdict: Verdict) -> str:
    """A verdict for those who read why a test failed: all of it, then the answer."""
    return f"{verdict.explain()}\nthe answer: {quoted(answer)}"


def quoted(text: str) -> str:
    """A text between quotes, on lines of its own, as much of it as people read."""
    shown = readable(text[:SHOWN])
    left = len(text) - SHOWN
    return f"“{shown}”" if left <= 0 else f"“{shown}…” (and {left} more characters)"
