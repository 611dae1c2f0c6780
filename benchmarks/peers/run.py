"""What people use instead, measured in one run: `just peers [--short]`.

Each package is installed into a new environment below .cache/peers, without torch; what cannot be installed
is skipped, and the results say why. Import, first score and CPU time per pair are divided by ours, the
contestants taking turns. Quality is read on the rows of benchmarks/quality/everyday.py, whose results ours
come from: measure those first. A score has the threshold under which most of these very rows are right, which
is kinder than any that could be chosen before.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import distribution
from pathlib import Path
from platform import machine, python_version
from random import Random
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.peers.contestants import ANSWERS, FIRST, PEERS, REFUSALS, Pair, Peer
from benchmarks.quality.everyday import DATA, RAGTRUTH_ROWS
from benchmarks.quality.grounding.rows import rows as labelled_rows
from benchmarks.quality.refusal_rules import listed
from benchmarks.quality.shares import counted
from benchmarks.weight import weigh
from models.heads.public import ROOT, rows_of

from sensecheck.config import Settings
from sensecheck.core.loading import load_encoder

PLACE = ROOT / ".cache" / "peers"
RESULTS = ROOT / "benchmarks" / "results" / "peers.json"
CONTESTANTS = Path(__file__).with_name("contestants.py")
OURS = "sensecheck"
WEIGHTS = ("sensecheck-minilm", "sensecheck-verifier-large")
IMPORT_OURS = "from sensecheck import Sense"
SCORES_OURS = f"""
import json, sys, time
from sensecheck import Sense
sense = Sense.load()
sense.means{FIRST!r}
first = time.process_time()
pairs = json.load(open(sys.argv[1]))["tasks"]["means"]
began = time.process_time()
for answer, expected in pairs:
    sense.means(answer, expected)
pair = (time.process_time() - began) / len(pairs)
print(json.dumps({{"first": first, "seconds": {{"means": pair}}}}))
"""
NOWHERE = dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
QUIET = {"RAGAS_DO_NOT_TRACK": "true", "DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "HF_HUB_OFFLINE": "1"}
MAX_REASON_CHARS = 200
Rows = dict[str, list[tuple[Pair, bool]]]
"""By task: the pairs, and whether each should pass."""
Round = dict[str, dict[str, Any]]
"""By contestant: its scores, and the CPU seconds that it took."""


class NotMeasured(Exception):
    """A package that cannot be installed, or does not run, here."""


def main() -> None:
    """Measure all of it; with `--short` one round of costs, and nothing is written."""
    parser = argparse.ArgumentParser(description="What people use instead, measured in one run.")
    parser.add_argument("--short", action="store_true", help="one round, and write nothing")
    parser.add_argument("--rounds", type=int, default=3, help="in which all take turns; 3 unless given")
    parser.add_argument("--fresh", action="store_true", help="make the environments anew")
    parser.add_argument("--ours", action="store_true", help="only our lines, from what everyday.py found")
    options = parser.parse_args()
    tasks, skipped = dict(rows()), dict[str, str]()
    if options.ours:
        kept = json.loads(RESULTS.read_text("utf-8"))
        mine = {line["task"]: line for line in quality(tasks, {}) if line["rule"] == OURS}
        kept["quality"] = [mine[one["task"]] if one["rule"] == OURS else one for one in kept["quality"]]
        RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", "utf-8")
        return
    for peer in PEERS:
        try:
            install(peer, fresh=options.fresh)
        except NotMeasured as reason:
            skipped[peer.package] = str(reason)
    rounds = [*measured(tasks, skipped, 1 if options.short else options.rounds)]
    for package, why in skipped.items():
        print(f"skipped {package}: {why}")
    found = [peer for peer in PEERS if peer.package not in skipped]
    results: dict[str, Any] = {
        "about": "What people use instead, beside ours; costs are ratios of one run, CPU time.",
        "python": python_version(),
        "machine": machine(),
        "weights_megabytes": round(sum(map(megabytes_of, WEIGHTS)), 1),
        "versions": {peer.package: version_of(peer) for peer in found},
        "skipped": skipped,
        "rounds": len(rounds),
        "costs": costs(found, rounds),
        "quality": [*quality(tasks, {peer.package: rounds[0][peer.package] for peer in found})],
    }
    for line in results["quality"]:
        print(f"{line['task']:12}{line['rule']:50}{line['right']['share']:.1%} right")
    if not options.short:
        RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", "utf-8")


def rows() -> Iterator[tuple[str, list[tuple[Pair, bool]]]]:
    """The rows of `everyday.py`, as pairs of texts."""
    yield (
        "means",
        [
            ((row["answer"], row["expected"]), row["label"] == "same")
            for row in rows_of(DATA, "means.jsonl.gz")
        ],
    )
    yield (
        "grounded",
        [
            ((row["answer"], "\n".join(row["passages"])), row["label"] == "supported")
            for row in rows_of(DATA, "grounding.jsonl.gz")
        ],
    )
    refusals = [row for row in rows_of(DATA, "refusals.jsonl.gz") if row["language"] == "en"]
    wanted = {"refusal": False, "answer": True}
    yield (
        "refusals",
        [((row["answer"], ""), wanted[row["label"]]) for row in refusals if row["label"] in wanted],
    )
    data = Settings.from_environment().data
    if data and (Path(data) / "ragtruth_qa").is_dir():
        people = list(labelled_rows("ragtruth_qa", Path(data)))
        chosen = Random(0).sample(people, min(RAGTRUTH_ROWS, len(people)))
        yield (
            "ragtruth",
            [((one.sample.answer, "\n".join(one.sample.passages)), not one.unsupported) for one in chosen],
        )
    else:
        print("RAGTruth is left out: SENSECHECK_DATA names no folder that holds ragtruth_qa")


def given(tasks: Rows) -> dict[str, Any]:
    """What contestants read: pairs without labels, and the vector of each text."""
    pairs = {task: [pair for pair, _ in some] for task, some in tasks.items()}
    texts = {text for some in pairs.values() for pair in some for text in pair if text}
    ordered = sorted(texts | {*REFUSALS, *ANSWERS})
    vectors = load_encoder("minilm").encode(ordered)
    found = {text: one.vector.tolist() for text, one in zip(ordered, vectors, strict=True)}
    return {"tasks": pairs, "vectors": found}


def install(peer: Peer, *, fresh: bool) -> None:
    """A new environment with this package; torch is never installed."""
    folder = PLACE / peer.package
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    if python_of(peer).exists():
        return
    PLACE.mkdir(parents=True, exist_ok=True)
    without = PLACE / "without-torch.txt"
    without.write_text("torch<0\n")
    made = ["uv", "venv", "--quiet", "--python", sys.executable, str(folder)]
    pip = ["uv", "pip", "install", "--quiet", "--python", str(python_of(peer)), "--constraint", str(without)]
    for command in (made, [*pip, *peer.requirements]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            shutil.rmtree(folder, ignore_errors=True)
            raise NotMeasured(" ".join(done.stderr.split())[:MAX_REASON_CHARS])


def python_of(peer: Peer) -> Path:
    """The Python of its environment."""
    return PLACE / peer.package / "bin" / "python"


def version_of(peer: Peer) -> str:
    """Which version was measured."""
    return peer.requirements[0].partition("==")[2]


def environment(folder: str) -> dict[str, str]:
    """No settings, no network, one thread, a home of its own."""
    dropped = ("SENSECHECK_", "PIP_")
    own = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return own | NOWHERE | QUIET | {"OMP_NUM_THREADS": "1", "HOME": folder, "SENSECHECK_CACHE": "off"}


def run(python: Path | str, *arguments: str, alone: bool) -> tuple[str, float]:
    """What a process prints, and its CPU seconds; who is `alone` does not see our source tree."""
    with tempfile.TemporaryDirectory() as folder:
        own = environment(folder)
        if alone:
            own.pop("PYTHONPATH", None)
        before = os.times()
        done = subprocess.run(
            [str(python), "-W", "ignore", *arguments], env=own, cwd=folder, capture_output=True, text=True
        )
        after = os.times()
    if done.returncode:
        raise NotMeasured(done.stderr.strip().rpartition("\n")[2][:MAX_REASON_CHARS])
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return done.stdout, spent


def measured(tasks: Rows, skipped: dict[str, str], rounds: int) -> Iterator[Round]:
    """Rounds in which all take turns; the first gives all scores, and who fails in it is skipped."""
    with tempfile.TemporaryDirectory() as folder:
        every, some = Path(folder) / "every.json", Path(folder) / "some.json"
        whole = given(tasks)
        every.write_text(json.dumps(whole), "utf-8")
        few = {task: whole["tasks"][task] for task in ("means", "refusals")}
        some.write_text(json.dumps({**whole, "tasks": few}), "utf-8")
        for number in range(rounds):
            file, found = str(some if number else every), Round()
            found[OURS] = contest(sys.executable, IMPORT_OURS, "-c", SCORES_OURS, file, alone=False)
            for peer in (one for one in PEERS if one.package not in skipped):
                script = (str(CONTESTANTS), peer.package, file)
                try:
                    found[peer.package] = contest(
                        str(python_of(peer)), f"import {peer.module}", *script, alone=True
                    )
                except NotMeasured as reason:
                    skipped[peer.package] = str(reason)
            print(f"round {number + 1} of {rounds} is over", flush=True)
            yield found


def contest(python: str, imports: str, *script: str, alone: bool) -> dict[str, Any]:
    """What a contestant printed, and what its import takes in a process of its own."""
    seconds = run(python, "-c", imports, alone=alone)[1]
    printed = run(python, *script, alone=alone)[0]
    return {**json.loads(printed.strip().splitlines()[-1]), "import": seconds}


def costs(peers: Sequence[Peer], rounds: Sequence[Round]) -> list[dict[str, Any]]:
    """What each costs by what ours does."""
    weight = json.loads((RESULTS.parent / "weight.json").read_text("utf-8"))
    total = weight["megabytes"] + sum(map(megabytes_of, WEIGHTS))
    return [cost_of(peer, rounds, total) for peer in peers]


def cost_of(peer: Peer, rounds: Sequence[Round], total: float) -> dict[str, Any]:
    """The weight of one package, and its ratios: the median of the rounds."""
    names, megabytes = weigh(PLACE / peer.package)
    both = [(one[peer.package], one[OURS]) for one in rounds]
    return {
        "package": peer.package,
        "distributions": len(names),
        "megabytes": round(megabytes, 1),
        "weight": three_digits(megabytes / total),
        "import": three_digits(median(theirs["import"] / ours["import"] for theirs, ours in both)),
        "first": three_digits(median(theirs["first"] / ours["first"] for theirs, ours in both)),
        "pair": {
            rule: three_digits(
                median(theirs["seconds"][rule] / ours["seconds"]["means"] for theirs, ours in both)
            )
            for rule in both[0][0]["seconds"]
        },
    }


def three_digits(value: float) -> float:
    """A ratio as it is shown."""
    return float(f"{value:.3g}")


def megabytes_of(name: str) -> float:
    """What a distribution of this environment has on disk."""
    files = [file.locate() for file in distribution(name).files or ()]
    return sum(Path(str(file)).stat().st_size for file in files if Path(str(file)).is_file()) / 1e6


def quality(tasks: Rows, scored: Mapping[str, Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """A line for each task and rule."""
    everyday = json.loads((RESULTS.parent / "everyday.json").read_text("utf-8"))
    tables = {(one["task"], one["rule"]): one for one in (*everyday["measured"], *everyday["ragtruth"])}
    for task, labelled in tasks.items():
        wanted = [good for _, good in labelled]
        yield ours(task, tables[OUR_RULES[task]], len(labelled))
        common = max(wanted.count(True), wanted.count(False))
        yield line(task, "always the more frequent label", common, len(wanted))
        if task == "refusals":
            right = sum((not listed(answer)) == good for (answer, _), good in labelled)
            yield line(task, "a list of usual phrases (regular expression)", right, len(wanted))
        for package, found in scored.items():
            for rule, by_task in found["scores"].items():
                if task in by_task:
                    right = best_threshold(by_task[task], wanted)
                    extra = {"auroc": round(auroc(by_task[task], wanted), 3)}
                    yield line(task, f"{package}: {rule}", right, len(wanted)) | extra


OUR_RULES = {
    "means": ("means", "means"),
    "grounded": ("grounded: answers", "default"),
    "refusals": ("refusals: English", "not_a_refusal"),
    "ragtruth": ("RAGTruth: answers", "default"),
}
"""Our check for each task, as the results of `everyday.py` name it."""


def ours(task: str, table: Mapping[str, Any], size: int) -> dict[str, Any]:
    """Ours, with what it left undecided; it must be of as many rows."""
    if (there := table["decided"]["n"]) != size:
        sys.exit(f"everyday.json has {there} rows of `{task}`, and there are {size}: measure it anew")
    decided = round(table["decided"]["share"] * size)
    right = round((table["right_of_decided"] or {"share": 0})["share"] * decided)
    return line(task, OURS, right, size, undecided=size - decided)


def line(task: str, rule: str, right: int, size: int, *, undecided: int = 0) -> dict[str, Any]:
    """How much is right, wrong and left open, of all rows."""
    return {
        "task": task,
        "rule": rule,
        "right": counted(right, size),
        "wrong": counted(size - right - undecided, size),
        "undecided": counted(undecided, size),
    }


def best_threshold(scores: Sequence[float], wanted: Sequence[bool]) -> int:
    """How many rows are right under the threshold that is best for them."""
    cuts = [*sorted(set(scores)), float("inf")]
    return max(
        sum((score >= cut) == good for score, good in zip(scores, wanted, strict=True)) for cut in cuts
    )


def auroc(scores: Sequence[float], wanted: Sequence[bool]) -> float:
    """How often a good row scores higher than a bad one; a tie counts half."""
    good = [score for score, one in zip(scores, wanted, strict=True) if one]
    bad = [score for score, one in zip(scores, wanted, strict=True) if not one]
    return sum((a > b) + (a == b) / 2 for a in good for b in bad) / (len(good) * len(bad))


if __name__ == "__main__":
    main()
