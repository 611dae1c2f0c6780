"""Four lexical numbers in one, by fixed weights."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.lexical.content_f1 import content_f1
from sensecheck.measures.lexical.nothing import nothing_to_compare
from sensecheck.measures.lexical.rouge_l import rouge_l
from sensecheck.measures.lexical.sentence_bleu import sentence_bleu
from sensecheck.measures.lexical.squad import squad_exact_match

PARTS: Mapping[str, tuple[float, Callable[[str, str], float]]] = {
    "BLEU": (0.30, sentence_bleu),
    "ROUGE-L": (0.40, lambda answer, expected: rouge_l(answer, expected).f1),
    "content F1": (0.20, content_f1),
    "exact match": (0.10, squad_exact_match),
}
"""By name: the weight, and who reads the number."""


@dataclass(frozen=True, slots=True)
class LexicalAggregate:
    """0.30 sentence BLEU + 0.40 ROUGE-L F1 + 0.20 content F1 + 0.10 SQuAD exact match, from 0 to 1.

    Two empty texts are an exact match and nothing else, which is 0.1.
    """

    expected: str | None = None
    """The text to compare with; None takes the sample's own."""

    @property
    def name(self) -> str:
        """What people call it."""
        return "lexical_aggregate"

    def needs(self, sample: Sample) -> Needs:
        """Nothing but the two texts."""
        return Needs()

    def read(self, sample: Sample, space: Space) -> Reading:
        """The weighted sum, and its parts in words."""
        expected = sample.must_have_expected() if self.expected is None else self.expected
        found = {name: read(sample.answer, expected) for name, (_, read) in PARTS.items()}
        value = weighed(found)
        missing = None if value else nothing_to_compare(sample.answer.strip(), expected.strip())
        parts = ", ".join(f"{name} {part:.3f}" for name, part in found.items())
        return Reading(value, missing or f"the lexical aggregate is {value:.3f}: {parts}")


def lexical_aggregate(answer: str, expected: str) -> float:
    """The weighted sum of the parts."""
    return weighed({name: read(answer, expected) for name, (_, read) in PARTS.items()})


def weighed(found: Mapping[str, float]) -> float:
    """The sum of the parts by their weights, without errors of rounding: a perfect answer is 1."""
    return math.fsum(PARTS[name][0] * part for name, part in found.items())
