"""The lines that an answer was held against, for those who show what they promise."""

from collections.abc import Iterator

from sensecheck.checks.grounded import READER
from sensecheck.core.cutoff import Cutoff
from sensecheck.grounding.grounding import Grounding


def promises_of(found: Grounding) -> Iterator[tuple[str, Cutoff]]:
    """Each line once, under the name of what is read; the first is that of the support by words."""
    if found.verdict.cutoff is not None:
        yield "support", found.verdict.cutoff
    seconds = (second for part in found.verdict.parts for second in part.parts if second.check == READER)
    cutoffs = (second.cutoff for second in seconds if second.cutoff is not None)
    yield from ((READER, cutoff) for cutoff in dict.fromkeys(cutoffs))
