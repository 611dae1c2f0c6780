"""What of a passage counts as evidence where passages may not speak to the model."""

from dataclasses import replace

from sensecheck.core.reading import Evidence, Span
from sensecheck.core.sample import Sample
from sensecheck.grounding.asking.orders import without_orders
from sensecheck.grounding.grounding import FoundClaim, Grounding
from sensecheck.measures.claims.injection import wide_injections

_NOTHING_LEFT = "."
"""A passage that is all orders: there is something to read in it, and nothing that it says."""


def believed(sample: Sample) -> Sample:
    """The sample with passages that give no orders, each as long as it was."""
    return replace(sample, passages=tuple(map(_believed, sample.passages)))


def shown(grounding: Grounding, original: Sample) -> Grounding:
    """What was found, with the words of the passages as they were sent, and the orders in them named."""
    if grounding.sample.passages == original.passages:
        return grounding
    return replace(
        grounding,
        sample=original,
        claims=tuple(_claim(claim, original) for claim in grounding.claims),
        injections=tuple(
            Span.of(f"passages[{at}]", passage, found[0], found[1])
            for at, passage in enumerate(original.passages)
            for found in wide_injections(passage)
        ),
    )


def _believed(passage: str) -> str:
    left = without_orders(passage)
    if left.strip() or not passage.strip():
        return left
    return _NOTHING_LEFT + left[len(_NOTHING_LEFT) :]


def _claim(claim: FoundClaim, original: Sample) -> FoundClaim:
    evidence = tuple(_span(span, original) for span in claim.evidence)
    return replace(claim, evidence=evidence, reasons=tuple(_reason(item, original) for item in claim.reasons))


def _reason(item: Evidence, original: Sample) -> Evidence:
    return item if item.source is None else replace(item, source=_span(item.source, original))


def _span(span: Span, original: Sample) -> Span:
    """The same place, in the passage as it was sent."""
    at = int(span.where.removeprefix("passages[").removesuffix("]"))
    return Span.of(span.where, original.passages[at], span.start, span.end)
