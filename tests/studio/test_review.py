"""Reviews: what is there to label, blind, and what becomes of labels."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from typer.testing import CliRunner

from sensecheck.cli.main import app
from sensecheck.datasets.labels import LabelledColumns, labelled
from sensecheck.datasets.rows import LoadedRows
from sensecheck.runs.find import existing_place
from sensecheck.runs.record import Label
from tests.runs import kept_runs, stores
from tests.runs.large_runs import CARRIED
from tests.runs.large_runs import a_run as a_large_run
from tests.runs.large_runs import rows as large_rows
from tests.studio.served import HEADER, Served, served

ROWS = 12
SIMILAR = [at / ROWS for at in range(ROWS)]
STRICT: list[float | None] = [float(at >= 8) for at in range(ROWS)]
LENIENT: list[float | None] = [float(at >= 6) for at in range(ROWS)]
STRICT[5] = LENIENT[5] = None  # unsure


@pytest.fixture
def place(tmp_path: Path, request: pytest.FixtureRequest) -> str:
    """An evaluation with two checks that differ in two rows, and one row of which they are unsure."""
    address = {"sqlite": str(tmp_path / "evals.sqlite3"), "folder": f"folder:{tmp_path / 'f'}",
               "parquet": f"parquet:{tmp_path / 'p'}"}[getattr(request, "param", "sqlite")]  # fmt: skip
    where = tmp_path / "evals.sqlite3" if address.endswith("sqlite3") else address
    stores.kept(where, {"rouge_l": SIMILAR, "strict": STRICT, "lenient": LENIENT}, broken=False)
    return address


@pytest.fixture
def studio(place: str) -> Iterator[Served]:
    """A Studio of it."""
    with served([place]) as found:
        yield found


def run_of(studio: Served) -> str:
    return next(iter(studio.run_ids().values()))


def queue(studio: Served, name: str = "random", rater: str = "Ada", **more: Any) -> dict[str, Any]:
    query = {"queue": name, "rater": rater, "limit": 100, **more}
    return studio.get(f"/runs/{run_of(studio)}/review", params=query)


def give(studio: Served, at: int, value: float | None, rater: str = "Ada", name: str = "correct") -> Any:
    body = {"id": f"q{at}", "name": name, "value": value, "rater": rater}
    reply = studio.client.post(f"/studio/api/runs/{run_of(studio)}/labels", json=body, headers=HEADER)
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_queues_hold_what_is_worth_a_look(studio: Served) -> None:
    assert sorted(queue(studio)["next"]) == list(range(ROWS))
    assert queue(studio)["next"] == queue(studio)["next"] != list(range(ROWS))
    assert queue(studio, "unsure")["next"] == [5]
    assert sorted(queue(studio, "disagreement")["next"]) == [6, 7]
    assert queue(studio, "edge", cutoff=0.5)["next"][0] == 6
    assert sorted(queue(studio, "edge", cutoff=0.5)["next"][1:3]) == [5, 7]
    assert queue(studio, "edge")["next"][:2] == [7, 8]  # between what passes and what fails
    assert queue(studio)["counts"] == {
        "random": ROWS, "unsure": 1, "disagreement": 2, "changed": 0, "second": 0, "flagged": 0,
    }  # fmt: skip
    wrong = studio.client.get(f"/studio/api/runs/{run_of(studio)}/review", params={"queue": "best"})
    assert wrong.status_code == 422


def test_before_the_decision_nothing_of_the_machine_is_shown(studio: Served) -> None:
    give(studio, 3, 1, "Bo")
    row = studio.get(f"/runs/{run_of(studio)}/review/rows/3", params={"rater": "Ada"})

    assert row == {
        "at": 3,
        "id": "q3",
        "mine": {},
        "parts": [
            {"kind": "question", "name": "Question", "text": "What is 3?"},
            {"kind": "answer", "name": "Answer", "text": "I think 3."},
            {"kind": "expected", "name": "Expected answer", "text": "It is 3."},
        ],
    }
    assert set(queue(studio)) == {
        "queue", "next", "indexed", "label", "labels", "counts", "rows", "labelled", "mine", "sample",
        "raters",
    }  # fmt: skip
    assert give(studio, 3, 0)["machine"] == {"outcome": "fail", "metric": "rouge_l", "value": 0.25}


def test_the_random_sample_is_what_is_done_from_the_beginning_of_the_stream(studio: Served) -> None:
    stream = queue(studio)["next"]
    give(studio, stream[4], 1)  # picked from elsewhere: the stream has not come so far
    assert queue(studio)["sample"] == {"labelled": 0, "skipped": 0}
    give(studio, stream[0], 1)
    give(studio, stream[1], 1, name="skipped")
    give(studio, stream[2], 0)
    assert queue(studio)["sample"] == {"labelled": 2, "skipped": 1}
    assert queue(studio)["next"] == [stream[3], *stream[5:]]
    give(studio, stream[3], 1)
    assert queue(studio)["sample"] == {"labelled": 4, "skipped": 1}  # the one that was picked counts now


def test_a_label_is_changed_and_cleared_and_the_machine_has_its_word_again(studio: Served) -> None:
    run = run_of(studio)

    def labels() -> list[dict[str, float]]:
        found: Any = studio.get(f"/runs/{run}/rows", params={"order": "position"})
        return [row["labels"] for row in found["rows"]]

    assert give(studio, 2, 1)["new"] == 1
    assert labels()[2] == {"correct": 1.0}
    assert give(studio, 2, 0)["new"] == 1
    assert (labels()[2], give(studio, 2, 0)["new"]) == ({"correct": 0.0}, 0)
    assert give(studio, 2, None)["new"] == 1
    assert labels() == [{}] * ROWS
    found: Any = studio.get(f"/runs/{run}/rows", params={"order": "position"})
    assert found["rows"][2]["outcome"] == "fail"
    assert 2 in queue(studio)["next"]
    body = {"id": "q2", "value": None}
    nobody = studio.client.post(f"/studio/api/runs/{run}/labels", json=body, headers=HEADER)
    assert nobody.status_code == 404


def test_a_second_reviewer_has_what_others_labelled_and_their_agreement_is_counted(studio: Served) -> None:
    for at, (ada, bo) in enumerate([(1, 1), (1, 0), (0, 0), (0, 0), (1, 1), (0, 1)]):
        give(studio, at, ada)
        assert at in queue(studio, "second", rater="Bo")["next"]
        give(studio, at, bo, "Bo")
    give(studio, 9, 1)
    assert queue(studio, "second", rater="Bo")["next"] == [9]
    found: Any = studio.get(f"/runs/{run_of(studio)}/review/agreement")

    (pair,) = found["pairs"]
    assert (pair["raters"], pair["n"], pair["agreed"]) == (["Ada", "Bo"], 6, 4)
    assert pair["value"] == pytest.approx((4 / 6 - 0.5) / 0.5)
    assert [(row["id"], row["said"]) for row in found["rows"]] == [
        ("q1", {"Ada": 1.0, "Bo": 0.0}),
        ("q5", {"Ada": 0.0, "Bo": 1.0}),
    ]
    assert found["raters"] == [{"rater": "Ada", "n": 7}, {"rater": "Bo", "n": 6}]


def test_a_flagged_row_waits_for_somebody_to_look_at_it(studio: Served) -> None:
    give(studio, 7, 1, name="flag")
    assert queue(studio, "flagged", rater="Bo")["next"] == [7]
    give(studio, 7, None, name="flag")
    assert queue(studio, "flagged", rater="Bo")["next"] == []


@pytest.mark.parametrize("place", ["sqlite", "folder", "parquet"], indirect=True)
def test_labels_come_out_of_the_export_and_into_calibrate_unchanged(
    studio: Served, place: str, tmp_path: Path
) -> None:
    given = {at: float(at % 3 == 0) for at in (0, 3, 4, 8, 11)}
    for at, value in given.items():
        give(studio, at, 1 - value)
        give(studio, at, value)  # changed
    give(studio, 9, 1)
    give(studio, 9, None)
    give(studio, 10, 1)
    give(studio, 10, 0, "Bo")  # undecided
    opened = existing_place(place)
    stored = list(opened.labels(opened.runs()[0]))
    opened.close()
    rows, calibrated = tmp_path / "rows.jsonl", tmp_path / "labelled.jsonl"
    for arguments in (["-o", str(rows)], ["-o", str(calibrated), "--label", "correct"]):
        done = CliRunner().invoke(app, ["runs", "export", "1", "--store", place, *arguments])
        assert done.exit_code == 0, done.output

    assert stored == [
        *(Label(f"q{at}", "correct", value, "Ada") for at, value in given.items() if at < 10),
        Label("q10", "correct", 1.0, "Ada"),
        Label("q10", "correct", 0.0, "Bo"),
        Label("q11", "correct", given[11], "Ada"),
    ]
    exported = [json.loads(line) for line in rows.read_text("utf-8").splitlines()]
    means = {**{f"q{at}": value for at, value in given.items()}, "q10": 0.5}
    assert {
        row["qa_pair_id"]: row["label_correct"] for row in exported if row["label_correct"] is not None
    } == means
    read = labelled(LoadedRows.of(str(calibrated)), LabelledColumns(), require_label=True)
    assert {one.sample.id: one.good for one in read} == {f"q{at}": value == 1 for at, value in given.items()}
    assert read[1].sample.answer == "I think 3."


def test_tests_of_a_battery_are_labelled_too(tmp_path: Path) -> None:
    results = [
        kept_runs.result(test, "fail" if test == 2 else "pass", source=source)
        for test in (1, 2, 3)
        for source in ("small", "large")
    ]
    kept_runs.kept(tmp_path / "runs" / "1.jsonl", results)
    with served([f"suites:{tmp_path / 'runs'}"]) as studio:
        run = run_of(studio)
        rows: Any = studio.get(f"/runs/{run}/rows", params={"order": "position"})
        for at, value in ((2, 1), (3, 0)):
            body = {"id": rows["rows"][at]["id"], "value": value, "rater": "Ada"}
            reply = studio.client.post(f"/studio/api/runs/{run}/labels", json=body, headers=HEADER)
            assert reply.json() == {"new": 1, "machine": {"outcome": "fail", "metric": "score", "value": 0.5}}
        again: Any = studio.get(f"/runs/{run}/rows", params={"order": "position"})
        assert [row["labels"].get("correct") for row in again["rows"]] == [None, None, 1.0, 0.0, None, None]
        assert sorted(queue(studio, "disagreement", rater="Bo")["next"]) == [2]
        row: Any = studio.get(f"/runs/{run}/review/rows/2", params={"rater": "Ada"})
        assert [part["name"] for part in row["parts"]][:2] == ["Test", "Prompt"]
        assert row["mine"] == {"correct": 1.0}


def test_the_random_order_is_fair(studio: Served) -> None:
    """Rows that were picked do not come into the sample: a prefix of the order is all that counts."""
    stream = queue(studio)["next"]
    for at in stream[1:]:
        give(studio, at, 1)
    assert queue(studio)["sample"]["labelled"] == 0
    give(studio, stream[0], 1)
    assert queue(studio)["sample"]["labelled"] == ROWS
    assert np.mean(np.abs(np.diff(stream))) > 1


@pytest.mark.parametrize("place", ["sqlite", "folder", "parquet"], indirect=True)
def test_labels_that_an_index_was_built_with_can_be_changed_and_cleared(studio: Served, place: str) -> None:
    for at in (3, 4):
        give(studio, at, 1)
    with served([place]) as later:  # its index is built when the labels are there
        assert labels_of(later) == {3: 1.0, 4: 1.0}
        give(later, 3, 0)
        give(later, 4, None)
        give(later, 5, 1, "Bo")
        assert labels_of(later) == {3: 0.0, 5: 1.0}
        give(later, 3, None)
        give(later, 5, None, "Bo")
        assert labels_of(later) == {}


def test_rows_of_a_large_run_are_labelled(tmp_path: Path) -> None:
    table = large_rows(40).append_column("correct", pa.array(np.arange(40) % 2 == 0))
    large = a_large_run(tmp_path / "large", table, carried=(*CARRIED, "correct"))
    address, cache = f"parquet:{tmp_path / 'large'}", tmp_path / "studio.sqlite3"
    column = {at: float(at % 2 == 0) for at in range(40)}
    assert large.manifest.rows == 40
    with served([address], cache=cache) as studio:
        assert labels_of(studio) == column
        assert give(studio, 1, 1)["new"] == give(studio, 7, 1, "Bo")["new"] == 1
        assert give(studio, 7, 1, "Bo")["new"] == 0
        assert labels_of(studio) == {**column, 1: 0.5, 7: 0.5}  # the mean of the column and the reviewer
    for stored in (cache, None):  # with the index that was stored, and with one that is built anew
        with served([address], cache=stored) as studio:
            assert labels_of(studio) == {**column, 1: 0.5, 7: 0.5}
            give(studio, 1, 0)
            give(studio, 7, None, "Bo")
            assert labels_of(studio) == column
            give(studio, 1, 1)
            give(studio, 7, 1, "Bo")
    opened = existing_place(address)
    stored_labels = list(opened.labels(opened.runs()[0]))
    opened.close()
    assert Label("q1", "correct", 1.0, "Ada") in stored_labels
    assert len(stored_labels) == 42
    labelled_file = tmp_path / "labelled.jsonl"
    done = CliRunner().invoke(
        app, ["runs", "export", "1", "--store", address, "-o", str(labelled_file), "--label", "correct"]
    )
    assert done.exit_code == 0, done.output
    read = labelled(LoadedRows.of(str(labelled_file)), LabelledColumns(), require_label=True)
    undecided = (1, 7)
    assert {one.sample.id: float(bool(one.good)) for one in read} == {
        f"q{at}": value for at, value in column.items() if at not in undecided
    }


def labels_of(studio: Served) -> dict[int, float]:
    """What is said of each row, as the page of the run shows it."""
    found: Any = studio.get(f"/runs/{run_of(studio)}/rows", params={"limit": 100})["rows"]
    return {int(row["id"][1:]): row["labels"]["correct"] for row in found if "correct" in row["labels"]}
