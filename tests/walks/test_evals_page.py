"""The page of a kept run, looked through in a real browser, and written by the command line."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.measures.metrics import ALL
from sensecheck.runs.agreement import agreement
from sensecheck.runs.comparison import compare
from sensecheck.runs.evaluation_page import Besides, write_page
from sensecheck.runs.trend import trend
from tests.runs.stored_page import FIVE, HOSTILE, a_store, keep, read
from tests.walks.browsing import opened
from tests.walks.cli import typed

AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"
MOTIONS: tuple[Literal["reduce", "no-preference"], ...] = ("reduce", "no-preference")
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
WORSE = tuple(
    (pair, replace(told, readings=read(0.3, 0.1, 1.0)) if told.answer else told) for pair, told in FIVE
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Five answers of each kind, with all that can stand beside them."""
    folder = tmp_path_factory.mktemp("evals")
    with a_store(folder) as store:
        before, run = keep(store, WORSE, name="before"), keep(store)
        tables = [store.table(before), store.table(run)]
        besides = Besides(
            compare((store, before), (store, run)).to_data(),
            [point.to_data() for point in trend(tables)],
            [row.to_data() for row in agreement(tables[1], "correct")],
        )
        write_page(store, run, folder / "page.html", besides=besides)
    return folder / "page.html"


def listed(page: Page) -> Locator:
    """The answers that are listed beside the picture."""
    return page.get_by_role("listbox", name="Answers").get_by_role("option")


def test_it_opens_without_a_complaint_and_tells_which_run(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        expect(seen.page.get_by_role("heading", level=1)).to_have_text("Run 2: nightly")
        expect(seen.page.get_by_role("status")).to_have_text("5 listed")
        links = seen.page.get_by_role("navigation", name="Sections").get_by_role("link")
        expect(links).to_have_text(["Answers", "Comparison", "Trend", "Human labels", "Slices", "Metrics"])
        assert seen.complaints == []


def test_a_press_on_a_mark_shows_its_pair_with_what_differs(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        picture = seen.page.get_by_role("img", name=re.compile("semantic_similarity against"))
        box = picture.locator(".dots-changed").bounding_box()
        assert box is not None
        seen.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        pair = seen.page.get_by_role("article", name="When does it close?")
        expect(pair).to_contain_text("copied with a changed fact")
        expect(pair.get_by_role("region", name="Answer").locator("mark.tone-wrong")).to_have_text("19:00")
        expect(pair.get_by_role("region", name="Expected").locator("mark.tone-wrong")).to_have_text("18:00")
        expect(pair.get_by_role("list", name="Facts that differ").get_by_role("listitem")).to_have_count(1)
        expect(seen.page.locator('[aria-selected="true"]')).to_contain_text("When does it close?")
        expect(seen.page.locator(".ring.chosen")).to_have_count(1)


def test_it_can_be_gone_through_by_keys_alone(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        keys, open_ = seen.page.keyboard, seen.page.locator('[aria-selected="true"]')
        keys.press("j")
        expect(open_).to_have_attribute("aria-posinset", "1")
        keys.press("ArrowDown")
        expect(open_).to_have_attribute("aria-posinset", "2")
        keys.press("k")
        expect(open_).to_have_attribute("aria-posinset", "1")
        keys.press("Enter")
        expect(seen.page.locator("#pair-title")).to_be_focused()
        keys.press("Escape")
        expect(open_).to_have_count(0)
        keys.press("/")
        expect(seen.page.get_by_role("searchbox")).to_be_focused()


def test_fields_slices_and_words_narrow_picture_and_list(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        status = seen.page.get_by_role("status")
        seen.page.get_by_role("button", name="1 paraphrase").click()
        expect(status).to_have_text("1 of 5 listed")
        expect(seen.page.locator(".all-dots path")).to_have_count(1)
        seen.page.get_by_role("button", name="Clear filters").click()
        seen.page.get_by_role("combobox", name="topic").select_option("dates")
        expect(status).to_have_text("2 of 5 listed")
        seen.page.get_by_role("button", name=re.compile("a fact differs")).click()
        expect(status).to_have_text("1 of 5 listed")
        seen.page.get_by_role("button", name="Clear filters").click()
        seen.page.get_by_role("searchbox").fill("nobody PAY")
        expect(status).to_have_text("1 of 5 listed")


def test_lines_can_be_moved_and_axes_chosen(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        seen.page.get_by_role("slider", name="x-axis: high from").fill("0.9")
        expect(seen.page.get_by_role("button", name="0 paraphrase")).to_be_visible()
        expect(seen.page.get_by_role("button", name="2 both bad")).to_be_visible()
        seen.page.get_by_role("combobox", name="y-axis").select_option("fact_agreement")
        expect(seen.page.get_by_role("img", name=re.compile("against fact_agreement"))).to_be_visible()
        expect(seen.page.get_by_text("the cutoffs are uncalibrated and can be moved")).to_be_visible()


def test_what_nobody_answered_is_n_a_everywhere(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        seen.page.get_by_role("button", name="1 n/a").click()
        option = listed(seen.page)
        expect(option).to_contain_text("n/a")
        option.click()
        pair = seen.page.get_by_role("article", name="Who built it?")
        expect(pair).to_contain_text("No answer: the endpoint did not answer")
        expect(pair.locator("dd b")).to_have_text(["n/a"] * 4)
        expect(seen.page.get_by_role("region", name="All metrics", exact=True)).to_contain_text(
            "no answer: 1"
        )


def test_a_run_with_gaps_shows_each_question_with_its_own_answer(browser: Browser, tmp_path: Path) -> None:
    with a_store(tmp_path) as store:
        asked = store.keep_set("bridge", [Item(f"question {at}", "e", id=f"q{at}") for at in range(5)])
        test = store.test("bridge", "visitors", embedding={}, generation={})
        run = store.begin(test, asked, encoder="", conditions={})
        placed = list(store.questions(asked))
        told = [(placed[at], ScoredAnswer(f"answer {at}", read(0.5, 0.5), passages=())) for at in (1, 4)]
        store.writer(run).add(told)
        write_page(store, store.run("latest"), tmp_path / "page.html")
    with opened(browser, tmp_path / "page.html") as seen:
        expect(seen.page.locator("header.head")).to_contain_text("2 of 5 questions so far, 3 not processed")
        listed(seen.page).filter(has_text="question 4").click()
        pair = seen.page.get_by_role("article", name="question 4")
        expect(pair.get_by_role("region", name="Answer")).to_contain_text("answer 4")
        expect(pair).to_contain_text("The prompt contained no passages.")


def test_whatever_was_said_is_shown_as_text(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        seen.page.get_by_role("searchbox").fill("onerror=alert")
        listed(seen.page).click()
        pair = seen.page.locator("article.pair")
        expect(pair.get_by_role("region", name="Answer")).to_contain_text(f"answer {HOSTILE}")
        pair.locator("summary").click()
        expect(pair.locator("li.text")).to_have_text(HOSTILE)
        assert seen.page.locator("img").count() == 0
        assert seen.complaints == []


def test_a_question_that_moved_leads_to_its_pair(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        moved = seen.page.locator("#comparison .largest-changes")
        expect(moved).to_contain_text("0.300 → 1.000")
        moved.get_by_role("button", name="When did it open?").click()
        expect(seen.page.get_by_role("article", name="When did it open?")).to_be_visible()
        expect(seen.page.locator("#comparison .lead")).to_have_text("No significant change.")


IN_SIGHT = """() => {
  const { top, height } = document.querySelector('article.pair').getBoundingClientRect()
  return top >= 0 && top + Math.min(height, 0.6 * innerHeight) <= innerHeight + 1
}"""


def test_a_pair_that_is_opened_comes_into_sight(browser: Browser, page: Path) -> None:
    for motion in MOTIONS:
        with opened(browser, page, width=1280) as seen:
            seen.page.set_viewport_size({"width": 1280, "height": 1000})
            seen.page.emulate_media(reduced_motion=motion)
            seen.page.keyboard.press("j")
            seen.page.locator("article.pair dl").wait_for()
            seen.page.wait_for_function(IN_SIGHT)
            seen.page.evaluate("scrollTo(0, 0)")
            listed(seen.page).nth(2).click()
            seen.page.wait_for_function(IN_SIGHT)


def test_the_names_of_the_fields_are_there_on_a_telephone_and_on_no_mark(
    browser: Browser, page: Path
) -> None:
    with opened(browser, page, width=400) as seen:
        names = seen.page.locator(".quadrant-names text")
        expect(names).to_have_text(
            ["same words,other meaning", "both", "other words,other meaning", "meaning only"]
        )
        fields = [one.bounding_box() for one in seen.page.locator(".plot-background .quadrant").all()]
        top = min(one["y"] for one in fields if one)
        bottom = max(one["y"] + one["height"] for one in fields if one)
        for name in names.all():
            box = name.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] < top or box["y"] > bottom
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= 400


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
def test_nobody_is_kept_out(browser: Browser, page: Path) -> None:
    with opened(browser, page, unguarded=True) as seen:
        seen.page.keyboard.press("j")
        seen.page.locator("article.pair dl").wait_for()
        seen.page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true })")
        seen.page.add_script_tag(path=AXE)
        for scheme in SCHEMES:
            seen.page.emulate_media(color_scheme=scheme)
            found = seen.page.evaluate("axe.run().then(({ violations }) => violations)")

            assert [(one["id"], one["nodes"][0]["html"], one["help"]) for one in found] == []


def test_dark_is_dark(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        colours = []
        for scheme in SCHEMES:
            seen.page.emulate_media(color_scheme=scheme)
            colours.append(seen.page.evaluate("getComputedStyle(document.body).backgroundColor"))

        assert colours == ["rgb(245, 247, 249)", "rgb(11, 15, 20)"]


def test_a_telephone_shows_all_of_it_without_scrolling_sideways(browser: Browser, page: Path) -> None:
    with opened(browser, page, width=400) as seen:
        listed(seen.page).nth(1).click()
        expect(seen.page.locator("#pair-title")).to_be_in_viewport()
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 400


def test_paper_gets_figures_and_no_controls(browser: Browser, page: Path) -> None:
    with opened(browser, page) as seen:
        seen.page.emulate_media(media="print")
        expect(seen.page.get_by_role("searchbox")).to_be_hidden()
        expect(seen.page.locator(".listing")).to_be_hidden()
        expect(seen.page.get_by_role("region", name="All metrics", exact=True)).to_be_visible()


def test_no_table_is_cut_off_on_paper(browser: Browser, tmp_path: Path) -> None:
    names = [name for name in ALL if name != "semantic_similarity"]
    rows = [
        (
            Item(f"question {at}", "e", slices={"topic": f"topic {at % 3}"}, id=f"q{at}"),
            ScoredAnswer("a", (*read(0.5, 0.5)[:1], *(MetricScore(name, 0.5 + at / 100) for name in names))),
        )
        for at in range(30)
    ]
    with a_store(tmp_path) as store:
        before, run = keep(store, rows, name="before"), keep(store, rows)
        besides = Besides(compare((store, before), (store, run)).to_data())
        write_page(store, run, tmp_path / "page.html", besides=besides)
    with opened(browser, tmp_path / "page.html", width=718) as seen:
        seen.page.emulate_media(media="print")
        wide = "[...document.querySelectorAll('table')].map(one => one.getBoundingClientRect().right)"
        rights = seen.page.evaluate(wide)
        assert len(rights) >= 6
        assert max(rights) <= 718


def test_of_many_answers_it_says_how_many_are_shown_and_counts_them_all(
    browser: Browser, tmp_path: Path
) -> None:
    rows = [
        (Item(f"question {at}", "e", id=f"q{at}"), ScoredAnswer("a", read((at % 97) / 97, (at % 89) / 89)))
        for at in range(6000)
    ]
    with a_store(tmp_path) as store:
        write_page(store, keep(store, rows), tmp_path / "page.html")
    with opened(browser, tmp_path / "page.html") as seen:
        expect(seen.page.locator("#pairs")).to_contain_text("5,000 of 6,000 shown")
        expect(seen.page.get_by_role("status")).to_have_text("5,000 listed")
        assert seen.page.evaluate("performance.now()") < 5000
        counts = seen.page.get_by_role("group", name="Filter by kind").locator("b").all_inner_texts()
        assert sum(int(count.replace(",", "")) for count in counts) == 6000


def kept_at(folder: Path) -> str:
    with a_store(folder) as store:
        keep(store, WORSE, name="before")
        keep(store)
    return f"sqlite:///{folder / 'evals.sqlite3'}"


def test_the_command_line_writes_the_page(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    asked = ("report", "--against", "previous", "--trend", "-o", str(page), "--json")
    found = typed("history", *asked, "--store", kept_at(tmp_path))

    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout) == {"run": 2, "written": str(page), "shown": 5, "rows": 5}
    assert page.read_text("utf-8").startswith("<!doctype html>")


def test_what_the_command_line_cannot_do_it_says(tmp_path: Path) -> None:
    store = kept_at(tmp_path)
    wrong = {
        "`--against` names the run 2 itself": ("report", "--against", "2"),
        "must have a name that ends in `.html`": ("report", "-o", "report.pdf"),
    }

    for said, arguments in wrong.items():
        found = typed("history", *arguments, "--store", store)
        assert said in found.stderr
        assert found.exit_code == 2
