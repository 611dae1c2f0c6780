"""The one function behind every door: samples and checks in, verdicts out."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

from sensecheck.checks.staircase import Case, Staircase, must_be_sizes
from sensecheck.core.encoder import Answerers
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.remembered import remembering, remembering_pairs


def assess(
    cases: Iterable[Case], answerers: Answerers, *, at_once: int = 1024, remember: int = 8192
) -> Iterator[Verdict]:
    """One verdict for each (sample, check), in order.

    Cases are taken `at_once` at a time: all they need is gathered, every distinct text is encoded once
    and every distinct pair scored once, then each check decides. Memory is flat in the number of cases; the
    `remember` texts used last stay placed, and as many pairs scored.
    """
    must_be_sizes(at_once, remember)
    if answerers.encoder is not None:
        answerers = replace(answerers, encoder=remembering(answerers.encoder, remember))
    if answerers.pairs is not None:
        answerers = replace(answerers, pairs=remembering_pairs(answerers.pairs, remember))
    stream = iter(cases)
    while some := list(islice(stream, at_once)):
        space = Staircase(answerers).climb(some)
        for sample, check in some:
            verdict = check.decide(sample, space)
            yield verdict if sample.id is None else replace(verdict, sample=sample.id)
