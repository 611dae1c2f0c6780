"""Jobs as they are posed to the core, and what its verdicts come to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from sensecheck.checks.assess import Case
from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import Policy
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.grounding.asking.extracting import answers_in, extraction, to_extract
from sensecheck.grounding.grounding import grounding_of
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import PassageSimilarity
from sensecheck.server.engine.believed import believed, shown
from sensecheck.server.engine.jobs import Checked, CheckJob, Extracted, ExtractJob, Job, Refused, Result
from sensecheck.server.engine.policies import Policies

_READ_BESIDE: tuple[Check, ...] = (Gate(PassageSimilarity()), Gate(KeywordOverlap("long")))
"""What is told of every answer besides its verdict; its texts are placed for the verdict anyway."""


class Posed(Protocol):
    """A job as the core can judge it."""

    def cases(self) -> Sequence[Case]:
        """What is to be judged; as many verdicts will come."""
        ...

    def result(self, verdicts: Sequence[Verdict]) -> Result:
        """What the job came to."""
        ...


@dataclass(frozen=True, slots=True)
class Known:
    """A job whose result needs no judging."""

    known: Result

    def cases(self) -> Sequence[Case]:
        """Nothing."""
        return ()

    def result(self, verdicts: Sequence[Verdict]) -> Result:
        """What is known."""
        return self.known


@dataclass(frozen=True, slots=True)
class PosedCheck:
    """An answer, and the passages that it is held against."""

    job: CheckJob
    policy: Policy
    check: Check
    sent: Sample
    """With the passages as they were sent."""
    judged: Sample
    """With what of them is evidence."""

    def cases(self) -> Sequence[Case]:
        """What is read beside the verdict, and the verdict itself last: that takes longest, and the first
        case of a batch is decided by the hand that encodes.
        """
        return [(self.judged, check) for check in (*_READ_BESIDE, self.check)]

    def result(self, verdicts: Sequence[Verdict]) -> Result:
        """Everything that was found."""
        similarity, overlap, verdict = verdicts
        found = shown(grounding_of(self.judged, verdict, self.policy), self.sent)
        return Checked(
            found.outcome,
            found.accepted,
            found.because,
            _value(verdict),
            _value(similarity),
            _value(overlap),
            verdict.fingerprint,
            found.to_data(self.job.offsets),
        )


@dataclass(frozen=True, slots=True)
class PosedSearch:
    """A passage in which sentences are looked for."""

    sample: Sample

    def cases(self) -> Sequence[Case]:
        """The one rule that finds them."""
        return [(self.sample, extraction())]

    def result(self, verdicts: Sequence[Verdict]) -> Result:
        """Where they stand; or why the passage cannot be read."""
        try:
            found = answers_in(verdicts[0])
        except CannotJudge as reason:
            return Refused(str(reason))
        return Extracted(tuple(span for span, _ in found), tuple(sure for _, sure in found))


def posed_of(job: Job, policies: Policies) -> Posed:
    """The job, ready to be judged."""
    return _search(job) if isinstance(job, ExtractJob) else _check(job, policies)


def _search(job: ExtractJob) -> Posed:
    sample = to_extract(job.question, job.passage)
    return Known(Extracted(())) if sample is None else PosedSearch(sample)


def _check(job: CheckJob, policies: Policies) -> Posed:
    try:
        policy, check = policies.of(job.policy, job.cutoff)
    except SpecError as wrong:
        return Known(Refused(str(wrong)))
    sent = Sample(job.answer, question=job.question, passages=job.passages)
    return PosedCheck(job, policy, check, sent, sent if job.trusting else believed(sent))


def _value(verdict: Verdict) -> float | None:
    return None if verdict.reading is None else verdict.reading.value
