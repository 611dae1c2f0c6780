"""The example page as a newcomer meets it: one command, a browser, a question."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, expect

from tests.walks.asking import reading

START = Path(__file__).parents[2] / "examples" / "ask-this-page" / "start.py"
PHONE = (390, 800)


@dataclass(frozen=True, slots=True)
class Started:
    """The example, running."""

    address: str
    process: "subprocess.Popen[str]"


@contextmanager
def started(**environment: str) -> Iterator[Started]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("SENSECHECK_")}
    with subprocess.Popen(
        [sys.executable, START, "--no-open"],
        env={**own, "SENSECHECK_CACHE": "off", **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield Started(process.stdout.readline().strip(), process)
        finally:
            process.send_signal(signal.SIGTERM)


@pytest.fixture(scope="module")
def example() -> Iterator[Started]:
    with started() as found:
        yield found


def test_a_passage_answers_and_its_sentence_is_highlighted(browser: Browser, example: Started) -> None:
    with reading(browser, example.address) as reader:
        reader.select("#tower-built")
        reader.ask("How many steps are there?")
        expect(reader.dialog.get_by_text("From the selection")).to_be_visible()
        expect(reader.dialog.locator(".result .answer")).to_contain_text(
            "164 steps lead up to the lantern room"
        )
        assert any("164 steps" in text for text in reader.highlighted())
        reader.page.keyboard.press("Escape")
        expect(reader.dialog).to_be_hidden()
        assert reader.complaints == []


def test_where_it_is_not_said_the_section_that_says_it_is_offered(browser: Browser, example: Started) -> None:
    with reading(browser, example.address) as reader:
        reader.select("#tower-built")
        reader.ask("What does a ticket cost?")
        expect(reader.dialog).to_contain_text("The selected text does not contain the answer.")
        expect(reader.dialog).to_contain_text("The selection does not mention: ticket")
        reader.dialog.get_by_role("button", name="Opening hours and tickets").click()
        expect(reader.dialog.locator(".result .answer")).to_contain_text("A ticket costs 9 euros")
        assert any("9 euros" in text for text in reader.highlighted())
        assert reader.complaints == []


@pytest.mark.parametrize("number", [0, 1])
def test_the_hints_select_what_can_be_asked(browser: Browser, example: Started, number: int) -> None:
    question, answer = (
        ("How many steps are there?", "164 steps"),
        ("When was it made automatic?", "3 October 1988"),
    )[number]
    with reading(browser, example.address, screen=PHONE, scheme="dark") as reader:
        reader.page.get_by_role("button", name="Select it for me").nth(number).click()
        reader.ask(question)
        expect(reader.dialog.locator(".result .answer")).to_contain_text(answer)
        assert reader.complaints == []


def test_the_hints_themselves_are_not_to_be_asked(browser: Browser, example: Started) -> None:
    with reading(browser, example.address) as reader:
        reader.select("#keepers-last")
        expect(reader.page.get_by_role("button", name="Ask about this")).to_be_visible()
        reader.select(".hints p")
        expect(reader.page.get_by_role("button", name="Ask about this")).to_be_hidden()


def test_it_runs_under_a_policy_that_allows_nothing_but_the_service(example: Started) -> None:
    with urlopen(example.address, timeout=30) as reply:
        policy, page = reply.headers["Content-Security-Policy"], reply.read().decode()
    source = re.search(r'src="(http://[^"/]+)/sdk/', page)

    assert source is not None
    assert f"connect-src {source[1]};" in policy
    assert "default-src 'none'" in policy
    assert "require-trusted-types-for 'script'" in policy
    assert "unsafe" not in policy
    assert not re.search(r"\{\{|\sstyle=|\son\w+=", page)


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM])
def test_one_signal_ends_the_page_and_the_service(told: signal.Signals) -> None:
    with started() as found:
        with urlopen(found.address, timeout=30) as reply:
            script = re.search(r'src="(http[^"]+)"', reply.read().decode())
        found.process.send_signal(told)
        assert found.process.wait(timeout=60) == 0
    assert script is not None
    for address in (found.address, script[1]):
        with pytest.raises(URLError, match="refused"):
            urlopen(address, timeout=10)


def test_what_keeps_the_service_from_starting_is_told() -> None:
    with started(SENSECHECK_SERVE_WRITER="nosuch") as found:
        assert found.process.stderr is not None
        said = found.process.stderr.read()
        assert found.process.wait(timeout=60) == 1
    assert found.address == ""
    assert "the service did not start:" in said
    assert "`nosuch` is not a known writer" in said
    assert "Traceback" not in said
