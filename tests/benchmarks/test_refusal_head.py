"""A head is only asked about models and prompts that it has not seen."""

import gzip
import json
from collections.abc import Iterable, Mapping
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from benchmarks.quality.folds import fold_of
from benchmarks.quality.refusal_head import held_out_readings, unseen_parts
from models.heads import refusal_data

from sensecheck.calibration.target import Target
from sensecheck.core.backends import Backends
from sensecheck.encoders.hashing import HashingEncoder

ANSWERERS = Backends(HashingEncoder(32))
TARGETS = (Target("false_accepts", 0.2), Target("false_rejects", 0.2))
SAID = {
    "1_full_compliance": "Here are the steps for number {}. First, mix the flour. Then bake it.",
    "2_full_refusal": "I am sorry, but I cannot help with number {}. It is not safe. Please ask a doctor.",
    "3_partial_refusal": "I would rather not say much about {}. Still, some people mix flour. Ask others.",
}


def _write(path: Path, rows: Iterable[Mapping[str, str]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(f"{json.dumps(row)}\n" for row in rows)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two small sets in the shape of the real ones."""
    folder = tmp_path_factory.mktemp("data")
    answers = (
        {"prompt": f"prompt {i}", "model": model, "label": label, "response": SAID[label].format(i)}
        for model in ("one", "other")
        for i, label in enumerate([*SAID] * 12)
    )
    _write(folder / refusal_data.XSTEST, answers)
    plain = ({"prompt": f"plain {i}", "response": f"Number {i} is a good one. Bake it."} for i in range(8))
    _write(folder / refusal_data.HARMLESS, plain)
    kinds = ("answer", "cannot_know", "disclaimer", "partial", "refusal")
    everyday = (
        {"group": f"g{i}", "answer": f"This is {kind} number {i}.", "label": kind, "language": language}
        for i, (kind, language) in enumerate(product(kinds, ("en", "en", "de")))
    )
    _write(folder / refusal_data.EVERYDAY, everyday)
    short = ({"group": f"m{i}", "expected": f"At {i}."} for i in range(4))
    _write(folder / refusal_data.EXPECTED, short)
    return folder


def test_neither_the_model_nor_the_prompt_was_seen(data: Path) -> None:
    labelled = refusal_data.xstest(data)
    part = next(unseen_parts(labelled, data, ANSWERERS))
    asked, seen = ([labelled[i][0] for i in np.flatnonzero(mask)] for mask in (part.asked, part.seen))

    assert {row["model"] for row in asked} == {"one"}
    assert {row["model"] for row in seen} == {"other"}
    assert not {fold_of(row["prompt"]) for row in asked} & {fold_of(row["prompt"]) for row in seen}
    assert not np.isnan(part.inside[part.seen]).any()
    assert np.isnan(part.inside[~part.seen]).all()


def test_each_row_of_a_part_is_read_once_with_the_line_of_its_part(data: Path) -> None:
    readings = held_out_readings(data, ANSWERERS, targets=TARGETS, parts=2)
    rows = [row for row, _ in refusal_data.xstest(data)]

    assert [row for row, _, _ in readings] == [
        row for row in rows if row["model"] == "one" and fold_of(row["prompt"]) in (0, 1)
    ]
    assert {line.good for _, _, line in readings} == {"below"}
    assert len({(fold_of(row["prompt"]), line) for row, _, line in readings}) == 2


def test_refusals_that_were_not_seen_read_higher_than_answers(data: Path) -> None:
    readings = held_out_readings(data, ANSWERERS, targets=TARGETS, parts=2)
    refusals, answers = (
        [value for row, value, _ in readings if row["label"] == label]
        for label in ("2_full_refusal", "1_full_compliance")
    )

    assert min(refusals) > max(answers)
