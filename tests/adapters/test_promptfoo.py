"""The assertion and the embeddings inside the real promptfoo."""

import json
import os
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from sensecheck.adapters.promptfoo import call_embedding_api, get_assert
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import CannotJudge, SpecError

PROMPTFOO = shutil.which("promptfoo")
real = pytest.mark.skipif(
    PROMPTFOO is None, reason="promptfoo is not installed here; `just adapters` tests it"
)

CONFIG = """
prompts: ["{{answer}}"]
providers: [echo]
defaultTest:
  options: {provider: {embedding: "file://checks.py"}}
  vars: {expected: Tablets are lent for three weeks.}
tests:
  - vars: {answer: Tablets may be lent for three weeks.}
    assert:
      - {type: python, value: "file://checks.py"}
      - {type: similar, value: "{{expected}}", threshold: 0.9}
  - vars: {answer: Tablets are lent for two weeks.}
    assert: [{type: python, value: "file://checks.py", config: {check: {kind: keeps_facts}}}]
  - vars: {answer: Tablets are lent for two weeks., passages: [Tablets are lent for three weeks.]}
    assert: [{type: python, value: "file://checks.py", config: {check: grounded}}]
  - vars: {answer: Anything.}
    assert: [{type: python, value: "file://checks.py", config: {check: grounded}}]
  - vars: {answer: Anything.}
    assert: [{type: not-python, value: "file://checks.py", config: {check: grounded}}]
  - vars: {answer: Anything.}
    assert: [{type: python, value: "file://checks.py", config: {chekc: means}}]
  - vars: {answer: Anything at all about elephants.}
    assert: [{type: similar, value: "{{expected}}", threshold: 0.9}]
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What promptfoo makes of the config, test by test."""
    folder = tmp_path_factory.mktemp("promptfoo")
    (folder / "promptfooconfig.yaml").write_text(CONFIG)
    (folder / "checks.py").write_text(
        "from sensecheck.adapters.promptfoo import call_embedding_api, get_assert\n"
    )
    quiet = {"PROMPTFOO_DISABLE_TELEMETRY": "1", "PROMPTFOO_DISABLE_UPDATE": "1"}
    own = {"PROMPTFOO_CONFIG_DIR": str(folder / ".promptfoo"), "PROMPTFOO_PYTHON": sys.executable}
    done = subprocess.run(
        [str(PROMPTFOO), "eval", "--no-cache", "--no-progress-bar", "--output", "results.json"],
        cwd=folder,
        env=os.environ | quiet | own | {"SENSECHECK_CACHE": "off"},
        capture_output=True,
        text=True,
        check=False,
        timeout=240,
    )
    assert (folder / "results.json").exists(), done.stdout + done.stderr
    found = json.loads((folder / "results.json").read_text())["results"]["results"]
    return sorted(found, key=lambda result: int(result["testIdx"]))


def reasons(result: dict[str, Any]) -> str:
    return json.dumps(result, ensure_ascii=False)


@real
def test_a_python_assertion_passes_and_fails_with_our_reasons(results: list[dict[str, Any]]) -> None:
    assert [result["success"] for result in results[:3]] == [True, False, False]
    assert "`two weeks` instead of `three weeks`" in reasons(results[1])
    assert "unsupported" in reasons(results[2])


@real
def test_promptfoos_own_similar_reads_our_vectors(results: list[dict[str, Any]]) -> None:
    assert results[0]["success"]
    assert not results[6]["success"]


@real
@pytest.mark.parametrize(("at", "said"), [(3, "no `passages`"), (4, "no `passages`"), (5, "chekc")])
def test_what_cannot_be_judged_passes_neither_as_it_is_nor_negated(
    results: list[dict[str, Any]], at: int, said: str
) -> None:
    assert not results[at]["success"]
    assert results[at]["error"].startswith("Error running Python script: sensecheck.core.errors.")
    assert said in reasons(results[at])


def test_an_assertion_takes_what_it_holds_against_from_config_before_variables() -> None:
    variables = {"expected": "Something else."}
    config = {"check": "keeps_facts", "expected": "Tablets are lent for 3 weeks."}
    found = get_assert("Tablets are lent for 2 weeks.", {"vars": variables, "config": config})

    assert found["pass"] is False
    assert found["score"] == 0.0
    assert found["reason"].startswith("fail: ")


def test_an_assertion_that_cannot_be_judged_raises() -> None:
    with pytest.raises(CannotJudge, match="no `expected` answer"):
        get_assert("Three weeks.", {"vars": {}, "config": {"check": "keeps_facts"}})
    with pytest.raises(SpecError, match="`chekc`"):
        get_assert("Three weeks.", {"vars": {}, "config": {"chekc": "keeps_facts"}})


def test_an_embedding_is_the_vector_of_our_encoder(minilm: Encoder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SENSECHECK_CACHE", "off")
    found = call_embedding_api("Tablets are lent for three weeks.", {})

    (placed,) = minilm.encode(["Tablets are lent for three weeks."])
    assert np.allclose(found["embedding"], placed.vector, atol=1e-6)
