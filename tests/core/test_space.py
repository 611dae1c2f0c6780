"""Texts are placed once, in one form, and only what was asked can be read."""

import time
import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sensecheck.core.backends import Embedding, Encoder, PairScore
from sensecheck.core.errors import EncoderError, UndeclaredNeed, Unreadable
from sensecheck.core.needs import Needs, Prompt
from sensecheck.core.space import MAX_CHARS, Space
from sensecheck.core.unicode import canonical, original_offsets, text_key
from sensecheck.encoders.hashing import HashingEncoder
from tests.conftest import Counting
from tests.pace import usual_seconds

LONG = " ".join(f"Sentence number {i} speaks of café culture." for i in range(120))


def test_each_distinct_text_is_placed_once() -> None:
    encoder = Counting()
    Space.of(["a", "b", "a", "a"], encoder)

    assert encoder.asked == ["a", "b"]


def test_two_spellings_of_one_text_are_one_text() -> None:
    encoder = Counting()
    one, two = "caf\u00e9", "cafe\u0301"
    space = Space.of([one, two], encoder)

    assert encoder.asked == [one]
    assert text_key(one) != text_key(two)
    assert space.similarity(one, two) == pytest.approx(1.0, abs=1e-6)


@given(st.text(max_size=30) | st.text("aé\u0301\u0304\u0323l가\u1100\u1161 \u0344", max_size=12))
@example("l\u0304\u0323")
@example("cafe\u0301 x")
def test_offsets_of_the_canonical_form_lead_back_into_the_original(text: str) -> None:
    offsets = original_offsets(text)

    assert len(offsets) == len(canonical(text)) + 1
    assert offsets == sorted(offsets)
    assert (offsets[0], offsets[-1]) == (0, len(text))


def test_marks_belong_to_their_letter() -> None:
    assert original_offsets("cafe\u0301 x") == [0, 1, 2, 3, 5, 6, 7]
    assert original_offsets("l\u0304\u0323") == [0, 3]


def test_offsets_of_a_long_decomposed_text_take_no_long_time() -> None:
    text = unicodedata.normalize("NFD", "Ünïcödé wörds évérywhère. " * 4000)
    began = time.thread_time()

    assert original_offsets(text)[-1] == len(text) > 100_000
    assert usual_seconds(began) < 5


def test_windows_of_a_decomposed_text_slice_the_original(minilm: Encoder) -> None:
    broken = unicodedata.normalize("NFD", LONG)
    whole, original = Space.of([LONG, broken], minilm), Space.of([broken], minilm)
    spans = original.embedding(broken).spans

    assert len(broken) > len(LONG)
    assert len(spans) > 1
    assert spans[-1][1] == len(broken)
    for (a, b), (c, d) in zip(whole.embedding(LONG).spans, spans, strict=True):
        assert unicodedata.normalize("NFC", broken[c:d]) == LONG[a:b]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "is empty"),
        (" \n\t ", "is empty"),
        ("\u200b\u200d", "is empty"),
        ("\ufffd\ufffd", "is empty"),
        ("x" * (MAX_CHARS + 1), f"at most {MAX_CHARS}"),
        ("half \ud83d pair", "half a surrogate pair at character 5"),
    ],
)
def test_what_cannot_be_read_says_why(text: str, why: str) -> None:
    space = Space.of([text, "fine"], HashingEncoder())

    assert space.vector("fine").shape == (256,)
    with pytest.raises(Unreadable, match=why):
        space.vector(text)


def test_a_script_that_the_model_does_not_know_is_not_read(minilm: Encoder) -> None:
    space = Space.of(["ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ", "Good morning ᏣᎳ"], minilm)

    with pytest.raises(Unreadable, match=r"`minilm` cannot read this text: unknown characters \d+ of"):
        space.vector("ᏣᎳᎩ ᎦᏬᏂᎯᏍᏗ")
    assert space.unread("Good morning ᏣᎳ") == 2


def test_reading_what_was_not_asked_is_a_bug_that_shows() -> None:
    space = Space.of(["a"], HashingEncoder())

    with pytest.raises(UndeclaredNeed):
        space.vector("b")
    with pytest.raises(UndeclaredNeed):
        space.tokens("a")
    with pytest.raises(UndeclaredNeed):
        space.pair("a", "b")
    with pytest.raises(UndeclaredNeed):
        space.reply(Prompt("?"))


def test_a_text_is_exactly_as_near_to_itself_as_can_be(minilm: Encoder) -> None:
    assert Space.of(["The same."], minilm).similarity("The same.", "The same.") == 1.0


def test_it_knows_what_it_answers() -> None:
    space = Space.of(["a", ""], HashingEncoder())

    assert space.answers(Needs(texts=("a", "")))
    assert not space.answers(Needs(texts=("b",)))
    assert not space.answers(Needs(tokens=("a",)))
    assert not space.answers(Needs(pairs=(("a", "b"),)))
    assert not space.answers(Needs(prompts=(Prompt("?"),)))


def test_tokens_come_with_the_characters_they_stand_for(minilm: Encoder) -> None:
    text = "Naïve café owners don't sleep."
    tokens = Space.of([text], minilm, tokens=True).tokens(text)

    assert [text[a:b] for a, b in tokens.spans][:3] == ["Naïve", "café", "owners"]
    assert np.allclose(np.linalg.norm(tokens.vectors, axis=1), 1, atol=1e-5)


def test_tokens_of_a_long_text_cover_it_once(minilm: Encoder) -> None:
    tokens = Space.of([LONG], minilm, tokens=True).tokens(LONG)

    assert len(tokens.spans) == len(tokens.vectors) > 256
    assert list(tokens.spans) == sorted(tokens.spans)


class Numbers(HashingEncoder):
    """Gives numbers that are none, or reads nothing, for texts that say so; leaves out what says `gone`."""

    def encode(self, texts: Sequence[str], *, tokens: bool = False) -> list[Embedding]:
        return [
            self._changed(text, embedding)
            for text, embedding in zip(texts, super().encode(texts, tokens=tokens), strict=True)
            if text != "gone"
        ]

    def _changed(self, text: str, embedding: Embedding) -> Embedding:
        if text == "nan":
            return replace(embedding, vector=np.full(256, np.nan, np.float32))
        return replace(embedding, unread_chars=text.count("?"))


def test_an_embedding_that_says_nothing_of_its_text_is_not_used() -> None:
    space = Space.of(["nan", "??a", "?? ab", "fine"], Numbers())

    assert dict(space.failed) == {
        "nan": "the encoder `hashing` gave numbers that are not finite",
        "??a": "the encoder `hashing` cannot read this text: unknown characters 2 of 3",
    }
    assert space.unread("?? ab", "fine") == 2
    assert space.readable(["nan", "fine", "??a"]) == ("fine",)
    assert space.readable([]) == ()
    with pytest.raises(Unreadable, match=r"^the encoder `hashing` gave numbers that are not finite$"):
        space.readable(["nan", "??a"])


def test_an_encoder_that_leaves_a_text_out_is_an_error() -> None:
    with pytest.raises(EncoderError, match=r"^the encoder `hashing` gave 1 embeddings for 2 texts$"):
        Space.of(["gone", "fine"], Numbers())


def test_similarities_go_from_opposite_to_the_same() -> None:
    space = Space.of(["a b", "a", "c"], HashingEncoder())

    assert space.similarity("a", "a") == 1.0
    assert space.similarity("a b", "a") == pytest.approx(2**-0.5)
    assert space.similarities("a", ["a", "a b", "c"]).tolist() == pytest.approx([1.0, 2**-0.5, 0.0])
    far = Embedding(np.full(2, -2.0, np.float32), ((0, 1),), np.ones((1, 2), np.float32))
    near = replace(far, vector=np.full(2, 2.0, np.float32))
    wide = Space({"far": far, "near": near, "other": near})
    assert (wide.similarity("far", "near"), wide.similarity("near", "other")) == (-1.0, 1.0)
    assert wide.similarities("near", ["far", "other"]).tolist() == [-1.0, 1.0]
    with pytest.raises(UndeclaredNeed, match=r"^a measure read a text that it had not asked for$"):
        space.similarity("a", "z")
    with pytest.raises(UndeclaredNeed):
        space.similarity("z", "a")


def test_what_was_not_asked_is_named_by_its_kind() -> None:
    space = Space.of(["a"], HashingEncoder())

    for read, kind in (
        (lambda: space.vector("b"), "text"),
        (lambda: space.pair("a", "b"), "pair"),
        (lambda: space.reply(Prompt("?")), "prompt"),
    ):
        with pytest.raises(UndeclaredNeed, match=rf"^a measure read a {kind} that it had not asked for$"):
            read()
    with pytest.raises(
        UndeclaredNeed,
        match=r"^a measure read the tokens of a text that it had asked for only as a whole$",
    ):
        space.tokens("a")


def test_what_was_tried_in_vain_is_answered_and_says_why() -> None:
    tried = Space(failed={"t": "why t", ("u",): "why u", ("a", "b"): "why pair", Prompt("?"): "why prompt"})

    assert tried.answers(Needs(("t",), ("t", "u"), (("a", "b"),), (Prompt("?"),)))
    assert not tried.answers(Needs(("u",)))
    with pytest.raises(Unreadable, match=r"^why u$"):
        tried.tokens("u")
    with pytest.raises(Unreadable, match=r"^why pair$"):
        tried.pair("a", "b")
    with pytest.raises(Unreadable, match=r"^why prompt$"):
        tried.reply(Prompt("?"))
    with pytest.raises(Unreadable, match=r"^why u$"):
        tried.readable(["u"])
    known = Space(pairs={("a", "b"): PairScore(1.0)}, replies={Prompt("?"): "yes"})
    assert (known.pair("a", "b").value, known.reply(Prompt("?"))) == (1.0, "yes")
    assert known.answers(Needs(pairs=(("a", "b"),), prompts=(Prompt("?"),)))


def test_the_fingerprint_is_that_of_those_who_were_asked() -> None:
    space = Space(encoder="e:1", scorer="s:1", judge="j:1")

    assert space.fingerprint(Needs()) is None
    assert space.fingerprint(Needs(("a",))) == space.fingerprint(Needs(tokens=("a",))) == "e:1"
    assert space.fingerprint(Needs(pairs=(("a", "b"),))) == "s:1"
    assert space.fingerprint(Needs(("a",), (), (("a", "b"),), (Prompt("?"),))) == "e:1+s:1+j:1"
    assert Space().fingerprint(Needs(("a",))) is None


def test_spans_of_another_form_lead_back_into_the_text_itself() -> None:
    text = "e\u0301 b"
    space = Space.of([text], HashingEncoder(), tokens=True)

    assert space.embedding(text).spans == ((0, 4),)
    assert space.tokens(text).spans == ((0, 2), (3, 4))
    assert Space.of([text], HashingEncoder()).embedding(text).tokens is None
