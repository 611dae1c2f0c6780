"""Answers with their passages, as many as wanted, each with a place for a number that makes it new."""

import gzip
import json
from itertools import cycle, islice
from pathlib import Path

from benchmarks.speed.texts import sentences

NUMBER = "########"
Pair = tuple[str, str]
"""An answer and its passage."""


def pairs(count: int, data: Path | None) -> list[Pair]:
    """Real ones from public data where there is some, and made-up ones elsewhere."""
    found = _real(data) if data is not None else _made_up(count)
    return [(_marked(answer), _marked(passage)) for answer, passage in islice(cycle(found), count)]


def numbered(pair: Pair, number: int) -> Pair:
    """The pair as nobody has seen it before."""
    answer, passage = (text.replace(NUMBER, f"{number:08d}") for text in pair)
    return answer, passage


def body(pair: Pair) -> bytes:
    """The check of a pair, as it is sent, by a policy that asks no reader: most of it is the encoder."""
    return json.dumps({"answer": pair[0], "sources": [pair[1]], "policy": "fast"}).encode()


def _real(data: Path) -> list[Pair]:
    with gzip.open(data / "ragtruth_qa" / "test.jsonl.gz", "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    return [(row["response"], row["context"]) for row in rows if len(row["context"]) < _LONGEST]


def _made_up(count: int) -> list[Pair]:
    drawn = sentences(12 * min(count, 500))
    found = []
    while passage := list(islice(drawn, 12)):
        found.append((" ".join(passage[3:6]), " ".join(passage)))
    return found


def _marked(text: str) -> str:
    return f"Note {NUMBER}. {text}"


_LONGEST = 4000
