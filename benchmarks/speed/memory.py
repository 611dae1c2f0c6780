"""Whether memory stays flat while the number of samples grows."""

import resource
import sys
from pathlib import Path

import numpy as np
from benchmarks.speed.children import child_output
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.texts import sentences

from sensecheck.checks.assess import assess
from sensecheck.checks.presets import refusal_cluster
from sensecheck.core.backends import Backends, Encoder, Vectors
from sensecheck.core.loading import load_encoder
from sensecheck.core.sample import Sample
from sensecheck.encoders.model_folder import ModelFolder
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.encoders.transformer import EncoderRecipe, Ids, Transformer

IDLE = "idle"
"""Our encoder around a graph that does no work: everything but the engine, in seconds."""


def measure(*, full: bool) -> list[Measured]:
    """The peak memory of many samples, by that of fewer.

    The short form begins above the number of texts that `assess` remembers, since nothing else weighs there.
    """
    encoder, few, many = ("minilm", 10_000, 100_000) if full else (IDLE, 20_000, 40_000)
    peaks = {count: _peak_of_child(encoder, count) for count in (few, many)}
    return [
        Measured.of(
            "peak memory as samples grow",
            f"peak memory of `assess` over {many:,} samples, by that over {few:,}",
            ratios=[peaks[many] / peaks[few]],
            goal=Goal(1.1, "below", slack=0.95),
            notes={
                "encoder": encoder,
                **{f"megabytes at {count:,}": round(peak / 1000) for count, peak in peaks.items()},
            },
        )
    ]


def _peak_of_child(encoder: str, count: int) -> int:
    return int(child_output(("-m", "benchmarks.speed.memory", encoder, str(count))))


def peak() -> int:
    """This process's peak in kilobytes. Not `ru_maxrss` where there is better: it counts the parent's too."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1])


def idle_encoder() -> Encoder:
    noise = np.random.default_rng(0).standard_normal((8192, 384)).astype(np.float32)

    def graph(ids: Ids, mask: Ids) -> Vectors:
        return noise[: ids.size].reshape(*ids.shape, 384)

    recipe = EncoderRecipe(IDLE, weights="", tokenizer="", engine=IDLE, dimension=384, max_tokens=256)
    return Transformer(recipe, ModelFolder.at(packaged(MINILM)).tokenizer(), graph)


def _run(name: str, count: int) -> None:
    check = refusal_cluster()
    encoder = idle_encoder() if name == IDLE else load_encoder(name)
    for _ in assess(((Sample(text), check) for text in sentences(count)), Backends(encoder)):
        pass
    print(peak())


if __name__ == "__main__":
    _run(sys.argv[1], int(sys.argv[2]))
