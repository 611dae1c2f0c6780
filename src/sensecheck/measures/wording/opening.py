"""Whether the answer begins with a text."""

from dataclasses import dataclass

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.wording.shown import agreeing, quoted


@dataclass(frozen=True, slots=True)
class StartsWith:
    """1 when the answer begins with this text, letter for letter, else 0."""

    text: str

    def __post_init__(self) -> None:
        if not self.text:
            raise SpecError("`text` is empty, and every answer begins so; wanted some letters")

    @property
    def name(self) -> str:
        """What people call it."""
        return "starts_with"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 or 0; the evidence shows the opening as far as it agrees."""
        shared = agreeing(sample.answer, self.text)
        agrees = Evidence("found", Span.of("answer", sample.answer, 0, shared), Span.of("wanted", self.text))
        if shared == len(self.text):
            return Reading(1.0, f"the answer begins with {quoted(self.text)}", (agrees,))
        opening = quoted(sample.answer[: len(self.text)])
        return Reading(0.0, f"the answer begins with {opening}; wanted {quoted(self.text)}", (agrees,))
