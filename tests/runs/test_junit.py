"""JUnit XML, as CI servers read it."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from sensecheck.core.reading import Reading
from sensecheck.core.verdict import Verdict
from sensecheck.runs.export import write_report
from sensecheck.runs.jsonl import RunFile
from tests.runs.kept_runs import HOSTILE, kept, no_answer, result

SUITE = {"name", "tests", "failures", "errors", "skipped", "time"}
CASE = {"name", "classname", "time", "file"}


def read(run: RunFile) -> ElementTree.Element:
    path = run.path.with_name("junit.xml")
    write_report(run, path)
    return ElementTree.fromstring(path.read_bytes())


def assert_junit(root: ElementTree.Element) -> None:
    """The rules that the common schemas of JUnit share."""
    assert root.tag == "testsuites"
    for suite in root:
        assert suite.tag == "testsuite"
        assert set(suite.attrib) == SUITE
        cases = suite.findall("testcase")
        assert len(cases) == len(suite) == int(suite.attrib["tests"])
        assert len(suite.findall("testcase/failure")) == int(suite.attrib["failures"])
        assert len(suite.findall("testcase/error")) == int(suite.attrib["errors"])
        assert len({case.attrib["name"] for case in cases}) == len(cases)
        for case in cases:
            assert {"name", "time"} <= set(case.attrib) <= CASE
            assert float(case.attrib["time"]) >= 0
            assert [child.tag for child in case] in (
                ["system-out"],
                ["failure", "system-out"],
                ["error", "system-out"],
                ["error"],
            )
            assert all(
                {"message", "type"} == set(child.attrib) for child in case if child.tag != "system-out"
            )
    for name in ("tests", "failures", "errors"):
        assert int(root.attrib[name]) == sum(int(suite.attrib[name]) for suite in root)


def test_a_suite_a_source_and_a_case_a_test(tmp_path: Path) -> None:
    results = [result(n, source=source) for n in (1, 2) for source in ("one", "two")]
    root = read(kept(tmp_path / "run.jsonl", results))

    assert_junit(root)
    assert [suite.attrib["name"] for suite in root] == ["bot.battery.yaml · one", "bot.battery.yaml · two"]
    assert [case.attrib["name"] for case in root[1]] == ["test 1", "test 2"]
    assert root[0].attrib["time"] == "0.025"


def test_fail_unsure_and_error_are_told_apart(tmp_path: Path) -> None:
    root = read(kept(tmp_path / "run.jsonl", [result(1, "fail"), result(2, "unsure"), no_answer(3)]))

    assert_junit(root)
    assert [failure.attrib["type"] for failure in root.iter("failure")] == ["fail", "unsure"]
    (error,) = root.iter("error")
    assert error.attrib["message"] == "the source did not answer: 503"
    assert "FAIL test: it is a fail" in str(root.findtext("testsuite/testcase/system-out"))


def test_a_search_for_fails_finds_no_assertion_that_passed(tmp_path: Path) -> None:
    contains = Verdict("contains", "fail", "the answer does not contain “As an AI”", Reading(0.0, ""))
    negated = Verdict("not-contains", "pass", f"contains: {contains.because}", parts=(contains,))
    share = Verdict("set", "pass", "1 of 2", Reading(0.5, ""), parts=(Verdict("part", "fail", "no"),))
    whole = Verdict("test", "pass", "all", Reading(1.0, "1"), parts=(negated, share))
    root = read(kept(tmp_path / "run.jsonl", [replace(result(1), verdict=whole)]))
    output = str(root.findtext("testsuite/testcase/system-out"))

    assert "  PASS not-contains: contains: the answer does not contain" in output
    assert "    turned round: contains: the answer does not contain" in output
    assert "FAIL contains" not in output
    assert "FAIL part: no" in output, "only what was turned round has no outcome of its own"


def test_repeats_are_one_case(tmp_path: Path) -> None:
    often: Any = {"runs": 3, "passes": 3}
    repeats = [
        result(1, repeat=1, **often),
        result(1, "fail", repeat=2, **often),
        result(1, repeat=3, **often),
    ]
    root = read(kept(tmp_path / "run.jsonl", repeats))

    assert_junit(root)
    (failure,) = root.iter("failure")
    assert failure.attrib["message"] == "inconsistent 2/3: it is a fail"


def test_tests_of_one_name_stay_apart_and_several_prompts_are_named(tmp_path: Path) -> None:
    results = [
        result(n, description="same", key=f"k{n}", wording=wording) for n in (1, 2) for wording in ("a", "b")
    ]
    root = read(kept(tmp_path / "run.jsonl", results))

    assert_junit(root)
    assert [case.attrib["name"] for case in root[0]] == ["same [a]", "same [b]", "same [a] #2", "same [b] #2"]


def test_half_a_run_is_not_green(tmp_path: Path) -> None:
    root = read(kept(tmp_path / "run.jsonl", [result(1)], cells=2))

    assert_junit(root)
    (error,) = root.iter("error")
    assert error.attrib["message"] == "the run was interrupted: 1 of its 2 results are there"


@pytest.mark.parametrize(
    "text", [HOSTILE, "\x0b\uffff" * 10, "]]>" * 10, "x" * 1_000_000, "é🙂" * 5_000, " "]
)
def test_any_text_is_well_formed(tmp_path: Path, text: str) -> None:
    hostile = result(1, "fail", description=text, answer=text, because=text, source=text, place=f"{text}:1:1")
    run = kept(tmp_path / "run.jsonl", [hostile])
    root = read(run)

    assert_junit(root)
    assert not list(root.iter("script"))
    assert run.path.with_name("junit.xml").stat().st_size < 500_000
