"""What `--json` prints, of every command that has it, on small inputs and with the encoder `hashing`."""

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.golden.commands import Words, commands, file_name
from tests.golden.pinned import HERE, assert_all, pin_data, shape, steady
from tests.walks.cli import typed
from tests.walks.labelled import HELPS, REFUSES, answers, lines

STORE = "evals.sqlite3"
ENVIRONMENT = {
    "SENSECHECK_STORE": STORE,
    "SENSECHECK_CARDS": "cards",
    "SENSECHECK_CACHE": "cache.sqlite3",
    "SENSECHECK_RUNS": "runs",
    "SENSECHECK_VERIFIER": "off",
}
OPENS = "It opens at nine."
METRICS = ("--metric", "semantic_similarity", "--metric", "squad_token_f1", "--metric", "lexical_aggregate")
KEPT = ("--project", "museum", "--label", "ok", "--slice", "topic", *METRICS)
TWO_ENCODERS = ("--project", "both", "--encoder", "hashing", "--encoder", "hashing:64", *METRICS)
LARGE = ("--on", "inline", "--metric", "semantic_similarity", "--metric", "squad_token_f1")
FITTED = ("--measure", "keyword_overlap", "--fpr", "0.05")
CASES: Mapping[str, tuple[str, ...]] = {
    "": ("--version",),
    "cache show": (),
    "cache clear": ("--all",),
    "calibrate": ("labelled.jsonl", *FITTED, "--name", "mine"),
    "card list": (),
    "card show": ("words",),
    "card check": ("words", "--data", "newer.jsonl"),
    "check": (OPENS, "--means", "It opens at ten.", "--keeps-facts-of", "It opens at ten.", "--not-circling"),
    "compare": ("1", "2"),
    "db check": (),
    "db downgrade": ("--to", "base", "--yes", "--store", "new.sqlite3"),
    "db upgrade": ("--store", "new.sqlite3"),
    "doctor": (),
    "effects": ("labelled-references.jsonl", "--above", "0.5", "--top", "2"),
    "embed": ("tea", "green tea"),
    "eval": ("later.jsonl", *KEPT),
    "explain": (OPENS, "It opens at ten."),
    "ground": (
        "--answer",
        "It opens at nine. It closes at six.",
        "--passage",
        "passage.txt",
        "--encoder",
        "minilm",
    ),
    "guard": ("references.jsonl", "--top", "1"),
    "history agreement": ("1", "--label", "ok"),
    "history compare": ("1", "2"),
    "history encoders": ("3",),
    "history export": ("1", "-o", "out.jsonl"),
    "history label": ("1", "labels.csv"),
    "history list": (),
    "history report": ("2", "-o", "run.html"),
    "history show": ("1",),
    "history trend": ("--project", "museum"),
    "history weight": ("1", "--label", "ok"),
    "keys create": ("--project", "docs", "--label", "our server"),
    "keys list": (),
    "keys revoke": ("<key>",),
    "lint": ("twice.yaml",),
    "model list": (),
    "model pull": ("org/name",),
    "model verify": (),
    "report": ("1", "-o", "page.html"),
    "results compare": ("before", "after"),
    "results export": ("before", "--to", "out.jsonl"),
    "results report": ("before", "-o", "large.html"),
    "results summary": ("before",),
    "run": ("later.yaml",),
    "runs": (),
    "runs agreement": ("1", "--label", "ok", "--store", STORE),
    "runs compare": ("before", "after"),
    "runs encoders": ("3",),
    "runs export": ("1", "-o", "out.jsonl", "--store", STORE),
    "runs gc": ("--dry-run",),
    "runs label": ("1", "labels.csv", "--store", STORE),
    "runs list": (),
    "runs report": ("runs/1.jsonl", "-o", "page.html"),
    "runs show": ("runs/1.jsonl",),
    "runs trend": ("--project", "museum"),
    "runs weight": ("1", "--label", "ok", "--store", STORE),
    "schema": (),
    "train-head": ("kinds.jsonl", "--name", "kinds", "--out", "kinds.json"),
}
"""What follows each command."""
MORE: Mapping[str, tuple[str, ...]] = {
    "check-file": ("check", "--check", "check.json", "--file", "samples.jsonl"),
    "eval-out": ("eval", "pairs.jsonl", "--out", "large", *LARGE),
    "ground-similarity-or-keywords": (
        *("ground", "--answer", OPENS, "--passage", "passage.txt"),
        *("--policy", "similarity-or-keywords@1"),
    ),
    "history-show-question": ("history", "show", "1", "--question", "q2"),
    "schema-battery": ("schema", "--battery"),
    "schema-chain": ("schema", "--chain"),
    "wrong-usage": ("check", "an answer", "--nosuch"),
    "wrong-value": ("check", "an answer", "--means", "another", "--encoder", "nosuch"),
}
"""Other outputs of the same commands, by the names of their files."""
SHAPES = ("doctor",)
"""Of these, what is printed depends on the machine: keys and types alone are compared."""


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with everything that is looked at: inputs, cards, a cache, runs of all kinds."""
    folder = tmp_path_factory.mktemp("prepared")
    shutil.copytree(HERE / "inputs", folder, dirs_exist_ok=True)
    lines(folder / "labelled.jsonl", _worded(range(180)))
    lines(folder / "newer.jsonl", _worded(range(500, 620)))
    kinds = (("answer", HELPS), ("refusal", REFUSES))
    named = [{"answer": text, "label": kind} for kind, texts in kinds for text in answers(texts, 20)]
    lines(folder / "kinds.jsonl", named)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for arguments in (
            ("embed", "tea"),
            ("calibrate", "labelled.jsonl", *FITTED, "--name", "words"),
            ("run", "bot.yaml"),
            ("run", "later.yaml"),
            ("eval", "pairs.jsonl", "--name", "first", *KEPT),
            ("eval", "later.jsonl", "--name", "second", *KEPT),
            ("eval", "pairs.jsonl", "--name", "both", *TWO_ENCODERS),
            ("eval", "pairs.jsonl", "--out", "before", *LARGE),
            ("eval", "later.jsonl", "--out", "after", *LARGE),
        ):
            done = typed(*arguments, **ENVIRONMENT)
            assert done.exit_code in (0, 1), done.output
    return folder


@pytest.fixture
def folder(prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of it, which a command may change."""
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _worded(numbers: range) -> list[dict[str, Any]]:
    """Answers of which every other one uses the words of its passage."""
    return [
        {
            "answer": f"Penguins number {at} swim." if at % 2 else f"Locker {at} opens daily.",
            "passages": [f"The locker {at} opens daily at noon."],
            "label": at % 2 == 0,
        }
        for at in numbers
    ]


def _a_key(arguments: tuple[str, ...]) -> tuple[str, ...]:
    made = json.loads(typed("keys", "create", "--json", **ENVIRONMENT).stdout)
    return tuple(made["id"] if one == "<key>" else one for one in arguments)


def _tables(arguments: tuple[str, ...]) -> tuple[str, ...]:
    assert typed("db", "upgrade", "--store", "new.sqlite3").exit_code == 0
    return arguments


FIRST: Mapping[str, Callable[[tuple[str, ...]], tuple[str, ...]]] = {
    "db downgrade": _tables,
    "keys list": _a_key,
    "keys revoke": _a_key,
}
"""What is done before, and may change what follows the command."""


def printed(folder: Path, *arguments: str) -> dict[str, Any]:
    """The exit code and the data of a command, as steady as it can be made."""
    done = typed(*arguments, "--json", **ENVIRONMENT)
    told = [json.loads(line) for line in _documents(done.stdout)]
    said = [json.loads(line) for line in _documents(done.stderr)]
    assert told or said, done.output
    return {"exit_code": done.exit_code, "stdout": steady(told, folder), "stderr": steady(said, folder)}


def _documents(text: str) -> list[str]:
    """One document, or one a line."""
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return [line for line in text.splitlines() if line]
    return [text]


@pytest.mark.parametrize("command", CASES, ids=lambda command: command or "sensecheck")
def test_a_command_prints_what_it_printed(command: str, folder: Path) -> None:
    words: Words = tuple(command.split())
    given = FIRST.get(command, tuple)(CASES[command])

    found = printed(folder, *words, *given)

    pin_data(f"json/{file_name(words, 'json')}", shape(found) if command in SHAPES else found)


@pytest.mark.parametrize("name", MORE)
def test_another_output_is_what_it_was(name: str, folder: Path) -> None:
    pin_data(f"json/{name}.json", printed(folder, *MORE[name]))


def test_every_command_that_prints_json_is_looked_at() -> None:
    found = {
        " ".join(words)
        for words, command in commands().items()
        if any("--json" in option.opts for option in command.params)
    }

    assert found == set(CASES)
    assert_all(
        "json", [*(file_name(tuple(one.split()), "json") for one in CASES), *(f"{one}.json" for one in MORE)]
    )
