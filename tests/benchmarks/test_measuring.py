"""The benchmarks' own arithmetic."""

import random
from typing import Literal

from benchmarks.quality.loops import loop_of, paragraphs
from benchmarks.speed.bare import batches_of_32
from benchmarks.speed.checks import at_once, one_at_a_time, strangers
from benchmarks.speed.measured import Goal, Measured
from benchmarks.speed.rounds import race
from benchmarks.speed.texts import sentences

from sensecheck.checks.gate import Gate
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.encoders.hashing import HashingEncoder


def test_a_goal_may_be_missed_by_noise_and_broken_by_more() -> None:
    fast, small = Goal(0.95, "above"), Goal(1.5, "below")

    assert fast.met(0.95)
    assert not fast.met(0.94)
    assert [fast.broken(ratio) for ratio in (0.94, 0.82, 0.80)] == [False, False, True]
    assert [small.broken(ratio) for ratio in (1.4, 1.7, 1.8)] == [False, False, True]


def test_the_median_of_the_rounds_is_measured() -> None:
    found = Measured.of("a", "b", ratios=[0.9, 5.0, 1.0], goal=Goal(0.95, "above"))

    assert (found.ratio, found.low, found.high, found.met) == (1.0, 0.9, 5.0, True)
    assert Measured.of("a", "b", ratios=[1.0]).met is None


def test_only_what_is_slow_in_every_round_is_broken() -> None:
    def broken(good: Literal["above", "below"], *ratios: float) -> bool:
        return Measured.of("a", "b", ratios=ratios, goal=Goal(1.0, good)).broken

    assert broken("above", 0.7, 0.8, 0.6)
    assert not broken("above", 0.7, 0.9, 0.6)
    assert broken("below", 1.3, 1.2, 1.9)
    assert not broken("below", 1.3, 1.1, 1.9)


def test_each_round_begins_with_another_contestant() -> None:
    order: list[str] = []
    spent = race({name: (lambda name=name: order.append(name)) for name in "abc"}, 3)  # type: ignore[misc]

    assert "".join(order) == "abcbcacab"
    assert {name: len(times) for name, times in spent.items()} == {"a": 3, "b": 3, "c": 3}


def test_a_loop_says_the_same_three_times_over() -> None:
    text = "The sun rose. Birds sang. A dog barked. Nobody woke."
    looped = loop_of(text, random.Random(1))
    third = len(looped) // 3

    assert looped[:third] == looped[third + 1 : 2 * third + 1]
    assert looped[:third].strip() in text
    assert list(paragraphs([text, "Too short.", text])) == [text]


def test_sentences_are_mostly_different_and_the_same_every_time() -> None:
    once = list(sentences(2000))

    assert once == list(sentences(2000))
    assert len(set(once)) > 1800


def test_every_text_is_in_one_batch_longest_first() -> None:
    lengths = [random.Random(i).randint(3, 256) for i in range(70)]
    batches = list(batches_of_32(lengths))

    assert [len(batch) for batch in batches] == [32, 32, 6]
    assert sorted(i for batch in batches for i in batch) == list(range(70))
    assert lengths[batches[0][0]] == max(lengths)


class FirstWord:
    """How long the first word is; a measure that has it placed."""

    name = "first_word"

    def needs(self, sample: Sample) -> Needs:
        return Needs(texts=(sample.answer.split()[0],))

    def read(self, sample: Sample, space: Space) -> Reading:
        return Reading(float(len(sample.answer.split()[0])), "counted")


def test_a_fresh_answer_shares_no_text_with_an_earlier_one() -> None:
    samples = [Sample(text) for text in ("Sorry, no.", "Sorry, never.", "Yes, sure.")]
    fresh = list(strangers(samples, Gate(FirstWord()), HashingEncoder()))

    assert fresh == [(samples[0], ["Sorry,"]), (samples[2], ["Yes,"])]


def test_checks_are_held_against_placing_exactly_their_texts() -> None:
    samples = [Sample(text) for text in sentences(20)]
    check, encoder = Gate(FirstWord()), HashingEncoder()
    fresh = list(strangers(samples, check, encoder))
    budget, bare = one_at_a_time("first_word", check, fresh, encoder, rounds=2)
    batch = at_once("first_word", check, samples, encoder, rounds=2)

    assert budget.notes["p50, ms"] <= budget.notes["p90, ms"]  # type: ignore[operator]  # both are numbers
    assert bare.ratio > 1
    assert batch.notes == {"answers": 20, "texts": len({sample.answer.split()[0] for sample in samples})}
