"""The worker process: it loads one model, and judges the batches that come through its pipe."""

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain, islice
from multiprocessing.connection import Connection
from threading import Lock, get_native_id
from time import perf_counter
from typing import Any, Protocol

from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.assess import Case
from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import POLICIES, Policy, named
from sensecheck.config import Settings, answerers, card_library
from sensecheck.core.backends import PairScorer
from sensecheck.core.cutoff import Cutoff, GoodSide
from sensecheck.core.errors import CannotJudge, SensecheckError, SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.reading import Span
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.grounding.answer_search import answer_search
from sensecheck.grounding.extractive import answers_in, extraction, to_extract
from sensecheck.grounding.grounding import FoundClaim, Grounding, grounding_of
from sensecheck.grounding.sanitize import without_orders
from sensecheck.measures.claims.claims import claims
from sensecheck.measures.claims.injection import wide_injections
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import PassageSimilarity
from sensecheck.sense import Sense
from sensecheck.server.engine.cost import tokens_of
from sensecheck.server.engine.jobs import (
    Checked,
    CheckJob,
    EngineAway,
    Extracted,
    Job,
    Refused,
    Result,
    WorkerReady,
    WorkerUnready,
)

LARGE_NICENESS = 5
"""The slot for any job gets about a quarter of a core that the slot for small ones needs too."""
MOST_CHECKS = 256
"""So many policies with fitted thresholds stay built."""
_NOTHING_LEFT = "."
"""Stands for a passage that holds nothing but instructions to the model."""
_EXTRA_CHECKS: tuple[Check, ...] = (Gate(PassageSimilarity()), Gate(KeywordOverlap("long")))
"""What every answer is measured by besides its verdict; its texts are encoded for the verdict anyway."""
_WARM = "The first text makes room for all others, and it tells how fast this machine reads. " * 6


@dataclass(frozen=True, slots=True)
class FittedCutoff:
    """A threshold that was fitted for a project, instead of the one that comes with a policy."""

    cutoff: Cutoff

    def cutoff_for(self, measure: Measure, good: GoodSide) -> Cutoff:
        """The threshold, unless its good side is another than the measure's."""
        if self.cutoff.good != good:
            raise SpecError(f"the line on `{measure.name}` needs the good side `{good}`")
        return self.cutoff


class Policies:
    """Policies by name and threshold; what is wrong with one is said without repeating the request."""

    def __init__(self, library: CardLibrary) -> None:
        self._library = library
        self._built = lru_cache(maxsize=MOST_CHECKS)(self._build)

    def of(self, name: str, cutoff: Sequence[tuple[str, Any]] | None) -> tuple[Policy, Check]:
        """The policy and its check, or `SpecError`."""
        return self._built(name, None if cutoff is None else json.dumps(dict(cutoff), sort_keys=True))

    def _build(self, name: str, cutoff: str | None) -> tuple[Policy, Check]:
        try:
            policy = named(name)
        except SpecError as unknown:
            marks = ", ".join(policy.mark for policy in POLICIES.values())
            raise SpecError(f"there is no such policy; known: {marks}") from unknown
        if cutoff is None:
            return policy, policy.check(self._library)
        return policy, policy.check(self._library, FittedCutoff(Cutoff.from_data(json.loads(cutoff))))


def without_instructions(sample: Sample) -> Sample:
    """The sample with passages that instruct no model, each as long as it was."""
    return replace(sample, passages=tuple(map(_without_instructions, sample.passages)))


def in_original(grounding: Grounding, original: Sample) -> Grounding:
    """What was found, with the passages as they were sent, and the instructions in them named."""
    if grounding.sample.passages == original.passages:
        return grounding
    return replace(
        grounding,
        sample=original,
        claims=tuple(_claim_in_original(claim, original) for claim in grounding.claims),
        injections=tuple(
            Span.of(f"passages[{at}]", passage, injection[0], injection[1])
            for at, passage in enumerate(original.passages)
            for injection in wide_injections(passage)
        ),
    )


class PreparedJob(Protocol):
    """A job as the core can judge it."""

    def cases(self) -> Sequence[Case]:
        """What is to be judged; as many verdicts will come."""

    def result(self, verdicts: Sequence[Verdict]) -> Result:
        """What the job came to."""


@dataclass(frozen=True, slots=True)
class SettledJob:
    """A job whose result needs no judge."""

    known: Result

    def cases(self) -> Sequence[Case]:
        """Nothing."""
        return ()

    def result(self, verdicts: Sequence[Verdict]) -> Result:
        """What is known."""
        return self.known


@dataclass(frozen=True, slots=True)
class PreparedCheck:
    """An answer, and the passages that it is checked against."""

    job: CheckJob
    policy: Policy
    check: Check
    sent: Sample
    """With the passages as they were sent."""
    judged: Sample
    """With what of them is evidence."""
    unread_claims: int = 0
    """How many claims at the end of the answer were cut off, since there are too many."""

    def cases(self) -> Sequence[Case]:
        """The extra checks first, and the verdict itself last: that takes longest, and the first case of a
        batch is decided by the thread that encodes.
        """
        return [(self.judged, check) for check in (*_EXTRA_CHECKS, self.check)]

    def result(self, verdicts: Sequence[Verdict]) -> Result:
        """Everything that was found."""
        similarity, overlap, verdict = verdicts
        grounding = in_original(grounding_of(self.judged, verdict, self.policy), self.sent)
        checked = Checked(
            grounding.outcome,
            grounding.accepted,
            grounding.because,
            _value(verdict),
            _value(similarity),
            _value(overlap),
            verdict.fingerprint,
            grounding.to_data(self.job.offsets),
            self.unread_claims,
        )
        return self._cut(checked) if self.unread_claims else checked

    def _cut(self, checked: Checked) -> Checked:
        """An answer of which only a part was read never passes, and says so."""
        notice = (
            f"only the first {self.job.max_claims} claims were read, and the last {self.unread_claims} were "
            "not; check the answer in parts"
        )
        failed = checked.outcome in ("fail", "error")
        unread = checked.data["unread_chars"] + len(self.job.answer) - len(self.judged.answer)
        data = {**checked.data, "unread_chars": unread}
        if not failed:
            data["support"] = "undetermined"
        return replace(
            checked,
            outcome=checked.outcome if failed else "unsure",
            accepted=False,
            because=f"{checked.because}; {notice}",
            data=data,
        )


@dataclass(frozen=True, slots=True)
class PreparedSearch:
    """A passage in which sentences are looked for."""

    sample: Sample
    thorough: bool = False

    def cases(self) -> Sequence[Case]:
        """The one rule that finds them."""
        return [(self.sample, answer_search() if self.thorough else extraction())]

    def result(self, verdicts: Sequence[Verdict]) -> Result:
        """Where they stand; or why the passage cannot be read."""
        try:
            answers = answers_in(verdicts[0])
        except CannotJudge as reason:
            return Refused(str(reason))
        return Extracted(tuple(span for span, _ in answers), tuple(sure for _, sure in answers))


def prepare(job: Job, policies: Policies) -> PreparedJob:
    """The job, ready to be judged."""
    if isinstance(job, CheckJob):
        return _prepare_check(job, policies)
    sample = to_extract(job.question, job.passage)
    return SettledJob(Extracted(())) if sample is None else PreparedSearch(sample, job.thorough)


class BatchJudge:
    """Does batches: all texts are encoded together, then every job is decided."""

    def __init__(self, sense: Sense, policies: Policies) -> None:
        self._sense = sense
        self._policies = policies

    def results(self, jobs: Sequence[Job]) -> tuple[Result, ...]:
        """What each job comes to, in order; each distinct text of all of them is encoded once."""
        prepared = [prepare(job, self._policies) for job in jobs]
        cases = [job.cases() for job in prepared]
        flat = list(chain.from_iterable(cases))
        verdicts = self._sense.judge_each(flat, batch_size=max(len(flat), 1))
        return tuple(
            job.result(list(islice(verdicts, len(its_cases))))
            for job, its_cases in zip(prepared, cases, strict=True)
        )


class JobServer:
    """Does the batches that come through a pipe, in two threads, until the other end is gone.

    The model runs without Python's lock, so that a small batch is done while a large one is under way, and
    one is decided while another is encoded.
    """

    def __init__(self, judge: BatchJudge, connection: Connection) -> None:
        self._judge = judge
        self._connection = connection
        self._sending = Lock()

    def serve(self) -> None:
        """Do batches; never returns."""
        small, large = ThreadPoolExecutor(1), ThreadPoolExecutor(1, initializer=yield_to_small_jobs)
        try:
            while True:
                number, jobs, small_only = self._connection.recv()
                done = (small if small_only else large).submit(self._judge.results, jobs)
                done.add_done_callback(partial(self._send, number))
        except (EOFError, OSError):
            # What is under way has no recipient any more; and the threads may be deep in a model.
            os._exit(0)

    def _send(self, number: int, done: "Future[tuple[Result, ...]]") -> None:
        """Send the results, or None where an error ended the batch: the pool finds out which job it was."""
        error = done.exception()
        if error is not None:
            _print_error(error)
        with self._sending:
            self._connection.send((number, None if error is not None else done.result()))


def yield_to_small_jobs() -> None:
    """Lower the priority of this thread; where the system has only one for the process, it stays."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, get_native_id(), os.getpriority(os.PRIO_PROCESS, 0) + LARGE_NICENESS)


def load_sense(settings: Settings) -> Sense:
    """The models that the settings name: the encoder, and the reader too, which else no one would miss
    before the first claim is to be read.
    """
    backends = answerers(settings)
    if backends.pairs is not None:
        _load_reader(settings, backends.pairs)
    return Sense(backends, card_library(settings), settings=settings)


def main(load: Callable[[Settings], Sense] = load_sense) -> None:
    """Load the model, say `WorkerReady`, and do batches; the first argument is the pipe's file descriptor."""
    for number in (signal.SIGINT, signal.SIGTERM):
        # The service gets the same signal, and needs its workers to finish what it has admitted.
        signal.signal(number, signal.SIG_IGN)
    connection = Connection(int(sys.argv[1]))
    try:
        # One thread for numbers, as there are several workers; and what is remembered, is in memory alone.
        settings = replace(Settings.from_environment(), threads=1, cache="off")
        judge = BatchJudge(load(settings), Policies(card_library(settings)))
        ready = _warm_up(judge)
    except SensecheckError as reason:
        connection.send(WorkerUnready(str(reason)))
        return
    connection.send(ready)
    JobServer(judge, connection).serve()


def _load_reader(settings: Settings, reader: PairScorer) -> None:
    try:
        _ = reader.fingerprint  # asking for it loads the model
    except SensecheckError as missing:
        raise EngineAway(
            f"the reader `{settings.verifier}` cannot be loaded: {missing}; name another one in "
            "SENSECHECK_VERIFIER, or `off` where every policy does without"
        ) from missing


def _without_instructions(passage: str) -> str:
    rest = without_orders(passage)
    if rest.strip() or not passage.strip():
        return rest
    return _NOTHING_LEFT + rest[len(_NOTHING_LEFT) :]


def _claim_in_original(claim: FoundClaim, original: Sample) -> FoundClaim:
    evidence = tuple(_span_in_original(span, original) for span in claim.evidence)
    reasons = tuple(
        item if item.source is None else replace(item, source=_span_in_original(item.source, original))
        for item in claim.reasons
    )
    return replace(claim, evidence=evidence, reasons=reasons)


def _span_in_original(span: Span, original: Sample) -> Span:
    """The same span of the passage as it was sent."""
    at = int(span.where.removeprefix("passages[").removesuffix("]"))
    return Span.of(span.where, original.passages[at], span.start, span.end)


def _value(verdict: Verdict) -> float | None:
    return None if verdict.reading is None else verdict.reading.value


def _prepare_check(job: CheckJob, policies: Policies) -> PreparedJob:
    try:
        policy, check = policies.of(job.policy, job.cutoff)
    except SpecError as wrong:
        return SettledJob(Refused(str(wrong)))
    answer, unread = first_claims(job.answer, job.max_claims)
    sent = Sample(answer, question=job.question, passages=job.passages)
    judged = sent if job.trusting else without_instructions(sent)
    return PreparedCheck(job, policy, check, sent, judged, unread)


def first_claims(answer: str, most: int) -> tuple[str, int]:
    """An answer up to the end of its first claims, and how many come after; 0 for all of it."""
    checked_claims = [claim for claim in claims(answer) if claim.checked] if most else []
    return (
        (answer[: checked_claims[most].start].rstrip(), len(checked_claims) - most)
        if len(checked_claims) > most
        else (answer, 0)
    )


def _print_error(broken: BaseException) -> None:
    """Print where it went wrong; the words of the error may be a user's text, and are not printed."""
    lines = traceback.format_tb(broken.__traceback__)
    print(f"an engine met {type(broken).__name__}:\n{''.join(lines)}", file=sys.stderr, flush=True)  # noqa: T201


def _warm_up(judge: BatchJudge) -> WorkerReady:
    """The first jobs load everything that is loaded when it is needed; the last one is timed."""
    judge.results([CheckJob(_WARM[:80], (_WARM,))])
    _plain_job(judge, f"One. {_WARM}")
    started = perf_counter()
    result = _plain_job(judge, f"Two. {_WARM}")
    cost = tokens_of(_WARM[:80]) + tokens_of(_WARM)
    return WorkerReady(result.fingerprint, cost / max(perf_counter() - started, 1e-6))


def _plain_job(judge: BatchJudge, passage: str) -> Checked:
    # By the one policy that any encoder can be used with; another one would say in its verdicts why not.
    job = CheckJob(_WARM[:80], (passage,), policy="similarity-or-keywords")
    (result,) = judge.results([job])
    if isinstance(result, Checked) and result.similarity is not None:
        return result
    because = "" if isinstance(result, Extracted) else result.because
    raise EngineAway(f"a plain text could not be judged: {because}")


if __name__ == "__main__":
    main()
