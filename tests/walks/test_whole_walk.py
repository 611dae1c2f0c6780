"""The one walk: install, calibrate, test, guard, serve, ask, review, label, a new card, evaluate, report."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.walks.whole import RESULTS, walk


@pytest.mark.timeout(600)
def test_from_an_empty_environment_to_a_report_as_the_docs_show_it(browser: Browser, tmp_path: Path) -> None:
    done = walk(tmp_path, browser)
    shown = json.loads(RESULTS.read_text("utf-8"))["steps"]

    assert [(step["title"], [one["typed"] for one in step["shown"]]) for step in shown] == [
        (step.title, [one.typed for one in step.shown]) for step in done.steps
    ], "the docs show another walk; record it again: just walk"
