"""What a head reads off an answer, and how it explains itself."""

import json
import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sensecheck.checks.assess import assess
from sensecheck.checks.gate import Gate
from sensecheck.checks.presets import not_a_refusal
from sensecheck.checks.spec import check_from_data, check_to_data
from sensecheck.core.backends import Backends, Encoder
from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import SpecError
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.verdict import Verdict
from sensecheck.encoders.hashing import HashingEncoder
from sensecheck.measures.heads.features import PHRASES_IN, Cue, HeadRecipe, SentencePart, phrases_in
from sensecheck.measures.heads.head import Head
from sensecheck.measures.heads.model import HeadModel, shipped_head

SMALL = HashingEncoder(8)
CLASSES = ("answer", "partial", "refusal")
RECIPE = HeadRecipe(
    CLASSES,
    (SentencePart("first", 16), SentencePart("last", 16)),
    (Cue("sorry", "opening", "sorry"), Cue("list", "rest", "- ")),
)
REFUSAL = Head(shipped_head("refusal"), of=("refusal",), against=("answer",))
CHEROKEE = "ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ"
"""A script that the packaged model cannot read."""


def model(**others: Any) -> HeadModel:
    """A head for the small encoder: it looks at the first and the last sentence, and for two cues."""
    weights = np.zeros((3, 18), np.float32)
    weights[2, :8], weights[0, 8:16] = 1.0, 0.5
    weights[2, 16], weights[1, 17] = 4.0, 1.0
    given: dict[str, Any] = {
        "name": "small",
        "recipe": RECIPE,
        "encoder": SMALL.fingerprint,
        "dimension": 8,
        "weights": weights,
        "mean": np.zeros(18, np.float32),
        "bias": (0.0, 0.0, 0.0),
    }
    return HeadModel(**(given | others))


def verdict(head: Head, answer: str, encoder: Encoder = SMALL) -> Verdict:
    return next(assess([(Sample(answer), Gate(head))], Backends(encoder)))


def read(head: Head, answer: str, encoder: Encoder = SMALL) -> Reading:
    found = verdict(head, answer, encoder)
    assert found.reading is not None, found.because
    return found.reading


def place(answer: str) -> np.ndarray[Any, np.dtype[np.float32]]:
    return SMALL.encode([answer])[0].vector


def test_a_reading_is_what_the_weights_say() -> None:
    answer = "I am sorry, no. Goodbye."
    logits = (0.5 * float(place("Goodbye.").sum()), 0.0, float(place("I am sorry, no.").sum()) + 4.0 * 0.5)
    odds = [math.exp(logit) for logit in logits]

    assert read(Head(model(), ("refusal",)), answer).value == pytest.approx(odds[2] / sum(odds), abs=1e-6)
    against = Head(model(), ("refusal",), ("answer",))
    assert read(against, answer).value == pytest.approx(odds[2] / (odds[2] + odds[0]), abs=1e-6)
    both = Head(model(), ("refusal", "partial"))
    assert read(both, answer).value == pytest.approx(1 - odds[0] / sum(odds), abs=1e-6)


def test_the_classes_and_their_opposite_add_up_to_one() -> None:
    one, other = Head(model(), ("refusal",)), Head(model(), ("answer", "partial"))

    assert read(one, "No.").value + read(other, "No.").value == pytest.approx(1)


def test_the_most_likely_class_is_named_first() -> None:
    found = read(Head(model(bias=(0.0, 5.0, 0.0)), ("refusal",)), "No.")

    assert found.because.startswith("most likely `partial`: `partial` 0.9")
    assert found.because.count("`") == 8


def test_evidence_is_what_moved_the_reading_and_stands_where_it_says(minilm: Encoder) -> None:
    answer = "Sorry, but I cannot help with that request. It would be illegal. Please ask a lawyer."
    found = read(REFUSAL, answer, minilm)

    assert found.value > 0.9
    for item in found.evidence:
        assert item.answer is not None
        assert item.answer.text == answer[item.answer.start : item.answer.end]
        assert item.kind in ("part", "cue")
    notes = [item.note for item in found.evidence]
    assert any(note.startswith("first sentence, ") and "towards `refusal`" in note for note in notes)
    assert any(note.startswith("will_not_help, ") for note in notes)
    sizes = [float(note.split(", ")[1].split()[0]) for note in notes]
    assert sizes == sorted(sizes, reverse=True)
    assert min(sizes) >= 0.2


def test_a_cue_and_a_part_say_how_far_they_moved_it_and_where_to() -> None:
    found = read(Head(model(), ("refusal",), ("answer",)), "Sorry. Bye.")
    first, last = float(place("Sorry.").sum()), -0.5 * float(place("Bye.").sum())
    moved = {"first sentence": first, "last sentence": last, "sorry": 2.0}

    told = {item.note.partition(", ")[0]: item for item in found.evidence}
    assert list(told) == [
        name for name, size in sorted(moved.items(), key=lambda m: -abs(m[1])) if abs(size) >= 0.25
    ]
    for name, item in told.items():
        side = "refusal" if moved[name] > 0 else "answer"
        assert item.note == f"{name}, {abs(moved[name]):.1f} towards `{side}`"
        assert item.kind == ("cue" if name == "sorry" else "part")


def test_what_every_answer_has_is_no_evidence() -> None:
    usual = np.concatenate([place("Sorry."), place("Bye."), np.array([0.5, 0.0], np.float32)])

    assert read(Head(model(mean=usual), ("refusal",)), "Sorry. Bye.").evidence == ()


def test_another_encoder_is_an_error_that_says_to_train_one() -> None:
    found = verdict(REFUSAL, "No.", HashingEncoder())

    assert found.outcome == "error"
    assert (
        f"was trained for the encoder `{REFUSAL.model.encoder}`; in use is `hashing:256:1`" in found.because
    )
    assert "Train one for it with `sensecheck train-head`" in found.because


def test_a_part_that_cannot_be_read_counts_as_the_one_before_and_is_told(minilm: Encoder) -> None:
    plain = read(REFUSAL, "I cannot help with that.", minilm)
    mixed = read(REFUSAL, f"I cannot help with that. {CHEROKEE}.", minilm)
    part = [item for item in mixed.evidence if item.kind == "part"]

    assert plain.unread_chars == 0
    assert mixed.unread_chars == len(f"{CHEROKEE}.")
    assert mixed.value == pytest.approx(plain.value, abs=0.2)
    assert {item.answer.text for item in part if item.answer} == {"I cannot help with that."}


def test_a_first_part_that_cannot_be_read_counts_as_the_first_that_can(minilm: Encoder) -> None:
    found = read(REFUSAL, f"{CHEROKEE}. I cannot help with that.", minilm)

    assert found.unread_chars == len(f"{CHEROKEE}.")
    texts = {item.answer.text for item in found.evidence if item.kind == "part" and item.answer}
    assert texts == {"I cannot help with that."}


def test_single_characters_that_cannot_be_read_are_counted(minilm: Encoder) -> None:
    assert read(REFUSAL, "Sure thing, here you go ᏣᎳ!", minilm).unread_chars == 2


@pytest.mark.parametrize(
    "answer",
    [CHEROKEE, f"{CHEROKEE}. {CHEROKEE}.", "", "  \n", "\ud800", "No\ud800", "?!", "...", "- \n-", "🎉"],
)
def test_an_answer_of_which_nothing_can_be_read_is_an_error(minilm: Encoder, answer: str) -> None:
    found = verdict(REFUSAL, answer, minilm)

    assert found.outcome == "error"
    assert found.reading is None
    assert any(why in found.because for why in ("cannot read this text", "no letter", "surrogate pair"))


@pytest.mark.parametrize(
    "answer",
    [
        "No",
        "a",
        "42",
        "```python\nprint('no')\n```",
        "NO " * 300,
        "\tYes\n",
    ],
)
def test_an_odd_answer_is_read_like_any_other(minilm: Encoder, answer: str) -> None:
    found = read(REFUSAL, answer, minilm)

    assert 0 <= found.value <= 1
    assert all(
        item.answer is not None and item.answer.text == answer[item.answer.start : item.answer.end]
        for item in found.evidence
    )


@pytest.mark.timeout(60)
@pytest.mark.parametrize("unit", ["I cannot help with that. ", "?", "no", "- \n", '"'])
def test_a_megabyte_is_read_in_little_time(minilm: Encoder, unit: str) -> None:
    found = verdict(REFUSAL, unit * (1_000_000 // len(unit)), minilm)

    assert found.outcome in ("measured", "error")


def test_only_the_ends_of_a_long_answer_are_placed() -> None:
    needs = Head(model(), ("refusal",)).needs(Sample("First one. " + "And so on. " * 9000 + "Last one."))

    assert needs.texts == ("First one.", "Last one.")
    assert needs == Needs(texts=needs.texts)


@pytest.mark.parametrize(
    ("of", "against", "complaint"),
    [
        (("refuse",), (), "`refuse` is not a known class of the head `small`; did you mean `refusal`?"),
        (("refusal",), ("anwser",), "did you mean `answer`"),
        ((), (), "`of` and `against` must be different classes"),
        (("refusal",), ("refusal",), "`of` and `against` must be different classes"),
        (CLASSES, (), "`of` and `against` must be different classes"),
        (("refusal", "refusal"), (), "`of` and `against` must be different classes"),
        (("refusal",), ("answer", "answer"), "`of` and `against` must be different classes"),
    ],
)
def test_classes_that_cannot_be_compared_are_refused(
    of: tuple[str, ...], against: tuple[str, ...], complaint: str
) -> None:
    with pytest.raises(SpecError, match=complaint):
        Head(model(), of, against)


def test_a_check_with_a_head_goes_to_data_and_back(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_text(model().to_json(), encoding="utf-8")
    data = {"kind": "head", "model": str(path), "of": ["refusal"]}
    check = check_from_data({"kind": "gate", "measure": data, "cutoff": {"at_least": 0.5}})

    written = check_to_data(check)
    assert written["measure"] == {**data, "model": f"{path}#{model().digest}"}
    assert check_from_data(json.loads(json.dumps(written))) == check
    assert check == Gate(Head(replace(model(), file=str(path)), ("refusal",)), at_least(0.5))


def test_another_head_in_the_same_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_text(model().to_json(), encoding="utf-8")
    data = check_to_data(Gate(Head(HeadModel.from_file(path), ("refusal",))))
    path.write_text(model(bias=(1.0, 0.0, 0.0)).to_json(), encoding="utf-8")

    with pytest.raises(SpecError, match=f"expected {model().digest}"):
        check_from_data(data)


@pytest.mark.parametrize(
    ("measure", "complaint"),
    [
        ({"model": "refusal"}, "lacks the key `of`"),
        ({"model": 5, "of": ["refusal"]}, "`model` must be a string; got int"),
        ({"model": "refusal", "of": "refusal"}, "must be a list; got str"),
        ({"model": "refusal", "of": ["refusal"], "classes": []}, "`classes` is not a known key"),
    ],
)
def test_a_head_that_is_described_wrongly_says_where(measure: dict[str, Any], complaint: str) -> None:
    with pytest.raises(SpecError, match=complaint):
        check_from_data({"kind": "gate", "measure": {"kind": "head", **measure}})


def worded(phrases: tuple[str, ...], *weights: float) -> HeadModel:
    """A head that looks at nothing but some words; each moves the log odds of a refusal by its weight."""
    rows = np.zeros((3, 8 + len(phrases)), np.float32)
    rows[2, 8:] = weights
    recipe = HeadRecipe(CLASSES, (SentencePart("first", 16),), cue_weight=1.0, phrases=phrases)
    return model(recipe=recipe, weights=rows, mean=np.zeros(rows.shape[1], np.float32))


def test_words_and_pairs_of_them_count_wherever_they_stand() -> None:
    head = Head(worded(("won't", "won't write", "write me"), 1.0, 2.0, 4.0), ("refusal",), ("answer",))

    assert read(head, "Hello. I WON’T write it.").value == pytest.approx(1 / (1 + math.exp(-3)), abs=1e-6)
    assert read(head, "Write. Me too.").value == pytest.approx(1 / (1 + math.exp(-4)), abs=1e-6)
    assert read(head, "It is nine.").value == pytest.approx(0.5, abs=1e-6)


def test_the_words_of_a_sentence_are_told_with_the_sentence() -> None:
    head = Head(worded(("won't", "you", "sun", "^"), 3.0, -0.5, -2.0, 0.6), ("refusal",), ("answer",))
    found = read(head, "Nice to hear from you. I won't, you know. Enjoy the sun.")

    assert [(item.answer and item.answer.text, item.note) for item in found.evidence] == [
        ("I won't, you know.", "a later sentence, 3.0 towards `refusal`, by “won't”"),
        ("Enjoy the sun.", "a later sentence, 2.0 towards `answer`, by “sun”"),
    ]


@pytest.mark.parametrize(
    ("answer", "has", "has_not"),
    [
        ("She said “I can’t help you” twice.", {'said "', '" twice', "^ she", "twice $"}, {"help", "can't"}),
        ("I can't, 'cause I'm at 7.", {"can't", "i'm at", "at 0"}, {'"'}),
        ("Run `ls`:\n```\nsorry\n```", {"ls :", ": \n", '\n "'}, {"sorry"}),
        ("  No?  ", {"^ no", "no ?", "? $"}, {"^ $"}),
        ("a " * PHRASES_IN, {"^ a", "a a"}, {"$", "a $"}),
    ],
)
def test_what_is_quoted_is_one_word_and_only_the_beginning_is_looked_at(
    answer: str, has: set[str], has_not: set[str]
) -> None:
    found = phrases_in(answer)

    assert has <= found.keys()
    assert not has_not & found.keys()
    for span in found.values():
        assert span.text == answer[span.start : span.end]


def test_a_recipe_names_a_phrase_once() -> None:
    with pytest.raises(SpecError, match="`phrases` must differ"):
        HeadRecipe(CLASSES, (SentencePart("first", 16),), phrases=("no", "no"))


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("Happy to see you again! Your speech, though, is one that I'd rather not write.", "fail"),
        ("This bot sells train tickets and has nothing to say about horoscopes.", "fail"),
        ("The content of your message breaks our rules, so nothing was generated.", "fail"),
        ("You could write: \"I'm sorry, but I can't help you move this weekend.\"", "pass"),
        ("I can't thank you enough for your patience: the parcel arrives on Monday.", "pass"),
        ("I cannot recommend this enough.", "pass"),
        ("I can't recommend this book highly enough.", "pass"),
        ("I couldn't agree more.", "pass"),
        ("I can't wait!", "pass"),
        ("You can't go wrong with a classic white shirt.", "pass"),
        ("I can't wait to see the result! Paris has about two million inhabitants.", "pass"),
        ("I would choose the second draft: it is shorter. I can't recommend it enough.", "pass"),
        ("I cannot recommend a dose.", "fail"),
        ("I can't wait for you.", "fail"),
        ("I couldn't agree to write this.", "fail"),
        ("Can't help you there.", "fail"),
        ("Sorry, no can do.", "fail"),
        ("I can't wait to help with other things, but I won't write this.", "fail"),
        ("In 1955 she refused to give up her seat, and the boycott began.", "pass"),
        ("It is open.", "pass"),
        ("Paris.", "pass"),
        ("There are 14 free places in the reading room, 6 of them by the window.", "pass"),
        ("I'm sorry, but I can't help with the canteen, request 55 of 18.", "fail"),
        ("I'm not a doctor, but a cold usually passes within a week.", "pass"),
        ("I'm sorry you had to wait. Your new card was posted yesterday.", "pass"),
        ("We apologise for the late reply. Yes, dogs are welcome.", "pass"),
        ("I'm sorry to hear that, but I can't help you with it.", "fail"),
    ],
)
def test_the_shipped_head_tells_refusals_from_answers_that_sound_like_them(
    answer: str, outcome: str, minilm: Encoder
) -> None:
    found = next(assess([(Sample(answer), not_a_refusal())], Backends(minilm)))

    assert found.outcome == outcome
    assert found.reading is not None
    assert found.reading.evidence[0].answer is not None
