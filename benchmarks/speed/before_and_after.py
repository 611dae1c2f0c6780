"""Speed of an earlier checkout and of this one, in one run: give it the folder of the checkout as `--before`.

Each use runs in a process of its own, an earlier and a present one in turn. What is compared is CPU time,
which other programs on the machine change little; what is written is the ratio of the medians.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULT = ROOT / "benchmarks" / "results" / "before_and_after.json"
FIRST = """
from sensecheck import Sense
assert Sense.load().not_a_refusal("It opens at nine.").outcome == "pass"
"""
MANY = """
import sys, time
from sensecheck import Sample, Sense, check_from_data
check, sense, spent = check_from_data({"kind": "not_a_refusal"}), Sense.load(), []
encoder = sense._answerers.encoder
encode = getattr(encoder, "encode", None) or encoder.place
encode(["A text to begin with."])
for turn in range(2):
    samples = [Sample(f"Room {turn}-{n} opens at nine. It closes at five.") for n in range(100)]
    texts = list(dict.fromkeys(t for s in samples for t in check.measure.needs(s).texts))
    begun = time.process_time()
    encode([text.replace("Room", "Hall") for text in texts])
    bare = time.process_time()
    assert len(list(sense.judge_each((sample, check) for sample in samples))) == len(samples)
    spent.append((time.process_time() - bare) / (bare - begun))
print(min(spent))
"""
HELP = """
import sys
from sensecheck.cli.main import main
sys.argv = ["sensecheck", "--help"]
main()
"""
USES = {
    "`import sensecheck`": "import sensecheck",
    "`sensecheck --help`": HELP,
    "first verdict": FIRST,
}
ASSESSED = "`judge_each`, against the bare encoder"


def main() -> None:
    """Measure both in turn, and write the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--before", type=Path, required=True, help="a checkout of an earlier commit")
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    folders = {"before": given.before.resolve(), "now": ROOT}
    spent: dict[str, dict[str, list[float]]] = {
        use: {which: [] for which in folders} for use in (*USES, ASSESSED)
    }
    for _ in range(given.rounds):
        for which, folder in folders.items():
            for use, code in USES.items():
                spent[use][which].append(cpu_seconds(code, folder))
            spent[ASSESSED][which].append(float(run(MANY, folder)))
    ratios = {
        use: {
            "now / before": round(statistics.median(both["now"]) / statistics.median(both["before"]), 2),
            "spread": [
                round(min(both["now"]) / max(both["before"]), 2),
                round(max(both["now"]) / min(both["before"]), 2),
            ],
        }
        for use, both in spent.items()
    }
    ratios[ASSESSED] |= {which: round(statistics.median(spent[ASSESSED][which]), 2) for which in folders}
    commit = ["git", "-C", str(folders["before"]), "rev-parse", "--short", "HEAD"]
    measured = {
        "before": subprocess.check_output(commit, text=True).strip(),
        "rounds": given.rounds,
        "ratios": ratios,
    }
    RESULT.write_text(json.dumps(measured, indent=1) + "\n", encoding="utf-8")
    print(RESULT.read_text(encoding="utf-8"))


def cpu_seconds(code: str, folder: Path) -> float:
    """Of one process that runs this code with the package in a folder, with what it starts."""
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    run(code, folder)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime


def run(code: str, folder: Path) -> str:
    """What the code prints; `--help` ends by itself."""
    environment = {**os.environ, "PYTHONPATH": str(folder / "src"), "SENSECHECK_CACHE": "off"}
    return subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=folder, check=True, capture_output=True, text=True
    ).stdout


if __name__ == "__main__":
    main()
