"""The page of a run: what it holds, and that it is a text like any other."""

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from sensecheck.checks.combine import AllOf
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import SpecError
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.verdict import Verdict, decide
from sensecheck.runs.battery_page import write_html
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.result import AssertionScore, Result
from tests.runs.page_read import blobs
from tests.runs.page_runs import made_results, made_run, write_run


def page_of(tmp_path: Path, results: Sequence[Result]) -> Path:
    run = write_run(tmp_path / "run.jsonl", results, sources=("one",), tests=len(results))
    write_html(run, tmp_path / "page.html")
    return tmp_path / "page.html"


def detail_of(tmp_path: Path, result: Result) -> Any:
    """What the page tells of a lone test once it is opened."""
    return blobs(page_of(tmp_path, [result]))["details"][0][0]


def answered(answer: str, *evidence: Evidence) -> Result:
    part = Verdict("contains", "pass", "it is there", Reading(1.0, "it is there", evidence))
    whole = Verdict("test", "pass", "all is well", parts=(part,))
    return Result(1, "t1", "a test", {}, "", "", "one", whole, (AssertionScore("contains", 1.0),), answer)


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run.jsonl", 12)
    write_html(run, tmp_path / "a.html")
    write_html(run, tmp_path / "b.html")

    assert (tmp_path / "a.html").read_bytes() == (tmp_path / "b.html").read_bytes()


def test_the_index_tells_what_came_of_every_test(tmp_path: Path) -> None:
    write_html(made_run(tmp_path / "run.jsonl", 12), tmp_path / "page.html")
    (index,) = blobs(tmp_path / "page.html")["index"]

    assert len(index["rows"]["test"]) == sum(index["outcomes"].values()) == 24
    assert index["sources"] == ["small-model", "large-model"]
    assert index["encoders"] == ["minilm:onnx-fp32:9a87554087555c55"]
    assert [line["calibrated"] for line in index["lines"]].count(True) == 1
    assert set(index["measures"]) >= {"means › similarity", "means › fact_agreement", "grounded"}
    assert index["results"] == index["cells"]


def test_repeats_stand_together(tmp_path: Path) -> None:
    write_html(made_run(tmp_path / "run.jsonl", 7, sources=("one",)), tmp_path / "page.html")
    held = blobs(tmp_path / "page.html")

    assert [len(texts["answers"]) for texts in held["texts"][0]] == [1, 1, 1, 1, 1, 1, 3]
    assert held["details"][0][6]["passes"] == 2
    assert held["index"][0]["rows"]["consistency"][6]


def test_details_come_in_packs_that_are_opened_one_at_a_time(tmp_path: Path) -> None:
    long = [replace(answered("x" * 900_000), test=at, key=str(at)) for at in range(1, 6)]
    held = blobs(page_of(tmp_path, long))

    assert held["index"][0]["packs"] == [3, 2]
    assert [len(pack) for pack in held["details"]] == [3, 2]


def test_places_are_counted_as_a_browser_counts(tmp_path: Path) -> None:
    answer = "😀😀 The fee is 30 euros."
    at = answer.index("30")
    found = Evidence("found", Span.of("answer", answer, at, at + 2))
    detail = detail_of(tmp_path, answered(answer, found))
    start, end = detail["runs"][0]["verdict"]["parts"][0]["evidence"][0]["at"]

    assert answer.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le") == "30"


def test_words_that_stand_nowhere_in_the_answer_are_told_without_a_place(tmp_path: Path) -> None:
    strange = Evidence("found", Span("answer", 0, 5, "other"))
    detail = detail_of(tmp_path, answered("text", strange))

    assert detail["runs"][0]["verdict"]["parts"][0]["evidence"] == [{"kind": "found", "said": "other"}]


def test_words_of_the_expected_text_are_placed_in_it_and_those_of_others_are_not(tmp_path: Path) -> None:
    wanted = "😀 It was painted in 1911."
    at = wanted.index("1911")
    found = answered(
        "In 1921.",
        Evidence("number", source=Span.of("expected", wanted, at, at + 4)),
        Evidence("number", source=Span.of("passages[0]", wanted, at, at + 4)),
    )
    detail = detail_of(tmp_path, replace(found, scores=(AssertionScore("equals", 0.0, wanted=wanted),)))
    (run,) = detail["runs"]
    mine, other = (item["source"] for item in run["verdict"]["parts"][0]["evidence"])

    assert run["scores"][0]["wanted"] == wanted
    assert wanted.encode("utf-16-le")[2 * mine["at"][0] : 2 * mine["at"][1]].decode("utf-16-le") == "1911"
    assert "at" not in other


def test_a_place_beyond_an_expected_text_that_was_cut_is_left_out(tmp_path: Path) -> None:
    found = answered("text", Evidence("differs", source=Span("wanted", 3000, 3000, "")))
    detail = detail_of(
        tmp_path, replace(found, scores=(AssertionScore("equals", 0.0, wanted="a long text…"),))
    )

    assert "at" not in detail["runs"][0]["verdict"]["parts"][0]["evidence"][0]["source"]


def test_an_assertion_without_a_text_means_the_variable_expected(tmp_path: Path) -> None:
    found = answered("No.", Evidence("nearest", source=Span.of("expected", "Yes, always.", 0, 3)))
    detail = detail_of(tmp_path, replace(found, vars={"expected": "Yes, always."}))

    assert detail["runs"][0]["verdict"]["parts"][0]["evidence"][0]["source"]["at"] == [0, 3]


def test_what_a_set_of_assertions_wants_is_told_for_each(tmp_path: Path) -> None:
    inner = Verdict("contains", "pass", "it is there")
    whole = Verdict("test", "pass", "", parts=(Verdict("assert-set", "pass", "", parts=(inner,)),))
    scores = (AssertionScore("assert-set", 1.0, within=(AssertionScore("contains", 1.0, wanted="Paris"),)),)
    detail = detail_of(tmp_path, replace(answered("Paris"), verdict=whole, scores=scores))

    assert detail["runs"][0]["scores"][0]["within"][0]["wanted"] == "Paris"


def test_the_opposite_of_a_check_is_told_as_such_and_its_reading_counts_as_it_is_wanted(
    tmp_path: Path,
) -> None:
    low = decide("similar", Reading(0.1, "it lies at 0.1"), at_least(0.5), None)
    turned = Verdict("not-similar", "pass", f"similar: {low.because}", parts=(low,))
    whole = Verdict("test", "pass", "all is well", parts=(turned,))
    page = page_of(
        tmp_path, [replace(answered("text"), verdict=whole, scores=(AssertionScore("not-similar", 1.0),))]
    )
    held = blobs(page)
    verdict = held["details"][0][0]["runs"][0]["verdict"]

    assert verdict["parts"][0]["turned"]
    assert "turned" not in verdict
    assert held["index"][0]["rows"]["readings"] == [[[0, 0.1, "pass", 0]]]


def test_a_part_that_failed_and_does_not_count_is_not_taken_for_an_opposite(tmp_path: Path) -> None:
    low = Verdict("similar", "fail", "it lies at 0.1")
    whole = Verdict("test", "pass", "all is well", parts=(low,))
    detail = detail_of(tmp_path, replace(answered("text"), verdict=whole))

    assert "turned" not in detail["runs"][0]["verdict"]


def test_a_test_without_a_description_is_called_by_its_variables_and_told_with_its_place(
    tmp_path: Path,
) -> None:
    nameless = replace(answered("Paris"), description="", vars={"country": "France"}, place="a.yaml:3:5")
    held = blobs(page_of(tmp_path, [nameless]))

    assert held["index"][0]["rows"]["title"] == ["country=France"]
    assert held["details"][0][0]["place"] == "a.yaml:3:5"


def test_the_list_tells_the_reason_without_the_names_that_it_came_through(tmp_path: Path) -> None:
    close = Verdict("similarity", "fail", "the answer lies at 0.2")
    whole = AllOf.of("test", (AllOf.of("means", (close,)),))
    named = replace(answered("text"), verdict=replace(whole, because=f"the score is 0: {whole.because}"))
    (index,) = blobs(page_of(tmp_path, [named]))["index"]

    assert index["rows"]["reason"] == ["the score is 0: the answer lies at 0.2"]


@pytest.mark.parametrize("text", ["</script><script>alert(1)</script>", "<!--", "\u2028", "\ud83d", "\x00"])
def test_whatever_is_said_comes_back_as_it_was(tmp_path: Path, text: str) -> None:
    hostile = replace(answered(text), description=text, vars={text: text}, prompt=text)
    page = page_of(tmp_path, [hostile])
    held = blobs(page)

    assert held["texts"] == [[{"description": text, "prompt": text, "vars": {text: text}, "answers": [text]}]]
    assert "alert(1)" not in page.read_text("utf-8")


def test_a_test_without_an_answer_is_an_error_and_not_a_fail(tmp_path: Path) -> None:
    silent = replace(answered(""), answer=None, scores=(), verdict=Verdict("test", "error", "no answer"))
    held = blobs(page_of(tmp_path, [silent]))

    assert held["index"][0]["outcomes"] == {"pass": 0, "fail": 0, "unsure": 0, "error": 1, "measured": 0}
    assert held["texts"][0][0]["answers"] == [None]


def test_a_run_without_results_is_a_page_too(tmp_path: Path) -> None:
    held = blobs(page_of(tmp_path, []))

    assert held["index"][0]["packs"] == []
    assert held["index"][0]["passRate"] == 0.0


def test_scores_without_verdicts_are_an_error_and_leave_no_page(tmp_path: Path) -> None:
    broken = replace(
        answered("text"), scores=(AssertionScore("contains", 1.0), AssertionScore("similar", 1.0))
    )

    with pytest.raises(SpecError, match="2 scores for 1 verdicts"):
        page_of(tmp_path, [broken])
    assert not (tmp_path / "page.html").exists()


def test_the_page_runs_its_own_script_and_fetches_nothing(tmp_path: Path) -> None:
    text = page_of(tmp_path, list(made_results(1, "one", Random(1)))).read_text("utf-8")
    (script,) = re.findall(r'<script type="module">(.*?)</script>', text, re.DOTALL)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', text)

    assert f"script-src 'sha256-{_digest(script)}'" in policy
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert set(re.findall(r"https?://[\w.]+", text)) <= {"http://www.w3.org"}


def test_a_run_that_was_interrupted_is_not_taken_for_a_whole_one(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run.jsonl", 3, sources=("one",))
    cut = RunFile(run.path, replace(run.header, cells=10))
    write_html(cut, tmp_path / "page.html")
    (index,) = blobs(tmp_path / "page.html")["index"]

    assert (index["results"], index["cells"]) == (3, 10)


def _digest(script: str) -> str:
    return base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
