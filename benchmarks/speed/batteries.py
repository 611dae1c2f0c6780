"""What a battery costs beyond the verdicts on its answers: in time, and in memory as its tests grow."""

import json
import sys
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.speed.children import child_output
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.memory import IDLE, idle_encoder, peak
from benchmarks.speed.rounds import paired, race
from benchmarks.speed.texts import answers, sentences

from sensecheck.batteries.plan import Plan, TestFilter
from sensecheck.batteries.reader import read_battery
from sensecheck.batteries.trials import run_trials
from sensecheck.checks.assess import assess
from sensecheck.checks.gate import Gate
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.cutoff import at_least
from sensecheck.core.loading import load_encoder
from sensecheck.core.sample import Sample
from sensecheck.encoders.model_folder import ModelFolder
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.measures.similarity import Similarity
from sensecheck.runs.jsonl import RunFolder, RunHeader

EXPECTED = "The parcel left the warehouse on Monday."
THRESHOLD = 0.7
BATTERY = f"""\
defaultTest:
  assert:
    - {{type: similar, value: {EXPECTED}, threshold: {THRESHOLD}}}
tests: file://tests.jsonl
"""


def measure(data: Path, *, full: bool) -> list[Measured]:
    """Throughput against bare `assess`, and peak memory of many tests by that of fewer."""
    return [_throughput(data, full=full), _memory(full=full)]


def _throughput(data: Path, *, full: bool) -> Measured:
    folder = ModelFolder.at(packaged(MINILM))
    texts = answers(data, 300 if full else 60, tokenizer=folder.tokenizer(), limit=folder.max_tokens)
    encoder, gate = load_encoder("minilm"), Gate(Similarity(EXPECTED), at_least(THRESHOLD))
    with TemporaryDirectory() as place:
        path = written(Path(place), texts)
        spent = race(
            {
                "battery": lambda: run(path, encoder),
                "assess": lambda: list(assess(((Sample(text), gate) for text in texts), Backends(encoder))),
            },
            5 if full else 3,
        )
    return Measured.of(
        "a recorded battery against bare assess",
        "throughput of a battery of recorded answers, from its file to the stored run, by that of `assess` "
        "over the same answers",
        ratios=paired(spent["assess"], spent["battery"]),
        goal=Goal(0.9, "above"),
        notes={"answers": len(texts)},
    )


def _memory(*, full: bool) -> Measured:
    encoder, few, many = ("minilm", 10_000, 100_000) if full else (IDLE, 20_000, 40_000)
    peaks = {count: int(_child(encoder, count)) for count in (few, many)}
    return Measured.of(
        "peak memory as tests grow",
        f"peak memory of a battery of {many:,} recorded tests, by that of {few:,}",
        ratios=[peaks[many] / peaks[few]],
        goal=Goal(1.1, "below", slack=0.95),
        notes={
            "encoder": encoder,
            **{f"megabytes at {count:,}": round(held / 1000) for count, held in peaks.items()},
        },
    )


def _child(encoder: str, count: int) -> str:
    return child_output(("-m", "benchmarks.speed.batteries", encoder, str(count)))


def written(folder: Path, texts: Iterable[str]) -> Path:
    """A battery of recorded answers, in a folder of its own."""
    with (folder / "tests.jsonl").open("w", encoding="utf-8") as file:
        for row in _rows(texts):
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
    path = folder / "recorded.battery.yaml"
    path.write_text(BATTERY, encoding="utf-8")
    return path


def _rows(texts: Iterable[str]) -> Iterator[dict[str, str]]:
    for number, text in enumerate(texts, 1):
        yield {"description": f"answer {number}", "providerOutput": text}


def run(path: Path, encoder: Encoder) -> None:
    """As the command does: read, judged, and kept result by result."""
    battery = read_battery(path, environment={})
    plan = Plan.of(battery, TestFilter())
    header = RunHeader(path.name, battery.digest, "0", encoder.name, plan.labels, (), plan.tests, plan.trials)
    judge_each = partial(assess, answerers=Backends(encoder))
    with RunFolder(path.parent / "runs").begin(header, "token") as writing:
        for _ in writing.keeping(run_trials(plan, (), judge_each)):
            pass


def _run_many(name: str, count: int) -> None:
    with TemporaryDirectory() as place:
        run(written(Path(place), sentences(count)), idle_encoder() if name == IDLE else load_encoder(name))
    print(peak())


if __name__ == "__main__":
    _run_many(sys.argv[1], int(sys.argv[2]))
