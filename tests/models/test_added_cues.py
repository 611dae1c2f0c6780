"""Cues that are added to a fitted head teach it what they stand for, and change nothing else."""

from dataclasses import replace

import pytest
from models.heads.added_cues import with_added_cues

from sensecheck.checks.train import Example, joined, rows_of, train
from sensecheck.core.backends import Backends
from sensecheck.core.sample import Sample
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.heads.features import Cue, HeadRecipe, SentencePart, TrainingSource
from sensecheck.measures.heads.model import HeadModel

ANSWERERS = Backends(HashingEncoder(32))
BASE = HeadRecipe(("answer", "refusal"), (SentencePart("first", 8),), (Cue("cannot", "opening", "cannot"),))
IDIOM = Cue("idiom", "opening", r"cannot \w+ enough")
RECIPE = replace(BASE, cues=(*BASE.cues, IDIOM))
SOURCES = (TrainingSource("our own", 8, "Apache-2.0"),)


def examples(refusal: str, answer: str) -> list[Example]:
    return [
        Example(Sample(text.format(word)), label)
        for word in ("praise", "paint", "thank", "repeat")
        for text, label in ((refusal, "refusal"), (answer, "answer"))
    ]


@pytest.fixture(scope="module")
def before() -> HeadModel:
    rows = joined(rows_of(examples("I cannot {} it.", "You can {} it."), BASE, ANSWERERS))
    return train(rows, BASE, name="small")


@pytest.fixture(scope="module")
def after(before: HeadModel) -> HeadModel:
    more = examples("I cannot {} him.", "I cannot {} enough.")
    return with_added_cues(before, RECIPE, more, ANSWERERS, strength=3.0, sources=SOURCES)


def refused(model: HeadModel, text: str) -> float:
    numbers = joined(rows_of([Example(Sample(text), "answer")], model.recipe, ANSWERERS)).numbers
    answer, refusal = model.logits(numbers)[0].tolist()
    return float(refusal - answer)


def test_what_has_none_of_the_new_cues_reads_exactly_as_before(before: HeadModel, after: HeadModel) -> None:
    for text in ("I cannot do that.", "You can do that.", "It is open."):
        assert refused(after, text) == refused(before, text)


def test_what_has_a_new_cue_reads_as_it_was_taught(before: HeadModel, after: HeadModel) -> None:
    assert refused(before, "I cannot admire enough.") > 0
    assert refused(after, "I cannot admire enough.") < 0


def test_the_head_knows_all_that_it_learned_from(before: HeadModel, after: HeadModel) -> None:
    assert after.was_trained_on("I cannot praise it.")
    assert after.was_trained_on("I cannot praise enough.")
    assert not before.was_trained_on("I cannot praise enough.")
    assert after.sources == SOURCES
