"""What tests of sources share: descriptions as a battery would hold them, and a server's address."""

import json
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from sensecheck.documents.node import Node, Place
from sensecheck.sources.loading import SourceOptions, load_source
from sensecheck.sources.source import Answer, AnswerSource, NoAnswer, Question, SourceSpec

PLACE = Place("battery.yaml", 7, 5)


def spec(source_id: str, config: dict[str, Any] | None = None, *, label: str = "") -> SourceSpec:
    """A source as a battery describes it."""
    return SourceSpec(source_id, label or source_id, Node.of(config or {}, PLACE))


def source(
    source_id: str, config: dict[str, Any] | None = None, *, label: str = "", **options: Any
) -> AnswerSource:
    """A source that can be asked."""
    given = {"folder": Path(), "timeout": 20.0, "retries": 2, **options}
    return load_source(spec(source_id, config, label=label), SourceOptions(**given))


def text(heard: Answer | NoAnswer) -> str:
    """The answer's text; a test that gets none fails with the reason."""
    assert isinstance(heard, Answer), heard
    return heard.text


def because(heard: Answer | NoAnswer) -> str:
    """Why there is no answer."""
    assert isinstance(heard, NoAnswer), heard
    return heard.because


@dataclass(frozen=True, slots=True)
class Server:
    """The misbehaving server of `tests/servers/answers.py`; every test marks its own questions."""

    address: str

    def model(self, name: str, config: dict[str, Any] | None = None, **options: Any) -> AnswerSource:
        """A model that is served here."""
        return source(
            f"openai:chat:{name}", {"apiBaseUrl": f"{self.address}/v1", **(config or {})}, **options
        )

    def page(self, config: dict[str, Any] | None = None, **options: Any) -> AnswerSource:
        """A route that takes and gives JSON of its own."""
        usual = {"body": {"ask": "{{prompt}}"}, "transformResponse": "json.reply[0].text"}
        return source(f"{self.address}/ask", {**usual, **(config or {})}, **options)

    def stats(self, mark: str) -> dict[str, Any]:
        """What the server knows of the requests that hold a mark."""
        with urlopen(f"{self.address}/stats/{mark}") as reply:
            return dict(json.load(reply))

    def waits(self, mark: str) -> list[float]:
        """The seconds between one request and the next."""
        times = [one["at"] for one in self.stats(mark)["asked"]]
        return [later - earlier for earlier, later in pairwise(times)]


def asked(prompt: str, **more: Any) -> Question:
    """A question."""
    return Question(prompt, **more)
