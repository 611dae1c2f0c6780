"""What a language model says of the passages, which it is shown without the answer."""

from dataclasses import dataclass, replace

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.judged import Judged

BETWEEN = "\n\n"


@dataclass(frozen=True, slots=True)
class JudgedPassages:
    """How well the passages do what a rubric asks: they stand where the judge is shown an answer.

    So the answer that was made of them cannot speak for them.
    """

    judged: Judged

    @property
    def name(self) -> str:
        """What people call it."""
        return "judged_passages"

    def needs(self, sample: Sample) -> Needs:
        """One prompt."""
        return self.judged.needs(_shown(sample))

    def read(self, sample: Sample, space: Space) -> Reading:
        """What the reply states."""
        return self.judged.read(_shown(sample), space)


def _shown(sample: Sample) -> Sample:
    passages = sample.must_have_passages()
    return replace(sample, answer=BETWEEN.join(f"[{n}] {text}" for n, text in enumerate(passages, 1)))
