"""`assess` over texts that the disk cache holds, against the run that filled it."""

import statistics
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import cpu
from benchmarks.speed.texts import answers, sentences

from sensecheck.checks.assess import assess
from sensecheck.checks.presets import refusal_cluster
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.loading import load_encoder
from sensecheck.core.sample import Sample
from sensecheck.encoders.disk_cache import CachedEncoder
from sensecheck.encoders.model_folder import ModelFolder
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.io.blobcache import VectorFile


def measure(data: Path, *, full: bool) -> list[Measured]:
    """How much faster the second run over the same texts is."""
    folder = ModelFolder.at(packaged(MINILM))
    texts = answers(data, 200 if full else 60, tokenizer=folder.tokenizer(), limit=folder.max_tokens)
    short = list(islice(sentences(1000), 1000 if full else 200))
    encoder = load_encoder("minilm")
    rounds = 5 if full else 2
    return [
        Measured.of(
            "warm disk cache against cold, answers",
            "CPU time of the run that fills the cache by that of the next one, on real answers",
            ratios=[cold_by_warm(encoder, texts) for _ in range(rounds)],
            goal=Goal(20, "above"),
            notes={"answers": len(texts)},
        ),
        Measured.of(
            "warm disk cache against cold, short sentences",
            "the same, on sentences of about ten tokens",
            ratios=[cold_by_warm(encoder, short) for _ in range(rounds)],
            notes={"sentences": len(short)},
        ),
    ]


def cold_by_warm(encoder: Encoder, texts: Sequence[str]) -> float:
    """Fill a fresh cache file, open it anew, and read."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vectors.sqlite3"
        cold = cpu(lambda: _assess(encoder, file, texts))
        warm = statistics.median(cpu(lambda: _assess(encoder, file, texts)) for _ in range(3))
    return cold / warm


def _assess(encoder: Encoder, file: Path, texts: Sequence[str]) -> None:
    cached = CachedEncoder(encoder, VectorFile(file, max_bytes=1_000_000_000))
    check = refusal_cluster()
    for _ in assess(((Sample(text), check) for text in texts), Backends(cached)):
        pass
