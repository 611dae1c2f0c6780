"""`sensecheck calibrate`: from a labelled file to a card."""

import csv
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from sensecheck.calibration.card import Card
from sensecheck.calibration.split import Labelled, split
from sensecheck.core.verdict import Verdict
from tests.walks.cli import started, typed
from tests.walks.labelled import lines, rows

REFUSALS = ("--preset", "not_a_refusal", "--fpr", "0.05")
WORDS = ("--measure", "keyword_overlap", "--fpr", "0.05")
"""A measure that needs no model."""


def word_rows(good: int, bad: int, **columns: Any) -> list[dict[str, Any]]:
    """Answers that use the words of their passage, and others."""
    found = []
    for i in range(good + bad):
        answer = f"Locker {i} opens daily." if i < good else f"Penguins number {i} swim."
        passages = [f"The locker {i} opens daily at noon."]
        found.append({"answer": answer, "passages": passages, "label": i < good, **columns})
    return found


def calibrated(folder: Path, found: Sequence[object], *more: str, name: str = "mine") -> Any:
    """What the command does with some rows and the encoder of unit tests."""
    path = lines(folder / "labelled.jsonl", found)
    return typed("calibrate", path, "--name", name, "--out", str(folder / "cards"), *more)


def card_in(folder: Path, name: str = "mine") -> Card:
    return Card.from_json((folder / "cards" / f"{name}.json").read_text(encoding="utf-8"))


def test_the_real_model_makes_a_card_that_a_check_uses(tmp_path: Path) -> None:
    path = lines(tmp_path / "labelled.jsonl", rows(100, 100))
    cards = str(tmp_path / "cards")
    own = tmp_path / "check.json"
    own.write_text(json.dumps({"kind": "not_a_refusal", "threshold": "refusals"}))

    made = started("calibrate", path, *REFUSALS, "--name", "refusals", SENSECHECK_CARDS=cards)
    judged = started("check", "I cannot help you.", "--check", str(own), "--json", SENSECHECK_CARDS=cards)

    said = made.stdout.decode()
    assert made.returncode == 0, made.stderr.decode()
    assert "false accepts <= 5% with 95% confidence: of new bad answers" in said
    assert "bad answers that pass: 3.3% (1 of 30; 95% interval 0.1% to 17.2%), promised: at most 5%" in said
    assert f"written to {cards}/refusals.json" in said
    assert 'use it in a check: {"kind": "not_a_refusal", "threshold": "refusals"}' in said
    assert b"\x1b" not in made.stdout + made.stderr
    verdict = Verdict.from_json(judged.stdout.decode())
    assert verdict.outcome == "fail"
    assert verdict.cutoff is not None
    assert verdict.cutoff.certificate is not None
    assert "(refusals)" in verdict.cutoff.certificate.fitted_on


@pytest.mark.core
def test_a_card_says_what_it_was_made_of(tmp_path: Path) -> None:
    found = calibrated(
        tmp_path,
        [{**row, "model": i % 2, "topic": f"t{i // 2}"} for i, row in enumerate(word_rows(220, 220))],
        *WORDS,
        *("--group", "topic", "--slice", "model", "--licence", "CC0", "--seed", "7", "--holdout", "0.4"),
    )

    assert found.exit_code == 0, found.output
    card = card_in(tmp_path)
    content = (tmp_path / "labelled.jsonl").read_bytes()
    assert card.data.sha256 == hashlib.sha256(content).hexdigest()
    assert (card.data.name, card.data.rows, card.data.group) == ("labelled.jsonl", 440, "topic")
    assert (card.seed, card.share_held_out, card.licence) == (7, 0.4, "CC0")
    assert sorted(card.slices["model"]) == ["0", "1"]
    assert card.encoder is None


@pytest.mark.core
def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    first, second = (calibrated(tmp_path, word_rows(90, 90), *WORDS, "--json", "--force") for _ in range(2))

    assert first.stdout == second.stdout
    data = json.loads(first.stdout)
    assert data["path"] == str(tmp_path / "cards" / "mine.json")
    assert Card.from_json(json.dumps(data["card"])) == card_in(tmp_path)
    assert first.stderr == ""


@pytest.mark.core
def test_too_few_labels_are_counted_and_nothing_is_written(tmp_path: Path) -> None:
    said = calibrated(tmp_path, word_rows(40, 40), *WORDS)
    data = calibrated(tmp_path, word_rows(40, 40), *WORDS, "--json")

    assert said.exit_code == data.exit_code == 4
    assert said.stdout.startswith("Not certifiable: 44 more bad answers needed (have 40 bad, need 84")
    assert json.loads(data.stdout)["not_certifiable"]["missing"] == {"bad": 44}
    assert not (tmp_path / "cards").exists()


def test_columns_that_nobody_explained_are_listed_all_at_once(tmp_path: Path) -> None:
    rows_ = [*word_rows(2, 2, model="a"), *word_rows(1, 1, prompt="b"), *word_rows(1, 1, note=None)]
    found = calibrated(tmp_path, rows_, *WORDS)

    assert (
        "columns that mean nothing to us: `model`, `prompt`, `note`; name each of them with `--group`"
        in found.stderr
    )
    assert found.exit_code == 2


def test_a_label_by_another_name_is_asked_for(tmp_path: Path) -> None:
    renamed = [{"correct": row.pop("label"), **row} for row in word_rows(90, 90)]

    lost = calibrated(tmp_path, renamed, *WORDS)
    named = calibrated(tmp_path, renamed, *WORDS, "--label", "correct")

    assert "or `--label` the one that holds the labels: there is no `label`" in lost.stderr
    assert named.exit_code == 0, named.output
    assert card_in(tmp_path).data.label == "correct"


@pytest.mark.parametrize(
    ("good", "bad"),
    [(True, False), (1, 0), (1.0, 0.0), ("1", "0"), ("Good", "BAD"), ("pass", "fail"), (" Yes ", "no")],
)
def test_labels_are_read_as_people_write_them(tmp_path: Path, good: object, bad: object) -> None:
    found = [{**row, "label": good if row["label"] else bad} for row in word_rows(90, 90)]

    assert calibrated(tmp_path, found, *WORDS).exit_code == 0
    assert card_in(tmp_path).fitted.good == 63


@pytest.mark.parametrize(
    ("row", "complaint"),
    [
        ({"answer": "a", "label": "maybe"}, 'has the label `"maybe"`; wanted true/false, 1/0, good/bad'),
        ({"answer": "a", "label": 2}, "has the label `2`; wanted"),
        ({"answer": "a", "label": "x" * 99}, f'has the label `"{"x" * 36}…`; wanted'),
        ({"answer": "a", "label": None}, "has no label in `label`; wanted true/false"),
        ({"answer": "a"}, "has no label in `label`"),
        ({"label": "good"}, ": `sample` lacks the key `answer`"),
        ({"answer": "a", "label": 1, "passages": "b"}, ": `sample.passages` must be a list"),
        ('{"answer": "a", "label": 1, "label": 0}', ": the key `label` stands there twice"),
        ('{"answer": "a"', "is not JSON: Expecting ',' delimiter at character 15"),
        ("[" * 100_000, "is nested too deeply"),
        ('{"answer": "a", "label": NaN}', ": `label` must be a finite number; got nan"),
        ('{"answer": "a", "label": 1e999}', ": `label` must be a finite number; got inf"),
        ("[1]", "must be an object such as {…}; got list"),
    ],
)
def test_a_bad_row_is_an_error_that_names_it(tmp_path: Path, row: object, complaint: str) -> None:
    found = calibrated(tmp_path, [*word_rows(1, 0), "", row], *WORDS)

    assert "error: line 3 of `labelled.jsonl`" in found.stderr
    assert complaint in found.stderr
    assert found.exit_code == 2


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (["--group", "topic"], "no row of `labelled.jsonl` has the column `topic`; there are: `answer`"),
        (["--slice", "topic"], "has the column `topic`"),
        (["--ignore", "topic"], "has the column `topic`"),
        (["--fpr", "1e-20"], "`fpr` must be a share of at least 1e-12"),
        (["--name", "mine.json"], "a card's name must have no `.json` at its end"),
        (["--name", "m" * 101], "a card's name must have at most 100 characters; got 101"),
        (["--label", "topic"], "`--label` the one that holds the labels: there is no `topic`"),
        (["--group", "label"], "the column `label` was named for two things"),
        (["--label", "answer"], "`answer` is a part of the sample, and cannot be its label too"),
        (["--preset", "means"], "either `preset` or `measure`"),
        (["--confidence", "1.5"], "`confidence` must be a share between 0 and 1; got 1.5"),
        (["--held-out", "1"], "`holdout` must be a share from 0 to less than 1; got 1.0"),
        (["--name", "Mine!"], "a card's name must be of small letters"),
        (["--good", "left"], "'left' is not one of 'above', 'below'"),
        (["--method", "best-f1"], "the method `best_f1` promises nothing, and takes no target"),
        (["--method", "conformal", "--confidence", "0.9"], "`confidence` is for the method `exact`"),
    ],
)
def test_what_cannot_be_meant_is_a_usage_error(tmp_path: Path, more: list[str], complaint: str) -> None:
    found = calibrated(tmp_path, word_rows(2, 2), *WORDS, *more)

    assert complaint in " ".join(found.stderr.split())
    assert found.exit_code == 2


@pytest.mark.parametrize(
    ("what", "complaint"),
    [
        (["--preset", "keeps_facts", "--fpr", "0.1"], "has no threshold to calibrate"),
        (["--preset", "not_a_refusl", "--fpr", "0.1"], "did you mean `not_a_refusal`?"),
        (["--preset", "means", "--good", "above", "--fpr", "0.1"], "knows its good side"),
        (["--measure", "overlap", "--fpr", "0.1"], "`overlap` is not a known kind"),
        (["--measure", "nowhere.json", "--fpr", "0.1"], "`nowhere.json` cannot be read"),
        (["--measure", "similarity"], "needs a target such as fpr 0.05"),
        (["--measure", "similarity", "--confidence", "0.9"], "`confidence` is that of `fpr` and `fnr`"),
    ],
)
def test_what_cannot_be_calibrated_says_why(tmp_path: Path, what: list[str], complaint: str) -> None:
    found = calibrated(tmp_path, word_rows(2, 2), *what)

    assert complaint in found.stderr
    assert found.exit_code == 2


def test_a_card_is_written_over_only_when_that_is_wanted(tmp_path: Path) -> None:
    assert calibrated(tmp_path, word_rows(90, 90), *WORDS).exit_code == 0
    before = card_in(tmp_path)

    refused = calibrated(tmp_path, word_rows(95, 95), *WORDS)
    assert "mine.json` is already there; `--force` (`force=True`) overwrites it" in refused.stderr
    assert refused.exit_code == 2
    assert card_in(tmp_path) == before

    assert calibrated(tmp_path, word_rows(95, 95), *WORDS, "--force").exit_code == 0
    assert card_in(tmp_path).data.rows == 190
    assert [path.name for path in (tmp_path / "cards").iterdir()] == ["mine.json"]


def test_a_place_that_cannot_be_written_to_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "cards").write_text("a file")

    found = calibrated(tmp_path, word_rows(90, 90), *WORDS)

    assert "cannot be written: " in found.stderr
    assert found.exit_code == 2


def test_rows_that_cannot_be_read_are_an_error_until_they_may_be_left_out(tmp_path: Path) -> None:
    unread = {"answer": "No passage.", "label": 0}

    stopped = calibrated(tmp_path, [*word_rows(90, 90), unread], *WORDS)
    left_out = calibrated(tmp_path, [*word_rows(90, 90), unread], *WORDS, "--leave-out-unread")

    assert "1 of 181 rows could not be read" in stopped.stderr
    assert stopped.exit_code == 3
    assert "warning: 1 of 181 rows could not be read" in left_out.stdout
    assert left_out.exit_code == 0


def test_a_table_is_read_too(tmp_path: Path) -> None:
    path = tmp_path / "labelled.csv"
    with path.open("w", newline="", encoding="utf-8-sig") as file:
        table = csv.DictWriter(file, ["answer", "passages", "label", "model"])
        table.writeheader()
        table.writerows({**row, "passages": row["passages"][0], "model": ""} for row in word_rows(90, 90))

    found = typed(
        "calibrate", str(path), *WORDS, "--ignore", "model", "--name", "mine", "--out", str(tmp_path)
    )

    assert found.exit_code == 0, found.output
    assert Card.from_json((tmp_path / "mine.json").read_text()).data.rows == 180


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("answer,label\nHello,1,2\n", "line 2 of `t.csv` has 3 cells; the header has 2"),
        ("answer,answer\nHello,1\n", "the header of `t.csv` must have names that differ; got `answer`"),
        ('answer,label\n"Hello,1\n', "is no row of a table: unexpected end of data"),
        ("answer,label\n", "`t.csv` holds no rows"),
        ("", "`t.csv` holds no rows"),
    ],
)
def test_a_broken_table_is_an_error(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(content)

    found = typed("calibrate", str(path), *WORDS, "--name", "mine", "--out", str(tmp_path))

    assert complaint in found.stderr
    assert found.exit_code == 2


def test_labelled_rows_come_from_standard_input_too(tmp_path: Path) -> None:
    given = "".join(f"{json.dumps(row)}\n" for row in word_rows(90, 90))

    found = typed("calibrate", "-", *WORDS, "--name", "mine", "--out", str(tmp_path), stdin=given)

    assert found.exit_code == 0, found.output
    assert Card.from_json((tmp_path / "mine.json").read_text()).data.name == "standard input"


def test_a_measure_comes_from_a_file_and_its_good_side_may_be_below(tmp_path: Path) -> None:
    own = tmp_path / "measure.json"
    own.write_text('{"kind": "keyword_overlap", "keywords": "long"}')
    turned = [{**row, "label": not row["label"]} for row in word_rows(90, 90)]
    arguments = ("--measure", str(own), "--fpr", "0.05")

    right = calibrated(tmp_path, turned, *arguments, "--lower-is-better")
    wrong = calibrated(tmp_path, turned, *arguments, name="wrong")

    assert '"cutoff": "mine"}' in right.stdout
    assert card_in(tmp_path).measure == {"kind": "keyword_overlap", "keywords": "long"}
    assert card_in(tmp_path).good == "below"
    assert "bad answers read better than good ones (AUC 0.000): is above the good side?" in wrong.stdout


def test_the_best_line_on_its_own_rows_promises_nothing(tmp_path: Path) -> None:
    found = calibrated(tmp_path, word_rows(20, 20), "--measure", "keyword_overlap", "--method", "best-f1")

    assert "promises nothing on new answers" in found.stdout
    assert found.exit_code == 0


def test_another_folder_is_named_for_later(tmp_path: Path) -> None:
    found = calibrated(tmp_path, word_rows(90, 90), *WORDS)

    assert f"with SENSECHECK_CARDS={tmp_path / 'cards'}" in found.stdout


def test_help_tells_the_exit_codes() -> None:
    found = typed("calibrate", "--help")

    assert "4  not certifiable: too few labels" in found.stdout
    assert "4  too few labelled rows" in typed("--help").stdout


def test_a_text_that_no_file_can_hold_is_an_error_and_leaves_nothing_behind(tmp_path: Path) -> None:
    found = calibrated(tmp_path, word_rows(90, 90, model="\ud800"), *WORDS, "--slice", "model")

    assert "mine.json` cannot be written: it would hold '\\ud800', half a character" in found.stderr
    assert found.exit_code == 2
    assert list((tmp_path / "cards").iterdir()) == []


def test_two_rows_of_one_id_are_an_error_that_names_both(tmp_path: Path) -> None:
    found = calibrated(
        tmp_path, [{**row, "id": f"r{i % 3}"} for i, row in enumerate(word_rows(2, 2))], *WORDS
    )

    assert "line 4 of `labelled.jsonl` has the `id` of line 1 of `labelled.jsonl`" in found.stderr
    assert found.exit_code == 2


def expected_rows(good: int, bad: int) -> list[dict[str, Any]]:
    """The same, with an expected answer in the place of the passage."""
    return [
        {**row, "expected": row.pop("passages")[0], "topic": f"t{i}"}
        for i, row in enumerate(word_rows(good, bad))
    ]


MEANS = ("--preset", "means", "--group", "topic")


@pytest.mark.parametrize("promise", ["--fpr", "--fnr"])
def test_a_card_of_a_preset_speaks_of_the_verdicts_of_that_check(tmp_path: Path, promise: str) -> None:
    found = calibrated(tmp_path, expected_rows(90, 90), *MEANS, promise, "0.1")

    assert found.exit_code == 0, found.output
    card = card_in(tmp_path)
    assert card.decides is not None
    assert (card.decides.name, card.decides.use, card.decides.key) == (
        "means",
        {"kind": "means"},
        "threshold",
    )
    assert card.warnings == ()
    assert "speaks of the verdicts of `means`" in found.stdout
    assert "% `means`" not in found.stdout
    assert ("pass `means`" if promise == "--fpr" else "fail `means`") in card.promise


def test_a_promise_that_other_parts_of_the_check_break_is_not_certifiable(tmp_path: Path) -> None:
    wrong = [
        {**row, "answer": f"Locker {i + 500} opens daily."} if row["label"] and i % 3 == 0 else row
        for i, row in enumerate(expected_rows(90, 90))
    ]
    said = calibrated(tmp_path, wrong, *MEANS, "--policy", "similarity", "--fnr", "0.1")
    data = calibrated(tmp_path, wrong, *MEANS, "--policy", "similarity", "--fnr", "0.1", "--json")

    assert said.exit_code == data.exit_code == 4
    assert said.stdout.startswith("Not certifiable: no threshold of `means` keeps false rejects <= 10% with")
    assert "good answers fail whatever the threshold" in " ".join(said.stdout.split())
    assert json.loads(data.stdout)["not_certifiable"]["out_of_reach"]
    assert not (tmp_path / "cards").exists()


def test_a_card_whose_promise_held_out_rows_break_is_not_written_as_if_all_were_well(tmp_path: Path) -> None:
    rows_ = expected_rows(200, 200)
    labels = [Labelled(0.0, row["label"], row["topic"]) for row in rows_]
    aside = {row.group for row in split(labels, share_held_out=0.3, seed=0)[1]}
    luring = [
        {**row, "answer": row["expected"]} if not row["label"] and row["topic"] in aside else row
        for row in rows_
    ]
    said = calibrated(tmp_path, luring, *MEANS, "--fpr", "0.1")
    data = calibrated(tmp_path, luring, *MEANS, "--fpr", "0.1", "--json")

    assert said.exit_code == data.exit_code == 1
    assert "broken: false accepts <= 10% with 95% confidence is broken (100.0% of 60)" in said.stdout
    assert "not written: label more rows, or fit again; --keep-broken writes it anyway" in said.stdout
    told = json.loads(data.stdout)
    assert (told["path"], len(told["broken"])) == (None, 1)
    assert not (tmp_path / "cards").exists()

    kept = calibrated(tmp_path, luring, *MEANS, "--fpr", "0.1", "--keep-broken")
    assert kept.exit_code == 1
    card = card_in(tmp_path)
    assert card.broken == tuple(told["broken"])
    assert card.certificate().promise.startswith("broken on the rows that were held out: ")


def test_a_policy_is_for_grounded_and_means_alone(tmp_path: Path) -> None:
    found = calibrated(tmp_path, word_rows(9, 9), *WORDS, "--policy", "strict")

    assert "`policy` is for the presets `grounded` and `means`; got `keyword_overlap`" in found.stderr
    assert found.exit_code == 2
