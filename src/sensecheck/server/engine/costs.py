"""What jobs will cost, about: in tokens that have to be encoded."""

import math
import re
from collections.abc import Collection, Iterable, Sequence

from cachetools import LRUCache

from sensecheck.checks.policies import may_read_pairs
from sensecheck.encoders.memory import TOKENS
from sensecheck.sense import MEMORY
from sensecheck.server.engine.jobs import CheckJob, Job

EACH = 10.0
"""What a job costs whatever its length, in tokens."""
KNOWN = 0.2
"""What a text costs that the engine has in memory, as a share of what it cost at first: it is still held
against every new answer."""
SENTENCE = 5.0
"""What each sentence of a passage costs that is looked through, in tokens: it is placed by itself."""
_ENDS = ".!?\n。"
EVIDENCE = 170.0
"""How many tokens of the passages a cross-encoder reads beside each claim, at most, about."""
_CLAIM_END = re.compile(r"(?<=[^\d\s][.!?])\s+|[\n。]+")
_CLAIM_CHARS = 12
"""What is shorter is the number of a list, or a heading."""


class Remembers:
    """Guesses which texts an engine still has in memory; a wrong guess is only a wrong estimate."""

    def __init__(self, tokens: float = 0.75 * TOKENS) -> None:
        # Sums stay exact, and empty is 0: what a text costs is a multiple of a quarter.
        self._held: LRUCache[int, float] = LRUCache(tokens, getsizeof=float)
        self._scored: LRUCache[int, int] = LRUCache(0.75 * MEMORY, getsizeof=int)
        """By answer and passages: how many pairs of them were scored."""

    def cost(self, job: Job, before: Collection[int] = ()) -> float:
        """What the job would cost here, after texts that will have been read before it."""
        spent = sum(
            tokens * (KNOWN if key in self._held or key in before else 1.0) for key, tokens in _texts(job)
        )
        if isinstance(job, CheckJob) and may_read_pairs(job.policy):
            key = _pairs_key(job)
            known = key in self._scored or key in before
            spent += 0.0 if known else tokens_of_pairs(job.answer, job.passages)
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
            if self._held.get(key) is None and tokens <= self._held.maxsize:
                self._held[key] = tokens
        if isinstance(job, CheckJob) and may_read_pairs(job.policy):
            self._scored[_pairs_key(job)] = min(_claims(job.answer), MEMORY // 2)

    def forget(self) -> None:
        """The engine begins anew."""
        self._held.clear()
        self._scored.clear()


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


def tokens_of(text: str) -> float:
    """How many tokens a text has, about: a character of Chinese is one, four of English are one."""
    return (len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))) / 4


def tokens_of_pairs(answer: str, passages: Iterable[str]) -> float:
    """How many tokens a cross-encoder reads, about: every claim of the answer with its evidence."""
    evidence = min(EVIDENCE, sum(map(tokens_of, passages)))
    return tokens_of(answer) + _claims(answer) * evidence


def place_of(job: Job) -> int:
    """The same number for jobs about the same passages."""
    return hash(job.passages if isinstance(job, CheckJob) else (job.passage,))


def _texts(job: Job) -> Iterable[tuple[int, float]]:
    if isinstance(job, CheckJob):
        return [(hash(text), tokens_of(text)) for text in _strings(job)]
    passage = tokens_of(job.passage) + SENTENCE * _sentences(job.passage)
    return [(hash(job.question), tokens_of(job.question)), (hash(job.passage), passage)]


def _sentences(text: str) -> int:
    """How many sentences a text has, about: 3.14 counts as an end, and so does each of three dots."""
    return 1 + sum(map(text.count, _ENDS))


def _claims(answer: str) -> int:
    """How many claims an answer has, about: one a sentence or a line."""
    return max(1, sum(len(piece) > _CLAIM_CHARS for piece in _CLAIM_END.split(answer)))


def _pairs_key(job: CheckJob) -> int:
    return hash(("pairs", job.answer, job.passages))


def _strings(job: Job) -> tuple[str, ...]:
    return (job.answer, *job.passages) if isinstance(job, CheckJob) else (job.question, job.passage)
