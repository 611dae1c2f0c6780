"""What a job costs, estimated from its texts before it is admitted.

The unit is a token that is encoded. Each text costs in proportion to its length, so that the cost of a job is
linear in its texts; the weights are measured by `benchmarks/serving/cost.py`.
"""

import math
import re
from collections.abc import Iterable
from functools import lru_cache

from sensecheck.checks.policies import may_read_pairs
from sensecheck.grounding.answer_search import READ_SENTENCES
from sensecheck.measures.pairs import PLACED
from sensecheck.server.engine.jobs import CheckJob, Job

JOB_TOKENS = 10.0
"""What a job costs whatever its length."""
SENTENCE_TOKENS = 3.0
"""What a sentence costs that is encoded by itself, besides its tokens."""
PAIR_WEIGHT = 6.0
"""What a token costs that the cross-encoder reads, by one that is encoded."""
READ_TOKENS = 40.0
"""How many tokens of a sentence the cross-encoder reads with a question, about."""
EVIDENCE_TOKENS = 170.0
"""How many tokens of the passages the cross-encoder reads with each claim, at most, about."""
BESIDE_TOKENS = 0.1
"""What it costs to compare a claim with a sentence of the passages."""
PACE_MEMORY_SECONDS = 10.0
_TOKEN = re.compile(r"[A-Za-z0-9]{1,6}|[^\sA-Za-z0-9]")
_SENTENCE_END = re.compile(r"[.!?。！？]+|\n+")
_CLAIM_END = re.compile(r"(?<=[^\d\s][.!?])\s+|[\n。]+")
_CLAIM_CHARS = 12
"""What is shorter is the number of a list, or a heading."""


@lru_cache(maxsize=256)
def tokens_of(text: str) -> float:
    """How many tokens a text has, about: one for a short word, a mark, a character of Chinese."""
    return float(len(_TOKEN.findall(text)))


@lru_cache(maxsize=256)
def sentences_of(text: str) -> int:
    """How many sentences a text has, about."""
    return 1 + len(_SENTENCE_END.findall(text))


@lru_cache(maxsize=256)
def claims_of(answer: str) -> int:
    """How many claims an answer has, about: one per sentence or line."""
    return max(1, sum(len(piece) > _CLAIM_CHARS for piece in _CLAIM_END.split(answer)))


def cost_of(job: Job) -> float:
    """What a job costs, in tokens."""
    if not isinstance(job, CheckJob):
        cost = JOB_TOKENS + search_cost((job.question, job.passage))
        pair_tokens = READ_SENTENCES * (tokens_of(job.question) + READ_TOKENS)
        return cost + PAIR_WEIGHT * pair_tokens if job.thorough else cost
    cost = JOB_TOKENS + tokens_of(job.answer) + sum(map(tokens_of, job.passages))
    claims = claims_of(job.answer)
    if job.max_claims:
        claims = min(claims, job.max_claims)
    return cost + pairs_cost(claims, job.answer, job.passages, job.policy)


def search_cost(texts: Iterable[str]) -> float:
    """What it costs to encode the sentences of texts one by one."""
    return sum(tokens_of(text) + SENTENCE_TOKENS * sentences_of(text) for text in texts)


def pairs_cost(claims: int, answer: str, passages: Iterable[str], policy: str) -> float:
    """What it costs to compare claims with passages, and to have the cross-encoder read them if it may."""
    sources = tuple(passages)
    tokens, sentences = sum(map(tokens_of, sources)), sum(map(sentences_of, sources))
    cost = BESIDE_TOKENS * claims * sentences
    if not may_read_pairs(policy):
        return cost
    if sentences <= PLACED:
        cost += tokens + SENTENCE_TOKENS * sentences
    return cost + PAIR_WEIGHT * (tokens_of(answer) + claims * min(EVIDENCE_TOKENS, tokens))


class Pace:
    """How many tokens one worker process does in a second, learned as it goes; old batches count less."""

    def __init__(self, tokens_per_second: float) -> None:
        self.restart(tokens_per_second)

    def restart(self, tokens_per_second: float) -> None:
        """Begin with this, and forget the rest."""
        self._done = tokens_per_second
        self._seconds = 1.0

    @property
    def per_second(self) -> float:
        """Tokens per second."""
        return self._done / self._seconds

    def learn(self, cost: float, seconds: float) -> None:
        """This much was done in this many seconds."""
        weight = math.exp(-seconds / PACE_MEMORY_SECONDS)
        self._done = self._done * weight + cost
        self._seconds = self._seconds * weight + max(seconds, 1e-6)

    def seconds(self, cost: float) -> float:
        """How long this much takes one worker."""
        return cost / self.per_second
