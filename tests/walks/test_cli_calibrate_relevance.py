"""From labelled pairs of query and reference to the line of a chain: `calibrate`, `card check`, `above`."""

import csv
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from sensecheck.calibration.card import Card
from sensecheck.core.backends import Encoder
from sensecheck.core.errors import StaleCutoff
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.retrieval import Match, above, chain, matched
from tests.walks.cli import typed
from tests.walks.labelled import lines

TOPICS = (
    ("How long may a {} be returned?", "You can return a {} within 30 days."),
    ("How long is the warranty of a {}?", "The warranty of a {} lasts two years."),
    ("Who mends a broken {}?", "Our workshop repairs a broken {}."),
    ("What does it cost to send a {}?", "Sending a {} costs nothing."),
    ("When can I collect my {}?", "You can collect a {} on any weekday."),
)
FIRST = ("camera", "laptop", "phone", "printer", "radio", "kettle", "toaster", "bicycle", "lamp", "clock")
LATER = ("tablet", "heater", "mixer", "drill", "scooter", "piano", "tent", "sofa", "oven", "mouse")
AS_PEOPLE_SAY = ("--column", "question=query", "--column", "answer=reference", "--label", "relevant")
ASKED = ("--preset", "relevant", "--fpr", "0.1")


def pairs(things: tuple[str, ...] = FIRST, **columns: Any) -> list[dict[str, Any]]:
    """Each query with what answers it, and with something about another thing."""
    found: list[dict[str, Any]] = []
    for thing, (query, reference) in product(things, TOPICS):
        other = f"Opening hours of house number {len(found)} are on the door."
        for text, is_relevant in ((reference.format(thing), True), (other, False)):
            found.append(
                {"query": query.format(thing), "reference": text, "relevant": is_relevant, **columns}
            )
    return found


def calibrated(folder: Path, found: list[dict[str, Any]], *more: str, **environment: str) -> Any:
    path = lines(folder / "pairs.jsonl", found)
    return typed("calibrate", path, *ASKED, "--name", "docs", "--out", str(folder), *more, **environment)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a card that the real model made."""
    folder = tmp_path_factory.mktemp("relevance")
    found = calibrated(folder, pairs(), *AS_PEOPLE_SAY, "--group", "query", SENSECHECK_ENCODER="minilm")
    assert found.exit_code == 0, found.output
    assert "use it in a chain: - above: docs, or: sensecheck guard … --min-similarity docs" in found.stdout
    return folder


@pytest.fixture(scope="module")
def card(made: Path) -> Card:
    return Card.from_json((made / "docs.json").read_text(encoding="utf-8"))


def test_the_card_says_which_columns_it_was_made_of(card: Card) -> None:
    assert (card.data.label, card.data.group, card.data.rows) == ("relevant", "query", 100)
    assert card.measure == {"kind": "relevance"}
    assert "false accepts <= 10% with 95% confidence" in card.promise


@pytest.mark.core
def test_a_chain_takes_the_card_as_its_line(card: Card, minilm: Encoder) -> None:
    query = "How long is the warranty of a piano?"
    texts = ["Penguins live in the south.", "The warranty of a piano lasts two years."]

    selection = chain(above(card))(matched(query, texts, minilm), query=query)

    assert [match.text for match in selection.kept] == texts[1:]
    assert "fitted on pairs.jsonl#" in selection.dropped[0].because


def test_closeness_of_another_encoder_is_refused(card: Card) -> None:
    matches = matched("A piano?", ["A piano."], HashingEncoder())

    with pytest.raises(StaleCutoff, match="fitted for the encoder `minilm:"):
        chain(above(card))(matches)


def test_closeness_of_which_nobody_knows_the_encoder_is_refused(card: Card) -> None:
    with pytest.raises(StaleCutoff, match="it is not known which encoder is in use"):
        chain(above(card))([Match("A piano.", 0.9)])


def test_the_card_is_held_against_new_pairs(made: Path) -> None:
    new = lines(made / "new.jsonl", pairs(LATER))
    named = {"SENSECHECK_CARDS": str(made), "SENSECHECK_ENCODER": "minilm"}

    found = typed("card", "check", "docs", "--data", new, *AS_PEOPLE_SAY, **named)
    unnamed = typed("card", "check", "docs", "--data", new, "--label", "relevant", **named)

    assert found.exit_code == 0, found.output
    assert "false accepts <= 10% with 95% confidence: holds" in found.stdout
    assert "`--column question=reference`" in unnamed.stderr
    assert unnamed.exit_code == 2


def test_a_table_may_name_its_columns_too(tmp_path: Path) -> None:
    path = tmp_path / "pairs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, ["query", "reference", "context", "relevant"])
        table.writeheader()
        table.writerows(pairs(context="One passage."))
        table.writerow({"query": "And nothing?", "reference": "", "context": "", "relevant": "no"})

    found = typed(
        *("calibrate", str(path), *ASKED, *AS_PEOPLE_SAY, "--column", "passages=context"),
        *("--name", "docs", "--out", str(tmp_path), "--leave-out-unread"),
    )

    assert found.exit_code == 0, found.output
    assert "1 of 101 rows could not be read" in found.stdout


@pytest.mark.parametrize(
    ("more", "complaint"),
    [
        (
            ["--column", "question"],
            "`--column` must be PART=COLUMN, such as `question=query`; got `question`",
        ),
        (["--column", "question="], "`--column` must be PART=COLUMN"),
        (["--column", "=query"], "`` is not a known part of a sample"),
        (["--column", "questin=query"], "did you mean `question`?"),
        (
            ["--column", "question=query", "--column", "question=reference"],
            "`--column` names two columns for `question`: `query` and `reference`",
        ),
        (
            ["--column", "question=query", "--column", "answer=query"],
            "the column `query` was named for two things",
        ),
        (["--column", "question=query", "--ignore", "query"], "`query` was named for two things"),
        (["--column", "question=relevant"], "the column `relevant` was named for two things"),
        (
            ["--column", "question=query", "--column", "answer=reference", "--column", "id=key"],
            "no row of `pairs.jsonl` has the column `key`; there are: `query`, `reference`",
        ),
        ([], "mean nothing to us: `query`, `reference`; name each of them with `--group`"),
    ],
)
def test_columns_that_cannot_be_meant_are_a_usage_error(
    tmp_path: Path, more: list[str], complaint: str
) -> None:
    found = calibrated(tmp_path, pairs(), "--label", "relevant", *more)

    assert complaint in " ".join(found.stderr.split())
    assert found.exit_code == 2


def test_a_part_with_two_columns_is_an_error_until_one_of_them_is_ignored(tmp_path: Path) -> None:
    found = pairs(question="Something else?")

    both = calibrated(tmp_path, found, *AS_PEOPLE_SAY)
    one = calibrated(tmp_path, found, *AS_PEOPLE_SAY, "--ignore", "question")

    assert "has a column `question`, and `--column` says that `query` is the `question`" in both.stderr
    assert both.exit_code == 2
    assert one.exit_code == 0, one.output


def test_a_column_of_a_sample_is_read_as_what_it_is_said_to_be(tmp_path: Path) -> None:
    renamed = [
        {"expected": row["query"], "reference": row["reference"], "relevant": row["relevant"]}
        for row in pairs()
    ]

    found = calibrated(
        tmp_path,
        renamed,
        *("--column", "question=expected", "--column", "answer=reference", "--label", "relevant"),
    )

    assert found.exit_code == 0, found.output


def test_a_group_may_be_the_column_of_a_part(tmp_path: Path) -> None:
    assert calibrated(tmp_path, pairs(), *AS_PEOPLE_SAY, "--group", "query").exit_code == 0
    assert Card.from_json((tmp_path / "docs.json").read_text()).data.group == "query"
