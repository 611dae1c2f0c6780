"""How much of an answer says again what it has said."""

from collections.abc import Mapping
from dataclasses import dataclass

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.spoken import earlier_twins, sentence_needs, sentence_spans, sentence_vectors


@dataclass(frozen=True, slots=True)
class Repetition:
    """The share of sentences that nearly repeat an earlier one."""

    twin: float = 0.9
    """From this closeness on, two sentences say the same."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "repetition"

    def needs(self, sample: Sample) -> Needs:
        """Every sentence."""
        return sentence_needs(sample)

    def english_texts(self, sample: Sample) -> Mapping[str, str]:
        """The answer."""
        return {"answer": sample.answer}

    def read(self, sample: Sample, space: Space) -> Reading:
        """Sentences with an earlier twin, by all sentences."""
        spans = sentence_spans(sample)
        read = space.readable([span.text for span in spans])
        said = [span for span in spans if span.text in read]
        twins = earlier_twins(said, sentence_vectors(said, space), self.twin)
        share = len(twins) / max(len(said), 1)
        because = f"{len(twins)} of {len(said)} sentences nearly repeat an earlier one"
        lost = sum(len(span.text) for span in spans if span.text not in read)
        return Reading(share, because, twins, lost + space.unread(*(span.text for span in said)))
