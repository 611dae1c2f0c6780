"""Claims that tell who did what to whom the other way round."""

from pathlib import Path

from tests.corpus import each_row, rows_in

from sensecheck.measures.support.roles import role_swaps

ROWS = Path(__file__).parent / "roles"


@each_row
def test_exchanged_roles_are_found(claim: str, sentence: str) -> None:
    assert role_swaps(claim, sentence)


@each_row
def test_roles_that_are_kept_are_no_swap(claim: str, sentence: str) -> None:
    assert role_swaps(claim, sentence) == []


def test_nothing_is_the_other_way_round_than_itself() -> None:
    rows = [row for file in sorted(ROWS.glob("*.jsonl")) for _, row in rows_in(file)]

    assert len(rows) == 51
    assert [text for row in rows for text in row.values() if role_swaps(text, text)] == []


def test_the_spans_reach_from_one_party_to_the_other() -> None:
    claim, sentence = "In May, Bob beat Alice.", "As we know, Alice beat Bob in May."

    [(mine, theirs)] = role_swaps(claim, sentence)

    assert claim[slice(*mine)] == "Bob beat Alice"
    assert sentence[slice(*theirs)] == "Alice beat Bob"
