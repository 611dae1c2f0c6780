"""Measure `similar` beside the real promptfoo: `python benchmarks/speed/promptfoo.py`.

The same pairs with the same encoder, which promptfoo asks through our provider of embeddings.
"""

import argparse
import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from platform import machine, python_version
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # a script finds only what lies beside it

from benchmarks.speed.measured import Measured, shown
from benchmarks.speed.process_tree import Spent, spent_by

from sensecheck import __version__
from sensecheck.config import Settings

RESULTS = Path(__file__).resolve().parents[1] / "results" / "promptfoo.json"
SETS = ("stsb/test.jsonl.gz", "stsb/dev.jsonl.gz", "sick/test.jsonl.gz")
THRESHOLD = 0.8
OURS, THEIRS, WITHOUT, ONE_BY_ONE = "sensecheck", "promptfoo", "promptfoo without embeddings", "one by one"
CLOCKS = {"cpu": "CPU time", "wall": "time on the clock"}
PROVIDER = "from sensecheck.adapters.promptfoo import call_embedding_api\n"
HEAD = 'prompts: ["-"]\nproviders: [echo]\n'
LOOP = """\
import json, pathlib
from sensecheck.adapters.promptfoo import call_embedding_api
for line in pathlib.Path("similar.jsonl").read_text(encoding="utf-8").splitlines():
    test = json.loads(line)
    for text in (test["assert"][0]["value"], test["providerOutput"]):
        json.dumps(call_embedding_api(text, {}))
"""


@dataclass(frozen=True, slots=True)
class Contestant:
    """A command, and the exit codes that mean that it did its work."""

    command: Sequence[str]
    good: tuple[int, ...]


def main() -> None:
    """Measure as the command line says."""
    parser = argparse.ArgumentParser(description="Measure `similar` beside promptfoo, as ratios in one run.")
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dry", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    promptfoo, data = shutil.which("promptfoo"), Settings.from_environment().data
    if promptfoo is None or not data:
        sys.exit("wanted: `promptfoo` on the PATH, and SENSECHECK_DATA as a folder of labelled public data")
    found = measure(promptfoo, pairs(Path(data), arguments.pairs), arguments.rounds)
    for one in found["measured"]:
        print(f"{one['about']}: {shown(one['ratio'])} ({shown(one['low'])} to {shown(one['high'])})")
    if not arguments.dry:
        RESULTS.write_text(json.dumps(found, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


def measure(promptfoo: str, given: Sequence[tuple[str, str]], rounds: int) -> dict[str, Any]:
    """Every ratio, with what was measured, as plain data."""
    with TemporaryDirectory() as place:
        folder = Path(place)
        write(folder, given)
        version = version_of(promptfoo, folder)
        spent = turns(contestants(promptfoo), folder, quiet(folder), rounds)
        require_agreement(folder)
    return {
        "sensecheck": __version__,
        "promptfoo": version,
        "pairs": len(given),
        "rounds": rounds,
        "python": python_version(),
        "machine": machine(),
        "measured": [one.to_data() for one in measured(spent)],
    }


def pairs(data: Path, count: int) -> list[tuple[str, str]]:
    """Pairs of which no text occurs twice, so that remembering a text saves nothing."""
    found: list[tuple[str, str]] = []
    seen: set[str] = set()
    for one, other in _all_pairs(data):
        if one != other and not {one, other} & seen and len(found) < count:
            found.append((one, other))
            seen |= {one, other}
    if len(found) < count:
        sys.exit(f"wanted {count} pairs of texts that occur once; found {len(found)}")
    return found


def _all_pairs(data: Path) -> Iterator[tuple[str, str]]:
    for name in SETS:
        with gzip.open(data / name, "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                yield row["a"].strip(), row["b"].strip()


def write(folder: Path, given: Sequence[tuple[str, str]]) -> None:
    """Write the files of all contestants."""
    for kind in ("similar", "not-equals"):
        tests = (json.dumps(_test(kind, *pair)) + "\n" for pair in given)
        (folder / f"{kind}.jsonl").write_text("".join(tests), encoding="utf-8")
    (folder / "ours.yaml").write_text("tests: file://similar.jsonl\n")
    (folder / "theirs.yaml").write_text(f"{HEAD}tests: file://similar.jsonl\n")
    (folder / "without.yaml").write_text(f"{HEAD}tests: file://not-equals.jsonl\n")
    (folder / "provider.py").write_text(PROVIDER)
    (folder / "loop.py").write_text(LOOP)


def _test(kind: str, answer: str, expected: str) -> dict[str, Any]:
    line = {"threshold": THRESHOLD} if kind == "similar" else {}
    return {"providerOutput": answer, "assert": [{"type": kind, "value": expected, **line}]}


def contestants(promptfoo: str) -> Mapping[str, Contestant]:
    """Who is measured; failing tests are work that was done."""
    ours = (
        str(Path(sys.executable).with_name("sensecheck")),
        "run",
        "ours.yaml",
        "--json",
        "--no-cache",
        "-o",
        "ours.json",
    )
    eval_ = (promptfoo, "eval", "--no-cache", "--no-table", "--no-progress-bar", "--no-share")
    return {
        OURS: Contestant(ours, (0, 1)),
        THEIRS: Contestant(
            (*eval_, "--grader", "file://provider.py", "-c", "theirs.yaml", "-o", "theirs.json"), (0, 100)
        ),
        WITHOUT: Contestant((*eval_, "-c", "without.yaml", "-o", "without.json"), (0, 100)),
        ONE_BY_ONE: Contestant((sys.executable, "loop.py"), (0,)),
    }


def quiet(folder: Path) -> dict[str, str]:
    """Our own environment without its sensecheck settings; no vector cache, one thread, nobody told."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SENSECHECK_")}
    return kept | {
        "SENSECHECK_CACHE": "off",
        "SENSECHECK_RUNS": str(folder / "runs"),
        "OMP_NUM_THREADS": "1",
        "PROMPTFOO_PYTHON": sys.executable,
        "PROMPTFOO_CONFIG_DIR": str(folder / ".promptfoo"),
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
    }


def version_of(promptfoo: str, folder: Path) -> str:
    """What promptfoo says that it is."""
    said = subprocess.run(
        [promptfoo, "--version"], env=quiet(folder), capture_output=True, text=True, check=True
    )
    return said.stdout.strip()


def turns(
    given: Mapping[str, Contestant], folder: Path, environment: Mapping[str, str], rounds: int
) -> dict[str, list[Spent]]:
    """What each took, round by round."""
    spent: dict[str, list[Spent]] = {name: [] for name in given}
    for turn in range(rounds):
        for name, one in given.items():
            spent[name].append(spent_by(one.command, folder, environment, one.good))
            last = spent[name][-1]
            print(f"round {turn + 1}, {name}: {last.cpu:.1f} CPU s, {last.wall:.1f} s", file=sys.stderr)
    return spent


def require_agreement(folder: Path) -> None:
    """Stop unless both let the same tests pass: who decides something else is not compared."""
    ours = json.loads((folder / "ours.json").read_bytes())["tests"]
    theirs = json.loads((folder / "theirs.json").read_bytes())["results"]["results"]
    passed = [result["outcome"] == "pass" for result in ours]
    if passed != [result["success"] for result in sorted(theirs, key=lambda result: result["testIdx"])]:
        sys.exit("the two do not let the same tests pass; nothing was written")


def measured(spent: Mapping[str, Sequence[Spent]]) -> list[Measured]:
    """Everybody else divided by `sensecheck run`."""
    about = {
        THEIRS: "`promptfoo eval` by `sensecheck run`",
        WITHOUT: "`promptfoo eval` with `not-equals` in the place of `similar`, by the same `sensecheck run`",
        ONE_BY_ONE: "the encoder alone, asked for one text a call, by the same `sensecheck run`",
    }
    return [
        Measured.of(f"{name}, {what}", f"{text}, {CLOCKS[what]}", ratios=_ratios(spent, name, what))
        for name, text in about.items()
        for what in CLOCKS
    ]


def _ratios(spent: Mapping[str, Sequence[Spent]], name: str, what: str) -> list[float]:
    rounds = zip(spent[name], spent[OURS], strict=True)
    return [getattr(theirs, what) / getattr(ours, what) for theirs, ours in rounds]


if __name__ == "__main__":
    main()
