"""`sensecheck card`: cards shown, drawn, listed, and held against new answers."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.text import Text

from sensecheck.calibration.card import Card
from tests.calibration.fitting import DATA, FNR, FPR, card_of, normal_rows
from tests.runs.page_read import packed_in
from tests.walks.cli import started, typed
from tests.walks.labelled import HELPS, REFUSES, answers, lines, rows

HOSTILE = "<img src=x onerror=alert(1)>[bold red]\x1b[5m\u202e"
SLICED = [
    replace(row, slices={HOSTILE: f"{HOSTILE}{i % 2}"}) for i, row in enumerate(normal_rows(1, 200, 200))
]
WORDS = card_of(SLICED, FPR, FNR, name="words", encoder="hash:1", licence=HOSTILE, warnings=(HOSTILE,))


@pytest.fixture(scope="module")
def refusals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a card that the real model made."""
    folder = tmp_path_factory.mktemp("made")
    labelled = lines(folder / "labelled.jsonl", rows(100, 100))
    promised = ("--preset", "not_a_refusal", "--fpr", "0.05", "--fnr", "0.05")
    made = typed(
        *("calibrate", labelled, *promised, "--name", "refusals", "--out", str(folder / "cards")),
        SENSECHECK_ENCODER="minilm",
    )
    assert made.exit_code == 0, made.output
    return folder / "cards"


@pytest.fixture
def words(tmp_path: Path) -> str:
    """The file of a card in which texts are attacks."""
    path = tmp_path / "words.json"
    path.write_text(WORDS.to_json(), encoding="utf-8")
    return str(path)


def checked(cards: Path, found: list[dict[str, Any]], folder: Path, *more: str) -> Any:
    """What the real model says of new rows."""
    data = lines(folder / "new.jsonl", found)
    named = {"SENSECHECK_CARDS": str(cards), "SENSECHECK_ENCODER": "minilm"}
    return typed("card", "check", "refusals", "--data", data, *more, **named)


def test_a_card_of_the_real_model_is_shown_by_its_name(refusals: Path) -> None:
    found = started("card", "show", "refusals", SENSECHECK_CARDS=str(refusals))

    shown = found.stdout.decode()
    assert found.returncode == 0, found.stderr.decode()
    assert shown.startswith("refusals\n  false accepts <= 5% with 95% confidence: of new bad answers")
    assert "bad answers that pass: 0% (0 of 30; 95% interval 0% to 11.6%), promised: at most 5%" in shown
    assert "encoder: minilm:onnx-fp32:" in shown
    assert all(part in shown for part in ("readings of head", "ROC: ", "AUC ", "reliability: "))
    assert b"\x1b" not in found.stdout + found.stderr


def test_a_terminal_that_knows_only_ascii_gets_ascii(words: str) -> None:
    shown = started("card", "show", words, PYTHONIOENCODING="ascii").stdout.decode("ascii")

    tables = shown[shown.index("readings of") :]
    assert "?" not in tables
    assert "  reading " in tables
    assert "  passes " in tables


def test_what_strangers_wrote_is_shown_and_not_obeyed(words: str) -> None:
    shown = typed("card", "show", words, FORCE_COLOR="1", COLUMNS="300").stdout

    assert "<img src=x onerror=alert(1)>[bold red]\\x1b[5m\\u202e" in Text.from_ansi(shown).plain
    assert "\x1b[5m" not in shown
    assert "\u202e" not in shown


@pytest.mark.parametrize("columns", [48, 80, 120])
def test_a_narrow_terminal_gets_lines_that_fit(words: str, columns: int) -> None:
    shown = Text.from_ansi(typed("card", "show", words, FORCE_COLOR="1", COLUMNS=str(columns)).stdout)

    assert max(cell_len(line) for line in shown.plain.splitlines()) <= columns


def test_the_table_of_readings_has_every_answer_on_its_side_of_the_line(words: str) -> None:
    shown = typed("card", "show", words).stdout
    row = re.compile(r"^  (\S+) to (\S+) +([\d.]+)% +([\d.]+)%$", re.MULTILINE)
    found = [
        tuple(map(float, one)) for one in row.findall(shown[shown.index("readings of") : shown.index("ROC:")])
    ]

    passing = [one for one in found if one[0] >= round(WORDS.line, 2)]
    assert [sum(one[label] for one in found) for label in (2, 3)] == pytest.approx([100, 100], abs=0.6)
    assert all(one[1] <= round(WORDS.line, 2) for one in found if one not in passing)
    scores = WORDS.held_out_scores
    for label, values in ((2, scores.good), (3, scores.bad)):
        share = 100 * sum(value >= WORDS.line for value in values) / len(values)
        assert sum(one[label] for one in passing) == pytest.approx(share, abs=0.6)


@pytest.mark.core
def test_json_is_the_card_itself(words: str) -> None:
    found = typed("card", "show", words, "--json")

    assert Card.from_json(found.stdout) == WORDS
    assert found.stdout == typed("card", "show", words, "--json").stdout
    assert found.stdout.count("\n") == 1


def test_a_page_is_whole_and_deaf_to_strangers(words: str, tmp_path: Path) -> None:
    page = tmp_path / "card.html"

    found = typed("card", "show", words, "--html", str(page))

    assert found.stdout == f"written to {page}\n"
    text = page.read_text(encoding="utf-8")
    assert "onerror" not in text
    assert packed_in(text)["card"][0]["warnings"] == ["<img src=x onerror=alert(1)>[bold red]\ufffd[5m\ufffd"]
    assert packed_in(text)["card"][0]["name"] == "words"


def test_what_was_drawn_is_told_to_programs(words: str, tmp_path: Path) -> None:
    page = str(tmp_path / "card.html")

    assert json.loads(typed("card", "show", words, "--html", page, "--json").stdout) == {"html": page}


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ("refusalss", "`refusalss` is not a known card; did you mean `refusals`?"),
        ("nowhere.json", "`nowhere.json` cannot be read: No such file or directory"),
        ("Bad Name", "a card's name must be of small letters"),
    ],
)
def test_a_card_that_is_not_there_is_an_error(refusals: Path, given: str, complaint: str) -> None:
    found = typed("card", "show", given, SENSECHECK_CARDS=str(refusals))

    assert complaint in found.stderr
    assert found.exit_code == 2


def test_a_file_that_is_no_card_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text('{"format": 1}')

    found = typed("card", "show", str(tmp_path / "x.json"))

    assert "x.json` lacks the key `name`" in found.stderr
    assert found.exit_code == 2


def test_a_page_that_cannot_be_written_is_an_error(words: str, tmp_path: Path) -> None:
    found = typed("card", "show", words, "--html", str(tmp_path))

    assert "cannot be written: " in found.stderr
    assert found.exit_code == 2
    assert [path.name for path in tmp_path.iterdir()] == ["words.json"]


def test_cards_are_listed_with_what_they_promise(refusals: Path) -> None:
    listed = typed("card", "list", SENSECHECK_CARDS=str(refusals))
    data = json.loads(typed("card", "list", "--json", SENSECHECK_CARDS=str(refusals)).stdout)

    both = "false accepts <= 5% with 95% confidence and false rejects <= 5% with 95% confidence"
    assert f"refusals  {both}\n  head: at most " in listed.stdout
    (mine,) = (card for card in data if card["name"] == "refusals")
    assert mine["measure"] == "head"
    assert mine["encoder"].startswith("minilm:")


def test_a_promise_that_is_kept_holds(refusals: Path, tmp_path: Path) -> None:
    found = checked(refusals, rows(100, 100, first=100), tmp_path)

    assert found.stdout.startswith("Holds: false accepts <= 5% with 95% confidence holds (0.0% of 100)")
    assert "  good readings: stable; 100 rows, PSI " in found.stdout
    assert "\x1b" not in found.stdout
    assert found.exit_code == 0


def test_a_promise_that_is_broken_says_so(refusals: Path, tmp_path: Path) -> None:
    mislabelled = [{"answer": text, "label": "bad"} for text in answers(HELPS, 60)]

    found = checked(refusals, mislabelled, tmp_path, "--json")

    data = json.loads(found.stdout)
    assert data["outcome"] == "broken"
    assert data["promises"][0]["outcome"] == "broken"
    assert found.exit_code == 1


def test_readings_that_have_moved_are_found_without_labels(refusals: Path, tmp_path: Path) -> None:
    unlabelled = [{"answer": text} for text in answers(REFUSES, 120, first=300)]

    found = checked(refusals, unlabelled, tmp_path)

    assert found.stdout.startswith("The readings have moved, label some and fit the cutoff again: ")
    assert "unlabelled readings: moved; 120 rows" in found.stdout
    assert found.exit_code == 1


def test_too_few_new_rows_say_nothing(refusals: Path, tmp_path: Path) -> None:
    found = checked(refusals, rows(10, 10, first=100), tmp_path)

    assert found.stdout.startswith("Too few rows to say: ")
    assert "needs at least 49 more bad answers" in found.stdout
    assert found.exit_code == 4


def test_a_card_of_another_encoder_judges_nothing(refusals: Path, tmp_path: Path) -> None:
    found = checked(refusals, rows(3, 3), tmp_path, "--encoder", "hashing")

    assert "the head `refusal` was trained for the encoder `minilm:" in found.stderr
    assert found.exit_code == 3


@pytest.mark.parametrize(
    ("row", "more", "complaint"),
    [
        ({"model": "a"}, [], "columns that mean nothing to us: `model`"),
        ({"label": "maybe"}, [], 'line 1 of `new.jsonl` has the label `"maybe"`'),
        ({}, ["--label", "correct", "--ignore", "label"], "has the column `correct`"),
        ({}, ["--group", "prompt"], "has the column `prompt`"),
    ],
)
def test_new_rows_are_read_as_strictly(
    refusals: Path, tmp_path: Path, row: dict[str, str], more: list[str], complaint: str
) -> None:
    found = checked(refusals, [{**one, **row} for one in rows(2, 2)], tmp_path, *more)

    assert complaint in found.stderr
    assert found.exit_code == 2


def test_a_card_is_not_held_against_the_file_that_it_was_made_from(refusals: Path, tmp_path: Path) -> None:
    found = checked(refusals, rows(100, 100), tmp_path)

    assert "`new.jsonl` is the file that the card `refusals` was made from" in found.stderr
    assert found.exit_code == 2


def overlapping(label: str | None, **columns: str) -> list[dict[str, Any]]:
    """Answers of which nobody needs a model to say how near they are."""
    told = {} if label is None else {label: "bad"}
    return [
        {"answer": f"word {i}", "passages": [f"another {i}"], **told, **columns, "prompt": str(i % 20)}
        for i in range(80)
    ]


@pytest.fixture
def grouped(tmp_path: Path) -> str:
    """The file of a card whose rows had their groups in `prompt` and their labels in `correct`."""
    data = replace(DATA, label="correct", group="prompt")
    path = tmp_path / "grouped.json"
    path.write_text(card_of(normal_rows(1, 200, 200), FPR, data=data).to_json(), encoding="utf-8")
    return str(path)


@pytest.mark.parametrize(
    ("label", "more"),
    [
        ("correct", []),
        ("label", []),
        ("right", ["--label", "right"]),
        (None, []),
        ("label", ["--group", "document"]),
    ],
)
def test_new_rows_have_the_columns_of_the_card_unless_told_otherwise(
    grouped: str, tmp_path: Path, label: str | None, more: list[str]
) -> None:
    found = overlapping(label)
    if "--group" in more:
        found = [{"document": row.pop("prompt"), **row} for row in found]
    said = typed("card", "check", grouped, "--data", lines(tmp_path / "new.jsonl", found), "--json", *more)

    data = json.loads(said.stdout)
    assert data["shifts"][0]["part"] == ("unlabelled" if label is None else "bad")
    assert data["shifts"][0]["n"] == 20


def test_new_rows_without_the_groups_of_the_card_are_an_error(grouped: str, tmp_path: Path) -> None:
    found = [{key: value for key, value in row.items() if key != "prompt"} for row in overlapping("correct")]
    said = typed("card", "check", grouped, "--data", lines(tmp_path / "new.jsonl", found))

    assert "counts rows of one `prompt` once, and no row of `new.jsonl` has that column" in said.stderr
    assert said.exit_code == 2
