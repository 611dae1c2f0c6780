"""Jobs in, results out: what an engine process does with a batch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from sensecheck.core.verdict import Verdict
from sensecheck.sense import Sense
from sensecheck.server.engine.jobs import Job, Result
from sensecheck.server.engine.policies import Policies
from sensecheck.server.engine.posed import Posed, posed_of


@dataclass(frozen=True, slots=True)
class Begun:
    """A batch whose texts are encoded."""

    posed: tuple[tuple[Posed, int], ...]
    """One a job, in order, with how many of the verdicts are its own."""
    verdicts: Iterator[Verdict]


class Judging:
    """Does batches in two steps, so that one can be decided while the next is encoded."""

    def __init__(self, sense: Sense, policies: Policies) -> None:
        self._sense = sense
        self._policies = policies

    def begin(self, jobs: Sequence[Job]) -> Begun:
        """Encode all the texts of all the jobs, each distinct one once."""
        posed = [posed_of(job, self._policies) for job in jobs]
        cases = [one.cases() for one in posed]
        flat = list(chain.from_iterable(cases))
        verdicts = self._sense.judge_each(flat, at_once=max(len(flat), 1))
        # The first verdict is there as soon as everything is placed; the others only want to be decided.
        first = list(islice(verdicts, 1))
        return Begun(tuple(zip(posed, map(len, cases), strict=True)), chain(first, verdicts))

    def finish(self, begun: Begun) -> tuple[Result, ...]:
        """What each job came to, in order."""
        return tuple(one.result(list(islice(begun.verdicts, own))) for one, own in begun.posed)
