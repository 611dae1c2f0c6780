"""Texts to measure on: real answers from public data, and any number of made-up sentences."""

import gzip
import json
import random
from collections.abc import Iterator
from pathlib import Path

from sensecheck.encoders.wordpiece import Tokenizer

SETS = ("xstest/completions.jsonl.gz", "ragtruth_qa/test.jsonl.gz")
SEED = 7


def answers(data: Path, count: int, *, tokenizer: Tokenizer, limit: int) -> list[str]:
    """Distinct real answers that fit one window of the model: who cuts long ones saves nothing here."""
    found: dict[str, None] = {}
    for name in SETS:
        with gzip.open(data / name, "rt", encoding="utf-8") as file:
            found.update(dict.fromkeys(json.loads(line)["response"] for line in file))
    texts = [text for text in found if text.strip() and text.isascii()]
    random.Random(SEED).shuffle(texts)
    fitting = (text for text in texts if len(tokenizer.encode(text).ids) + 2 <= limit)
    return [text for text, _ in zip(fitting, range(count), strict=False)]


def sentences(count: int) -> Iterator[str]:
    """Short sentences as support desks write them, nearly all different, the same every time."""
    draw = random.Random(SEED)
    for _ in range(count):
        who, where, what, when = (draw.choice(words) for words in (_WHO, _WHERE, _WHAT, _WHEN))
        yield draw.choice(_SHAPES).format(
            who=who, where=where, what=what, when=when, n=draw.randint(2, 9999), m=draw.randint(2, 60)
        )


_SHAPES = (
    "Order {n} left {where} {when}.",
    "{who} paid {n} euros {when}.",
    "Ask {who} for {what} {n}.",
    "{what} {n} goes to {where}.",
    "{who} lost {what} {n} {when}.",
    "Case {n} takes {who} {m} days.",
    "Sorry, room {n} in {where} is closed.",
    "We have {n} of them in {where}.",
)
_WHO = ("Anna", "Omar", "Mei", "Lucas", "Priya", "Jonas", "Fatima", "Noah", "Elena", "Kofi", "Sara", "Ivan")
_WHERE = ("Berlin", "Lagos", "Osaka", "Lima", "Toronto", "Nairobi", "Madrid", "Hanoi", "Oslo", "Cairo")
_WHAT = ("invoice", "filter", "valve", "parcel", "password", "battery", "claim", "label", "course", "card")
_WHEN = ("yesterday", "on Monday", "before noon", "next week", "every Friday", "this month")
