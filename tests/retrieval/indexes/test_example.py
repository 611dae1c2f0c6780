"""The example of a guarded pipeline, over the real database and a real model."""

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[3] / "examples" / "guarded_rag.py"


@pytest.mark.slow
@pytest.mark.real_model
def test_a_guarded_pipeline_ends_with_a_verdict(pgvector_address: str, llama: str, tmp_path: Path) -> None:
    typed = [sys.executable, str(EXAMPLE), "--database", pgvector_address, "--model", f"{llama}/v1", "smol"]
    done = subprocess.run(typed, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "kept 1 of 4" in done.stdout
    answer, verdict = done.stdout.splitlines()[-2:]
    assert answer.startswith("answer: ")
    assert verdict.partition(":")[0] in ("pass", "fail", "unsure")
