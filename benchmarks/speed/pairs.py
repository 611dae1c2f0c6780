"""Pairs of claim and evidence through `assess`, against the bare session; and what the disk cache saves."""

import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from benchmarks.speed.grounding import SET
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import cpu, paired, race
from models.heads.public import rows_of

from sensecheck.checks.assess import assess
from sensecheck.checks.gate import Gate
from sensecheck.core.backends import Backends, PairScore, PairScorer
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.disk_cache import CachedPairs
from sensecheck.encoders.pins import packaged
from sensecheck.encoders.verifier import OnnxVerifier
from sensecheck.encoders.verifier_weights import VERIFIER_LARGE
from sensecheck.io.blobcache import PairFile
from sensecheck.measures.entailment import Entailment

TIMES = 3
"""How often each pair stands among those with duplicates, as when systems are compared that answer alike."""
Pair = tuple[str, str]


class AskedAgain(Exception):
    """A pair was scored though its score is kept."""


@dataclass(frozen=True, slots=True)
class OfPair:
    """A measure that asks for the score of one pair: an answer, and its one passage."""

    name: str = "pair"

    def needs(self, sample: Sample) -> Needs:
        """The pair."""
        return Needs(pairs=((sample.answer, sample.passages[0]),))

    def read(self, sample: Sample, space: Space) -> Reading:
        """Its value."""
        return Reading(space.pair(sample.answer, sample.passages[0]).value, "its score")


@dataclass(slots=True)
class Counting:
    """The scorer inside, and how many pairs it was asked about."""

    inner: PairScorer
    asked: int = 0
    fingerprint: str = field(init=False)

    def __post_init__(self) -> None:
        self.fingerprint = self.inner.fingerprint

    def score(self, pairs: Sequence[Pair]) -> Sequence[PairScore]:
        """One score a pair, in order."""
        self.asked += len(pairs)
        return self.inner.score(pairs)


def measure(data: Path, *, full: bool) -> list[Measured]:
    """Throughput of pairs, with and without duplicates; what a second run asks; what a batch moves."""
    pairs = list(islice(real_pairs(data), 60 if full else 24))
    scorer = OnnxVerifier.from_folder(packaged(VERIFIER_LARGE))
    rounds = 3 if full else 2
    return [
        *against_the_session(pairs, scorer, rounds=rounds),
        from_the_cache(pairs, scorer, rounds=rounds),
        moved_by_its_batch(pairs[: 30 if full else 10], pairs, scorer),
    ]


def real_pairs(data: Path) -> Iterator[Pair]:
    """Every claim of real answers with the evidence that is gathered for it, each pair once."""
    seen: set[Pair] = set()
    for row in rows_of(data, SET):
        sample = Sample(row["response"], question=row["question"], passages=(row["context"],))
        for pair in Entailment("passages").needs(sample).pairs:
            if pair not in seen:
                seen.add(pair)
                yield pair


def against_the_session(pairs: Sequence[Pair], scorer: OnnxVerifier, *, rounds: int) -> list[Measured]:
    """Pairs a second through `assess`, by those of the session over tokens that lie ready."""
    run = bare_session(pairs, scorer)
    contestants: dict[str, Callable[[], object]] = {
        "once": lambda: judged(pairs, scorer),
        "often": lambda: judged([pair for _ in range(TIMES) for pair in pairs], scorer),
        "session": run,
    }
    spent = race(contestants, rounds)
    once, often = (paired(spent["session"], spent[name]) for name in ("once", "often"))
    notes = {"pairs": len(pairs), "ms a pair, bare": round(1000 * min(spent["session"]) / len(pairs), 1)}
    return [
        Measured.of(
            "pairs against the bare session",
            "throughput of `assess` over pairs of claim and evidence, nothing cached, by that of the bare "
            "ONNX Runtime session over the same batches, already tokenized",
            ratios=once,
            goal=Goal(0.85, "above"),
            notes=notes,
        ),
        Measured.of(
            f"pairs against the bare session, each {TIMES} times",
            f"the same where each pair occurs {TIMES} times, and the session runs every one",
            ratios=[TIMES * ratio for ratio in often],
            goal=Goal(0.85 * TIMES, "above"),
            notes=notes,
        ),
    ]


class Recorded:
    """The session inside, and what it was given."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner
        self.given: list[tuple[Any, Any]] = []

    def run(self, outputs: Any, inputs: Any) -> Any:
        """What the session gives."""
        self.given.append((outputs, inputs))
        return self._inner.run(outputs, inputs)


def bare_session(pairs: Sequence[Pair], scorer: OnnxVerifier) -> Callable[[], None]:
    """Runs the scorer's own session over exactly its batches, and does nothing else."""
    session: Any = scorer._session
    recorded: Any = Recorded(session)
    scorer._session = recorded
    scorer.score(pairs)
    scorer._session = session

    def run() -> None:
        for outputs, inputs in recorded.given:
            session.run(outputs, inputs)

    return run


def judged(pairs: Sequence[Pair], scorer: PairScorer) -> list[float | None]:
    """The value of each pair, as a check reads it."""
    check = Gate(OfPair())
    cases = ((Sample(claim, passages=(evidence,)), check) for claim, evidence in pairs)
    return [
        verdict.reading.value if verdict.reading else None
        for verdict in assess(cases, Backends(pairs=scorer))
    ]


def from_the_cache(pairs: Sequence[Pair], scorer: PairScorer, *, rounds: int) -> Measured:
    """The run that fills a cache by the next one, which asks nobody."""
    ratios: list[float] = []
    asked: list[int] = []
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            spent = []
            for _ in range(2):
                counting = Counting(scorer)
                kept = CachedPairs(counting, PairFile(Path(folder) / "pairs.sqlite3", max_bytes=10**9))
                spent.append(cpu(partial(judged, pairs, kept)))
                asked.append(counting.asked)
            ratios.append(spent[0] / spent[1])
    if set(asked[1::2]) != {0}:
        raise AskedAgain(f"a second run asked about {max(asked[1::2])} pairs that are kept")
    return Measured.of(
        "pairs from the disk cache against cold",
        "CPU time of the run that fills the cache with scores of pairs by that of the next one",
        ratios=ratios,
        goal=Goal(20, "above"),
        notes={"pairs": len(pairs), "asked by the first": max(asked), "asked by the next": asked[-1]},
    )


def moved_by_its_batch(some: Sequence[Pair], beside: Sequence[Pair], scorer: PairScorer) -> Measured:
    """How far a score lies from that of the same pair alone, at most."""
    together = dict(zip(beside, scorer.score(beside), strict=True))
    moved = [
        float(np.abs(np.subtract([one.value, *one.scores], [alone.value, *alone.scores])).max())
        for pair in some
        for one, alone in [(together[pair], scorer.score([pair])[0])]
    ]
    return Measured.of(
        "pairs moved by their batch",
        "the largest difference of the log odds of a pair, or of a word of it, from those of the pair alone",
        ratios=[max(moved)],
        goal=Goal(0.0, "below", slack=1.0),
        notes={"pairs": len(some), "beside": len(beside)},
    )
