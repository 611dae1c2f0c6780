"""`sensecheck train-head`: from a labelled file to a head that a check reads."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.text import Text

from sensecheck.core.verdict import Verdict
from sensecheck.measures.heads.model import HeadModel, shipped_head
from tests.walks.cli import started, typed
from tests.walks.labelled import HELPS, REFUSES, answers, lines

CHEROKEE = "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"


def rows(count: int = 20, *, first: int = 0, **columns: Any) -> list[dict[str, Any]]:
    """As many answers as refusals, each with the same columns besides."""
    helpful = [{"answer": text, "label": "answer"} for text in answers(HELPS, count, first=first)]
    refusing = [{"answer": text, "label": "refusal"} for text in answers(REFUSES, count, first=first)]
    return [{**row, **columns} for row in (*helpful, *refusing)]


def trained(folder: Path, found: Sequence[object], *more: str, **environment: str) -> Any:
    """What the command does with some rows and the encoder of unit tests."""
    path = lines(folder / "labelled.jsonl", found)
    given = ("--name", "mine", "--out", str(folder / "mine.json"), *more)
    return typed("train-head", path, *given, **environment)


def head_in(folder: Path) -> HeadModel:
    return HeadModel.from_file(folder / "mine.json")


def test_the_real_model_trains_a_head_that_is_calibrated_and_used(tmp_path: Path) -> None:
    head, cards = tmp_path / "mine.json", str(tmp_path / "cards")
    measure = {"kind": "head", "model": str(head), "of": ["refusal"]}
    own, check = tmp_path / "measure.json", tmp_path / "check.json"
    own.write_text(json.dumps(measure))
    check.write_text(json.dumps({"kind": "gate", "measure": measure, "cutoff": "mine"}))
    labelled = lines(tmp_path / "labelled.jsonl", rows(40))
    other = [{**row, "label": row["label"] == "answer"} for row in rows(90, first=500)]

    made = started("train-head", labelled, "--name", "mine", "--out", str(head))
    fitted = started(
        *("calibrate", lines(tmp_path / "other.jsonl", other), "--measure", str(own), "--good", "below"),
        *("--fpr", "0.05", "--name", "mine", "--out", cards),
    )
    judged = started("check", "I cannot help.", "--check", str(check), "--json", SENSECHECK_CARDS=cards)

    said = made.stdout.decode()
    assert made.returncode == 0, made.stderr.decode()
    assert said.startswith("mine: trained on 80 answers\n")
    assert "label    said answer  said refusal            recognised" in said
    assert "right: 100% (80 of 80; 95% interval 95.5% to 100%)" in said
    assert f"written to {head}" in said
    assert f'{{"kind": "head", "model": "{head}", "of": ["answer"]}}' in said
    assert b"\x1b" not in made.stdout + made.stderr
    assert fitted.returncode == 0, fitted.stderr.decode()
    assert b"warning" not in fitted.stdout
    verdict = Verdict.from_json(judged.stdout.decode())
    assert verdict.outcome == "fail"
    assert verdict.cutoff is not None
    assert verdict.cutoff.calibrated


def test_calibrating_on_what_the_head_was_trained_on_is_told(tmp_path: Path) -> None:
    trained(tmp_path, rows(100))
    own = tmp_path / "measure.json"
    own.write_text(json.dumps({"kind": "head", "model": str(tmp_path / "mine.json"), "of": ["answer"]}))
    same = lines(tmp_path / "same.jsonl", [{**row, "label": row["label"] == "answer"} for row in rows(100)])

    found = typed(
        *("calibrate", same, "--measure", str(own), "--fpr", "0.05", "--name", "leaky"),
        *("--out", str(tmp_path)),
    )

    assert "warning: answers that are in its training data: 200 of 200" in found.stdout


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = (trained(tmp_path, rows(), "--json", "--force") for _ in range(2))

    assert first.stdout == second.stdout
    assert first.stderr == ""
    data = json.loads(first.stdout)
    assert data["digest"] == head_in(tmp_path).digest
    assert (data["path"], data["rows"], data["left_out"]) == (str(tmp_path / "mine.json"), 40, 0)
    tested = data["cross_validation"]
    assert tested["classes"] == ["answer", "refusal"]
    assert [sum(row) for row in tested["counts"]] == [20, 20]
    assert set(tested["recall"]) == {"answer", "refusal"}
    assert tested["accuracy"]["n"] == 40
    assert data["measure"] == {"kind": "head", "model": data["path"], "of": ["answer"]}


@pytest.mark.core
def test_a_head_says_what_it_was_made_of(tmp_path: Path) -> None:
    found = trained(tmp_path, rows(), "--source", "our chats; CC0", "--inverse-regularization", "1.5")

    assert found.exit_code == 0, found.output
    head = head_in(tmp_path)
    assert [(source.name, source.rows, source.licence) for source in head.sources] == [
        ("our chats", 40, "CC0")
    ]
    assert (head.name, head.encoder, head.strength) == ("mine", "hashing:256:1", 1.5)
    assert [(part.name, part.words) for part in head.recipe.parts] == [
        ("first", 16),
        ("second", 16),
        ("last", 16),
    ]
    assert trained(tmp_path, rows(), "--force").exit_code == 0
    assert head_in(tmp_path).sources[0].name == "labelled.jsonl"


def test_what_a_head_looks_at_can_be_said(tmp_path: Path) -> None:
    looks = (
        "--sentence",
        "first:8",
        "--sentence",
        "last",
        "--pattern",
        r"sorry:opening:\bsorry\b",
        "--pattern",
        "t:rest:a:b",
    )

    assert trained(tmp_path, rows(), *looks).exit_code == 0
    recipe = head_in(tmp_path).recipe
    assert [(part.name, part.words) for part in recipe.parts] == [("first", 8), ("last", 16)]
    assert [(cue.name, cue.where, cue.pattern) for cue in recipe.cues] == [
        ("sorry", "opening", r"\bsorry\b"),
        ("t", "rest", "a:b"),
    ]


def test_a_head_can_look_like_one_of_ours(tmp_path: Path) -> None:
    more = ("--base", "refusal", "--pattern", "mine:opening:library")

    assert trained(tmp_path, rows(), *more).exit_code == 0
    ours, found = shipped_head("refusal").recipe, head_in(tmp_path).recipe
    assert found.parts == ours.parts
    assert found.cues[:-1] == ours.cues
    assert found.classes == ("answer", "refusal")


def test_a_recipe_comes_from_a_file_and_may_name_the_classes(tmp_path: Path) -> None:
    own = tmp_path / "recipe.json"
    recipe = {"classes": ["refusal", "answer"], "parts": [{"name": "first", "words": 4}], "cue_weight": 0.25}
    own.write_text(json.dumps(recipe))

    assert trained(tmp_path, rows(), "--recipe", str(own)).exit_code == 0
    found = head_in(tmp_path).recipe
    assert found.classes == ("refusal", "answer")
    assert (found.parts[0].words, found.cue_weight) == (4, 0.25)


def test_rows_of_a_group_are_held_out_together_and_count_once(tmp_path: Path) -> None:
    found = [{**row, "prompt": i // 2} for i, row in enumerate(rows(20))]

    done = trained(tmp_path, found, "--group", "prompt", "--json")
    assert json.loads(done.stdout)["cross_validation"]["accuracy"]["n"] == 20


def test_a_label_is_any_text_and_may_be_called_otherwise(tmp_path: Path) -> None:
    found = [
        {"answer": row["answer"], "kind": i % 3 if row["label"] == "answer" else " no way ", "label": "x"}
        for i, row in enumerate(rows(30))
    ]

    assert trained(tmp_path, found, "--label", "kind", "--ignore", "label").exit_code == 0
    assert head_in(tmp_path).recipe.classes == ("0", "1", "2", "no way")


def test_a_head_that_learned_nothing_is_told(tmp_path: Path) -> None:
    dice = random.Random(1)
    found = [{**row, "label": dice.choice("ab")} for row in rows(30)]

    assert "` of every answer would be right in " in trained(tmp_path, found).stdout


def test_rows_that_cannot_be_read_are_an_error_until_they_may_be_left_out(tmp_path: Path) -> None:
    found = [*rows(), {"answer": CHEROKEE, "label": "answer"}]

    stopped = trained(tmp_path, found, SENSECHECK_ENCODER="minilm")
    assert "1 of 41 rows could not be read (the first because the encoder `minilm` cannot" in stopped.stderr
    assert "fix them, or skip them: `--skip-unreadable`" in stopped.stderr
    assert stopped.exit_code == 3
    assert not (tmp_path / "mine.json").exists()

    left_out = trained(tmp_path, found, "--leave-out-unread", SENSECHECK_ENCODER="minilm")
    assert "warning: 1 of 41 rows could not be read" in left_out.stdout
    assert left_out.exit_code == 0


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"answer": "a", "label": None}, "has no label in `label`; wanted the name of a class"),
        ({"answer": "a", "label": " "}, "has no label in `label`"),
        ({"answer": "a"}, "has no label in `label`"),
        ({"answer": "a", "label": ["b"]}, ": the label in `label` must be a string; got list"),
        ({"answer": "a", "label": 1.5}, ": the label in `label` must be a string; got float"),
        ({"label": "answer"}, ": `sample` lacks the key `answer`"),
        ({"answer": 5, "label": "answer"}, ": `sample.answer` must be a string; got int"),
        ('{"answer": "a", "label": 1, "label": 0}', ": the key `label` stands there twice"),
        ('{"answer": "a", "label": ' + "1" * 9999 + "}", "is not JSON: Exceeds the limit"),
    ],
)
def test_a_bad_row_is_an_error_that_names_it(tmp_path: Path, row: object, complaint: str) -> None:
    found = trained(tmp_path, [*rows()[:1], "", row])

    assert "error: line 3 of `labelled.jsonl`" in found.stderr
    assert complaint in found.stderr
    assert found.exit_code == 2


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--label", "kind"], "has the column `kind`; there are: `answer`, `label`; `--label` names the one"),
        (["--group", "prompt"], "no row of `labelled.jsonl` has the column `prompt`"),
        (["--group", "label"], "the column `label` was named for two things"),
        (["--label", "answer"], "`answer` is a part of the sample"),
        (["--name", "Mine!"], "a head's name must be of small letters"),
        (["--name", "refusal"], "a head `refusal` comes with sensecheck; give yours another name"),
        (["--regularization", "0"], "`inverse_regularization` must be a number above 0, such as 3; got 0.0"),
        (["--strength", "0"], "`inverse_regularization` must be a number above 0, such as 3; got 0.0"),
        (["--like", "refusl"], "`refusl` is not a known shipped head; did you mean `refusal`?"),
        (["--like", "refusal", "--recipe", "r.json"], "two ways to say the same"),
        (["--like", "refusal", "--cue", "sorry:opening:x"], "there are two patterns `sorry`"),
        (["--recipe", "nowhere.json"], "`nowhere.json` cannot be read"),
        (["--part", "fist:16"], "did you mean `first`"),
        (["--part", "first:many"], "as in first:16; got `first:many`"),
        (["--part", "first:0"], "`words` of the part `first` must be from 1 to"),
        (["--cue", "sorry:sorry"], "a pattern must be NAME:WHERE:PATTERN"),
        (["--cue", "sorry:begin:sorry"], "`begin` is not a known value"),
        (["--cue", "sorry:opening:(sorry"], "the cue `sorry` is no pattern"),
        (["--out", "a#b.json"], "holds a `#`, behind which a check names the head's digest"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(tmp_path: Path, more: list[str], complaint: str) -> None:
    found = trained(tmp_path, rows(), *more)

    assert complaint in " ".join(found.stderr.split())
    assert found.exit_code == 2
    assert not (tmp_path / "mine.json").exists()


@pytest.mark.parametrize(
    ("recipe", "complaint"),
    [
        ("[]", "must be a mapping such as {…}; got list"),
        ('{"clases": []}', "`clases` is not a known key; did you mean `classes`?"),
        ('{"parts": []}', "`parts` is empty"),
        ('{"classes": ["answer", "silence"]}', "the label `refusal` is none of the head's: answer, silence"),
        ('{"classes": ["answer", "refusal", "x"]}', "the label `x` has 0 answers"),
    ],
)
def test_a_recipe_that_cannot_be_followed_says_why(tmp_path: Path, recipe: str, complaint: str) -> None:
    own = tmp_path / "recipe.json"
    own.write_text(recipe)
    found = trained(tmp_path, rows(), "--recipe", str(own))

    assert complaint in found.stderr
    assert found.exit_code == 2


@pytest.mark.parametrize(
    ("found", "complaint"),
    [
        (rows()[:20], "`classes` must have two or more different ones; got answer"),
        (rows()[:21], "the label `refusal` has 1 answers; at least 2 are needed"),
        (rows()[:22], "the label `refusal` has 2 answers, too few to test a head on some and train it on"),
        (
            [{**row, "model": "a", "when": 1} for row in rows()],
            "mean nothing to us: `model`, `when`; name each",
        ),
    ],
)
def test_rows_that_teach_nothing_are_refused_before_the_slow_work(
    tmp_path: Path, found: list[object], complaint: str
) -> None:
    done = trained(tmp_path, found, SENSECHECK_ENCODER="onnx:nowhere")

    assert complaint in done.stderr
    assert done.exit_code == 2


def test_a_head_is_written_over_only_when_that_is_wanted(tmp_path: Path) -> None:
    assert trained(tmp_path, rows()).exit_code == 0
    before = head_in(tmp_path)

    refused = trained(tmp_path, rows(30))
    assert "mine.json` is already there; `--force` (`force=True`) overwrites it" in refused.stderr
    assert refused.exit_code == 2
    assert head_in(tmp_path) == before

    assert trained(tmp_path, rows(30), "--force").exit_code == 0
    assert head_in(tmp_path) != before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["labelled.jsonl", "mine.json"]


def test_without_a_file_it_lies_under_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines(tmp_path / "labelled.jsonl", rows())

    assert typed("train-head", "labelled.jsonl", "--name", "rooms").exit_code == 0
    assert HeadModel.from_data("rooms.json").name == "rooms"


def test_errors_are_json_for_programs(tmp_path: Path) -> None:
    found = trained(tmp_path, rows(), "--strength", "-1", "--json")

    assert json.loads(found.stderr)["kind"] == "SpecError"
    assert found.stdout == ""


def test_what_strangers_wrote_is_shown_and_not_obeyed_even_where_it_is_narrow(tmp_path: Path) -> None:
    hostile = [{**row, "label": f"[bold red]{row['label']}\x1b[5m\u202e"} for row in rows()]

    for terminal in ({}, {"FORCE_COLOR": "1", "COLUMNS": "44"}):
        found = trained(tmp_path, hostile, "--force", **terminal)
        shown = Text.from_ansi(found.stdout).plain
        assert "[boldred]refusal\\x1b[5m\\u202e" in "".join(shown.split())
        assert not {"\x1b[5m", "\u202e"} & {part for part in ("\x1b[5m", "\u202e") if part in found.stdout}
    assert max(cell_len(line) for line in shown.splitlines()) <= 44
