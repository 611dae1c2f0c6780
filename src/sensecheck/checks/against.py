"""A check that brings along what the answer is held against."""

from dataclasses import dataclass, replace

from sensecheck.core.needs import Needs
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Verdict


@dataclass(frozen=True, slots=True)
class Against:
    """Decides as its check does, about the sample with these parts in place of its own."""

    check: Check
    question: str | None = None
    expected: str | None = None
    passages: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What people call it."""
        return self.check.name

    def needs(self, sample: Sample, known: Space) -> Needs:
        """What its check needs."""
        return self.check.needs(self._with(sample), known)

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """What its check decides."""
        return self.check.decide(self._with(sample), space)

    def again(self, verdict: Verdict) -> Verdict:
        """The verdict from stored readings."""
        return self.check.again(verdict)

    def _with(self, sample: Sample) -> Sample:
        return replace(
            sample,
            question=sample.question if self.question is None else self.question,
            expected=sample.expected if self.expected is None else self.expected,
            passages=self.passages or sample.passages,
        )
