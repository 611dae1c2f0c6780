"""What may stand over the ruled line of a table."""

import pytest

from sensecheck.measures.claims.claims import claims


def kinds(text: str) -> list[str]:
    return [claim.kind for claim in claims(text)]


@pytest.mark.parametrize("head", ["City | People", "| City | People |", "| City. Town | People |"])
def test_a_line_that_names_columns_heads_a_table(head: str) -> None:
    assert kinds(f"{head}\n--- | ---\nParis | 2 M") == ["heading", "heading", "row"]


def test_a_paragraph_of_several_sentences_does_not() -> None:
    text = "Paris is large. See the city | people\n--- | ---\nParis | 2 M"

    assert [claim.text for claim in claims(text)][:2] == ["Paris is large.", "See the city | people"]
