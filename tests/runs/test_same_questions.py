"""The same questions, evaluated into every place, come to the same: summaries, comparisons, pages, exports.

They are 300 of EVOUNA where public data is at hand, and a small set of the same form otherwise.
"""

import gzip
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sensecheck.config import Settings
from sensecheck.core.run import Run
from sensecheck.datasets.columns import Columns
from sensecheck.evaluation.request import EvaluationRequest
from sensecheck.evaluation.run import run_evaluation
from sensecheck.runs.comparison import compare
from sensecheck.runs.comparison_text import comparison_html, comparison_markdown
from sensecheck.runs.evaluation_page import write_page
from sensecheck.runs.export import write_rows
from sensecheck.runs.find import find_run
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import Label
from sensecheck.runs.rows import READING, AnswerRows, copy_run, reading_rows
from sensecheck.runs.run_list import listed_runs
from sensecheck.runs.summary import summary_of
from tests.ready_tables import make_tables
from tests.runs.page_read import blobs

KINDS = ("sqlite", "folder", "parquet")
COUNT = 300
SYSTEMS = ("fid", "gpt35")
METRICS = ("bleu", "rouge_l", "squad_token_f1", "lexical_aggregate", "fact_agreement", "semantic_similarity")
SETTINGS = Settings(encoder="hashing", cache="off")
pytestmark = pytest.mark.slow


def pairs() -> list[dict[str, Any]]:
    """Questions with their reference, and an answer of each system with what people said of it."""
    data = os.environ.get("SENSECHECK_DATA", "")
    public = Path(data) / "evouna" / "NQ.jsonl.gz"
    if data and public.is_file():
        lines = gzip.decompress(public.read_bytes()).decode().splitlines()
    else:
        lines = (Path(__file__).parent / "files/same_questions.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def files(folder: Path) -> list[Path]:
    """A file of the same questions for each system."""
    by_system: dict[str, dict[str, dict[str, Any]]] = {name: {} for name in SYSTEMS}
    for row in pairs():
        if row["system"] in by_system:
            by_system[row["system"]].setdefault(row["q"], row)
    first, second = by_system.values()
    shared = [question for question in first if question in second][:COUNT]
    written = []
    for name, rows in by_system.items():
        path = folder / f"{name}.jsonl"
        each = (
            {
                "id": f"q{at}",
                "question": question,
                "expected": rows[question]["gold"],
                "answer": rows[question]["answer"],
                "correct": int(rows[question]["label"]) if rows[question]["answer"] is not None else None,
                "length": "long" if len(question) > 45 else "short",
            }
            for at, question in enumerate(shared)
        )
        path.write_text("".join(f"{json.dumps(row)}\n" for row in each), "utf-8")
        written.append(path)
    return written


@dataclass(frozen=True)
class StoredPair:
    """A place with the runs of both systems."""

    place: RunPlace
    before: Run
    after: Run


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, StoredPair]]:
    folder = tmp_path_factory.mktemp("same")
    make_tables(f"sqlite:///{folder / 'evals.sqlite3'}")
    given, found = files(folder), {}
    for kind in KINDS:
        address = str(folder / "evals.sqlite3") if kind == "sqlite" else f"{kind}:{folder / kind}"
        for path in given:
            request = EvaluationRequest(
                questions=path,
                columns=Columns(slices=("length",), labels=("correct",)),
                metrics=METRICS,
                store=address,
                project="evouna",
                settings=SETTINGS,
            )
            assert run_evaluation(request).run.set.size >= 60
        place, after = find_run("latest", address)
        before = place.run("previous")
        place.label(after, [Label("q1", "correct", 0.0, "ann"), Label("q1", "correct", 1.0, "bo")])
        found[kind] = StoredPair(place, before, after)
    yield found
    for one in found.values():
        one.place.close()


def steady(data: Any, *runs: Run) -> str:
    """As JSON, without the ids and moments that differ between two runs of the same."""
    text = json.dumps(data, sort_keys=True)
    for run in runs:
        moments = (run.started_at.isoformat(timespec=by) for by in ("seconds", "minutes"))
        for own in (run.id, *moments):
            text = text.replace(own, "")
    return text


def same(stored: dict[str, StoredPair], read: Any) -> str:
    """What is read in each place, which must be the same in all."""
    found = {kind: steady(read(one), one.before, one.after) for kind, one in stored.items()}
    for kind in KINDS[1:]:
        assert found[kind] == found[KINDS[0]], kind
    return found[KINDS[0]]


def test_summaries_are_the_same(stored: dict[str, StoredPair]) -> None:
    told = json.loads(same(stored, lambda one: summary_of(one.place, one.after, by="length").to_data()))

    assert {one["metric"] for one in told["metrics"]} == set(METRICS)
    assert {one["value"] for one in told["slices"]} <= {"short", "long"}
    assert told["labels"]["correct"] > 0
    assert same(stored, lambda one: dict(one.place.means(one.before)))


def test_lists_are_the_same(stored: dict[str, StoredPair]) -> None:
    def listed(one: StoredPair) -> Any:
        found = [each.to_data() for each in listed_runs(one.place)]
        return [{name: each[name] for name in each if name != "place"} for each in found]

    assert len(json.loads(same(stored, listed))) == 2


def test_comparisons_are_the_same(stored: dict[str, StoredPair]) -> None:
    def compared(one: StoredPair) -> Any:
        found = compare((one.place, one.before), (one.place, one.after))
        return [found.to_data(), comparison_markdown(found), comparison_html(found)]

    told, *_ = json.loads(same(stored, compared))
    assert [one["metric"] for one in told["labels"]] == ["correct"]
    assert told["n"] == told["after"]["size"]


def test_pages_are_the_same(stored: dict[str, StoredPair], tmp_path: Path) -> None:
    def page(one: StoredPair) -> Any:
        write_page(one.place, one.after, tmp_path / "page.html", most=50)
        return blobs(tmp_path / "page.html")

    assert json.loads(same(stored, page))["index"][0]["reasons"]["drawn at random"] > 0


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_exports_are_the_same(stored: dict[str, StoredPair], tmp_path: Path, ending: str) -> None:
    def exported(one: StoredPair) -> Any:
        rows = AnswerRows.of(one.place, one.after)
        write_rows(tmp_path / f"rows.{ending}", rows.columns, rows.rows())
        write_rows(tmp_path / f"scores.{ending}", READING, reading_rows(one.place, one.after))
        return [(tmp_path / f"{name}.{ending}").read_text("utf-8") for name in ("rows", "scores")]

    rows, scores = json.loads(same(stored, exported))
    assert scores.count("\n") > rows.count("\n") >= 60


def test_labels_of_every_rater_survive_the_way_through_all_places(stored: dict[str, StoredPair]) -> None:
    wanted = same(stored, lambda one: [repr(each) for each in one.place.labels(one.after)])
    assert "'bo'" in wanted
    run, place = stored[KINDS[0]].after, stored[KINDS[0]].place
    for kind in (*KINDS[1:], KINDS[0]):
        to = stored[kind].place
        run, place = copy_run(place, run, to, project="copies"), to

        assert json.dumps([repr(each) for each in place.labels(run)]) == wanted, kind
