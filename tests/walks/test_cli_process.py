"""The command as the shell starts it, with the real model."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sensecheck.core.verdict import Verdict
from tests.walks.cli import started

MEANS = ("check", "The bridge opened in 1932.", "--means", "In 1932, the bridge was opened.")
HEAVY = ("numpy", "onnxruntime", "sqlite3", "openai", "huggingface_hub", "torch")


def test_two_processes_print_the_same_bytes() -> None:
    one, other = (started(*MEANS, "--grounded-in", "Opened: 1932. Colour: grey.", "--json") for _ in range(2))

    assert one.stdout == other.stdout
    assert len(one.stdout.splitlines()) == 2
    assert Verdict.from_json(one.stdout.splitlines()[0].decode()).outcome == "pass"


def test_a_pipe_gets_plain_text() -> None:
    found = started(*MEANS)

    assert found.stdout.decode().startswith("PASS   means: ")
    assert b"\x1b" not in found.stdout + found.stderr
    assert found.returncode == 0


def test_a_terminal_that_knows_only_ascii_is_no_reason_to_crash() -> None:
    found = started("explain", "Köln has 5 bridges.", "Köln has 6 bridges.", PYTHONIOENCODING="ascii")

    assert b"K?ln has" in found.stdout
    assert b"#" in found.stdout
    assert found.returncode == 0


def test_a_reader_that_goes_away_is_not_a_fail() -> None:
    samples = b'{"answer": "It is red.", "expected": "It is red."}\n' * 5000
    judging = "sensecheck check --file - --preset keeps_facts --encoder hashing"
    command = ["bash", "-c", f"{judging} | head -n 1; exit ${{PIPESTATUS[0]}}"]
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"

    found = subprocess.run(
        command, input=samples, capture_output=True, env={**os.environ, "PATH": path}, timeout=60
    )

    assert found.stdout.count(b"\n") == 1
    assert found.returncode == 3
    assert b"Traceback" not in found.stderr


@pytest.mark.core
def test_help_loads_nothing_heavy() -> None:
    program = (
        "import sys; sys.argv = ['sensecheck', 'check', '--help']\n"
        "from sensecheck.cli.main import main\n"
        "try: main()\n"
        f"except SystemExit: assert not set({HEAVY!r}) & set(sys.modules)"
    )

    found = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)

    assert found.returncode == 0, found.stderr.decode()
    assert b"Exit codes" in found.stdout


@pytest.mark.core
def test_a_bug_of_ours_is_not_a_fail() -> None:
    program = (
        "import sys; sys.argv = ['sensecheck', 'schema']\n"
        "import sensecheck.checks.schema as schema; del schema.check_schema\n"
        "from sensecheck.cli.main import main; main()"
    )

    found = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)

    assert b"Traceback" in found.stderr
    assert found.returncode == 3


def test_the_command_alone_shows_the_verbs_and_an_example() -> None:
    found = started()

    shown = found.stdout.decode()
    assert all(verb in shown for verb in ("check", "explain", "embed", "model", "cache", "doctor", "schema"))
    assert "sensecheck check 'It opened in 1932.' --means 'It opened in 1937.'" in shown
    assert found.returncode == 0


def test_the_version_is_said() -> None:
    assert started("--version").stdout.startswith(b"sensecheck ")


def test_the_real_model_is_proved_by_the_doctor() -> None:
    found = started("doctor")

    assert b"ready: a verdict can be made" in found.stdout
    assert b"batch-invariant: neighbours move a similarity by at most" in found.stdout
    assert found.returncode == 0
