"""The corpus through the real promptfoo: the same comes of it, but for differences that we document."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

PROMPTFOO = shutil.which("promptfoo")
CORPUS = Path(__file__).parent / "corpus"
OWN_KEYS = ("means", "cluster", "grounded", "keeps-facts", "verdict", "repeat", "embedding-validation")
"""How the names of configs begin that use what promptfoo does not have."""
BY_COMMAND = ("anchors-and-merges", "prompt-as-one-text", "targets")
"""Those that promptfoo's command reads, and its library does not."""
DIFFERENT: Mapping[str, Sequence[str]] = {
    "cost-that-nobody-knows": ("pass",),
    "latency-that-nobody-measured": ("pass",),
    "python-that-breaks": ("fail", "fail"),
}
"""What promptfoo says where we mean to differ; docs/how-to/from-promptfoo.md tells each."""
CONFIGS = sorted(
    path
    for path in (CORPUS / "runs").glob("*.yaml")
    if not path.stem.removeprefix("not-").startswith(OWN_KEYS)
)
EMBEDDING = 'defaultTest: {options: {provider: {embedding: "file://provider.py"}}}\n'

pytestmark = [
    pytest.mark.skipif(
        PROMPTFOO is None, reason="promptfoo is not installed here; `just promptfoo` runs these"
    ),
    pytest.mark.timeout(600),
]
Outcomes = Mapping[str, Sequence[Mapping[str, Any]]]


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """What promptfoo makes of each config."""
    corpus = Path(shutil.copytree(CORPUS, tmp_path_factory.mktemp("promptfoo") / "corpus"))
    runs = corpus / "runs"
    (runs / "provider.py").write_text("from sensecheck.adapters.promptfoo import call_embedding_api\n")
    for path in CONFIGS:
        (runs / path.name).write_text(completed(path.read_text()))
    of_library = [path.name for path in CONFIGS if path.stem not in BY_COMMAND]
    return by_library(runs, of_library) | {name: by_command(runs, name) for name in BY_COMMAND}


def completed(text: str) -> str:
    """The config with what promptfoo insists on: prompts and providers, also where nobody is asked."""
    config = yaml.safe_load(text)
    wanting = "" if "prompts" in config else 'prompts: ["-"]\n'
    wanting += "" if "providers" in config or "targets" in config else "providers: [echo]\n"
    return text + wanting + (EMBEDDING if "similar" in text else "")


def by_library(runs: Path, names: Sequence[str]) -> dict[str, Any]:
    """All of them in one process."""
    script, entry = Path(__file__).with_name("parity.mjs"), Path(str(PROMPTFOO)).resolve()
    return ran(runs, ["node", str(script), str(entry), "results.json", *names])


def by_command(runs: Path, name: str) -> Any:
    """One by `promptfoo eval`."""
    command = [str(PROMPTFOO), "eval", "--no-cache", "--no-table", "-c", f"{name}.yaml", "-o", "results.json"]
    return ran(runs, command)["results"]["results"]


def ran(runs: Path, command: Sequence[str]) -> dict[str, Any]:
    """What the command leaves in `results.json`."""
    own = {"PROMPTFOO_CONFIG_DIR": str(runs / ".promptfoo"), "PROMPTFOO_PYTHON": sys.executable}
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
    results = runs / "results.json"
    results.unlink(missing_ok=True)
    done = subprocess.run(
        command, cwd=runs, env=os.environ | own | quiet, capture_output=True, text=True, check=False
    )
    assert results.is_file(), done.stdout + done.stderr
    data: dict[str, Any] = json.loads(results.read_bytes())
    return data


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_promptfoo_comes_to_the_same(path: Path, found: Outcomes) -> None:
    expected = DIFFERENT.get(path.stem) or yaml.safe_load(path.read_text())["x-expect"]
    results = in_our_order(found[path.stem])

    assert [outcome(result) for result in results] == list(expected), [one.get("error") for one in results]


def in_our_order(results: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """By test, prompt and provider; promptfoo counts all prompts of a provider before those of the next."""
    prompts = len({result["promptId"] for result in results})
    return sorted(results, key=lambda one: (one["testIdx"], one["promptIdx"] % prompts, one["promptIdx"]))


def outcome(result: Mapping[str, Any]) -> str:
    """The word that we have for it."""
    if result["success"]:
        return "pass"
    return "error" if result["failureReason"] == 2 else "fail"
