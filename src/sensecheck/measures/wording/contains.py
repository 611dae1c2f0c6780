"""Which of some texts stand in the answer."""

from dataclasses import dataclass
from typing import Literal

from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.given import must_be_texts
from sensecheck.measures.wording.shown import listed


@dataclass(frozen=True, slots=True)
class Contains:
    """The share of some texts that stand in the answer, letter for letter; or whether any does."""

    texts: tuple[str, ...]
    want: Literal["all", "any"] = "all"
    """With `any`, one of them makes the reading 1."""
    ignore_case: bool = False

    def __post_init__(self) -> None:
        must_be_texts("texts", self.texts)
        if "" in self.texts:
            raise SpecError("`texts` holds an empty text, which stands in every answer; wanted some letters")

    @property
    def name(self) -> str:
        """What people call it."""
        return "contains"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the answer."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """1 when all of them are there, or any that will do; the evidence shows where each first stands."""
        places = {text: self._place(sample.answer, text) for text in self.texts}
        found = [text for text, place in places.items() if place >= 0]
        lacking = [text for text, place in places.items() if place < 0]
        share = len(found) / len(places)
        value = float(bool(found)) if self.want == "any" else share
        evidence = (self._evidence(sample.answer, text, places[text]) for text in found)
        return Reading(value, _because(found, lacking), tuple(evidence))

    def _place(self, answer: str, text: str) -> int:
        return answer.lower().find(text.lower()) if self.ignore_case else answer.find(text)

    def _evidence(self, answer: str, text: str, place: int) -> Evidence:
        """Where the text stands; an answer that is longer in small letters has other places there."""
        moved = self.ignore_case and len(answer.lower()) != len(answer)
        where = None if moved else Span.of("answer", answer, place, place + len(text))
        return Evidence("found", where, Span.of("wanted", text))


def _because(found: list[str], lacking: list[str]) -> str:
    said = [f"the answer holds {listed(found)}"] if found else []
    said += [f"the answer does not hold {listed(lacking)}"] if lacking else []
    return "; ".join(said)
