"""The page Week in a real browser: its figures, its states, its print, and the file that is shared."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Page, expect

from sensecheck.store.columns import now
from sensecheck.store.service.store import ServiceStore
from tests.ready_tables import make_tables
from tests.server.running import Wanted, bearer, new_key, service
from tests.server.weeks import keep_weeks
from tests.walks.browsing import opened
from tests.walks.test_studio_in_browser import AXE

pytestmark = [pytest.mark.browser, pytest.mark.walk]
HOSTILE = "<img src=x onerror=alert(1)> ‮ evil"


class ServedWeek:
    """A service with two weeks of messages, and a project that has none."""

    def __init__(self, url: str, key: str, empty: str) -> None:
        self.url, self.key, self.empty = url, key, empty

    def data(self, **params: str) -> dict[str, Any]:
        """What the page is sent."""
        found: dict[str, Any] = httpx.get(
            f"{self.url}/studio/api/week", headers=bearer(self.key), params=params
        ).json()
        return found


@pytest.fixture(scope="module")
def served_week(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedWeek]:
    """The service; the name of its project is no friendly one."""
    folder = tmp_path_factory.mktemp("week")
    make_tables(f"sqlite:///{folder / 'service.sqlite3'}")
    store = ServiceStore.open(str(folder / "service.sqlite3"))
    looks = frozenset(("stats",))
    key, whole = new_key(store, "secret", HOSTILE, scopes=looks)
    empty = new_key(store, "secret", "new", scopes=looks)[1]
    keep_weeks(store, key.project)
    store.close()
    wanted = Wanted(str(folder / "service.sqlite3"), folder / "spool.sqlite3")
    with service(replace(wanted, local=False)) as url:
        yield ServedWeek(url, whole, empty)


@contextmanager
def signed_in(
    browser: Browser, served: ServedWeek, key: str, *, path: str = "/studio/week", **options: Any
) -> Iterator[tuple[Page, list[str]]]:
    """A page of which the key was typed in, and all that it complained about since."""
    size: Any = {"width": options.pop("width", 1280), "height": 900}
    context = browser.new_context(viewport=size, reduced_motion="reduce", **options)
    page, complaints = context.new_page(), list[str]()
    page.set_default_timeout(20_000)
    page.goto(served.url + path)
    page.get_by_label("Secret key").fill(key)
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.get_by_role("button", name="Sign in").click()
    page.locator(".topbar-pages").wait_for()
    yield page, complaints
    context.close()


def percent(share: float) -> str:
    """As the page writes it: a share that is not 0 is not shown as 0."""
    shown = next(text for places in (1, 2, 4) if float(text := f"{100 * share:.{places}f}") > 0)
    return shown.rstrip("0").rstrip(".") + "%"


def test_figures_are_shown_with_their_intervals_and_changes(
    browser: Browser, served_week: ServedWeek
) -> None:
    figures = {one["name"]: one for one in served_week.data()["figures"]}
    with signed_in(browser, served_week, served_week.key) as (page, complaints):
        for name in ("success", "false_negatives", "false_positives", "abstentions"):
            tile, figure = page.locator(f"[data-figure={name}]"), figures[name]
            low, high = map(percent, figure["interval"])
            expect(tile.locator(".week-value > b")).to_have_text(percent(figure["value"]))
            expect(tile).to_contain_text(f"95% interval {low} to {high}, {figure['n']:,}")
            expect(tile).to_contain_text(f"since the week before ({percent(figure['before']['value'])})")
        expect(page.locator("[data-figure=success] .week-change")).to_contain_text("better")
        expect(page.get_by_role("row", name="policy support@2 new")).to_be_visible()
        expect(page.get_by_role("row", name="reader reader-2 new")).to_be_visible()
        expect(page.get_by_text("cutoff 0.61 → 0.643")).to_be_visible()
        expect(page.locator(".week-charts svg")).to_have_count(3)
        assert page.locator("img").count() == 0
        assert complaints == []


def test_earlier_weeks_are_in_the_address(browser: Browser, served_week: ServedWeek) -> None:
    until = (now().date() - timedelta(days=7)).isoformat()
    before = served_week.data(until=until)["figures"][0]["value"]
    with signed_in(browser, served_week, served_week.key, path="/studio") as (page, complaints):
        page.get_by_role("link", name="Week").click()
        expect(page.get_by_role("heading", level=1)).to_have_text("Week")
        expect(page.get_by_role("button", name="Later")).to_be_disabled()
        page.get_by_role("button", name="Earlier").click()
        expect(page.locator("[data-figure=success] .week-value > b")).to_have_text(percent(before))
        assert page.url.endswith(f"/studio/week?until={until}")
        expect(page.locator("[data-figure=success]")).to_contain_text("Not known in the week before")
        page.get_by_role("button", name="Later").click()
        expect(page.get_by_role("button", name="Later")).to_be_disabled()
        assert page.url.endswith("/studio/week")
        assert complaints == []


def test_empty_loading_and_failed_weeks_say_so(browser: Browser, served_week: ServedWeek) -> None:
    with signed_in(browser, served_week, served_week.empty) as (page, complaints):
        expect(page.get_by_role("heading", name="No messages in these two weeks")).to_be_visible()
        assert complaints == []
        page.goto(f"{served_week.url}/studio/week?until=2999-01-01")
        expect(page.get_by_role("alert")).to_contain_text("`until` must be a day from")
        page.route("**/api/week", lambda _: None)  # never answered
        page.goto(f"{served_week.url}/studio/week")
        expect(page.get_by_role("status")).to_contain_text("Loading the week")
        page.unroute("**/api/week")
        page.route("**/api/week", lambda route: route.abort())
        page.goto(f"{served_week.url}/studio/week")
        expect(page.get_by_role("alert")).to_contain_text("The server does not answer")
        page.unroute("**/api/week")
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("heading", name="No messages in these two weeks")).to_be_visible()


def test_the_exported_file_shows_the_same_without_the_service(
    browser: Browser, served_week: ServedWeek, tmp_path: Path
) -> None:
    with signed_in(browser, served_week, served_week.key) as (page, _):
        tiles = page.locator(".week-tiles")
        shown = tiles.inner_text()
        with page.expect_download() as download:
            page.get_by_role("link", name="Export").click()
        file = tmp_path / "week.html"
        download.value.save_as(file)
        assert download.value.suggested_filename == f"week-until-{now().date()}.html"
    with opened(browser, file) as seen:
        assert seen.page.locator(".week-tiles").inner_text() == shown
        expect(seen.page.locator(".week-charts svg")).to_have_count(3)
        expect(seen.page.locator(".eyebrow")).to_contain_text("onerror=alert(1)")
        assert seen.complaints == []


def test_printed_it_is_the_figures_alone(browser: Browser, served_week: ServedWeek) -> None:
    with signed_in(browser, served_week, served_week.key, color_scheme="dark") as (page, _):
        page.locator(".week-charts svg").first.wait_for()
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 690, "height": 1000})  # A4 within its margins
        for gone in (".topbar", ".week-tools"):
            expect(page.locator(gone)).to_be_hidden()
        for there in (".week-tiles", ".in-use", ".week-counts"):
            expect(page.locator(there)).to_be_visible()
        ground = page.locator(".week-tile").first.evaluate("(tile) => getComputedStyle(tile).backgroundColor")
        assert ground == "rgb(255, 255, 255)"
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_it_can_be_read_by_everybody(
    browser: Browser, served_week: ServedWeek, scheme: str, width: int
) -> None:
    options: dict[str, Any] = {"color_scheme": scheme, "bypass_csp": True, "width": width}
    for key, there in ((served_week.key, ".week-charts svg"), (served_week.empty, ".first-steps")):
        with signed_in(browser, served_week, key, **options) as (page, _):
            page.locator(there).first.wait_for()
            page.evaluate(AXE.read_text("utf-8"))
            wrong = page.evaluate("axe.run().then(({ violations }) => violations.map((one) => one.id))")
            assert wrong == []
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
