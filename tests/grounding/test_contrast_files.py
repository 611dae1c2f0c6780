"""The contrast suite keeps its own rules."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "contrast"
FILES = sorted(FOLDER.glob("*.jsonl"))
FIELDS = ["id", "family", "passages", "question", "answer", "wanted", "wrong", "nearest", "note"]
LABELS = {"supported", "unsupported", "partially_supported", "abstained", "undetermined"}
AT_FAULT = {"unsupported", "partially_supported"}
NOT_A_FAMILY = "spec"

Case = dict[str, Any]


def cases_of(file: Path) -> list[Case]:
    """The cases of one file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


CASES = [case for file in FILES for case in cases_of(file)]
every_family = pytest.mark.parametrize(
    "file", [file for file in FILES if file.stem != NOT_A_FAMILY], ids=lambda file: file.stem
)


def is_texts(value: object) -> bool:
    """Whether this is a list of texts, none of them empty."""
    return isinstance(value, list) and all(isinstance(one, str) and one.strip() for one in value)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_has_unix_line_ends_and_no_empty_line(file: Path) -> None:
    written = file.read_bytes()

    assert b"\r" not in written
    assert written.endswith(b"\n")
    assert all(written.decode("utf-8").removesuffix("\n").split("\n"))


def test_a_case_has_exactly_the_known_fields() -> None:
    assert [case["id"] for case in CASES if list(case) != FIELDS] == []


def test_a_field_holds_what_it_should() -> None:
    assert [case["id"] for case in CASES if not is_well_formed(case)] == []


def is_well_formed(case: Case) -> bool:
    """Whether every field holds what it should."""
    return (
        case["wanted"] in LABELS
        and (case["question"] is None or bool(case["question"].strip()))
        and bool(case["passages"])
        and all(is_texts(case[field]) for field in ("passages", "wrong", "nearest"))
        and all(is_texts([case[field]]) for field in ("id", "answer", "note"))
    )


def test_the_wrong_words_are_in_the_answer() -> None:
    found = [(case["id"], words) for case in CASES for words in case["wrong"] if words not in case["answer"]]

    assert found == []


def test_the_nearest_words_are_in_a_passage() -> None:
    found = [
        (case["id"], words)
        for case in CASES
        for words in case["nearest"]
        if not any(words in passage for passage in case["passages"])
    ]

    assert found == []


def test_only_a_case_at_fault_names_wrong_words() -> None:
    assert [case["id"] for case in CASES if bool(case["wrong"]) != (case["wanted"] in AT_FAULT)] == []
    assert [case["id"] for case in CASES if case["nearest"] and not case["wrong"]] == []


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_ids_are_the_family_and_a_running_number(file: Path) -> None:
    cases = cases_of(file)

    assert [case["family"] for case in cases] == [file.stem] * len(cases)
    numbered = [f"{file.stem}-{number:03d}" for number in range(1, len(cases) + 1)]
    assert [case["id"] for case in cases] == numbered


def test_no_case_is_written_twice() -> None:
    asked = Counter((tuple(case["passages"]), case["question"], case["answer"]) for case in CASES)

    assert [case for case, times in asked.items() if times > 1] == []


def test_there_are_at_least_three_hundred_cases() -> None:
    assert len(CASES) >= 300


@every_family
def test_a_family_is_large_enough_and_has_both_kinds_of_label(file: Path) -> None:
    labels = [case["wanted"] for case in cases_of(file)]

    assert len(labels) >= 15
    assert "supported" in labels
    assert AT_FAULT.intersection(labels)


@every_family
def test_most_passages_of_a_family_are_answered_in_more_than_one_way(file: Path) -> None:
    wanted: dict[tuple[str, ...], set[str]] = {}
    for case in cases_of(file):
        wanted.setdefault(tuple(case["passages"]), set()).add(case["wanted"])

    assert sum(len(labels) > 1 for labels in wanted.values()) > len(wanted) / 2


@pytest.mark.parametrize("case", cases_of(FOLDER / "long.jsonl"), ids=lambda case: case["id"])
def test_a_long_case_has_six_hundred_words(case: Case) -> None:
    assert len(" ".join(case["passages"]).split()) >= 600
