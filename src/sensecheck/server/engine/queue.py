"""The queue in front of one engine process: what it was sent, what waits for it, and what jobs cost.

Costs are estimates, in tokens that have to be encoded.
"""

import asyncio
import math
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from cachetools import LRUCache

from sensecheck.checks.policies import may_read_pairs
from sensecheck.encoders.memory import TOKENS
from sensecheck.grounding.answer_search import READ_SENTENCES
from sensecheck.sense import MEMORY
from sensecheck.server.engine.handle import EngineProcess
from sensecheck.server.engine.jobs import CheckJob, EngineAway, ExtractJob, Job, Result
from sensecheck.server.engine.wire import Batch, BatchDone, BatchFailed

EACH = 10.0
"""What a job costs whatever its length, in tokens."""
KNOWN = 0.2
"""What a text costs that the engine has in memory, as a share of what it cost at first: it is still
compared with every new answer."""
SENTENCE = 5.0
"""What each sentence of a passage costs that is looked through, in tokens: it is encoded by itself."""
SENTENCE_TOKENS = 40.0
"""How many tokens of a sentence a cross-encoder reads beside a question, about."""
_ENDS = ".!?\n。"
EVIDENCE = 170.0
"""How many tokens of the passages a cross-encoder reads beside each claim, at most, about."""
_CLAIM_END = re.compile(r"(?<=[^\d\s][.!?])\s+|[\n。]+")
_CLAIM_CHARS = 12
"""What is shorter is the number of a list, or a heading."""
SUSPECT = 2
"""A job that was there when an engine fell so often is given alone from then on."""
AT_ONCE = 2
"""Batches that an engine holds: one that it encodes, and one that it decides, or that comes next."""
BATCH_SECONDS = 0.35
"""How much work one batch is, about: who comes next does not wait longer than that for their turn."""
MOST_JOBS = 256
PATIENCE = 60.0
"""An engine that answers nothing for so long, and for much longer than expected, hangs."""
_FELL_OVER_IT = "an engine fell over this very job"


class Pace:
    """How much one engine does in a second, learned as it goes; what was long ago counts less."""

    def __init__(self, tokens_per_second: float, *, memory: float = 10.0) -> None:
        self._memory = memory
        self.restart(tokens_per_second)

    def restart(self, tokens_per_second: float) -> None:
        """Begin with this, and forget the rest."""
        self._done = tokens_per_second
        self._spent = 1.0

    @property
    def per_second(self) -> float:
        """Tokens a second."""
        return self._done / self._spent

    def learn(self, cost: float, seconds: float) -> None:
        """So much was done in so many seconds."""
        faded = math.exp(-seconds / self._memory)
        self._done = self._done * faded + cost
        self._spent = self._spent * faded + max(seconds, 1e-6)

    def seconds(self, cost: float) -> float:
        """How long so much takes."""
        return cost / self.per_second


@dataclass(eq=False, slots=True)
class Ticket:
    """A job, and who waits for it."""

    job: Job
    cost: float
    future: "asyncio.Future[Result]"
    falls: int = 0
    """How often an engine ended while it had this job."""

    @property
    def suspect(self) -> bool:
        """Whether it is given alone, so that it is clear who is to blame."""
        return self.falls >= SUSPECT

    def settle(self, result: Result) -> None:
        """Tell who waits, if they still do."""
        if not self.future.done():
            self.future.set_result(result)

    def give_up(self, because: str) -> None:
        """Tell who waits that nobody will do it."""
        if not self.future.done():
            self.future.set_exception(EngineAway(because))


class EngineQueue:
    """Gives an engine all that waits, as soon as it can take it."""

    def __init__(self, number: int, pace: Pace, *, patience: float = PATIENCE) -> None:
        self.number = number
        self.memory = TextMemory()
        self.process: EngineProcess | None = None
        self.batches = 0
        """How many were given so far."""
        self.settled = 0
        """How many came back."""
        self._pace = pace
        self._patience = patience
        self._waiting = WaitingJobs()
        self._sent: dict[int, SentBatch] = {}
        self._settled_at = 0.0
        self._alarm: asyncio.TimerHandle | None = None
        self._hung = False
        self._called = False

    @property
    def waiting(self) -> int:
        """Jobs that have not begun."""
        return len(self._waiting)

    @property
    def idle(self) -> bool:
        """Whether nothing waits and nothing is under way."""
        return not self._waiting and not self._sent

    def seconds_ahead(self) -> float:
        """How long it takes until all that is here is done, about."""
        under_way = self._pace.seconds(sum(sent.cost for sent in self._sent.values()))
        begun = self._begun_at()
        if begun is not None:
            # What is overdue by some time may well take that time again: nobody should queue behind it.
            under_way = abs(under_way - (_now() - begun))
        return under_way + self._pace.seconds(self._waiting.cost)

    def take(self, ticket: Ticket) -> None:
        """Let a job wait here."""
        self.memory.note(ticket.job)
        self._waiting.add(ticket)
        if not self._called:
            # A moment later: whoever comes in the same moment goes into the same batch.
            self._called = True
            asyncio.get_running_loop().call_soon(self.give)

    def give(self) -> None:
        """Hand the engine as much as it can take."""
        self._called = False
        while self.process is not None and self._waiting and self._may_give():
            tickets = self._waiting.taken(BATCH_SECONDS * self._pace.per_second, MOST_JOBS)
            self.batches += 1
            self._sent[self.batches] = SentBatch(tickets, _now(), sum(ticket.cost for ticket in tickets))
            self.process.send(Batch(self.batches, tuple(ticket.job for ticket in tickets)))
        self._watch()

    def settle(self, frame: BatchDone | BatchFailed) -> None:
        """What the engine says of a batch."""
        began = self._begun_at()
        sent = self._sent.pop(frame.number)
        if isinstance(frame, BatchDone):
            self.settled += 1
            if began is not None:
                self._pace.learn(sent.cost, _now() - began)
            for ticket, result in zip(sent.tickets, frame.results, strict=True):
                ticket.settle(result)
        else:
            self._again(sent.tickets, SUSPECT)
        self._settled_at = _now()
        self.give()

    def fell(self) -> None:
        """The engine is gone: what it had waits for the next one, before all others."""
        self.process = None
        self.memory.forget()
        under_way = self._taken_back()
        if self._hung and len(under_way) == 1:
            under_way[0].give_up(_FELL_OVER_IT)
        self._again(under_way, SUSPECT if self._hung else 1)
        self._hung = False
        self._watch()

    def give_up(self, because: str) -> None:
        """Nobody will do what is here."""
        for ticket in (*self._taken_back(), *self._waiting.drained()):
            ticket.give_up(because)
        self._watch()

    def handed_over(self) -> tuple[Ticket, ...]:
        """What waits here and may as well go to another engine."""
        return self._waiting.innocent()

    def _taken_back(self) -> list[Ticket]:
        """What the engine was sent and did not settle."""
        under_way = [ticket for sent in self._sent.values() for ticket in sent.tickets]
        self._sent.clear()
        return under_way

    def _may_give(self) -> bool:
        suspicion = self._waiting.first.suspect or any(sent.suspect for sent in self._sent.values())
        return not self._sent if suspicion else len(self._sent) < AT_ONCE

    def _again(self, tickets: Sequence[Ticket], falls: int) -> None:
        """Once more, and alone in the end; who was alone when the engine fell is to blame for it."""
        back: list[Ticket] = []
        for ticket in tickets:
            if ticket.suspect:
                ticket.give_up(_FELL_OVER_IT)
            elif not ticket.future.done():
                ticket.falls += falls
                back.append(ticket)
        self._waiting.put_back(back)

    def _begun_at(self) -> float | None:
        """Since when the engine is at the oldest of its batches."""
        return max(self._settled_at, next(iter(self._sent.values())).at) if self._sent else None

    def _watch(self) -> None:
        """Be called when the oldest batch has taken too long."""
        if self._alarm is not None:
            self._alarm.cancel()
            self._alarm = None
        begun = self._begun_at()
        if begun is not None:
            oldest = next(iter(self._sent.values()))
            patience = self._patience / 4 if oldest.suspect else self._patience
            when = begun + patience + 4 * self._pace.seconds(oldest.cost)
            self._alarm = asyncio.get_running_loop().call_at(when, self._hangs)

    def _hangs(self) -> None:
        self._hung = True
        if self.process is not None:
            self.process.kill()


class WaitingJobs:
    """Jobs that have not begun, first come, first served; any of them can be taken out at any time."""

    def __init__(self) -> None:
        self._jobs: dict[Ticket, None] = {}
        self.cost = 0.0
        """Of all of them."""

    def __len__(self) -> int:
        return len(self._jobs)

    @property
    def first(self) -> Ticket:
        """Who has waited longest."""
        return next(iter(self._jobs))

    def add(self, ticket: Ticket) -> None:
        """At the end; whoever gives up waiting takes their job away again."""
        self._jobs[ticket] = None
        self.cost += ticket.cost
        ticket.future.add_done_callback(lambda _: self.remove(ticket))

    def put_back(self, tickets: list[Ticket]) -> None:
        """Before all others: they have waited longest."""
        rest = self.drained()
        for ticket in (*tickets, *rest):
            self.add(ticket)

    def remove(self, ticket: Ticket) -> None:
        """No longer here; nothing happens when it is not."""
        if ticket in self._jobs:
            del self._jobs[ticket]
            self.cost = self.cost - ticket.cost if self._jobs else 0.0

    def taken(self, cost: float, most: int) -> tuple[Ticket, ...]:
        """The next ones, as many as together cost so much, and at least one; a suspect comes alone."""
        taken: list[Ticket] = []
        for ticket in self._jobs:
            if taken and (ticket.cost > cost or len(taken) == most or ticket.suspect or taken[0].suspect):
                break
            taken.append(ticket)
            cost -= ticket.cost
        for ticket in taken:
            self.remove(ticket)
        return tuple(taken)

    def innocent(self) -> tuple[Ticket, ...]:
        """Those that no engine fell over, taken out."""
        found = tuple(ticket for ticket in self._jobs if not ticket.falls)
        for ticket in found:
            self.remove(ticket)
        return found

    def drained(self) -> tuple[Ticket, ...]:
        """All of them, taken out."""
        found = tuple(self._jobs)
        self._jobs.clear()
        self.cost = 0.0
        return found


class TextMemory:
    """Guesses which texts an engine still has in memory; a wrong guess is only a wrong estimate."""

    def __init__(self, tokens: float = 0.75 * TOKENS) -> None:
        # Sums stay exact, and empty is 0: what a text costs is a multiple of a quarter.
        self._texts: LRUCache[int, float] = LRUCache(tokens, getsizeof=float)
        self._scored: LRUCache[int, int] = LRUCache(0.75 * MEMORY, getsizeof=int)
        """By answer and passages: how many pairs of them were scored."""

    def cost(self, job: Job, before: Collection[int] = ()) -> float:
        """What the job would cost here, after texts that will have been read before it."""
        spent = sum(
            tokens * (KNOWN if key in self._texts or key in before else 1.0) for key, tokens in _texts(job)
        )
        if isinstance(job, CheckJob) and may_read_pairs(job.policy):
            key = _pairs_key(job)
            known = key in self._scored or key in before
            spent += 0.0 if known else tokens_of_pairs(job.answer, job.passages)
        if isinstance(job, ExtractJob) and job.thorough:
            spent += READ_SENTENCES * (tokens_of(job.question) + SENTENCE_TOKENS)
        return EACH + spent

    def costs(self, jobs: Sequence[Job]) -> list[float]:
        """What each would cost here, one after another."""
        before: set[int] = set()
        found = []
        for job in jobs:
            found.append(self.cost(job, before))
            before.update(map(hash, _strings(job)))
            if isinstance(job, CheckJob) and may_read_pairs(job.policy):
                before.add(_pairs_key(job))
        return found

    def note(self, job: Job) -> None:
        """The job's texts go to this engine."""
        for key, tokens in _texts(job):
            if self._texts.get(key) is None and tokens <= self._texts.maxsize:
                self._texts[key] = tokens
        if isinstance(job, CheckJob) and may_read_pairs(job.policy):
            self._scored[_pairs_key(job)] = min(_claims(job.answer), MEMORY // 2)

    def forget(self) -> None:
        """The engine begins anew."""
        self._texts.clear()
        self._scored.clear()


def tokens_of(text: str) -> float:
    """How many tokens a text has, about: a character of Chinese is one, four of English are one."""
    return (len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))) / 4


def tokens_of_pairs(answer: str, passages: Iterable[str]) -> float:
    """How many tokens a cross-encoder reads, about: every claim of the answer with its evidence."""
    evidence = min(EVIDENCE, sum(map(tokens_of, passages)))
    return tokens_of(answer) + _claims(answer) * evidence


def passages_key(job: Job) -> int:
    """The same number for jobs about the same passages."""
    return hash(job.passages if isinstance(job, CheckJob) else (job.passage,))


@dataclass(frozen=True, slots=True)
class SentBatch:
    """A batch that an engine holds."""

    tickets: tuple[Ticket, ...]
    at: float
    cost: float

    @property
    def suspect(self) -> bool:
        """Whether its one job is under suspicion."""
        return any(ticket.suspect for ticket in self.tickets)


def _now() -> float:
    return asyncio.get_running_loop().time()


def _texts(job: Job) -> Iterable[tuple[int, float]]:
    if isinstance(job, CheckJob):
        return [(hash(text), tokens_of(text)) for text in _strings(job)]
    passage = tokens_of(job.passage) + SENTENCE * _sentences(job.passage)
    return [(hash(job.question), tokens_of(job.question)), (hash(job.passage), passage)]


def _strings(job: Job) -> tuple[str, ...]:
    return (job.answer, *job.passages) if isinstance(job, CheckJob) else (job.question, job.passage)


def _sentences(text: str) -> int:
    """How many sentences a text has, about: 3.14 counts as an end, and so does each of three dots."""
    return 1 + sum(map(text.count, _ENDS))


def _pairs_key(job: CheckJob) -> int:
    return hash(("pairs", job.answer, job.passages))


def _claims(answer: str) -> int:
    """How many claims an answer has, about: one a sentence or a line."""
    return max(1, sum(len(piece) > _CLAIM_CHARS for piece in _CLAIM_END.split(answer)))
