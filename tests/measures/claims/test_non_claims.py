"""What claims nothing says what it is; what claims something is checked, whatever it looks like."""

import pytest
from tests.corpus import each_row

from sensecheck.measures.claims.claims import claims, stated
from sensecheck.text.words import words


@each_row
def test_what_claims_nothing_says_what_it_is(kind: str, text: str) -> None:
    found = claims(text)

    named = (
        found[-1]
        if kind == "citation"
        else next((piece for piece in found if piece.non_claim == kind), found[0])
    )
    assert (named.kind, named.checked, named.non_claim) == (kind, False, kind)


@each_row
def test_what_claims_something_is_checked(unlike: str, text: str) -> None:
    assert claims(text)[0].checked, f"taken for {unlike}: {claims(text)[0].kind}"


@each_row
def test_a_citation_is_no_part_of_what_is_stated(text: str) -> None:
    found = claims(text)
    (claim,) = [piece for piece in found if piece.checked]

    said = [word.text for word in words(stated(text, found))]
    assert said in (["it", "is", "tall"], ["it", "is", "tall", "and", "old"])
    assert len(claim.stated) == len(claim.text)
    assert all(text[aside.start : aside.end].strip() for aside in claim.asides)


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Based on the passages, it is tall [1].", ["frame", "citation"]),
        ("based on the passages , it is tall [ 1 ] .", ["frame", "citation"]),
        ("It is tall, so please ask the operator directly.", ["offer"]),
        ("Here is a summary of the rules: dogs are allowed.", ["frame"]),
        ("It has [two](https://example.org/2) towers.", ["citation", "citation"]),
        ("It has two towers.", []),
    ],
)
def test_what_is_not_judged_in_a_claim_says_what_it_is(text: str, kinds: list[str]) -> None:
    (claim,) = claims(text)

    assert claim.checked
    assert [aside.kind for aside in claim.asides] == kinds


def test_sources_below_an_answer_are_citations_unless_they_tell_something() -> None:
    text = (
        "It grew.\n\n## Sources\n\n- Annual report, 2023\n- https://example.org/report\n- The mayor stole it"
    )

    assert [piece.kind for piece in claims(text)] == ["sentence", "heading", "citation", "citation", "item"]
