"""What a test expects of an answer, one expectation after the other."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, Self

from sensecheck.calibration.shelf import Shelf
from sensecheck.checks import presets
from sensecheck.checks.combine import Not
from sensecheck.checks.policies import Policy
from sensecheck.core.errors import CannotJudge, Unmet
from sensecheck.core.printable import readable
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.measures.given import clusters_of

__tracebackhide__ = True  # pytest shows the line of the test and the message, not our frames

SHOWN = 600
"""How many characters of an answer a message shows."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Says what an answer must be: each method returns the expectation itself, or raises.

    `Unmet` (an `AssertionError`) when the verdict is a fail or unsure; `CannotJudge` when there is none.
    """

    answer: str
    judge: Callable[[Sample, Check], Verdict]
    shelf: Shelf | None = None
    """Where the cards of policies lie; None for ours."""

    def means(self, expected: str) -> Self:
        """It says what was expected, with none of its facts changed."""
        return self.passes(presets.means(), expected=expected)

    def keeps_facts_of(self, reference: str) -> Self:
        """Its numbers, dates, names and negations are those of the reference."""
        return self.passes(presets.keeps_facts(), expected=reference)

    def is_not_refusal(self) -> Self:
        """It does anything else than refuse."""
        return self.passes(presets.not_a_refusal())

    def is_refusal(self) -> Self:
        """It refuses."""
        return self.passes(Not(presets.not_a_refusal(), "is_refusal"))

    def is_grounded_in(
        self,
        passages: str | Iterable[str],
        *,
        question: str | None = None,
        policy: str | Mapping[str, Any] | Policy = "default",
    ) -> Self:
        """Every claim of it is supported by the passages, as the policy decides it."""
        chosen = policy if isinstance(policy, Policy) else Policy.from_data(policy)
        return self.passes(chosen.check(self.shelf), passages=passages, question=question)

    def is_classified_as(self, clusters: Mapping[str, tuple[str, ...] | list[str]], wanted: str) -> Self:
        """It is more like the wanted cluster of examples than like any other."""
        return self.passes(presets.classified_as(clusters_of(clusters), wanted))

    def is_not_circling(self) -> Self:
        """It gets on, rather than say the same again."""
        return self.passes(presets.not_circling())

    def has_verdict(self, wanted: Literal["pass", "fail"]) -> Self:
        """As the text of a judge, it amounts to this verdict."""
        return self.passes(presets.verdict_is(wanted))

    def passes(
        self,
        check: Check,
        *,
        question: str | None = None,
        expected: str | None = None,
        passages: str | Iterable[str] = (),
    ) -> Self:
        """It passes any check, held against what the check reads beside the answer."""
        sample = Sample.of(self.answer, question=question, expected=expected, passages=passages)
        verdict = self.judge(sample, check)
        if verdict.outcome in ("error", "measured"):
            raise CannotJudge(told(self.answer, verdict))
        if verdict.outcome != "pass":
            raise Unmet(told(self.answer, verdict))
        return self


def told(answer: str, verdict: Verdict) -> str:
    """A verdict for those who read why a test failed: all of it, then the answer."""
    return f"{verdict.explain()}\nthe answer: {quoted(answer)}"


def quoted(text: str) -> str:
    """A text between quotes, on lines of its own, as much of it as people read."""
    shown = readable(text[:SHOWN])
    left = len(text) - SHOWN
    return f"“{shown}”" if left <= 0 else f"“{shown}…” (and {left} more characters)"
