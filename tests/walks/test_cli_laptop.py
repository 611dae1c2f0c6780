"""A team with a hundred pairs must not know that a cluster exists: nothing of it is even imported."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CLUSTER = ("pyarrow", "ray", "duckdb", "fsspec", "redis", "sensecheck.execution.driver")
PROGRAM = """
import sys
from sensecheck.cli.main import main
sys.argv = ["sensecheck", *sys.argv[1:]]
try:
    main()
except SystemExit as left:
    found = [name for name in {cluster!r} if name in sys.modules]
    print("imported:", *found, file=sys.stderr)
    sys.exit(left.code)
"""
PAIRS = [
    {"id": str(i), "question": f"How many {i}?", "expected": f"There are {i}.", "answer": f"It is {i}."}
    for i in range(100)
]
COMMANDS = {
    "eval": ("eval", "pairs.jsonl", "--json"),
    "check": ("check", "It opened in 1932.", "--means", "In 1932, it was opened.", "--policy", "similarity"),
    "run": ("run", "battery.yaml"),
}
BATTERY = """
prompts: ["In 1932, {{what}} was opened."]
providers: [echo]
tests:
  - vars: {what: the bridge}
    assert: [{type: means, value: The bridge was opened in 1932., policy: similarity, threshold: 0.6}]
"""


@pytest.mark.parametrize("verb", COMMANDS)
def test_what_a_cluster_needs_is_not_imported_for_a_hundred_pairs(verb: str, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(pair) + "\n" for pair in PAIRS))
    (tmp_path / "battery.yaml").write_text(BATTERY)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(cluster=CLUSTER), *COMMANDS[verb]],
        cwd=tmp_path,
        env={**os.environ, "SENSECHECK_CACHE": "vectors.sqlite3"},
        capture_output=True,
        text=True,
        timeout=300,
    )

    assert done.stderr.splitlines()[-1] == "imported:", done.stderr
    assert done.returncode == 0, done.stdout + done.stderr
