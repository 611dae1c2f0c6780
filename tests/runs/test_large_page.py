"""The page of a large run: figures of all rows, and no more answers than it can hold."""

from pathlib import Path

import numpy as np
import pytest

from sensecheck.core.errors import SpecError
from sensecheck.runs import evaluation_page, large_place
from sensecheck.runs.evaluation_page import write_page
from sensecheck.runs.large_place import LargeRunPlace
from sensecheck.runs.page_selection import wrong_by
from sensecheck.runs.parquet import FinishedRun
from tests.runs.large_runs import COUNT, METRICS, a_run, column, rows
from tests.runs.page_read import blobs

SHOWN = 100


def page_of(run: FinishedRun, path: Path, **options: object) -> int:
    place = LargeRunPlace(run)
    return write_page(place, place.run("latest"), path, **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module", params=["at once", "in parts"])
def page(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    run = a_run(folder / "nightly", rows())
    with pytest.MonkeyPatch.context() as patched:
        if request.param == "in parts":
            patched.setattr(large_place, "CHUNK_ROWS", 64)
            patched.setattr(evaluation_page, "POOL", 150)
        shown = page_of(run, folder / "page.html", by=["topic"], most=SHOWN, metric="semantic_similarity")
    assert shown == SHOWN
    return folder / "page.html"


def test_it_shows_the_worst_what_is_missing_and_a_sample(page: Path) -> None:
    (index,) = blobs(page)["index"]

    assert index["reasons"] == {
        "worst by semantic_similarity": 20,
        "n/a": 10,
        "meaning far above words": 10,
        "words far above meaning": 10,
        "drawn at random": 50,
    }
    assert (index["name"], index["reached"], index["unanswered"]) == ("nightly", COUNT, 12)
    lowest = np.argsort(column(rows(), "semantic_similarity"))[:20]
    assert {f"q{at}" for at in lowest} <= set(index["rows"]["id"])
    assert len(set(index["rows"]["id"])) == SHOWN


def test_a_question_has_the_number_that_it_has_in_the_run(page: Path) -> None:
    (index,) = blobs(page)["index"]
    numbers = [int(one.removeprefix("q")) for one in index["rows"]["id"]]

    assert index["rows"]["position"] == [at // 2 + (COUNT // 2 if at % 2 else 0) for at in numbers]


def test_its_figures_are_of_all_rows(page: Path) -> None:
    (index,) = blobs(page)["index"]
    table = rows()

    assert {one["metric"] for one in index["metrics"]} == {*METRICS, "means", "means_value"}
    for one in index["metrics"]:
        if one["metric"] == "means":
            continue
        held = column(table, one["metric"])
        assert one["n"] == int((~np.isnan(held)).sum())
        assert one["mean"] == pytest.approx(np.nanmean(held), abs=1e-5)
        assert sum(one["counts"]) == one["n"]
    (topic,) = index["slices"]
    assert [(one["value"], one["questions"]) for one in topic["values"]] == [("even", 396), ("odd", 198)]
    assert topic["others"] == 0


def test_answers_that_are_not_shown_are_counted_where_they_lie(page: Path) -> None:
    (index,) = blobs(page)["index"]
    table = rows()
    shown = {int(name[1:]) for name in index["rows"]["id"]}
    hidden = np.array([at not in shown for at in range(COUNT)])

    assert sum(count for _, _, _, count, _ in index["cells"]) == COUNT - SHOWN
    facts = column(table, "fact_agreement")[hidden]
    nothing = np.full(len(facts), np.nan)
    wrong = wrong_by(nothing, nothing, facts)
    for said in (0, 1):
        assert sum(cell[3] for cell in index["cells"] if cell[4] == said) == int((wrong == said).sum())
    across = np.floor(column(table, "semantic_similarity")[hidden] * 100 + 1e-9)
    some = {int(cell[0]) for cell in index["cells"]}
    assert some == {-1 if np.isnan(one) else int(one) for one in across}


def test_its_texts_are_those_of_the_rows(page: Path) -> None:
    (index,) = blobs(page)["index"]
    pairs = [pair for pack in blobs(page)["pairs"] for pair in pack]

    assert len(pairs) == SHOWN
    for name, pair in zip(index["rows"]["id"], pairs, strict=True):
        assert pair["question"] == f"What is {name[1:]}?"
        assert (pair["answer"] is None) == (int(name[1:]) % 50 == 7)


def test_a_run_that_carries_no_texts_has_a_page_of_numbers(tmp_path: Path) -> None:
    run = a_run(tmp_path / "bare", rows(40), carried=())
    assert page_of(run, tmp_path / "page.html") == 40
    (index,) = blobs(tmp_path / "page.html")["index"]

    assert index["reasons"] == {}
    assert index["rows"]["id"][0] == "1:0"
    assert len({*index["rows"]["id"]}) == 40


def test_the_same_run_gives_the_same_page(tmp_path: Path) -> None:
    run = a_run(tmp_path / "nightly", rows())
    for name in ("one", "other"):
        page_of(run, tmp_path / f"{name}.html", by=["topic"], most=SHOWN)

    assert (tmp_path / "one.html").read_bytes() == (tmp_path / "other.html").read_bytes()


def test_a_metric_that_the_run_has_not_is_refused(tmp_path: Path) -> None:
    run = a_run(tmp_path / "one", rows(40))
    with pytest.raises(SpecError, match="`bleu` is not a known metric"):
        page_of(run, tmp_path / "page.html", metric="bleu")
