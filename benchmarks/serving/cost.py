"""What a question about a passage costs by its length: `python benchmarks/serving/cost.py`.

Writes `benchmarks/results/cost.json`. All figures are ratios of one run: CPU time by that of 1,000 characters
of prose, and by what was estimated before.
"""

import json
import sys
import time
from dataclasses import replace
from itertools import islice
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed.texts import sentences

from sensecheck.config import Settings, card_library
from sensecheck.server.engine.cost import cost_of
from sensecheck.server.engine.jobs import CheckJob, Extracted, ExtractJob, Job, Result
from sensecheck.server.engine.worker import BatchJudge, Policies, load_sense

LENGTHS = (1_000, 2_500, 5_000, 7_500, 10_000)
QUESTION = "When does the museum open on Sundays?"
FOREIGN = ("Das ist Satz {}.", "Ceci est la phrase {}.", "Esto es la frase {}.", "Это предложение {}.")
RESULTS = Path(__file__).resolve().parents[1] / "results" / "cost.json"


def main() -> None:
    """Measure, and write the results."""
    settings = replace(Settings.from_environment(), threads=1, cache="off")
    judge = BatchJudge(load_sense(settings), Policies(card_library(settings)))
    asked(judge, prose(1_500, skip=900))
    kinds = {"prose": prose, "short foreign sentences": foreign, "`D. E. F!` repeated": letters}
    rows = {name: [asked(judge, text(length)) for length in LENGTHS] for name, text in kinds.items()}
    unit = rows["prose"][0][0]
    found = {
        name: {
            "cpu": [round(cpu / unit, 2) for cpu, _ in row],
            "r2": round(linear_fit([cpu for cpu, _ in row]), 3),
            "by_estimate": round(row[-1][0] / row[-1][1] / (unit / rows["prose"][0][1]), 2),
        }
        for name, row in rows.items()
    }
    RESULTS.write_text(json.dumps({"lengths": LENGTHS, "kinds": found}, indent=1) + "\n")
    print(json.dumps(found, indent=1))


def asked(judge: BatchJudge, passage: str) -> tuple[float, float]:
    """CPU seconds of a question that the extractive writer answers, and the estimate of its cost."""
    search = ExtractJob(QUESTION, passage)
    began = time.process_time()
    found = done(judge, search)
    spans = found.spans if isinstance(found, Extracted) else ()
    answer = " ".join(passage[start:end] for start, end in spans) or passage[:200]
    done(judge, CheckJob(answer, (passage,), QUESTION, trusting=False, max_claims=50))
    cpu = time.process_time() - began
    return cpu, cost_of(search) + cost_of(CheckJob(answer, (passage,), policy="fast"))


def done(judge: BatchJudge, job: Job) -> Result:
    """What a job comes to, alone."""
    return judge.results([job])[0]


def linear_fit(cpu: list[float]) -> float:
    """How much of the variance a line over the lengths explains."""
    slope, start = np.polyfit(LENGTHS, cpu, 1)
    rest = np.array(cpu) - (slope * np.array(LENGTHS) + start)
    return float(1 - (rest**2).sum() / ((np.array(cpu) - np.mean(cpu)) ** 2).sum())


def prose(length: int, *, skip: int = 0) -> str:
    """Ordinary sentences, other ones for each length."""
    drawn = " ".join(islice(sentences(2_000), skip + length // 40, None))
    return drawn[:length]


def foreign(length: int) -> str:
    """Short sentences in four languages, each of its own."""
    return " ".join(FOREIGN[at % 4].format(at + length) for at in range(1_000))[:length]


def letters(length: int) -> str:
    """Initials that look like sentences."""
    return f"{length} " + ("D. E. F! " * 3_000)[:length]


if __name__ == "__main__":
    main()
