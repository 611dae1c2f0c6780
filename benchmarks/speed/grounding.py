"""Groundedness by words, one answer at a time, against bare passes of the encoder over the same texts."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import cpu
from models.heads.public import rows_of

from sensecheck.checks.grounded import Grounded
from sensecheck.core.backends import Backends, Encoder, PairScore
from sensecheck.core.cutoff import at_least
from sensecheck.core.loading import load_encoder
from sensecheck.core.sample import Sample
from sensecheck.measures.facts import references
from sensecheck.measures.support import role_tokens as role_words
from sensecheck.measures.support import source
from sensecheck.sense import Sense

SET = "ragtruth_qa/test.jsonl.gz"
LONG_WORDS = 1500
"""Words of English that make 2,000 tokens or a few more."""
WORDS = Grounded(at_least(0.5))
WITH_READER = Grounded(at_least(0.5), at_least(0.5))
"""As the policies decide; what a check costs does not depend on where its line lies."""
Two = tuple[Sample, Sample]
"""Two answers with the same passage: one to have it read, one to measure."""


@dataclass(slots=True)
class Counting:
    """A pair scorer that believes everything, and counts."""

    asked: list[tuple[str, str]] = field(default_factory=list)
    fingerprint: str = "counting"

    def score(self, pairs: Sequence[tuple[str, str]]) -> Sequence[PairScore]:
        """Even odds for each pair."""
        self.asked += pairs
        return [PairScore(0.0)] * len(pairs)


def measure(data: Path, *, full: bool) -> list[Measured]:
    """What a check costs when its passage was read before, and when it is long and new; and what it asks."""
    encoder = load_encoder("minilm")
    twos, longs = list(known_passages(data)), list(long_passages(data))
    rounds = 5 if full else 2
    return [
        *with_known_passage(twos[: 100 if full else 10], encoder, rounds=rounds),
        with_long_passage(longs[: 40 if full else 4], encoder, rounds=rounds),
        pairs_asked([second for _, second in twos[: 100 if full else 20]], encoder),
    ]


def known_passages(data: Path) -> Iterator[Two]:
    """For each passage of the set, two different answers to the same question."""
    before: dict[str, Sample] = {}
    for row in rows_of(data, SET):
        sample = Sample(row["response"], question=row["question"], passages=(row["context"],))
        first = before.setdefault(row["context"], sample)
        if first is not sample and first.answer != sample.answer:
            yield first, sample
            del before[row["context"]]


def long_passages(data: Path) -> Iterator[Sample]:
    """Answers with passages of about 2,000 tokens, each joined from different ones of the set."""
    joined: dict[str, None] = {}
    for row in rows_of(data, SET):
        joined[row["context"]] = None
        if sum(len(text.split()) for text in joined) >= LONG_WORDS:
            cut = " ".join("\n".join(joined).split(" ")[:LONG_WORDS])
            yield Sample(row["response"], question=row["question"], passages=(cut,))
            joined.clear()


def with_known_passage(twos: Sequence[Two], encoder: Encoder, *, rounds: int) -> list[Measured]:
    """A check whose passage an earlier check has read, by both bare passes that it can be held against."""
    spent = [_round(twos, encoder) for _ in range(rounds)]
    medians = {name: [statistics.median(one[name]) for one in spent] for name in spent[0]}
    notes = {"answers": len(twos), "p50, ms": round(1000 * statistics.median(medians["check"]), 2)}
    return [
        Measured.of(
            f"grounded, known passage, against {name}",
            f"CPU time of one `grounded` by words whose passage was read before (median), by one bare pass "
            f"of the encoder over {texts}",
            ratios=[a / b for a, b in zip(medians["check"], medians[name], strict=True)],
            notes=notes,
        )
        for name, texts in (("answer", "the answer"), ("answer and passage", "the answer and the passage"))
    ]


def with_long_passage(samples: Sequence[Sample], encoder: Encoder, *, rounds: int) -> Measured:
    """A check with a passage of 2,000 tokens that nobody has read before: the slowest of twenty."""
    ratios, checked = [], []
    for _ in range(rounds):
        spent = [_fresh(sample, encoder) for sample in samples]
        slow, bare = (statistics.quantiles(times, n=20)[-1] for times in zip(*spent, strict=True))
        ratios.append(slow / bare)
        checked.append(slow)
    return Measured.of(
        "grounded, long new passage",
        "CPU time of one `grounded` by words with a new passage of 2,000 tokens (p95), by one bare pass of "
        "the encoder over the answer and the passage (p95)",
        ratios=ratios,
        notes={"answers": len(samples), "p95, ms": round(1000 * statistics.median(checked), 1)},
    )


def pairs_asked(samples: Sequence[Sample], encoder: Encoder) -> Measured:
    """How many pairs a reader is asked about, by claims that words do not settle."""
    counting = Counting()
    verdicts = list(
        Sense(Backends(encoder, counting)).judge_each((sample, WITH_READER) for sample in samples)
    )
    claims = [claim for verdict in verdicts for claim in verdict.parts]
    undecided = [claim for claim in claims if claim.parts]
    return Measured.of(
        "pairs scored per undecided claim",
        "pairs that the reader is asked about, by claims that words do not settle",
        ratios=[len(counting.asked) / max(len(undecided), 1)],
        goal=Goal(1.0, "below", slack=1.0),
        notes={"answers": len(samples), "claims": len(claims), "undecided": len(undecided)},
    )


def forget() -> None:
    """A passage of an earlier round is a stranger again."""
    for memory in (source._kept, references._parsed, role_words.sentence_of):
        memory.cache_clear()


def _round(twos: Sequence[Two], encoder: Encoder) -> dict[str, list[float]]:
    """CPU seconds of each check and of the bare passes; who begins takes turns."""
    spent: dict[str, list[float]] = {"check": [], "answer": [], "answer and passage": []}
    for turn, (first, second) in enumerate(twos):
        forget()
        sense = Sense(Backends(encoder))
        sense.judge(first, WORDS)
        contestants: dict[str, Callable[[], object]] = {
            "check": partial(sense.judge, second, WORDS),
            "answer": partial(encoder.encode, [second.answer], tokens=True),
            "answer and passage": partial(encoder.encode, [second.answer, *second.passages], tokens=True),
        }
        for name in sorted(contestants, reverse=bool(turn % 2)):
            spent[name].append(cpu(contestants[name]))
    return spent


def _fresh(sample: Sample, encoder: Encoder) -> tuple[float, float]:
    forget()
    bare = cpu(partial(encoder.encode, [sample.answer, *sample.passages], tokens=True))
    return cpu(partial(Sense(Backends(encoder)).judge, sample, WORDS)), bare
