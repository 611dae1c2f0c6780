"""What an engine process does.

The checks that jobs name, each built once.

What of a passage counts as evidence where passages may not speak to the model.

Jobs as they are posed to the core, and what its verdicts come to.

Jobs in, results out: what an engine process does with a batch.

The pipe between an engine process and the service, as the engine holds it.

Two hands in an engine process: one encodes a batch while the other decides the one before.

An engine process: it holds one model, and does the batches that come through its standard input.
"""

import json
import os
import signal
import sys
import traceback
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import chain, islice
from queue import Queue
from threading import Lock, Thread
from time import perf_counter
from typing import IO, Any, Literal, Protocol, Self, TypeVar

from sensecheck.calibration.library import Shelf
from sensecheck.checks.assess import Case
from sensecheck.checks.gate import Gate
from sensecheck.checks.policies import POLICIES, Policy, named
from sensecheck.config import Settings, shelf
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.errors import CannotJudge, SensecheckError, SpecError
from sensecheck.core.protocols import Check, Measure
from sensecheck.core.reading import Evidence, Span
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.grounding.extractive import answers_in, extraction, to_extract
from sensecheck.grounding.grounding import FoundClaim, Grounding, grounding_of
from sensecheck.grounding.sanitize import without_orders
from sensecheck.measures.claims.injection import wide_injections
from sensecheck.measures.overlap import KeywordOverlap
from sensecheck.measures.similarity import PassageSimilarity
from sensecheck.sense import Sense
from sensecheck.server.engine.jobs import (
    Checked,
    CheckJob,
    EngineAway,
    Extracted,
    ExtractJob,
    Job,
    Refused,
    Result,
)
from sensecheck.server.engine.wire import Batch, Broke, Done, Frame, Ready, Unready, packed, read_frame

MOST_CHECKS = 256
"""So many policies with fitted lines stay built."""


@dataclass(frozen=True, slots=True)
class FittedLine:
    """A line that was fitted for a project, in place of the one that comes with a policy."""

    cutoff: Cutoff

    def cutoff_for(self, measure: Measure, good: Literal["above", "below"]) -> Cutoff:
        """The line, unless its good side is another than the measure's."""
        if self.cutoff.good != good:
            raise SpecError(f"the line on `{measure.name}` wants the good side `{good}`")
        return self.cutoff


class Policies:
    """Policies by name and line; what is wrong with one is said without repeating what was asked for."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
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
            return policy, policy.check(self._shelf)
        return policy, policy.check(self._shelf, FittedLine(Cutoff.from_data(json.loads(cutoff))))


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


@dataclass(frozen=True, slots=True)
class Pipes:
    """Frames in and out; safe for several threads at once."""

    coming: IO[bytes]
    going: IO[bytes]
    _turn: Lock = field(default_factory=Lock)

    @classmethod
    def taken(cls) -> Self:
        """The standard input and output, out of reach of everything else: whatever a library prints goes to
        the standard error, and whoever reads finds nothing.
        """
        coming, going = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        return cls(coming, going)

    def read(self) -> Frame | None:
        """The next frame; None when the service is gone."""
        return read_frame(self.coming)

    def write(self, frame: Frame) -> None:
        """Send a frame, whole."""
        body = packed(frame)
        with self._turn:
            self.going.write(body)
            self.going.flush()


T = TypeVar("T")


class Belt:
    """Takes batches in and sends results out, in order.

    The graph runs without Python's lock, so that an engine decides on a second core at no cost to encoding.
    """

    def __init__(self, judging: Judging, pipes: Pipes) -> None:
        self._judging = judging
        self._pipes = pipes
        self._begun: Queue[tuple[int, Begun]] = Queue(maxsize=1)

    def work(self, inbox: "Queue[Batch]") -> None:
        """Do batches, one after the other; never returns."""
        Thread(target=self._decide, daemon=True).start()
        while True:
            batch = inbox.get()
            begun = self._tried(batch.number, partial(self._judging.begin, batch.jobs))
            if begun is not None:
                self._begun.put((batch.number, begun))

    def _decide(self) -> None:
        while True:
            number, begun = self._begun.get()
            results = self._tried(number, partial(self._judging.finish, begun))
            if results is not None:
                self._send(Done(number, results))

    def _tried(self, number: int, work: Callable[[], T]) -> T | None:
        """What comes of it; an error that nobody foresaw is the batch's own, and the service hears of it."""
        done: Future[T] = Future()
        try:
            done.set_result(work())
        except Exception as broken:  # noqa: BLE001  # the service finds out which job it was
            done.set_exception(broken)
        wrong = done.exception()
        if wrong is None:
            return done.result()
        _tell(wrong)
        self._send(Broke(number, type(wrong).__name__))
        return None

    def _send(self, frame: Done | Broke) -> None:
        try:
            self._pipes.write(frame)
        except BrokenPipeError:
            os._exit(0)  # the service is gone


def _tell(broken: BaseException) -> None:
    """Where it went wrong, for the log; the words of the error may be somebody's text, and stay here."""
    lines = traceback.format_tb(broken.__traceback__)
    print(f"an engine met {type(broken).__name__}:\n{''.join(lines)}", file=sys.stderr, flush=True)  # noqa: T201


_WARM = "The first text makes room for all others, and it tells how fast this machine reads. " * 6
_WARM_TOKENS = len(_WARM) / 4


def load_sense(settings: Settings) -> Sense:
    """The model that the settings name."""
    return Sense.load(settings=settings)


def main(load: Callable[[Settings], Sense] = load_sense) -> None:
    """Say `Ready`, then do batches until the service is gone."""
    for asked in (signal.SIGINT, signal.SIGTERM):
        # The service gets the same signal, and needs its engines to finish what it has begun.
        signal.signal(asked, signal.SIG_IGN)
    pipes = Pipes.taken()
    inbox: Queue[Batch] = Queue()
    Thread(target=_read, args=(pipes, inbox), daemon=True).start()
    try:
        # One thread, as there are several engines; and what is remembered, is in memory alone.
        settings = replace(Settings.from_environment(), threads=1, cache="off")
        judging = Judging(load(settings), Policies(shelf(settings)))
        ready = _warmed(judging)
    except SensecheckError as reason:
        pipes.write(Unready(str(reason)))
        return
    pipes.write(ready)
    Belt(judging, pipes).work(inbox)


def _read(pipes: Pipes, inbox: "Queue[Batch]") -> None:
    while (frame := pipes.read()) is not None:
        if isinstance(frame, Batch):
            inbox.put(frame)
    # Nobody is left who would want what is under way; and the other threads may be deep in a model.
    os._exit(0)


def _warmed(judging: Judging) -> Ready:
    """Ready; the first jobs let everything settle that is loaded when it is needed, the last one is timed."""
    judging.finish(judging.begin([CheckJob(_WARM[:80], (_WARM,))]))
    _plain_job(judging, f"One. {_WARM}")
    started = perf_counter()
    result = _plain_job(judging, f"Two. {_WARM}")
    return Ready(result.fingerprint, _WARM_TOKENS / max(perf_counter() - started, 1e-6))


def _plain_job(judging: Judging, passage: str) -> Checked:
    # By the one policy that any encoder can be used with; another one would say in its verdicts why not.
    job = CheckJob(_WARM[:80], (passage,), policy="similarity-or-keywords")
    result = judging.finish(judging.begin([job]))[0]
    if isinstance(result, Checked) and result.similarity is not None:
        return result
    told = "" if isinstance(result, Extracted) else result.because
    raise EngineAway(f"a plain text could not be judged: {told}")


if __name__ == "__main__":
    main()
