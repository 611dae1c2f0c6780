"""How well sentences fit a question, in numbers."""

import math
from collections.abc import Collection
from random import Random

import numpy as np

from sensecheck.grounding.extractive import features
from sensecheck.grounding.question import ParsedQuestion, Quotables, question_of, quotables_of
from tests.corpus import each_of

WORDS = [
    *(
        "museum",
        "opens",
        "closes",
        "Monday",
        "ticket",
        "price",
        "adult",
        "child",
        "garden",
        "harbour",
        "tower",
    ),
    *(
        "1911",
        "1944",
        "Greta",
        "Lind",
        "euros",
        "old",
        "the",
        "of",
        "a",
        "in",
        "which",
        "where",
        "when",
        "many",
    ),
    *("people", "kept", "built", "founded", "house", "paintings"),
]
SEEDS = range(60)


def a_text(random: Random, sentences: int) -> str:
    """Sentences of a few words each, some of them twice."""
    return " ".join(" ".join(random.choices(WORDS, k=9)).capitalize() + "." for _ in range(sentences))


def held(question: ParsedQuestion, found: Quotables, stems: Collection[str]) -> float:
    """The share of the question's words among these, each by its rarity, added up word by word."""
    unknown = math.log(1 + len(found.each))
    weights = {word: found.rarity.get(word, unknown) for word in question.stems}
    total = sum(weights[word] for word in sorted(weights))
    return sum(weights[word] for word in sorted(weights) if word in stems) / total if total else 0.0


@each_of("seed", SEEDS)
def test_shares_are_to_the_last_bit_those_of_the_sum_over_sorted_words(seed: int) -> None:
    random = Random(seed)
    question = question_of(a_text(random, random.choice((1, 1, 4))) if seed else "?")
    found = quotables_of(a_text(random, 12))

    rows = features(question, found, np.zeros(len(found.each), np.float32))

    assert [row[1] for row in rows] == [held(question, found, one.stems) for one in found.each]
    assert [row[2] for row in rows] == [held(question, found, one.around) for one in found.each]


def test_a_question_is_taken_apart_once_for_all_sections() -> None:
    asked = "Who founded the museum, and when was it opened to the public?"

    assert question_of(asked) is question_of(asked)
