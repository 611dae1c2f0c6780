"""One test of a run, as its report shows it in a real browser."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from sensecheck.checks.combine import AllOf, Not
from sensecheck.checks.gate import Gate
from sensecheck.core.cutoff import at_least
from sensecheck.core.reading import Evidence, Span
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.measures.wording.text import Contains
from sensecheck.runs.result import AssertionScore
from tests.walks.browsing import opened
from tests.walks.report_pages import lone, page_of, report_of

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Seven tests, each asked of two sources."""
    return report_of(tmp_path_factory.mktemp("report"), 7)


def test_a_test_shows_its_answer_its_verdicts_and_its_lines(browser: Browser, report: Path) -> None:
    with opened(browser, report, hash_="#test=7.0.0") as seen:
        detail = seen.page.get_by_role("article").first
        expect(detail.get_by_role("group", name="Repeats").get_by_role("button")).to_have_count(3)
        expect(detail.get_by_role("region", name="Answer")).to_contain_text("library card costs 12 euros")
        expect(
            detail.get_by_role("img", name=re.compile(r"^score 0\.\d+, cutoff: at least 0\.6"))
        ).to_be_visible()
        expect(detail).to_contain_text("unsure from 0.5 to 0.7 (uncalibrated)")
        expect(detail).to_contain_text("unsure from 0.299 to 0.5785 (fitted on begin+squad2#")
        expect(detail.get_by_role("region", name="Prompt and variables")).to_contain_text("Be brief.")


def test_what_strangers_say_is_shown_and_never_done(browser: Browser, tmp_path: Path) -> None:
    with opened(browser, page_of(tmp_path, lone(HOSTILE)), hash_="#test=1") as seen:
        answer = seen.page.get_by_role("region", name="Answer")
        expect(answer.locator(".text")).to_have_text(HOSTILE)
        expect(seen.page.get_by_role("heading", level=2)).to_have_text(HOSTILE)
        assert seen.page.locator("main img, .side img").count() == 0
        assert seen.complaints == []


def test_marks_lie_on_the_right_words_whatever_stands_before_them(browser: Browser, tmp_path: Path) -> None:
    answer = "🏳️‍🌈😀 Sure! The fee is 30 euros 𝔘."
    at = answer.index("30 euros")
    wrong = Evidence("number", Span.of("answer", answer, at, at + 8), note="`30 euros` is not there")
    with opened(browser, page_of(tmp_path, lone(answer, wrong)), hash_="#test=1") as seen:
        expect(seen.page.locator(".text mark")).to_have_text("30 euros")
        expect(seen.page.locator(".text").first).to_have_text(answer)


def test_the_expected_answer_stands_beside_the_answer_with_what_differs_marked_in_both(
    browser: Browser, tmp_path: Path
) -> None:
    answer, expected = "Painted 😀 in 1921.", "😀😀 It was painted in 1911."
    mine, theirs = answer.index("1921"), expected.index("1911")
    wrong = Evidence(
        "number",
        Span.of("answer", answer, mine, mine + 4),
        Span.of("expected", expected, theirs, theirs + 4),
    )
    result = replace(
        lone(answer, wrong), scores=(AssertionScore("keeps-facts", 0.0, wanted=expected),), place="a:3:5"
    )
    with opened(browser, page_of(tmp_path, result), hash_="#test=1") as seen:
        expect(seen.page.get_by_role("region", name="Answer").locator("mark")).to_have_text("1921")
        expect(seen.page.get_by_role("region", name="Expected").locator("mark")).to_have_text("1911")
        expect(seen.page.get_by_role("region", name="Assertions")).to_contain_text(f"expected {expected}")
        expect(seen.page.locator(".detail .eyebrow")).to_have_text("Test 1 · one · a:3:5")


def test_a_verdict_whose_opposite_is_wanted_looks_neither_good_nor_bad(
    browser: Browser, tmp_path: Path
) -> None:
    check = Not(Gate(Contains(("London",)), at_least(1.0)), "not-contains")
    whole = AllOf.of("test", (check.decide(Sample("Paris"), Space()),))
    result = replace(
        lone("Paris"), verdict=whole, scores=(AssertionScore("not-contains", 1.0, wanted="London"),)
    )
    with opened(browser, page_of(tmp_path, result), hash_="#test=1") as seen:
        assertions = seen.page.get_by_role("region", name="Assertions")
        expect(assertions.locator(".badge")).to_have_text(["pass"])
        expect(assertions).to_contain_text("not expected London")
        expect(assertions.locator(".parts")).to_contain_text("negated")


def test_the_same_test_by_other_sources_is_one_press_away(browser: Browser, report: Path) -> None:
    with opened(browser, report, hash_="#view=grid&order=file") as seen:
        seen.page.get_by_role("table").get_by_role("cell").first.get_by_role("button").click()
        others = seen.page.get_by_role("region", name="Results from other sources").get_by_role("button")
        expect(others).to_have_count(1)
        expect(others).to_contain_text("large-model")
        expect(others.locator(".other-answer")).not_to_have_text("…")
        others.click()
        expect(seen.page.locator(".detail .eyebrow")).to_contain_text("large-model")
        expect(seen.page.get_by_role("heading", level=2)).to_be_focused()
        expect(others).to_contain_text("small-model")
