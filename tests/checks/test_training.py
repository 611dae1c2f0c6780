"""From labelled answers to a head, how well it does on others, and what it leaves behind."""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensecheck.calibration.card import Card, DataMark
from sensecheck.calibration.target import Target
from sensecheck.checks.assess import assess
from sensecheck.checks.calibrate import LabelledSample, fit_card, read_each
from sensecheck.checks.gate import Gate
from sensecheck.checks.train import (
    Example,
    Rows,
    Table,
    cross_validate,
    folds_of,
    joined,
    rows_of,
    some_of,
    train,
)
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.errors import CannotJudge, SpecError
from sensecheck.core.sample import Sample
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.heads.features import Cue, HeadRecipe, SentencePart, TrainingSource
from sensecheck.measures.heads.head import Head
from sensecheck.measures.heads.model import HeadModel, shares_of
from sensecheck.stats.binomial import clopper_pearson
from tests.walks.labelled import HELPS, REFUSES, answers

ASKS = ("Which {thing} do you mean, {n} or {m}?", "Could you say more about the {thing} of {n} {m}?")
SHOPS = Backends(HashingEncoder(64))
TWO = HeadRecipe(
    ("answer", "refusal"),
    (SentencePart("first", 16), SentencePart("last", 8)),
    (Cue("sorry", "opening", "sorry"),),
)
THREE = replace(TWO, classes=("answer", "question", "refusal"))
CHEROKEE = "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"


def examples(*labels: str, count: int = 20, first: int = 0) -> list[Example]:
    texts = {"answer": HELPS, "refusal": REFUSES, "question": ASKS}
    return [
        Example(Sample(text), label) for label in labels for text in answers(texts[label], count, first=first)
    ]


def placed(found: Sequence[Example], recipe: HeadRecipe, answerers: Backends = SHOPS) -> Rows:
    return joined(rows_of(found, recipe, answerers))


def trained(recipe: HeadRecipe = TWO, answerers: Backends = SHOPS, **others: Any) -> HeadModel:
    return train(placed(examples(*recipe.classes), recipe, answerers), recipe, name="mine", **others)


@pytest.mark.parametrize("recipe", [TWO, replace(TWO, classes=TWO.classes[::-1]), THREE])
def test_a_head_says_what_the_regression_says(recipe: HeadRecipe) -> None:
    from sklearn.linear_model import LogisticRegression

    rows = placed(examples(*recipe.classes), recipe)
    moved = rows.numbers - rows.numbers.mean(axis=0)
    fitted = LogisticRegression(C=3.0, max_iter=2000, tol=1e-4)
    fitted.fit(moved, [example.label for example in rows.examples])
    theirs = fitted.predict_proba(moved)[:, [list(fitted.classes_).index(label) for label in recipe.classes]]

    model = train(rows, recipe, name="mine", strength=3.0)
    ours = shares_of(model.logits(rows.numbers))
    assert np.allclose(ours, theirs, atol=1e-5)
    cases = [(example.sample, Gate(Head(model, (recipe.classes[1],)))) for example in rows.examples]
    read = [verdict.reading.value for verdict in assess(cases, SHOPS) if verdict.reading]
    assert np.allclose(read, theirs[:, 1], atol=1e-5)


def test_the_same_rows_give_the_same_head() -> None:
    one, other = trained(), trained()

    assert one.digest == other.digest
    assert one.to_json() == other.to_json()
    assert trained(strength=1.0).digest != one.digest


def test_a_head_carries_its_birth_certificate() -> None:
    found = trained(sources=[TrainingSource("rows.jsonl", 40, "CC0")], date="2026-01-31", version="0.1.0")

    assert (found.encoder, found.dimension, found.strength) == ("hashing:64:1", 64, 3.0)
    assert (found.date, found.version, found.sources[0].licence) == ("2026-01-31", "0.1.0", "CC0")
    assert HeadModel.from_json(found.to_json()).to_json() == found.to_json()
    assert all(found.was_trained_on(example.sample.answer) for example in examples(*TWO.classes))
    assert not any(found.was_trained_on(example.sample.answer) for example in examples("answer", first=500))


def test_a_row_counts_as_much_as_its_weight() -> None:
    found = examples(*TWO.classes)
    heavy = [replace(one, weight=100.0 if one.label == "refusal" else 0.01) for one in found]
    rows, weighted = placed(found, TWO), placed(heavy, TWO)

    even = shares_of(train(rows, TWO, name="even").logits(rows.numbers))
    tilted = shares_of(train(weighted, TWO, name="tilted").logits(rows.numbers))
    assert (tilted[:, 1] > even[:, 1]).all()


def test_rows_come_in_batches_and_in_order() -> None:
    many = examples(*TWO.classes, count=200)
    parts = list(rows_of(many, TWO, SHOPS))

    assert [len(part.examples) for part in parts] == [256, 144]
    assert joined(parts).examples == tuple(many)
    assert joined(parts).numbers.shape == (400, 129)
    chosen = some_of(joined(parts), np.arange(400) % 2 == 1)
    assert chosen.examples == tuple(many[1::2])
    assert np.array_equal(chosen.numbers, joined(parts).numbers[1::2])


def test_answers_that_cannot_be_read_are_an_error_until_they_may_be_left_out(minilm: Encoder) -> None:
    found = [*examples(*TWO.classes), Example(Sample(CHEROKEE), "answer"), Example(Sample(""), "refusal")]
    parts = list(rows_of(found, TWO, Backends(minilm)))

    with pytest.raises(CannotJudge, match=r"2 of 42 rows could not be read \(the first because the encoder"):
        joined(parts)
    with pytest.raises(CannotJudge, match=r"`--skip-unreadable`, in Python `skip_unreadable=True`"):
        joined(parts)
    rows = joined(parts, skip_unreadable=True)
    assert (len(rows.examples), len(rows.numbers), len(rows.left_out)) == (40, 40, 2)
    assert rows.left_out[1].startswith("there is no letter or digit")


def test_a_batch_of_which_nothing_can_be_read_is_left_out_like_single_rows() -> None:
    found = [*examples(*TWO.classes, count=128), Example(Sample("?!"), "answer")]

    rows = joined(rows_of(found, TWO, SHOPS), skip_unreadable=True)
    assert (len(rows.examples), len(rows.left_out), rows.encoder) == (256, 1, "hashing:64:1")


def test_nothing_that_could_be_read_is_no_way_to_a_head(minilm: Encoder) -> None:
    unread = rows_of([Example(Sample(CHEROKEE), "answer")], TWO, Backends(minilm))

    with pytest.raises(CannotJudge, match=r"1 of 1 rows could not be read \(the first because [^;]*$"):
        joined(unread, skip_unreadable=True)
    with pytest.raises(SpecError, match="there are no labelled answers"):
        joined(rows_of([], TWO, SHOPS))


def test_a_head_wants_one_encoder_and_wants_it_there() -> None:
    found = examples(*TWO.classes, count=2)
    parts = [*rows_of(found, TWO, SHOPS), *rows_of(found, TWO, Backends(HashingEncoder(32)))]

    with pytest.raises(SpecError, match="encoded by different encoders: hashing:32:1, hashing:64:1"):
        joined(parts)
    with pytest.raises(CannotJudge, match="no encoder is set up"):
        list(rows_of(found, TWO, Backends()))


@pytest.mark.parametrize(
    ("labels", "complaint"),
    [
        (("answer", "question"), "the label `question` is none of the head's: answer, refusal"),
        (("answer",), "the label `refusal` has 0 answers; at least 2 are needed"),
    ],
)
def test_labels_that_are_not_the_recipes_are_refused(labels: tuple[str, ...], complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint):
        train(placed(examples(*labels), TWO), TWO, name="mine")


@pytest.mark.parametrize("strength", [0.0, -1.0, float("nan"), float("inf")])
def test_a_strength_that_cannot_be_fitted_with_is_refused(strength: float) -> None:
    with pytest.raises(SpecError, match="`strength` must be a number above 0, such as 3; got"):
        trained(strength=strength)


def table(found: Sequence[Example], recipe: HeadRecipe = TWO, answerers: Backends = SHOPS) -> Table:
    folds = list(cross_validate(placed(found, recipe, answerers), recipe))
    return Table.of(recipe.classes, (said for fold in folds for said in fold))


def test_what_a_head_can_learn_it_knows_of_answers_that_it_has_not_seen(minilm: Encoder) -> None:
    found = table(examples(*THREE.classes, count=30), THREE, Backends(minilm))

    assert found.accuracy.n == 90
    assert found.accuracy.value > 0.9
    assert found.recall("question").n == 30


def noise(groups: int) -> list[Example]:
    """Groups of three answers that are nearly the same, with a label that is thrown for each group."""
    dice = random.Random(0)
    found = []
    for i in range(groups):
        label = dice.choice(TWO.classes)
        words = " ".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=12))
        found += [Example(Sample(f"{words} {end}."), label, group=str(i)) for end in ("uno", "due", "tre")]
    return found


def test_of_what_cannot_be_learned_a_head_knows_nothing() -> None:
    grouped = table(noise(100))
    torn = table([replace(one, group=None) for one in noise(100)])

    assert grouped.accuracy.low < 0.5 < grouped.accuracy.high
    assert torn.accuracy.value > 0.7, "what groups are for: their rows give each other away"


def test_rows_of_a_group_stay_together_and_count_once() -> None:
    found = noise(50)
    folds = dict(zip([one.group for one in found], folds_of(found), strict=True))

    assert folds_of(found) == [folds[one.group] for one in found]
    assert table(found).accuracy.n == 50
    assert set(folds.values()) == set(range(5))


@pytest.mark.parametrize("grouped", [True, False])
def test_the_same_answer_is_never_on_both_sides(grouped: bool) -> None:
    twice = [*examples(*TWO.classes), *examples(*TWO.classes)]
    if grouped:
        twice = [replace(one, group=str(i)) for i, one in enumerate(twice)]

    assert folds_of(twice)[:40] == folds_of(twice)[40:]
    assert table(twice).accuracy.n == 40


def test_folds_hang_on_the_rows_and_not_on_their_order() -> None:
    found = examples(*THREE.classes, count=17)
    mixed = random.Random(1).sample(found, len(found))
    folds = dict(zip((one.sample.answer for one in found), folds_of(found), strict=True))

    assert folds_of(mixed) == [folds[one.sample.answer] for one in mixed]


def test_every_label_is_in_as_many_folds_as_it_can_be() -> None:
    found = [*examples("answer", count=100), *examples("question", count=7), *examples("refusal", count=3)]
    held = Counter(zip((one.label for one in found), folds_of(found), strict=True))

    assert [held["answer", i] for i in range(5)] == [20] * 5
    assert sorted(held["question", i] for i in range(5)) == [1, 1, 1, 2, 2]
    assert sorted(held["refusal", i] for i in range(5)) == [0, 0, 1, 1, 1]
    assert table(found, THREE).recall("refusal").n == 3


@pytest.mark.parametrize(
    "few",
    [
        examples("refusal", count=2),
        [replace(one, group="one") for one in examples("refusal", count=9)],
        examples("refusal", count=1) * 9,
    ],
)
def test_a_label_that_cannot_be_tested_is_told(few: list[Example]) -> None:
    with pytest.raises(SpecError, match=f"the label `refusal` has {len(few)} answers, too few to test"):
        folds_of([*examples("answer"), *few])


def test_a_table_counts_what_was_said() -> None:
    said = [("a", "a")] * 8 + [("a", "b")] * 2 + [("b", "b")] * 3 + [("b", "a")]
    found = Table.of(("a", "b"), said)

    assert found.counts == ((8, 2), (1, 3))
    assert found.accuracy.value == 11 / 14
    assert (found.accuracy.low, found.accuracy.high) == clopper_pearson(11, 14)
    assert (found.recall("a").value, found.recall("b").n) == (0.8, 4)
    assert found.commonest() == ("a", 10 / 14)


@pytest.fixture
def refuses(tmp_path: Path) -> Head:
    """A head in a file, as a card names it."""
    path = tmp_path / "mine.json"
    path.write_text(trained().to_json(), encoding="utf-8")
    return Head(HeadModel.from_file(path), ("refusal",))


def card_for(head: Head, first: int) -> Card:
    rows = [
        LabelledSample(one.sample, one.label == "refusal")
        for one in examples(*TWO.classes, count=100, first=first)
    ]
    found = fit_card(
        read_each(rows, head, SHOPS),
        head,
        name="mine",
        good="above",
        method="exact",
        targets=[Target("false_accepts", 0.1)],
        data=DataMark("rows", sha256(repr(rows).encode()).hexdigest(), len(rows)),
        date="2026-01-31",
        version="0.1.0",
    )
    assert isinstance(found, Card), found.describe()
    return found


def test_a_card_tells_when_it_was_fitted_on_what_the_head_had_seen(refuses: Head) -> None:
    (warning,) = card_for(refuses, first=10).warnings

    assert warning.startswith("answers that are in its training data: 20 of 200; on such answers a measure")
    assert card_for(refuses, first=1000).warnings == ()


def test_a_card_is_for_one_head_alone(refuses: Head, tmp_path: Path) -> None:
    card = card_for(refuses, first=1000)
    path = tmp_path / "mine.json"
    path.write_text(trained(strength=1.0).to_json(), encoding="utf-8")
    other = Head(HeadModel.from_file(path), ("refusal",))

    assert card.measure["model"] == f"{path}#{refuses.model.digest}"
    assert card.cutoff_for(refuses, "above") == card.cutoff()
    with pytest.raises(SpecError, match=f"#{refuses.model.digest}.*; got .*#{other.model.digest}"):
        card.cutoff_for(other, "above")
    with pytest.raises(SpecError, match=r"is for .*; got "):
        card.cutoff_for(replace(refuses, of=("answer",)), "above")
