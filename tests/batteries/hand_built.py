"""Batteries made by hand: tests that want their answer to lie near a text."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sensecheck.batteries.battery import Battery, BatteryTest, PromptTemplate
from sensecheck.checks.gate import Against, Gate
from sensecheck.checks.weighted import Part, Scored
from sensecheck.core.backends import Backends
from sensecheck.core.cutoff import at_least
from sensecheck.documents.node import Node, Place
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.similarity import Similarity
from sensecheck.sense import Sense
from sensecheck.sources.source import Answer, NoAnswer, Question, SourceSpec

HERE = Place("bot.battery.yaml", 1)


def near(expected: str) -> Scored:
    """A check that the answer lies near a text."""
    return Scored((Part(Against(Gate(Similarity(), at_least(0.9)), expected=expected)),))


def asking(number: int, **more: Any) -> BatteryTest:
    """A test that wants its own question for an answer."""
    said = f"Question {number}?"
    given: dict[str, Any] = {
        "number": number,
        "key": f"key{number}",
        "description": f"test {number}",
        "vars": {"user": said},
        "check": near(said),
        "types": ("similar",),
        "place": Place("bot.battery.yaml", number),
    }
    return BatteryTest(**{**given, **more})


def spec(label: str, prompts: tuple[str, ...] | None = None) -> SourceSpec:
    """A source of this name, of which nothing more is told."""
    return SourceSpec("echo", label, Node.of({}, HERE), prompts)


def battery(
    tests: Sequence[BatteryTest], sources: Sequence[SourceSpec] = (spec("echo"),), *prompts: str
) -> Battery:
    """A battery with these tests; each prompt is its own label."""

    def read_tests() -> Iterator[BatteryTest]:
        return iter(tests)

    templates = tuple(PromptTemplate(prompt, prompt) for prompt in prompts)
    return Battery(Path("bot.battery.yaml"), "", templates, tuple(sources), read_tests, "d1")


@dataclass(slots=True)
class Answering:
    """A source that counts what it is asked, answers with the question, and to some questions nothing."""

    label: str = "echo"
    silent: frozenset[int] = frozenset()
    cacheable: bool = False
    concurrency: int = 4
    fingerprint: str = "answering"
    asked: list[tuple[int, int]] = field(default_factory=list)
    latency_ms: float = 5.0

    def answer(self, question: Question) -> Answer | NoAnswer:
        self.asked.append((question.number, question.repeat))
        if question.number in self.silent:
            return NoAnswer("it sleeps")
        return Answer(str(question.vars["user"]), latency_ms=self.latency_ms, cost=0.25)


def sense() -> Sense:
    """Judges fast, by the words of texts."""
    return Sense(Backends(HashingEncoder()))
