"""What tells two jobs apart: a digest of everything in them."""

import json
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from sensecheck.server.engine.jobs import CheckJob, Job


def digest_of(job: Job) -> bytes:
    """The same bytes only for jobs that come to the same."""
    return digests_of([job])[0]


def digests_of(jobs: Sequence[Job]) -> list[bytes]:
    """That of each; passages that several jobs share are read once."""
    read: dict[int, bytes] = {}
    return [_digest(_fields(job)) + _passages(job, read) for job in jobs]


def _passages(job: Job, read: dict[int, bytes]) -> bytes:
    """By identity, which is good as long as the jobs are held: to compare long texts is to read them."""
    if not isinstance(job, CheckJob):
        return b""
    held = job.passages
    if id(held) not in read:
        read[id(held)] = _digest(held)
    return read[id(held)]


def _fields(job: Job) -> tuple[str, ...]:
    """Every field but the passages as text, in an order from which the job could be read again."""
    if not isinstance(job, CheckJob):
        return "extract", job.question, job.passage
    line = "" if job.cutoff is None else json.dumps(dict(job.cutoff), sort_keys=True)
    asked = ("no", "") if job.question is None else ("yes", job.question)
    return "check", job.policy, line, job.offsets, str(job.trusting), *asked, job.answer


def _digest(texts: Iterable[str]) -> bytes:
    told = "".join(f"{len(text)}:{text}" for text in texts)
    return blake2b(told.encode("utf-8", "surrogatepass"), digest_size=32).digest()
