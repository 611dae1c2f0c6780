"""Evaluations that are killed or interrupted, and go on."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from benchmarks.speed.evals_killed import killed_at_random

from sensecheck.core.errors import SpecError
from sensecheck.runs.sql import EvalStore
from tests.servers import serving
from tests.walks.cli import typed

pytestmark = pytest.mark.fault


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.timeout(600)
def test_a_run_that_is_killed_again_and_again_has_every_question_once(tmp_path: Path) -> None:
    found = killed_at_random(f"sqlite:///{tmp_path / 'evals.sqlite3'}", tmp_path, kills=3, batches=8, seed=1)

    assert found.in_a_batch + found.after_the_last == found.kills == 3
    assert found.answers == found.questions
    assert (found.other_answers, found.other_readings) == (0, 0)


@contextmanager
def begun(*arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """An evaluation in a process of its own, as soon as it has kept something."""
    command = [str(Path(sys.executable).with_name("sensecheck")), "eval", *arguments]
    named = {**os.environ, "SENSECHECK_CACHE": "off", "SENSECHECK_ENCODER": "hashing"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=named) as process:
        until = time.monotonic() + 60
        while not _kept():
            assert process.poll() is None, process.communicate()
            assert time.monotonic() < until, "the run did not begin"
            time.sleep(0.02)
        yield process


def _kept() -> int:
    if not Path(".sensecheck/evals.sqlite3").exists():
        return 0
    store = EvalStore.open(".sensecheck/evals.sqlite3")
    try:
        return store.run("latest").done
    except SpecError:
        return 0
    finally:
        store.close()


def test_who_interrupts_an_evaluation_is_told_how_to_go_on_and_with_what() -> None:
    rows = [{"id": str(n), "question": f"!slow {n}", "expected": str(n)} for n in range(32)]
    Path("q.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    Path("prompt.txt").write_text("{question}{references}")
    with serving("answers.py") as server:
        what = ("q.jsonl", "--ask", f"openai:{server}/v1#tiny", "--prompt", "prompt.txt", "--metric", "bleu")
        with begun(*what) as process:
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=60)
        assert process.returncode == 130
        assert b"resume with `sensecheck eval q.jsonl --resume 1` and the same options" in told
        assert b"Traceback" not in told

        def changed(*others: str) -> Any:
            return typed("eval", *(others or what), "--resume", "1").stderr

        assert "the metrics changed" in changed(*what[:-1], "rouge_l")
        assert "the guards changed" in changed(*what, "--top", "3")
        assert "who answers, or the recorded answers changed" in changed(
            *what, *what[1:2], f"{what[2]}?seed=1"
        )
        Path("prompt.txt").write_text("Please: {question}")
        assert "the prompt changed" in changed()
        Path("prompt.txt").write_text("{question}{references}")
        Path("q.jsonl").write_text(f"{json.dumps(rows[0])}\n")
        assert "the questions changed" in changed()
        Path("q.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))

        assert typed("eval", *what, "--resume", "latest").exit_code == 0
    store = EvalStore.open(".sensecheck/evals.sqlite3")
    told_each = [one.scored.answer for one in store.answers(store.run("1"))]
    store.close()
    assert told_each == [f"tiny heard !slow {n}" for n in range(32)]
