"""The one walk, from an empty environment to a report; `python -m tests.walks.whole` records it."""

import json
import os
import re
import shlex
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, Page, expect

from tests.free_port import free_port
from tests.walks.asking import reading
from tests.walks.browsing import chromium
from tests.walks.labelled import lines, rows
from tests.walks.recipes import served

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "benchmarks" / "results" / "walk.json"
PATIENCE = 30_000
"""Milliseconds; other things may keep the machine busy."""
WORD_JOINER = "\u2060"
"""Stands between an answer and the number of its evidence."""
STORE = ("--store", "museum.sqlite3")
BATTERY = """\
tests:
  - description: opening hours
    vars: {question: When do you open?}
    providerOutput: The museum opens its doors at nine.
    assert:
      - {type: means, value: The museum opens at nine.}
  - description: the price of a ticket
    vars:
      question: What does a ticket cost?
      context: A ticket costs 12 euros. Children under six come in free.
    providerOutput: A ticket costs 21 euros.
    assert:
      - {type: grounded}
  - description: helps rather than refuses
    vars: {question: Where can I park?}
    providerOutput: I'm sorry, but I can't help with that.
    assert:
      - {type: not-refusal, threshold: helps}
"""
RETRIEVED = {
    "query": "When does the museum open?",
    "references": [
        "The museum opens at nine.",
        "At nine, the museum opens.",
        "A ticket costs 12 euros.",
        "Bread is baked from flour, water and salt.",
    ],
}
PAGE = """\
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<link rel="icon" href="data:,">
<title>The museum</title>
<script defer src="{service}{script}" integrity="{integrity}" crossorigin="anonymous"
  data-key="{key}"></script>
<main>
<h1>The museum</h1>
<p id="hours">The museum opens at nine. It closes at 17:30 on weekdays, and at 20:00 on Saturdays.</p>
</main>
</html>
"""
FACTS = (
    ("When does the museum open?", "The museum opens at {}.", "It opens at {}.", "nine", "ten"),
    ("What does a ticket cost?", "A ticket costs {} euros.", "The ticket costs {} euros.", "12", "21"),
    (
        "On which day is it closed?",
        "The museum is closed on {}.",
        "It is closed on {}.",
        "Mondays",
        "Sundays",
    ),
    ("How long is the tour?", "The tour takes {} minutes.", "It takes {} minutes.", "90", "30"),
    ("Which floor has the café?", "The café is on floor {}.", "It is on floor {}.", "3", "1"),
    ("When was it founded?", "The museum was founded in {}.", "It was founded in {}.", "1872", "1927"),
    ("How many rooms are there?", "There are {} rooms.", "The museum has {} rooms.", "14", "40"),
    ("When is the last entry?", "The last entry is at {}.", "Last entry is at {}.", "17:00", "18:30"),
    ("How much is a guide book?", "A guide book costs {} euros.", "It costs {} euros.", "8", "18"),
    ("How high is the tower?", "The tower is {} metres high.", "It is {} metres high.", "38", "83"),
    ("When does the museum close?", "The museum closes at {}.", "It closes at {}.", "17:30", "21:00"),
    (
        "Who painted the ceiling?",
        "{} painted the ceiling.",
        "It was painted by {}.",
        "Anna Berg",
        "Paul Stein",
    ),
)
"""A question, the reference and an answer, and what is right and wrong in them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What was typed or done, and what came of it."""

    typed: str
    printed: str
    by_hand: bool = False
    """In a browser or over HTTP, rather than at a prompt."""


@dataclass(frozen=True, slots=True)
class Step:
    """A part of the walk."""

    title: str
    shown: list[Shown] = field(default_factory=list)


@dataclass(slots=True)
class Walk:
    """Somebody in an empty folder, and all that they have done so far."""

    folder: Path
    steps: list[Step] = field(default_factory=list)
    secrets: dict[str, str] = field(default_factory=dict)
    """What no recording shows, by what stands in its place."""

    def begin(self, title: str) -> None:
        self.steps.append(Step(title))

    def did(self, what: str, came: str) -> None:
        """Note what was done in a browser or over HTTP."""
        self.steps[-1].shown.append(Shown(self.clean(what), self.clean(came), by_hand=True))

    def type(self, *command: str, code: int = 0, secret: str = "") -> str:
        """Run a command of the new environment; another exit code than this is an error."""
        done = subprocess.run(
            command, cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=120
        )
        assert done.returncode == code, (
            f"{shlex.join(command)}: {done.returncode}\n{done.stdout}{done.stderr}"
        )
        if secret:
            self.secrets[secret] = done.stdout.strip()
        printed = self.clean(done.stdout)
        self.steps[-1].shown.append(Shown(self.clean(_typed(command)), printed))
        return done.stdout

    @property
    def environment(self) -> dict[str, str]:
        """As on an empty machine: no settings, no source tree, a home of its own."""
        taken = ("SENSECHECK_", "PIP_", "PYTHONPATH", "XDG_", "COLUMNS")
        own = {name: value for name, value in os.environ.items() if not name.startswith(taken)}
        path = f"{self.folder / 'venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        fixed = {"PIP_CONFIG_FILE": os.devnull, "NO_COLOR": "1", "OMP_NUM_THREADS": "1"}
        return {**own, **fixed, "PATH": path, "HOME": str(self.folder)}

    def clean(self, text: str) -> str:
        """Without keys, ports and the folder, which differ from walk to walk."""
        for name, secret in self.secrets.items():
            text = text.replace(secret, name)
        text = text.replace(f"{self.folder}{os.sep}", "")
        return re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text).strip()


def _typed(command: tuple[str, ...]) -> str:
    """As people write it, without the folder of a program."""
    return shlex.join((Path(command[0]).name, *command[1:]))


def walk(folder: Path, browser: Browser) -> Walk:
    """All of it, in this folder; what is not as it should be raises."""
    found = Walk(folder)
    install(found)
    calibrate(found)
    battery(found)
    guard(found)
    evaluate(found)
    key = keys(found)
    with service(found) as (address, script), served(folder / "site", found_port(found)) as site:
        ask(found, browser, address, script, site)
        review(found, address, key)
        label(found, browser, address, key)
    new_card(found)
    evaluate_again(found)
    report(found, browser)
    return found


def install(here: Walk) -> None:
    """The wheel of this tree in a new environment, over the dependencies of the one that runs this."""
    here.begin("Install")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-d", here.folder / "dist", "-t", "wheel"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    venv.create(here.folder / "venv", with_pip=False)
    python = here.folder / "venv" / "bin" / "python"
    (wheel,) = (here.folder / "dist").iterdir()
    own = sysconfig.get_path("purelib", vars={"base": str(here.folder / "venv")})
    install = ("install", "--no-deps", "--no-index", str(wheel))
    printed = here.type(sys.executable, "-m", "pip", "--python", str(python), *install)
    assert f"Successfully installed sensecheck-{version('sensecheck')}" in printed
    Path(own, "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = here.type("python", "-c", "import sensecheck; print(sensecheck.__file__)")
    assert where.startswith(own), where
    here.type("sensecheck", "--version")


def calibrate(here: Walk) -> None:
    here.begin("Calibrate")
    lines(here.folder / "labelled.jsonl", rows(60, 60))
    promise = ("--preset", "not_a_refusal", "--fpr", "0.1")
    printed = here.type("sensecheck", "calibrate", "labelled.jsonl", *promise, "--name", "helps")
    assert "false accepts <= 10% with 95% confidence" in printed


def battery(here: Walk) -> None:
    here.begin("Run a battery")
    (here.folder / "museum.battery.yaml").write_text(BATTERY, "utf-8")
    printed = here.type("sensecheck", "run", "museum.battery.yaml", "-o", "battery.html", code=1)
    assert "3 tests: 1 pass, 2 fail (33.3% passed)" in printed
    assert re.search(r"not-refusal .* \(fitted on labelled\.jsonl#\w+ \(helps\)\)", printed)


def guard(here: Walk) -> None:
    here.begin("Guard what enters a prompt")
    lines(here.folder / "retrieved.jsonl", [RETRIEVED])
    guards = ("--min-similarity", "0.4", "--dedupe", "0.9", "--prompt")
    printed = here.type("sensecheck", "guard", "retrieved.jsonl", *guards)
    assert "At nine, the museum opens." in printed
    assert "ticket" not in printed


def evaluate(here: Walk) -> None:
    here.begin("Evaluate what the assistant answered")
    lines(here.folder / "answers.jsonl", answers())
    metrics = ("--metric", "rouge_l", "--metric", "semantic_similarity", "--metric", "correctness")
    printed = here.type("sensecheck", "eval", "answers.jsonl", "--project", "museum", *metrics, *STORE)
    assert f"{2 * len(FACTS)} questions, {2 * len(FACTS)} answered" in printed


def answers() -> list[dict[str, str]]:
    """Each question answered once right and once wrong."""
    return [
        {
            "id": f"{kind}-{number}",
            "question": question,
            "expected": expected.format(right),
            "answer": answer.format(said),
        }
        for number, (question, expected, answer, right, wrong) in enumerate(FACTS)
        for kind, said in (("right", right), ("wrong", wrong))
    ]


def keys(here: Walk) -> str:
    """A secret key for reviewers, and one for the page."""
    here.begin("Serve")
    create = ("sensecheck", "keys", "create", "--project", "museum", *STORE)
    key = here.type(*create, "--label", "anna", secret="sk_…").strip()
    origin = f"http://127.0.0.1:{free_port()}"
    here.secrets["ORIGIN"] = origin
    here.type(*create, "--publishable", "--origin", origin, "--review", secret="pk_…")
    return key


def found_port(here: Walk) -> int:
    """Where the page is served: the key names it."""
    return int(here.secrets["ORIGIN"].rpartition(":")[2])


@contextmanager
def service(here: Walk) -> Iterator[tuple[str, dict[str, str]]]:
    """Its address, and what its log says of the script for pages."""
    log = here.folder / "service.log"
    with (
        log.open("w") as told,
        subprocess.Popen(
            ["sensecheck", "serve", "--port", "0", *STORE],
            executable=here.folder / "venv" / "bin" / "sensecheck",
            cwd=here.folder,
            env=here.environment,
            stdout=subprocess.PIPE,
            stderr=told,
            text=True,
        ) as process,
    ):
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            assert address, log.read_text()
            typed = _typed(("sensecheck", "serve", "--port", "0", *STORE))
            here.steps[-1].shown.append(Shown(f"{typed} 2>service.log &", here.clean(address)))
            started = [json.loads(line) for line in log.read_text().splitlines()]
            yield address, next(line for line in started if line["event"] == "serving")
        finally:
            process.terminate()
            assert process.wait(timeout=40) == 0


def ask(here: Walk, browser: Browser, address: str, script: dict[str, str], site: str) -> None:
    here.begin("Ask from the browser")
    (here.folder / "site").mkdir(exist_ok=True)
    page = PAGE.format(
        service=address, script=script["script"], integrity=script["integrity"], key=here.secrets["pk_…"]
    )
    (here.folder / "site" / "index.html").write_text(page, "utf-8")
    with reading(browser, site) as reader:
        reader.select("#hours")
        reader.ask("When does the museum close on Saturdays?")
        answer = reader.dialog.locator(".result .answer")
        expect(answer).to_contain_text("20:00 on Saturdays", timeout=PATIENCE)
        assert any("20:00 on Saturdays" in text for text in reader.highlighted())
        here.did(
            "select the paragraph, and ask: When does the museum close on Saturdays?",
            answer.inner_text().partition(WORD_JOINER)[0],
        )
        reader.ask("What does a ticket cost?")
        expect(reader.dialog).to_contain_text(
            "The selected text does not contain the answer.", timeout=PATIENCE
        )
        here.did("ask: What does a ticket cost?", "The selected text does not contain the answer.")
        assert reader.complaints == []


def review(here: Walk, address: str, key: str) -> None:
    """The messages of readers, drawn and labelled by a reviewer."""
    here.begin("Review what readers got")
    queue = _called(address, "/v1/reviews/next", key)["items"]
    given = next(one for one in queue if one["stratum"] == "accepted")
    brief = {name: given[name] for name in ("question", "answer", "stratum", "outcome")}
    here.did("GET /v1/reviews/next", json.dumps(brief, indent=2, ensure_ascii=False))
    body = {"grounded": True, "reviewer": "anna", "drawn": given["drawn"]}
    _called(address, f"/v1/messages/{given['message_id']}/labels", key, body)
    shown = json.dumps(
        {**body, "drawn": "as it was drawn"}
    )  # near a cutoff or at random, which chance decides
    here.did(f"POST /v1/messages/ID/labels {shown}", "204")
    left = _called(address, "/v1/reviews/next", key)["items"]
    assert given["message_id"] not in [one["message_id"] for one in left]


def _called(address: str, path: str, key: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/json"}
    with urlopen(Request(address + path, data, headers), timeout=30) as reply:
        text = reply.read()
    return json.loads(text) if text else None


def label(here: Walk, browser: Browser, address: str, key: str) -> None:
    """Every answer of the evaluation, in the Studio of the service."""
    here.begin("Label in the Studio")
    page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.set_default_timeout(30_000)
    page.goto(f"{address}/studio")
    page.get_by_label("Secret key").fill(key)
    page.get_by_role("button", name="Sign in").click()
    page.locator(".runs tbody tr a").first.click()
    page.locator(".item").first.wait_for()
    page.goto(f"{page.url.partition('?')[0]}?row=0&order=position")
    for row in answers():
        _label_row(page, row)
        page.keyboard.press("j")
    assert complaints == []
    page.close()
    here.did(
        "open /studio, sign in, open the run, and press Correct or Wrong for each answer",
        f"{len(answers())} labels",
    )


def _label_row(page: Page, row: dict[str, str]) -> None:
    says = "Correct" if row["id"].startswith("right") else "Wrong"
    expect(page.locator("article")).to_contain_text(f" · {row['id']}", timeout=PATIENCE)
    form = page.get_by_role("region", name="Label")
    form.get_by_role("button", name=says).click()
    expect(form.get_by_text(f"Labelled {says.lower()}")).to_be_visible(timeout=PATIENCE)


def new_card(here: Walk) -> None:
    here.begin("Make a new card of the labels")
    here.type("sensecheck", "runs", "export", "--label", "correct", "-o", "reviewed.jsonl", *STORE)
    promise = ("--preset", "means", "--fpr", "0.3", "--confidence", "0.9")
    printed = here.type("sensecheck", "calibrate", "reviewed.jsonl", *promise, "--name", "reviewed")
    assert "false accepts <= 30% with 90% confidence" in printed


def evaluate_again(here: Walk) -> None:
    here.begin("Evaluate with the new card")
    (here.folder / "check.json").write_text('{"kind": "means", "threshold": "reviewed"}\n')
    given = (
        "--metric",
        "correctness",
        "--check",
        "check.json",
        "--on",
        "inline",
        "--store",
        "parquet:results",
    )
    printed = here.type("sensecheck", "eval", "answers.jsonl", *given)
    assert re.search(r"^means +\d+ ", printed, re.MULTILINE)


def report(here: Walk, browser: Browser) -> None:
    here.begin("Report")
    here.type("sensecheck", "runs", "report", "-o", "report.html", "--store", "parquet:results")
    page = browser.new_page(offline=True)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto((here.folder / "report.html").as_uri())
    page.locator(".head").wait_for()
    expect(page.locator("body")).to_contain_text("means")
    assert complaints == []
    page.close()


def main() -> None:
    """Walk, and record it."""
    with TemporaryDirectory() as folder, chromium() as browser:
        found = walk(Path(folder), browser)
    RESULTS.write_text(
        json.dumps({"steps": [asdict(step) for step in found.steps]}, indent=1, ensure_ascii=False) + "\n",
        "utf-8",
    )
    print(f"{len(found.steps)} steps recorded in {RESULTS.relative_to(ROOT)}; now: just docs")


if __name__ == "__main__":
    main()
