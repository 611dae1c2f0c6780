"""What looks like a heading or like talk, and says something, is checked."""

import pytest

from sensecheck.measures.claims.claims import claims


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("# The mayor was arrested for fraud in Paris after he stole 5 million dollars\n\nMore.", "sentence"),
        ("# The mayor stole it\n\nMore.", "sentence"),
        ("# Prices in 1999\n\nMore.", "sentence"),
        ("**The mayor was arrested:**\n\nMore.", "sentence"),
        ("I hope this helps you see that the mayor was arrested for fraud.", "sentence"),
        ("I hope this helps, the mayor stole it.", "sentence"),
        ("Let me explain that the mayor stole the money.", "sentence"),
        ("Let me explain: the mayor is a thief.", "sentence"),
        ("Let me know if the mayor steals from the poor people of Leeds.", "sentence"),
        ("Did you know that the mayor was arrested for fraud in Paris in 1999?", "sentence"),
        ("Did you know that the mayor was arrested?", "sentence"),
        ("Isn't it true that the mayor fled?", "sentence"),
        ("The mayor was arrested for fraud, wasn't he?", "sentence"),
        ("Who knew that the mayor was arrested?", "sentence"),
        ("- The mayor was arrested. Why?\n- Nobody said.", "item"),
        ("| The mayor was arrested for fraud | in 1999 |\n|---|---|\n| a | b |", "row"),
        ("The mayor was arrested and stole these:\n- cars", "sentence"),
        ("Here is the proof that the mayor is a thief:\n- cars", "sentence"),
        ("Here are the cars that Paris sold to the mayor:\n- cars", "sentence"),
    ],
)
def test_what_says_something_is_checked(text: str, kind: str) -> None:
    assert claims(text)[0].kind == kind


@pytest.mark.parametrize(
    "text",
    [
        "# Causes and effects\n\nMore.",
        "## What is it?\n\nMore.",
        "**Granulated sugar:**\n\n- a",
        "Here are the three main benefits:\n- a",
        "To clean a dryer vent, follow these steps:\n- a",
        "Based on the provided passages, here is how to draw a truncated cone:\n- a",
        "Let me know if you have any further questions.",
        "Let me know if there's anything else I can help you with!",
        "How do technicians get paid?",
        "Q: What is company goodwill?",
        "Any questions?",
        "| City | People in millions |\n|---|---|\n| a | b |",
    ],
)
def test_what_only_leads_on_is_not_checked(text: str) -> None:
    assert not claims(text)[0].checked
