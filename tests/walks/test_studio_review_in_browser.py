"""Reviews in a real browser: blind, by keyboard alone, with undo, and readable by everybody."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from sensecheck.runs.find import existing_place
from sensecheck.runs.record import Label
from tests.runs import stores
from tests.studio.served import Served, served
from tests.walks.test_studio_in_browser import AXE, window

pytestmark = [pytest.mark.browser, pytest.mark.walk]
ROWS = 6
HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """An evaluation of six answers."""
    asked = stores.questions(ROWS, q0=HOSTILE)
    readings = {"rouge_l": [at / ROWS for at in range(ROWS)], "good": [float(at > 2) for at in range(ROWS)]}
    stores.kept(tmp_path / "evals.sqlite3", readings, pairs=asked)
    return tmp_path / "evals.sqlite3"


@pytest.fixture
def studio(place: Path) -> Iterator[Served]:
    """A Studio of it."""
    with served([str(place)]) as found:
        yield found


def path_of(studio: Served) -> str:
    return f"/studio/runs/{studio.run_ids()['evaluation 1']}/review"


def stored(place: Path) -> list[tuple[str, str, float, str]]:
    opened = existing_place(str(place))
    found = [(one.question, one.name, one.value, one.rater) for one in opened.labels(opened.run_by_key(1))]
    opened.close()
    return found


def shown(page: Page) -> str:
    """The id of the row that is shown."""
    text = page.locator("#sheet-title").inner_text()
    return f"q{text.removeprefix('What is ').removesuffix('?')}"


def test_a_queue_is_labelled_by_keyboard_alone_and_blind(
    browser: Browser, studio: Served, place: Path
) -> None:
    with window(browser, studio, path=path_of(studio)) as (page, complaints):
        expect(page.get_by_label("your name")).to_be_focused()
        page.keyboard.type("Ada")
        page.keyboard.press("Enter")
        page.locator("#sheet-title").wait_for()
        assert page.locator(".decide-last").inner_text() == "The verdict is shown after you have decided."
        assert "rouge_l" not in page.locator("main").inner_text()
        wanted = []
        for key, name, value in (("c", "correct", 1.0), ("w", "correct", 0.0), ("s", "skipped", 1.0)):
            row = shown(page)
            wanted.append((row, name, value, "Ada"))
            page.keyboard.press(key)
            expect(page.locator("#sheet-title")).not_to_have_text(f"What is {row[1:]}?")
            expect(page.locator(".decide-last")).to_contain_text("The machine: ")
        flagged = shown(page)
        page.keyboard.press("f")
        expect(page.get_by_role("button", name="Flagged f")).to_have_attribute("aria-pressed", "true")
        expect(page.locator(".review-progress")).to_contain_text("random sample 2 (1 skipped)")
        page.keyboard.press("u")  # takes back what was skipped
        expect(page.locator("#sheet-title")).to_have_text(f"What is {wanted[2][0][1:]}?")
        page.keyboard.press("c")
        wanted[2] = (wanted[2][0], "correct", 1.0, "Ada")
        expect(page.locator(".review-progress")).to_contain_text("random sample 3")
        assert sorted(stored(place)) == sorted([*wanted, (flagged, "flag", 1.0, "Ada")])
        for _ in range(ROWS - 3):
            page.locator("#sheet-title").wait_for()
            row = shown(page)
            page.keyboard.press("w")
            expect(page.get_by_text(f"What is {row[1:]}?")).to_have_count(0)
        expect(page.get_by_role("heading", name="Nothing left here")).to_be_visible()
        assert page.locator("img").count() == 0
        assert complaints == []


def test_a_second_reviewer_and_their_disagreements(browser: Browser, studio: Served, place: Path) -> None:
    opened = existing_place(str(place))
    run = opened.run_by_key(1)
    opened.label(run, [Label(f"q{at}", "correct", float(at > 1), "Ada") for at in range(ROWS)])
    opened.close()
    with window(browser, studio, path=path_of(studio)) as (page, complaints):
        page.get_by_label("your name").fill("Bo")
        page.get_by_role("button", name="Start").click()
        page.get_by_role("button", name="Second opinion 6").click()
        for _ in range(ROWS):
            page.locator("#sheet-title").wait_for()
            row = shown(page)
            page.keyboard.press("c")
            expect(page.get_by_text(f"What is {row[1:]}?")).to_have_count(0)
        page.get_by_role("button", name="Agreement", exact=True).click()
        expect(page.locator(".kappas tbody tr")).to_have_count(1)
        expect(page.locator(".kappas tbody")).to_contain_text("66.7%")
        expect(page.locator(".disagreements li")).to_have_count(2)
        page.locator(".disagreements a").first.click()
        page.get_by_role("button", name="Wrong").click()  # Bo changes their mind
        expect(page.get_by_text("Labelled wrong")).to_be_visible()
        page.get_by_role("button", name="Clear").click()
        expect(page.get_by_text("Labelled wrong")).to_have_count(0)
        assert len(stored(place)) == 2 * ROWS - 1
        assert complaints == []


def test_what_cannot_be_stored_comes_back(browser: Browser, studio: Served, place: Path) -> None:
    with window(browser, studio, path=path_of(studio)) as (page, _):
        page.get_by_label("your name").fill("Ada")
        page.keyboard.press("Enter")
        page.locator("#sheet-title").wait_for()
        row = shown(page)
        page.context.set_offline(True)
        page.keyboard.press("c")
        expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
        expect(page.locator("#sheet-title")).to_have_text(f"What is {row[1:]}?")
        assert stored(place) == []


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_can_be_read_by_everybody(browser: Browser, studio: Served, scheme: str, width: int) -> None:
    options: dict[str, Any] = {"color_scheme": scheme, "bypass_csp": True}
    with window(browser, studio, path=path_of(studio), width=width, **options) as (page, _):
        for step, there in (("", ".name-form"), ("Ada", "#sheet-title"), ("agreement", ".agreement .card")):
            if step == "Ada":
                page.get_by_label("your name").fill(step)
                page.keyboard.press("Enter")
                page.locator("#sheet-title").wait_for()
                page.keyboard.press("c")
                page.get_by_role("button", name="Undo").wait_for()
            elif step:
                page.get_by_role("button", name="Agreement", exact=True).click()
            page.locator(there).first.wait_for()
            page.evaluate(AXE.read_text("utf-8"))
            wrong = page.evaluate("axe.run().then(({ violations }) => violations.map((one) => one.id))")
            assert wrong == [], (step, scheme, width)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, step
