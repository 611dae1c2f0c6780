"""An entry in words is the same entry, and nothing else is one."""

import json
from dataclasses import replace
from datetime import datetime

import pytest

from sensecheck.core.errors import SpecError
from sensecheck.store.service.messages import entry_text, read_entry
from tests.store.service.keeping import an_entry


def test_an_entry_comes_back_as_it_was() -> None:
    entry = an_entry(7)

    assert read_entry(entry_text(entry)) == entry


def test_an_entry_with_little_comes_back_as_it_was() -> None:
    entry = replace(an_entry(7), candidate=None, completed=None)

    assert read_entry(entry_text(entry)) == entry


@pytest.mark.parametrize("said", ["", "\x00", "\ud800 half", "👩‍🚀", "\u202e", '"}', "a\nb"])
def test_any_text_comes_back_as_it_was(said: str) -> None:
    entry = an_entry(7)
    entry = replace(entry, message=replace(entry.message, user_message=said))

    assert entry_text(entry).isascii()
    assert read_entry(entry_text(entry)) == entry


def test_a_number_that_is_none_has_no_words() -> None:
    entry = an_entry(7)
    with pytest.raises(ValueError, match="JSON"):
        entry_text(replace(entry, message=replace(entry.message, support=float("nan"))))


def test_a_moment_without_its_zone_has_no_words() -> None:
    entry = an_entry(7)
    with pytest.raises(TypeError, match="with its zone"):
        entry_text(replace(entry, message=replace(entry.message, at=datetime(2026, 1, 1))))  # noqa: DTZ001


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"version": 2}, "has the version 2"),
        ({"version": None, "entry": {}}, "has the version None"),
        ({"entry": []}, "must be a mapping"),
        ({"entry": {}}, "lacks the key `message`"),
        ({"entry": {"message": {"at": "yesterday"}}}, "must be a moment"),
        ({"entry": {"message": {"at": "2026-01-01T00:00:00"}}}, "with its zone"),
        ({"entry": {"message": {"at": 7}}}, "must be a moment"),
        ({"more": 1}, "`more`"),
    ],
)
def test_another_text_is_refused(change: dict[str, object], said: str) -> None:
    text = json.dumps({**json.loads(entry_text(an_entry(7))), **change})
    with pytest.raises(SpecError, match=said):
        read_entry(text)


@pytest.mark.parametrize("text", ["", "{", "[]", "7", '{"version": 1, "version": 1}'])
def test_what_is_no_entry_is_refused(text: str) -> None:
    with pytest.raises(SpecError):
        read_entry(text)
