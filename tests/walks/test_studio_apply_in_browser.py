"""A card is applied as a policy, from the page of the service."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, expect

from sensecheck.core.run import Item, MetricScore, ScoredAnswer
from sensecheck.runs.find import open_place
from sensecheck.store.service.store import ServiceStore
from tests.ready_tables import make_tables
from tests.server.running import Wanted, bearer, new_key, service
from tests.walks.test_studio_in_browser import AXE
from tests.walks.test_studio_week_in_browser import ServedWeek, signed_in

pytestmark = [pytest.mark.browser, pytest.mark.walk]
ROWS = 200


@pytest.fixture
def served_run(tmp_path: Path) -> Iterator[ServedWeek]:
    """A service with a labelled run, a key that may change policies, and one that may not."""
    file = tmp_path / "service.sqlite3"
    make_tables(f"sqlite:///{file}")
    place = open_place(str(file))
    test = place.test("ours", "nightly", embedding={}, generation={})
    items = [Item(f"Question {at}?", None, id=f"q{at}") for at in range(ROWS)]
    run = place.begin(test, place.keep_set("ours", items), encoder="e", conditions={})
    values = np.random.default_rng(3).random(ROWS).tolist()
    answers = [
        ScoredAnswer(
            "a",
            (MetricScore("grounded", one, encoder="e", fingerprint="mark"),),
            labels={"correct": float(one > 0.4)},
        )
        for one in values
    ]
    place.writer(run).add(list(zip(place.questions(run.set), answers, strict=True)))
    place.finish(run)
    place.close()
    store = ServiceStore.open(str(file))
    may, may_not = (
        new_key(store, "secret", "ours", scopes=frozenset(scopes))[1]
        for scopes in (("stats", "review", "policies"), ("stats", "review"))
    )
    store.close()
    with service(replace(Wanted(str(file), tmp_path / "spool.sqlite3"), local=False)) as url:
        yield ServedWeek(url, may, may_not)


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed; run: cd ui && npm ci")
def test_a_fitted_card_is_applied(browser: Browser, served_run: ServedWeek) -> None:
    headers = bearer(served_run.key)
    runs = httpx.get(f"{served_run.url}/studio/api/runs", headers=headers).json()["runs"]
    path, options = f"/studio/runs/{runs[0]['id']}/calibrate?fpr=0.2", dict[str, Any](bypass_csp=True)
    for key in (served_run.empty, served_run.key):
        with signed_in(browser, served_run, key, path=path, **options) as (page, complaints):
            page.get_by_label("name of the card").fill("docs-support")
            page.get_by_role("button", name="Fit", exact=True).click()
            page.locator(".fitted").wait_for(timeout=90_000)
            button = page.get_by_role("button", name="Apply as a new policy")
            if key == served_run.empty:
                expect(button).to_have_count(0)
                continue
            button.click()
            expect(page.locator(".fit-actions")).to_contain_text("docs-support@1", timeout=90_000)
            page.evaluate(AXE.read_text("utf-8"))
            wrong = page.evaluate("axe.run().then(({ violations }) => violations.map((one) => one.id))")
            assert (wrong, complaints) == ([], [])
    policy = httpx.get(f"{served_run.url}/v1/policies/docs-support", headers=headers).json()
    assert (policy["mark"], policy["base"]) == ("docs-support@1", "fast")
