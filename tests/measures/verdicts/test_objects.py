"""Kinds of broken JSON that judges write: from each, the verdict that was meant is read."""

from pathlib import Path

from tests.corpus import each_row, rows_in

from sensecheck.measures.verdicts.statements import verdict_in

MEANT = [
    ("verdict", "PASS", "FAIL", 1.0),
    ("verdict", "FAIL", "PASS", 0.0),
    ("score", "4", "2", 0.75),
    ("is_correct", "true", "false", 1.0),
    ("final_verdict", "Incorrect", "Correct", 0.0),
]


def written(template: str, key: str, value: str, other: str) -> str:
    template = template.replace("__UPPER__", key.upper())
    return template.replace("KEY", key).replace("OTHER", other).replace("VALUE", value)


@each_row
def test_the_verdict_in_broken_json_is_read(kind: str, template: str) -> None:
    for key, value, other, meant in MEANT:
        text = written(template, key, value, other)
        found = verdict_in(text)

        assert found is not None, text
        assert found.value == meant, text
        assert text[found.start : found.end] == value


def test_there_are_many_kinds_and_each_is_named_once() -> None:
    file = Path(__file__).parent / "objects" / "the_verdict_in_broken_json_is_read.jsonl"
    names = [row["kind"] for _, row in rows_in(file)]

    assert len(names) == len(set(names)) >= 100
