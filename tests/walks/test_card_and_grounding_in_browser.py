"""The pages of a card and of a grounding, looked at in a real browser."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import pytest
from playwright.sync_api import Browser, expect

from sensecheck.calibration.page import page_of as card_page
from sensecheck.grounding.page import page_of as grounding_page
from sensecheck.sense import Sense
from tests.calibration.fitting import FNR, FPR, card_of, normal_rows
from tests.grounding.found import HOSTILE, MOON, found
from tests.walks.browsing import opened

AXE = Path(__file__).parents[2] / "ui/node_modules/axe-core/axe.min.js"
SCHEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ROWS = [
    replace(row, slices={"model": f"m{i % 3}"}) for i, row in enumerate(normal_rows(1, 200, 200, apart=1.5))
]
CARD = card_of(ROWS, FPR, FNR, encoder="minilm:1", licence="CC BY 4.0", warnings=(HOSTILE,))
ANSWER = "Armstrong walked on the Moon in 1963. Collins stayed in orbit. The text does not say who paid."
Written = Callable[[str], Path]


@pytest.fixture(scope="module")
def written(sense: Sense, tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Pages by name, each in a file."""
    folder = tmp_path_factory.mktemp("pages")
    passage = f"{HOSTILE} {MOON}"
    pages = {
        "card": card_page(CARD),
        "grounding": grounding_page(found(sense, ANSWER, passage, question=HOSTILE), ["moon.txt"]),
    }
    for name, page in pages.items():
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
    return lambda name: folder / f"{name}.html"


def test_a_card_opens_without_a_complaint_and_shows_its_figures(browser: Browser, written: Written) -> None:
    with opened(browser, written("card")) as seen:
        expect(seen.page).to_have_title("words · calibration card")
        expect(seen.page.get_by_role("heading", level=1)).to_have_text("words")
        main = seen.page.get_by_role("main")
        for words in (
            "1.7%",
            "1 of 60 held out; 95% interval 0.04% to 8.9%",
            "promised: at most 5%",
            "0.867",
        ):
            expect(main).to_contain_text(words)
        expect(main).to_contain_text("<img src=x onerror=alert(1)>[bold red]\ufffd[5m\ufffd</style>")
        pictures = main.locator("[role=img].chart")
        expect(pictures).to_have_count(3)
        for number in range(3):
            expect(pictures.nth(number).locator("svg")).to_be_visible()
        expect(pictures.first).to_contain_text("passes from 1.868 →")
        main.get_by_text("Data as a table").first.click()
        expect(main.get_by_role("region", name="Share of each label by score")).to_be_visible()
        assert seen.complaints == []


def test_a_grounding_opens_without_a_complaint_and_links_claims_with_evidence(
    browser: Browser, written: Written
) -> None:
    with opened(browser, written("grounding")) as seen:
        expect(seen.page.get_by_role("heading", level=1)).to_have_text("Partly supported")
        answer = seen.page.get_by_role("region", name="Answer")
        expect(answer.locator(".text mark.tone-wrong")).to_have_text("1963")
        first = seen.page.locator("#e1")
        expect(first).to_contain_text("not supported")
        expect(first.locator("mark.tone-instead")).to_have_text("20 July 1969")
        answer.get_by_role("link").first.hover()
        expect(first).to_have_class("card claim-unsupported highlighted")
        expect(seen.page.locator(".passage mark.highlighted").first).to_be_visible()
        first.get_by_role("link", name="passages[0]").click()
        expect(seen.page.locator(".passage mark:target")).to_have_count(1)
        assert seen.complaints == []


def test_a_grounding_can_be_gone_through_by_keys_alone(browser: Browser, written: Written) -> None:
    with opened(browser, written("grounding")) as seen:
        seen.page.keyboard.press("j")
        seen.page.keyboard.press("j")
        expect(seen.page.locator("#e2")).to_be_focused()
        seen.page.keyboard.press("k")
        expect(seen.page.locator("#e1")).to_be_focused()
        seen.page.keyboard.press("?")
        expect(seen.page.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
        seen.page.keyboard.press("Escape")
        seen.page.keyboard.press("t")
        expect(seen.page.locator("html")).to_have_attribute("data-theme", "light")


@pytest.mark.parametrize("name", ["card", "grounding"])
def test_they_fit_a_telephone_and_paper(browser: Browser, written: Written, name: str) -> None:
    with opened(browser, written(name), width=400) as seen:
        assert seen.page.evaluate("document.documentElement.scrollWidth") == 400
        seen.page.keyboard.press("t")
        seen.page.keyboard.press("t")
        expect(seen.page.locator("html")).to_have_attribute("data-theme", "dark")
        seen.page.emulate_media(media="print")
        assert seen.page.evaluate("getComputedStyle(document.documentElement).colorScheme") == "light"
        expect(seen.page.locator(".head-tools")).to_be_hidden()


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
@pytest.mark.parametrize("name", ["card", "grounding"])
def test_nobody_is_kept_out(browser: Browser, written: Written, name: str) -> None:
    with opened(browser, written(name), unguarded=True) as seen:
        for summary in seen.page.locator("summary").all():
            summary.click()
        seen.page.add_script_tag(path=AXE)
        for scheme in SCHEMES:
            seen.page.emulate_media(color_scheme=scheme)
            found = seen.page.evaluate("axe.run().then(({ violations }) => violations)")

            assert [(one["id"], one["nodes"][0]["html"], one["help"]) for one in found] == []
