"""Expected answers and answers to evaluate: real pairs, and as many joined ones as are wanted."""

import gzip
import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

ANSWERS = "evouna/NQ.jsonl.gz"
SYSTEMS = ("fid", "gpt35", "chatgpt", "gpt4", "newbing")
SENTENCES = ("stsb/dev.jsonl.gz", "stsb/test.jsonl.gz", "sick/test.jsonl.gz")
SEED, SHORT = 7, 36
"""How many characters a sentence may have that is joined to another: 200,000 texts are encoded."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, what was expected, and what was answered."""

    question: str
    expected: str
    answer: str


def answered(data: Path, count: int, system: str) -> list[Asked]:
    """The answers of one system to the first questions that all systems answered."""
    return [row[SYSTEMS.index(system)] for row in _by_all(data, count)]


def mixed(data: Path, count: int) -> tuple[list[Asked], list[Asked]]:
    """Two runs of the same questions: the systems answer in turn, and in the second run the next one does."""
    rows = _by_all(data, count)
    one, other = ([row[(at + step) % len(row)] for at, row in enumerate(rows)] for step in (0, 1))
    return one, other


def _by_all(data: Path, count: int) -> list[list[Asked]]:
    """The answers of all systems to each question, in the order of the systems; none is empty."""
    found: dict[str, dict[str, Asked]] = {}
    for row in _rows(data / ANSWERS):
        if row["gold"].strip() and (row["answer"] or "").strip():
            found.setdefault(row["q"], {})[row["system"]] = Asked(row["q"], row["gold"], row["answer"])
    whole = [[held[name] for name in SYSTEMS] for held in found.values() if held.keys() == set(SYSTEMS)]
    if len(whole) < count:
        raise SystemExit(f"wanted {count} questions that all systems answered; found {len(whole)}")
    return whole[:count]


def distinct(data: Path, count: int) -> list[Asked]:
    """Pairs in which no text occurs twice: as they are, and two joined into one, the same every time."""
    found = [
        Asked(f"What is said of the case {number}?", expected, answer)
        for number, (expected, answer) in enumerate(islice(_distinct(data), count), 1)
    ]
    random.Random(SEED).shuffle(found)
    return found


def _distinct(data: Path) -> Iterator[tuple[str, str]]:
    seen: set[str] = set()
    short = list(_sentences(data))
    for expected, answer in chain(_answers(data), short, _joined(short)):
        if expected.strip() and answer.strip() and expected != answer and not {expected, answer} & seen:
            seen |= {expected, answer}
            yield expected, answer


def _answers(data: Path) -> Iterator[tuple[str, str]]:
    """The expected answer and that of the first system; then each system's beside that of another."""
    told: dict[str, list[str]] = {}
    for row in _rows(data / ANSWERS):
        told.setdefault(row["q"], [row["gold"]]).append(row["answer"] or "")
    for texts in told.values():
        yield from zip(texts[::2], texts[1::2], strict=False)


def _sentences(data: Path) -> Iterator[tuple[str, str]]:
    for name in SENTENCES:
        for row in _rows(data / name):
            yield row["a"], row["b"]


def _joined(pairs: list[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Two pairs as one, without end: an answer that says two things, beside the two that were expected."""
    draw, short = random.Random(SEED), [pair for pair in pairs if max(map(len, pair)) <= SHORT]
    while True:
        (one, same), (other, alike) = draw.choice(short), draw.choice(short)
        yield f"{_ended(one)} {other}", f"{_ended(same)} {alike}"


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "!", "?")) else f"{sentence}."


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)
