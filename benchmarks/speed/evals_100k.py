"""Evaluate 100,000 distinct pairs: `python benchmarks/speed/evals_100k.py`, or `--short` for CI.

Held against what nobody can do without: the bare encoder on the distinct texts, and the lexical metrics' own
time. The whole way is measured: questions from the store, answers, all metrics, readings into the store.
"""

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from platform import machine, python_version
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed.bare import bare_loop
from benchmarks.speed.children import child_output
from benchmarks.speed.eval_pairs import Asked, distinct
from benchmarks.speed.measured import Goal, Measured, shown
from benchmarks.speed.memory import peak
from benchmarks.speed.rounds import cpu

from sensecheck.config import Settings
from sensecheck.core.backends import Encoder
from sensecheck.core.loading import load_encoder
from sensecheck.core.run import Item, PlacedItem, RecordedAnswer
from sensecheck.encoders.disk_cache import CachedEncoder
from sensecheck.encoders.model_folder import ModelFolder
from sensecheck.encoders.pins import MINILM, packaged
from sensecheck.encoders.transformer import by_length
from sensecheck.evaluation.batches import BATCH_SIZE, run_questions
from sensecheck.evaluation.scorer import NamedEncoder, Panel
from sensecheck.io.blobcache import VectorFile
from sensecheck.measures.lexical import bleu as sentence_bleu
from sensecheck.measures.lexical import content as content_f1
from sensecheck.measures.lexical import rouge as rouge_l
from sensecheck.measures.lexical import squad
from sensecheck.measures.lexical import tokens as mteval
from sensecheck.measures.lexical.content import lexical_scores
from sensecheck.measures.metrics import LEXICAL, STANDARD, metrics_named
from sensecheck.runs.sql import EvalStore

RESULTS = Path(__file__).resolve().parents[1] / "results" / "evals_100k.json"
METRICS = (*LEXICAL, "semantic_similarity", "recall_and_cosine")
BARE_EVERY = 5
"""The bare engine takes its turn after every so many batches: a neighbour on the machine slows both."""

Batch = list[tuple[str, str]]
"""Expected answers and answers."""


@dataclass(frozen=True, slots=True)
class Size:
    """How many pairs each part evaluates."""

    pairs: int
    others: int
    """With a cache, and with all standard metrics."""


FULL, SHORT = Size(100_000, 5_120), Size(2_048, 512)


@dataclass(slots=True)
class Spent:
    """What an evaluation took."""

    seconds: float = 0.0
    """CPU time of all batches."""
    ratios: list[float] = field(default_factory=list)
    """Bare encoder plus lexical metrics by ours, batch by batch of those that both took."""
    bare: float = 0.0
    lexical: float = 0.0
    beside: float = 0.0
    """Our CPU time of the batches that the bare engine took too."""
    peaks: dict[str, int] = field(default_factory=dict)
    """Megabytes, by the share of pairs that were done."""


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Evaluate distinct pairs, beside the bare encoder.")
    parser.add_argument("--short", action="store_true", help="a minute; fails on what is clearly broken")
    parser.add_argument("--part", nargs=3, metavar=("PART", "FILE", "COUNT"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        part, file, count = arguments.part
        print(json.dumps([asdict(one) for one in PARTS[part](Path(file), int(count))]))
        return
    data = Settings.from_environment().data
    if not data:
        sys.exit("wanted: SENSECHECK_DATA as a folder of labelled public data")
    size = SHORT if arguments.short else FULL
    found = measure(Path(data), size)
    for one in found:
        goal = "" if one.goal is None else f"; goal {one.goal.describe()}: {'met' if one.met else 'MISSED'}"
        print(f"{one.about}: {shown(one.ratio)} ({shown(one.low)} to {shown(one.high)}{goal}) {one.notes}")
    if not arguments.short:
        RESULTS.write_text(json.dumps(to_data(found, size), indent=2) + "\n", encoding="utf-8")
    elif broken := [one.name for one in found if one.broken]:
        sys.exit(f"clearly broken: {', '.join(broken)}")


def measure(data: Path, size: Size) -> list[Measured]:
    """Every ratio, each part in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pairs.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(json.dumps(asdict(one)) + "\n" for one in distinct(data, size.pairs))
        (plain,) = _part("plain", file, size.pairs)
        first, again = _part("cached", file, size.others)
        (standard,) = _part("standard", file, size.others)
    return [*_plain(plain, size.pairs), *_cached(first, again, size.others), _standard(standard, size.others)]


def _part(name: str, file: Path, count: int) -> list[Spent]:
    print(f"measuring {name} …", file=sys.stderr, flush=True)
    told = child_output(("benchmarks/speed/evals_100k.py", "--part", name, str(file), str(count)))
    return [Spent(**one) for one in json.loads(told)]


def _plain(spent: Spent, pairs: int) -> list[Measured]:
    about = "CPU time of the bare encoder and the lexical metrics, by that of the whole evaluation"
    notes = {
        "pairs": pairs,
        "pairs per CPU second": round(pairs / spent.seconds, 1),
        "CPU seconds": round(spent.seconds, 1),
        "batches beside the bare engine": len(spent.ratios),
        "ratio of their sums": round((spent.bare + spent.lexical) / spent.beside, 4),
        "share of the bare encoder": round(spent.bare / spent.beside, 4),
    }
    goal = Goal(0.9, "above")
    peaks = list(spent.peaks.values())
    return [
        Measured.of("evaluation", about, ratios=spent.ratios, goal=goal, notes=notes),
        Measured.of(
            "memory of an evaluation",
            "peak memory when all pairs are done, by that after a quarter of them",
            ratios=[peaks[-1] / peaks[0]],
            goal=Goal(1.1, "below", slack=0.95),
            notes={f"megabytes at {share}": value for share, value in spent.peaks.items()},
        ),
    ]


def _cached(first: Spent, again: Spent, pairs: int) -> list[Measured]:
    about = "CPU time of the bare encoder and the lexical metrics, by that of the evaluation with a cache"
    return [
        Measured.of(f"evaluation that {what}", f"{about} that it {what}", ratios=one.ratios, notes=notes)
        for what, one in (("fills", first), ("finds filled", again))
        for notes in [{"pairs": pairs, "pairs per CPU second": round(pairs / one.seconds, 1)}]
    ]


def _standard(spent: Spent, pairs: int) -> Measured:
    about = "CPU time of the bare encoder and the lexical metrics, by that of all standard metrics"
    notes = {
        "pairs": pairs,
        "pairs per CPU second": round(pairs / spent.seconds, 1),
        "metrics": len(STANDARD),
    }
    return Measured.of("evaluation by all standard metrics", about, ratios=spent.ratios, notes=notes)


def plain(file: Path, count: int) -> list[Spent]:
    """No cache: every text is encoded."""
    return [evaluated(file, count, METRICS, load_encoder("minilm"))]


def cached(file: Path, count: int) -> list[Spent]:
    """With the cache on disk: filled by a first run, and used by a second."""
    with tempfile.TemporaryDirectory() as folder:
        kept = VectorFile(Path(folder) / "vectors.sqlite3", max_bytes=2**34)
        encoder = CachedEncoder(load_encoder("minilm"), kept)
        return [evaluated(file, count, METRICS, encoder) for _ in range(2)]


def standard(file: Path, count: int) -> list[Spent]:
    """All metrics that are read by default."""
    return [evaluated(file, count, STANDARD, load_encoder("minilm"))]


PARTS: dict[str, Callable[[Path, int], list[Spent]]] = {
    "plain": plain,
    "cached": cached,
    "standard": standard,
}


def evaluated(file: Path, count: int, names: Sequence[str], encoder: Encoder) -> Spent:
    """Evaluate pairs in a store of its own, and let the bare engine do some of the batches too."""
    bare = bare_loop(ModelFolder.at(packaged(MINILM)).tokenizer(), by_length)
    for place in (bare, encoder.encode):
        place(["A text to begin with."])
    spent, done = Spent(), 0
    with opened_store() as store:
        coming = batches(store, file, count, Panel(metrics_named(names), (NamedEncoder("minilm", encoder),)))
        while True:
            forget()
            began = process_time()
            batch = next(coming, None)
            took = process_time() - began
            spent.seconds += took
            if batch is None:
                return spent
            if done // BATCH_SIZE % BARE_EVERY == 0:
                take_turn(spent, batch, took, bare)
            done += len(batch)
            note_peak(spent, done, count)


def batches(store: EvalStore, file: Path, count: int, panel: Panel) -> Iterator[Batch]:
    """Each batch after it was kept: expected answers and answers."""
    chosen = store.keep_set("speed", (Item(one.question, one.expected) for one in rows(file, count)))
    run = store.begin(
        store.test("speed", "speed", embedding={}, generation={}), chosen, encoder="minilm", conditions={}
    )
    answers = (one.answer for one in rows(file, count))

    def answer_each(some: Sequence[PlacedItem]) -> list[RecordedAnswer]:
        return [RecordedAnswer(answer) for answer in islice(answers, len(some))]

    for batch in run_questions(store, run, answer_each, panel):
        yield [(placed.item.expected or "", told.answer or "") for placed, told in batch]


def take_turn(
    spent: Spent, batch: list[tuple[str, str]], ours: float, bare: Callable[[list[str]], Any]
) -> None:
    """What the bare engine and the lexical metrics take for a batch that was just evaluated."""
    forget()
    alone = cpu(lambda: bare([text for pair in batch for text in pair]))
    lexical = cpu(lambda: [lexical_scores(answer, expected) for expected, answer in batch])
    spent.bare += alone
    spent.lexical += lexical
    spent.beside += ours
    spent.ratios.append((alone + lexical) / ours)


def note_peak(spent: Spent, done: int, count: int) -> None:
    """The peak memory at a quarter, a half and the whole."""
    for share in (25, 50, 100):
        if done * 100 >= count * share and f"{share}%" not in spent.peaks:
            spent.peaks[f"{share}%"] = round(peak() / 1000)


def forget() -> None:
    """Lexical metrics remember pairs for one another; nobody may profit from another's turn."""
    for room in (content_f1, mteval, rouge_l, sentence_bleu, squad):
        for held in vars(room).values():
            if hasattr(held, "cache_clear"):
                held.cache_clear()


def rows(file: Path, count: int) -> Iterator[Asked]:
    """The pairs of a file, read as they are wanted."""
    with file.open(encoding="utf-8") as lines:
        for line in islice(lines, count):
            yield Asked(**json.loads(line))


@contextmanager
def opened_store() -> Iterator[EvalStore]:
    """An empty store in a file that is gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        store = EvalStore.open(f"sqlite:///{folder}/evals.sqlite3")
        try:
            yield store
        finally:
            store.close()


def to_data(found: Sequence[Measured], size: Size) -> dict[str, Any]:
    """What was measured and with what, as plain data."""
    return {
        "about": "Ratios of CPU time over batches of 512 pairs, in which no text occurs twice; the bare "
        "encoder takes turns with the whole evaluation; the median, the lowest and the highest batch.",
        "python": python_version(),
        "machine": machine(),
        "cores": os.cpu_count(),
        "pairs": size.pairs,
        "metrics": list(METRICS),
        "measured": [one.to_data() for one in found],
    }


if __name__ == "__main__":
    main()
