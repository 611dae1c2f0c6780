"""What is found of an answer, as Python, as data and in pieces to show."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from sensecheck.checks.grounded import READER
from sensecheck.core.cutoff import at_least
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.unicode import Encoding
from sensecheck.core.verdict import Verdict
from sensecheck.grounding.grounding import grounding_of
from sensecheck.grounding.highlights import evidence_pieces, notes_of, pieces_of, promises_of, quote
from sensecheck.sense import Sense
from tests.grounding.found import MOON, found

LIST = "## Apollo 🚀\n\n1. Armstrong walked on the Moon in 1963.\n2. Collins stayed in orbit. 👍\r\n\nMore?"
ANSWER = "🚀 Armstrong walked on the Moon in 1963. The café cost 355 million dollars."
RIGHT = "Michael Collins stayed in orbit."
PASSAGE = f"Über den Mond 🌙: {MOON}"


def placed(data: Any) -> Iterator[dict[str, Any]]:
    """Every place anywhere in data."""
    if isinstance(data, dict):
        if "where" in data:
            yield data
        data = list(data.values())
    for item in data if isinstance(data, list) else ():
        yield from placed(item)


@pytest.mark.parametrize(
    ("offsets", "codec", "width"),
    [("code_points", "utf-32-le", 4), ("utf16", "utf-16-le", 2), ("utf8", "utf-8", 1)],
)
def test_every_place_slices_exactly_in_every_encoding(
    sense: Sense, offsets: Encoding, codec: str, width: int
) -> None:
    data = found(sense, ANSWER, "Nothing 🌙 else.", PASSAGE).to_data(offsets)

    texts = {"answer": ANSWER, "passages[0]": "Nothing 🌙 else.", "passages[1]": PASSAGE}
    places = list(placed(data))
    assert {place["where"] for place in places} >= {"answer", "passages[1]"}
    for place in places:
        units = texts[place["where"]].encode(codec)
        sliced = units[place["start"] * width : place["end"] * width].decode(codec)
        assert sliced == place["text"]


def test_a_stored_verdict_gives_the_same_grounding(sense: Sense) -> None:
    first = found(sense, ANSWER, PASSAGE)

    stored = Verdict.from_json(first.verdict.to_json())
    again = grounding_of(first.sample, stored, first.policy)

    assert again == first
    assert again.to_json() == first.to_json()
    assert json.loads(first.to_json()) == first.to_data()


def test_it_is_true_only_when_everything_is_supported(sense: Sense) -> None:
    wrong = found(sense, "Armstrong walked on the Moon in 1963.", MOON)

    assert found(sense, RIGHT, MOON)
    assert not wrong
    assert (wrong.outcome, wrong.support) == ("fail", "unsupported")
    assert "20 July 1969" in wrong.because
    assert "passages[0][37:49]" in wrong.explain()


def test_an_answer_without_passages_is_an_error_and_held_back(sense: Sense) -> None:
    nothing = found(sense, "Collins stayed in orbit.")

    assert (nothing.outcome, nothing.support, nothing.accepted) == ("error", "undetermined", False)
    assert nothing.to_data()["claims"] == []


def test_the_pieces_of_an_answer_are_the_answer(sense: Sense) -> None:
    for answer in (LIST, ANSWER, "The passage does not say who paid.", ""):
        shown = found(sense, answer, PASSAGE)

        assert "".join(piece.text for piece in pieces_of(shown, notes_of(shown))) == answer


def test_the_wrong_word_stands_out_and_the_rest_of_its_claim_does_not(sense: Sense) -> None:
    shown = found(sense, LIST, MOON)

    tones = {piece.text.strip(): piece.tone for piece in pieces_of(shown, notes_of(shown))}
    assert tones["1963"] == "wrong"
    assert tones["Armstrong walked on the Moon in"] == "plain"
    assert "supported" in tones.values()


def test_a_word_is_told_of_once_by_the_reason_that_says_most(sense: Sense) -> None:
    shown = found(sense, "Armstrong walked on the Moon in 1963.", MOON)

    notes = notes_of(shown)[0]
    assert [note.kind for note in notes if any(span.text == "1963" for span in note.words)] == [
        "date_mismatch"
    ]
    assert notes[0].source is not None
    assert notes[0].source.text == "20 July 1969"


def test_evidence_shows_what_is_shared_and_what_stands_instead(sense: Sense) -> None:
    shown = found(sense, "Armstrong walked on the Moon in 1963.", MOON)
    claim = shown.claims[0]

    pieces = list(evidence_pieces(claim.span, claim.evidence[0], notes_of(shown)[0]))

    assert "".join(text for text, _ in pieces) == claim.evidence[0].text
    assert "".join(text for text, part in pieces if part == "instead") == "20 July 1969"
    assert ("Armstrong", "matching") in pieces


def test_what_a_second_reader_doubts_is_told_with_the_line_that_it_was_held_against(sense: Sense) -> None:
    first = found(sense, RIGHT, MOON)
    claim = first.verdict.parts[0]
    doubted = Evidence("doubted", Span.of("answer", RIGHT, 8, 15), note="is doubted:")
    second = Verdict(READER, "fail", "doubts", Reading(0.1, "doubts", (doubted,)), at_least(0.4))
    failed = replace(claim, outcome="fail", parts=(second,))
    verdict = replace(first.verdict, outcome="fail", parts=(failed,))

    shown = grounding_of(first.sample, verdict, first.policy)

    assert [note.says for note in notes_of(shown)[0]] == ['"Collins" is doubted']
    assert [(name, cutoff.value) for name, cutoff in promises_of(shown)] == [("support", 0.5), (READER, 0.4)]
    assert [piece.text for piece in pieces_of(shown, notes_of(shown)) if piece.tone == "wrong"] == ["Collins"]


def test_a_text_that_is_quoted_stays_on_one_line_and_is_cut_where_it_is_long() -> None:
    assert quote("one\n two") == '"one two"'
    assert quote("word " * 100, 20) == '"word word word wo..."'
