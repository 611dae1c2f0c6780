"""Fingerprints and digests: a changed one makes caches, cards and kept runs worthless.

Pinned elsewhere: weights in `sensecheck.encoders.pins`, a plan with many kinds of check in
`tests/batteries/test_plan.py`.
"""

from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from sensecheck.batteries.plan import Plan, TestFilter, conditions_of
from sensecheck.batteries.reader import read_battery
from sensecheck.calibration.library import CardLibrary
from sensecheck.checks.presets import means
from sensecheck.checks.spec import check_to_data
from sensecheck.config import Settings, judge, verifier
from sensecheck.core.backends import Encoder
from sensecheck.core.run import Item, digest_of
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.execution.plan import Input, InputPiece, RunPlan
from sensecheck.measures.correctness.correctness import shipped_model as correctness_model
from sensecheck.measures.heads.model import shipped_head, shipped_heads
from sensecheck.measures.support.weights import shipped_model as support_model
from sensecheck.tables.order import order_for
from tests.golden.pinned import HERE, pin_data

LISTS = (".txt", ".json")
"""Word lists, exemplars, cards, heads and models are files with these endings."""


def test_who_reads_is_known_by_the_same_fingerprints(minilm: Encoder) -> None:
    second = verifier(Settings(verifier="mpnet"))
    asked = judge(Settings(judge="openai:http://127.0.0.1:9/v1#some-model?temperature=0&seed=7"))

    assert second is not None
    assert asked is not None
    found = {
        "hashing": HashingEncoder().fingerprint,
        "hashing:64": HashingEncoder(64).fingerprint,
        "minilm": minilm.fingerprint,
        "verifier mpnet": second.fingerprint,
        "judge openai": asked.fingerprint,
    }
    pin_data("digests/readers.json", found)


def test_what_ships_is_what_was_fitted() -> None:
    library = CardLibrary.shipped()
    found = {
        "heads": {name: shipped_head(name).digest for name in shipped_heads()},
        "models": {"correctness": correctness_model().digest, "support": support_model().digest},
        "cutoffs": {name: library.card(name).cutoff().to_data() for name in sorted(library.names())},
    }
    pin_data("digests/shipped.json", found)


def test_no_word_of_a_list_has_changed() -> None:
    """By the names of files and not by their folders, so that a file may be moved."""
    root = Path(str(files("sensecheck")))
    paths = [path for path in root.rglob("*") if path.suffix in LISTS and "licences" not in path.name]
    found: dict[str, list[str]] = {}
    for path in paths:
        found.setdefault(path.name, []).append(sha256(path.read_bytes()).hexdigest())
    pin_data("digests/lists.json", {name: sorted(found[name]) for name in sorted(found)})


def test_a_run_is_known_by_the_same_digests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(HERE / "inputs")
    plan = Plan.of(read_battery(Path("bot.yaml"), environment={}), TestFilter())
    settings = Settings(encoder="hashing", verifier="off")
    pair = Item("When?", "At nine.", ("It opens at nine.",), {"topic": "hours"}, "q1")
    found: dict[str, Any] = {
        "battery": {
            "files": plan.battery.digest,
            "plan": plan.digest,
            "conditions": conditions_of(plan, settings),
            "keys": [test.key for test in plan.each_test()],
            "choice": TestFilter(pattern="a", metadata={"topic": "hours"}, sample=2, repeat=3).to_data(),
        },
        "evaluation": {
            "pair": pair.digest,
            "name": Item("When?", "At nine.").name,
            "data": digest_of({"a": [1.5]}),
        },
        "large": _large(),
    }
    pin_data("digests/runs.json", found)


def _large() -> dict[str, Any]:
    checks = (means(threshold=0.7),)
    order = order_for(("id", "answer", "expected"), metrics=("semantic_similarity",), checks=checks)
    inputs = (Input("rows.jsonl", "jsonl", 120, "mark"),)
    readers = {"encoder": "hashing:256:1", "sensecheck": "0"}
    plan = RunPlan(order, readers, inputs, (InputPiece(0, 0, 120),), 4, 1000, ("id",))
    return {
        "check": check_to_data(checks[0]),
        "plan": plan.to_data(),
        "fingerprint": plan.fingerprint,
        "inputs": plan.inputs_digest,
        "piece": plan.piece_id(0),
        "shard": plan.shard_id(1, 0, ((0, 1),)),
    }
