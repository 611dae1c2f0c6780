"""Rows for engines that map tables, and what is read off them without an engine."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from sensecheck.checks.presets import means
from sensecheck.checks.spec import check_to_data
from sensecheck.config import Settings
from sensecheck.core.backends import Backends, Encoder
from sensecheck.tables.assess import assess_table
from sensecheck.tables.order import TableOrder, result_fields

EXAMPLE = Path(__file__).parents[2] / "examples" / "rag-eval"
SETTINGS = Settings(cache="off")
PARTS = ("question", "expected", "answer", "passages")
ORDER = TableOrder(
    metrics=("semantic_similarity", "rouge_l", "fact_agreement"),
    checks=(check_to_data(means(policy="similarity")),),
    columns={part: part for part in PARTS},
)
ADDED = [field.name for field in result_fields(ORDER)]


def rows() -> pa.Table:
    """200 answers to 20 questions, numbered; among them one without an answer, and an empty one."""
    asked = {row["id"]: row for row in _lines("questions.jsonl")}
    answers = [row for name in ("careful.jsonl", "chatty.jsonl") for row in _lines(name)]
    found = [
        asked[row["id"]] | {"answer": opening + row["answer"]}
        for opening in ("", "In short: ", "As far as I know, ", "Yes. ", "No. ")
        for row in answers
    ]
    found[17]["answer"], found[34]["answer"] = None, ""
    columns = {part: [row[part] for row in found] for part in PARTS}
    return pa.table({"number": range(len(found))} | columns)


def assert_same(found: pa.Table, encoder: Encoder) -> None:
    """Row by row what `assess_table` gives, in whichever order an engine returns them."""
    wanted = assess_table(rows(), ORDER, Backends(encoder)).to_pylist()
    by_number = sorted(found.to_pylist(), key=lambda row: int(row["number"]))

    assert sorted(found.column_names) == sorted(["number", *PARTS, *ADDED])
    assert {row["status"] for row in wanted} == {"ok", "error"}
    assert by_number == [_rough(row) for row in wanted]


def _rough(row: dict[str, Any]) -> dict[str, Any]:
    """Vectors move in the seventh digit with the texts that are placed beside them."""
    return {
        name: pytest.approx(held, abs=1e-5) if isinstance(held, float) else held for name, held in row.items()
    }


def _lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (EXAMPLE / name).read_text(encoding="utf-8").splitlines()]
