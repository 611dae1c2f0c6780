"""Whether memory stays flat while the number of samples grows."""

import resource
import sys
from pathlib import Path

from benchmarks.speed.children import child_output
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.texts import sentences

from sensecheck.checks.assess import assess
from sensecheck.checks.presets import refusal_cluster
from sensecheck.core.encoder import Answerers
from sensecheck.core.loading import load_encoder
from sensecheck.core.sample import Sample


def measure(*, full: bool) -> list[Measured]:
    """The peak memory of ten times as many samples, by that of the fewer."""
    encoder, few, many = ("minilm", 10_000, 100_000) if full else ("hashing", 2_000, 20_000)
    peaks = {count: _peak_of_child(encoder, count) for count in (few, many)}
    return [
        Measured.of(
            "peak memory of ten times the samples",
            f"peak resident memory over {many:,} samples, by that over {few:,}",
            ratios=[peaks[many] / peaks[few]],
            goal=Goal(1.1, "below", slack=0.95),
            notes={
                "encoder": encoder,
                **{f"megabytes at {n:,}": round(kb / 1000) for n, kb in peaks.items()},
            },
        )
    ]


def _peak_of_child(encoder: str, count: int) -> int:
    return int(child_output(("-m", "benchmarks.speed.memory", encoder, str(count))))


def _peak() -> int:
    """This process's peak in kilobytes. Not `ru_maxrss` where there is better: it counts the parent's too."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1])


def _run(encoder: str, count: int) -> None:
    check = refusal_cluster()
    cases = ((Sample(text), check) for text in sentences(count))
    for _ in assess(cases, Answerers(load_encoder(encoder))):
        pass
    print(_peak())


if __name__ == "__main__":
    _run(sys.argv[1], int(sys.argv[2]))
