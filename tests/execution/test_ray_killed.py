"""Runs on a head and two worker nodes, in which a node, an actor and the driver are killed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.cluster


SCRIPT = Path(__file__).parents[2] / "benchmarks" / "scale" / "killed.py"


@pytest.mark.timeout(900)
def test_whatever_is_killed_every_row_is_there_once_and_little_is_done_again() -> None:
    # In a process of its own, since Ray remembers the first token that a process had.
    done = subprocess.run([sys.executable, SCRIPT, "--short"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    killed = json.loads(done.stdout)

    assert (killed["nodes"], killed["actors"], killed["drivers"]) == (1, 1, 1)
    assert killed["other_tables"] == 0
    assert killed["most_redone"] <= 2
