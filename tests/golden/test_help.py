"""What `--help` says, of every command."""

import re

import pytest
from click import unstyle

from tests.golden.commands import Words, commands, file_name
from tests.golden.pinned import assert_all, pin
from tests.walks.cli import typed

WORDS = sorted(commands())


@pytest.mark.parametrize("words", WORDS, ids=lambda words: " ".join(words) or "sensecheck")
def test_help_says_what_it_said(words: Words) -> None:
    found = typed(*words, "--help", COLUMNS="100", TERM="dumb", NO_COLOR="1")

    assert found.exit_code == 0
    pin(f"help/{file_name(words, 'txt')}", re.sub(r" +$", "", unstyle(found.stdout), flags=re.MULTILINE))


def test_no_help_is_left_of_a_command_that_is_gone() -> None:
    assert_all("help", [file_name(words, "txt") for words in WORDS])
