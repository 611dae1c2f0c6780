"""What jobs are thought to cost, and how fast an engine is thought to be."""

import time

import pytest

from sensecheck.server.engine.jobs import CheckJob, ExtractJob
from sensecheck.server.engine.queue import EVIDENCE, Pace, TextMemory, tokens_of, tokens_of_pairs
from tests.pace import usual_seconds

LONG = "The museum opens at nine. " * 100


def test_a_text_that_an_engine_has_read_lately_costs_much_less() -> None:
    memory, job = TextMemory(), CheckJob("It opens at nine.", (LONG,), policy="fast")
    fresh = memory.cost(job)
    memory.note(job)

    assert memory.cost(CheckJob("It opens at ten.", (LONG,), policy="fast")) < 0.3 * fresh
    memory.forget()
    assert memory.cost(job) == fresh


def test_what_was_read_long_ago_is_thought_to_be_forgotten() -> None:
    memory, first = TextMemory(tokens=3000), CheckJob("a", (LONG,), policy="fast")
    fresh = memory.cost(first)
    for n in range(6):
        memory.note(CheckJob("a", (f"{n} {LONG}",), policy="fast") if n else first)

    assert memory.cost(first) > 0.9 * fresh


def test_a_text_that_is_longer_than_the_memory_leaves_the_others_there() -> None:
    memory = TextMemory(tokens=100)
    small, large = (CheckJob("a", (text,), policy="fast") for text in ("b" * 40, LONG))
    fresh = [memory.cost(small), memory.cost(large)]
    memory.note(small)
    memory.note(large)

    assert memory.cost(small) < fresh[0]
    assert memory.cost(large) > 0.9 * fresh[1]


@pytest.mark.parametrize("policy", ["default", "strict@2"])
def test_a_reader_costs_more_than_words(policy: str) -> None:
    by_words, read = (CheckJob(LONG, (LONG,), policy=name) for name in ("fast", policy))

    assert TextMemory().cost(read) > 5 * TextMemory().cost(by_words)


def test_what_a_reader_costs_follows_the_claims_and_the_evidence_beside_each() -> None:
    few, many = "It opens at nine on every day of the week. " * 2, "It opens at nine. " * 5
    short, long = "The museum opens at nine.", LONG

    assert tokens_of_pairs(many, (long,)) > 2 * tokens_of_pairs(few, (long,))
    assert tokens_of_pairs(few, (short,)) < 0.2 * tokens_of_pairs(few, (long,))
    assert tokens_of_pairs(few, (long, long)) == tokens_of_pairs(few, (long,))
    listed = "1. It opens at nine every day.\n2. It closes at five every day.\n\nHours:"
    assert tokens_of_pairs(listed, (long,)) == tokens_of(listed) + 2 * EVIDENCE
    assert tokens_of_pairs("Yes", (long,)) > EVIDENCE


def test_pairs_that_were_scored_lately_cost_nothing() -> None:
    memory, job = TextMemory(), CheckJob(LONG, (LONG,), policy="strict")
    fresh = memory.cost(job)
    assert memory.costs([job, job])[1] < 0.1 * fresh
    memory.note(job)

    assert memory.cost(job) < 0.1 * fresh
    assert memory.cost(CheckJob(f"{LONG}So it is.", (LONG,), policy="strict")) > 0.8 * fresh
    memory.forget()
    assert memory.cost(job) == fresh


@pytest.mark.parametrize("end", [". ", "! ", "? ", "\n"])
def test_many_short_sentences_to_look_through_cost_more_than_a_few_long_ones(end: str) -> None:
    short = f"So it is{end}" * 200
    long = "and" * (len(short) // 3) + end
    cheap, dear = (TextMemory().cost(ExtractJob("Is it so?", passage)) for passage in (long, short))

    assert abs(len(short) - len(long)) < 6
    assert 2 < dear / cheap < 4


def test_a_passage_that_was_looked_through_costs_less_the_next_time() -> None:
    memory, job = TextMemory(), ExtractJob("When does it open?", LONG)
    fresh = memory.cost(job)
    memory.note(job)

    assert memory.cost(ExtractJob("When does it close?", LONG)) < 0.3 * fresh
    assert memory.costs([job, job])[0] < 0.3 * fresh


def test_what_a_passage_costs_to_be_checked_against_does_not_depend_on_its_sentences() -> None:
    one, many = (CheckJob("a", (text,)) for text in ("word " * 100, "wor. " * 100))

    assert TextMemory().cost(one) == TextMemory().cost(many)


def test_costs_are_told_at_once() -> None:
    jobs = [ExtractJob("When?", f"{at} {'It is so. ' * 1000}"[:10_000]) for at in range(6)]
    begun = time.thread_time()
    TextMemory().costs(jobs)

    assert usual_seconds(begun) < 0.02


def test_languages_without_spaces_have_more_tokens_than_their_letters_suggest() -> None:
    assert tokens_of("word" * 100) == 100
    assert tokens_of("博物館は九時に開く") > 2 * tokens_of("opens at 9")
    assert tokens_of("\ud800") > 0


def test_the_pace_follows_what_happens() -> None:
    pace = Pace(1000.0)
    for _ in range(100):
        pace.learn(100.0, 1.0)
    assert 95 < pace.per_second < 110
    for _ in range(100):
        pace.learn(1000.0, 0.5)
    assert 1700 < pace.per_second <= 2000
    assert pace.seconds(pace.per_second) == 1.0
