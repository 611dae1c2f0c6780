"""`POST /v1/related` on a page of our own, cut at its headings as the browser cuts it."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from sensecheck.sense import Sense
from tests.server.answering import Service, running
from tests.server.running import Wanted

GUIDE = Path(__file__).parents[3] / "docs" / "how-to" / "run-the-service.md"
_TITLE = re.compile(r"^#+ (.*)$")
ASKED = {
    "How is a stream resumed that broke?": "Answers, sentence by sentence",
    "Where is the digest of a key stored?": "Keys",
    "What is a publishable key?": "Keys",
    "What happens when Redis is unavailable?": "Many processes",
    "What happens when PostgreSQL is unavailable?": "Many processes",
    "How long are messages stored?": "What is stored",
    "How do I erase a session?": "What is stored",
    "How many checks does a batch take?": "Check an answer that you already have",
    "How many times must a writer fail before it is left alone?": "Who writes the answers",
    "Which route is for Prometheus?": "Monitoring",
    "Which policy is used by default?": "By which policy",
    "Does it know whether a passage is true?": "What it does not do",
}
"""Questions, and the section in which the answer stands."""
ELSEWHERE = (
    "Who won the world cup in 1998?",
    "How do I bake sourdough bread?",
    "What is the boiling point of ethanol?",
    "Which airport is nearest to Cambridge?",
    "How is a broken arm treated?",
    "When was Mozart born?",
)


@pytest.fixture(scope="module")
def service(sense: Sense, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    folder = tmp_path_factory.mktemp("service")
    with running(Wanted(str(folder / "service.sqlite3"), folder / "spool.sqlite3", sense=sense)) as found:
        yield found


def sections() -> dict[str, str]:
    """The page by its headings; a sign in a block of code is none."""
    found: dict[str, list[str]] = {}
    title, is_code = "", False
    for line in GUIDE.read_text(encoding="utf-8").splitlines():
        is_code ^= line.startswith("```")
        if not is_code and (heading := _TITLE.match(line)):
            title = heading[1]
        found.setdefault(title, []).append(line)
    return {name: "\n".join(lines) for name, lines in found.items()}


def related(service: Service, question: str) -> list[str]:
    """The titles of the sections that answer."""
    page = [{"id": name, "text": text} for name, text in sections().items()]
    reply = service.client.post("/v1/related", json={"question": question, "sections": page})
    assert reply.status_code == 200, reply.text
    return [section["id"] for section in reply.json()["sections"]]


def test_most_questions_find_their_section(service: Service) -> None:
    assert set(ASKED.values()) <= set(sections())

    told = {question: related(service, question) for question in ASKED}
    missed = {question for question, title in ASKED.items() if title not in told[question]}
    misled = {question for question, title in ASKED.items() if told[question] and told[question][0] != title}

    assert len(missed) <= 5, missed
    assert len(misled) <= 1, misled


def test_what_the_page_does_not_answer_finds_none(service: Service) -> None:
    assert {question: related(service, question) for question in ELSEWHERE} == {
        question: [] for question in ELSEWHERE
    }
