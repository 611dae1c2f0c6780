"""Verdicts in prose: by a label, in a sentence, or alone; and what only looks like one."""

from tests.corpus import each_row

from sensecheck.measures.verdicts.statements import verdict_in


@each_row
def test_a_verdict_in_prose_is_read(text: str, value: float, stated: str) -> None:
    found = verdict_in(text)

    assert found is not None
    assert (found.value, text[found.start : found.end]) == (value, stated)
    assert found.how in ("label", "alone")


@each_row
def test_prose_that_only_mentions_or_asks_for_a_verdict_states_none(text: str) -> None:
    assert verdict_in(text) is None
