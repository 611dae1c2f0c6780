"""Any number of answers, each held against its passages."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from sensecheck.checks.asking import LineLike, grounding_check
from sensecheck.checks.assess import Case
from sensecheck.checks.policies import Policy
from sensecheck.checks.second_opinion import seconded
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.grounding.grounding import Grounding, grounding_of

if TYPE_CHECKING:
    from sensecheck.calibration.library import Shelf

JudgeEach = Callable[[Iterable[Case]], Iterator[Verdict]]
"""What gives the verdicts on cases, in their order."""


def ground_each(
    samples: Iterable[Sample],
    policy: Policy,
    judge_each: JudgeEach,
    *,
    shelf: "Shelf | None" = None,
    threshold: LineLike | None = None,
    second_opinion: bool = False,
) -> Iterator[Grounding]:
    """What is found of each sample, in order; the samples are read as they are judged.

    With a second opinion, the judge is asked about answers that stay unsure.
    """
    check = grounding_check(policy, shelf, threshold)
    if second_opinion:
        check = seconded(check)
    waiting: deque[Sample] = deque()

    def cases() -> Iterator[Case]:
        for sample in samples:
            waiting.append(sample)
            yield sample, check

    verdicts = judge_each(cases())
    return (grounding_of(waiting.popleft(), verdict, policy) for verdict in verdicts)
