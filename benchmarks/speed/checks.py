"""Checks by trained heads, one answer at a time and many at once, against the bare encoder."""

import random
import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import cpu, paired, race
from models.heads import refusal_data, verdict_data
from models.heads.public import rows_of

from sensecheck.checks import presets
from sensecheck.core.backends import Backends, Embedding, Encoder
from sensecheck.core.loading import load_encoder
from sensecheck.core.protocols import Check
from sensecheck.core.sample import Sample
from sensecheck.encoders.wrappers import EncoderWrapper
from sensecheck.measures.heads import features as parts
from sensecheck.measures.verdicts import statements
from sensecheck.sense import Sense

BUDGET = 0.010
"""Seconds that one check may take, with a warm model on one thread."""
SEED = 7
CHECKS: Mapping[str, tuple[Callable[[], Check], str, str]] = {
    "not_a_refusal": (presets.not_a_refusal, refusal_data.XSTEST, "response"),
    "verdict_is": (presets.verdict_is, verdict_data.PROMETHEUS, "text"),
}
"""By preset: what makes it, and a file and field with real texts to ask it about."""
Asked = tuple[Sample, Sequence[str]]
"""An answer, and the texts that a check has the encoder place for it."""


class Listening(EncoderWrapper):
    """The encoder inside, and the texts that it was asked to place."""

    def __init__(self, inner: Encoder) -> None:
        super().__init__(inner)
        self.asked: list[str] = []

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> Sequence[Embedding]:
        """As the encoder inside says."""
        self.asked += texts
        return self._inner.encode(texts, tokens=tokens)


def measure(data: Path, *, full: bool) -> list[Measured]:
    """For each preset: one fresh check by what it may take and by the bare encoder; and many at once."""
    encoder = load_encoder("minilm")
    found: list[Measured] = []
    for name, (preset, file, field) in CHECKS.items():
        check, samples = preset(), _samples(data, file, field)
        fresh = list(islice(strangers(samples, check, encoder), 200 if full else 20))
        found += one_at_a_time(name, check, fresh, encoder, rounds=5 if full else 2)
        found.append(at_once(name, check, samples[: 500 if full else 100], encoder, rounds=7 if full else 3))
    return found


def one_at_a_time(
    name: str, check: Check, fresh: Sequence[Asked], encoder: Encoder, *, rounds: int
) -> list[Measured]:
    """The median time of one check in each round, whose texts nobody has placed before."""
    spent = [_round(check, fresh, encoder) for _ in range(rounds)]
    medians = [statistics.median(checked) for checked, _ in spent]
    tenths = [statistics.quantiles(checked, n=10)[-1] for checked, _ in spent]
    notes = {
        "answers": len(fresh),
        "p50, ms": round(1000 * statistics.median(medians), 2),
        "p90, ms": round(1000 * statistics.median(tenths), 2),
    }
    return [
        Measured.of(
            f"one fresh {name} against 10 ms",
            f"CPU time of one fresh `{name}` (median; warm model, one thread, no cache), by 10 ms",
            ratios=[median / BUDGET for median in medians],
            goal=Goal(1.0, "below", slack=0.25),  # another machine may be four times as slow
            notes=notes,
        ),
        Measured.of(
            f"one fresh {name} against its texts",
            f"CPU time of one fresh `{name}` (median), by that of encoding the same texts with the encoder",
            ratios=[statistics.median(checked) / statistics.median(bare) for checked, bare in spent],
            notes=notes,
        ),
    ]


def at_once(name: str, check: Check, samples: Sequence[Sample], encoder: Encoder, *, rounds: int) -> Measured:
    """How much of the encoder's throughput is left when many answers are judged together."""
    listening = Listening(encoder)
    _judge_each(check, samples, listening)
    contestants: dict[str, Callable[[], object]] = {
        "judge_each": partial(_judge_each, check, samples, encoder),
        "place": partial(encoder.encode, listening.asked),
    }
    spent = race(contestants, rounds)
    return Measured.of(
        f"{name} in batch against its texts",
        f"throughput of `judge_each` with `{name}`, nothing cached, by that of encoding the same texts "
        "with the encoder",
        ratios=paired(spent["place"], spent["judge_each"]),
        goal=Goal(0.9, "above", slack=0.8),  # a few rounds over a few hundred answers swing widely
        notes={"answers": len(samples), "texts": len(listening.asked)},
    )


def strangers(samples: Sequence[Sample], check: Check, encoder: Encoder) -> Iterator[Asked]:
    """Answers that have no text to place in common with an earlier one."""
    seen: set[str] = set()
    for sample in samples:
        listening = Listening(encoder)
        _judge_each(check, [sample], listening)
        if listening.asked and seen.isdisjoint(listening.asked):
            seen.update(listening.asked)
            yield sample, listening.asked


def _round(check: Check, fresh: Sequence[Asked], encoder: Encoder) -> tuple[list[float], list[float]]:
    """CPU seconds of each check and of placing its texts; who begins takes turns."""
    sense = Sense(Backends(encoder))
    spent: dict[str, list[float]] = {"check": [], "place": []}
    for turn, (sample, texts) in enumerate(fresh):
        contestants: dict[str, Callable[[], object]] = {
            "check": partial(sense.judge, sample, check),
            "place": partial(encoder.encode, texts),
        }
        forget()
        for name in sorted(contestants, reverse=bool(turn % 2)):
            spent[name].append(cpu(contestants[name]))
    return spent["check"], spent["place"]


def forget() -> None:
    """An answer of an earlier round is a stranger again: measures remember for a while how it is made up."""
    for memory in (parts._remembered, statements._remembered):
        memory.cache_clear()


def _judge_each(check: Check, samples: Sequence[Sample], encoder: Encoder) -> None:
    forget()
    for _ in Sense(Backends(encoder)).judge_each((sample, check) for sample in samples):
        pass


def _samples(data: Path, file: str, field: str) -> list[Sample]:
    texts = list(dict.fromkeys(row[field] for row in rows_of(data, file)))
    random.Random(SEED).shuffle(texts)
    return [Sample(text) for text in texts]
