"""What a terminal shows, and what it must never be made to do."""

import pytest
from rich.cells import cell_len
from rich.text import Text

from sensecheck.cli.progress import speed_in_words
from tests.walks.cli import typed

HOSTILE = "The [bold red]bridge[/] opened\x1b[5m in\x07 1932\u202e today."


@pytest.mark.core
@pytest.mark.parametrize("terminal", [{}, {"FORCE_COLOR": "1", "COLUMNS": "200"}])
def test_markup_and_escapes_of_strangers_are_shown_and_not_obeyed(terminal: dict[str, str]) -> None:
    found = typed(
        "check",
        HOSTILE,
        "--keeps-facts-of",
        "It opened in [red]1937[/].",
        "--means",
        HOSTILE + ".",
        **terminal,
    )

    assert "[bold red]bridge[/] opened\\x1b[5m in\\x07 1932\\u202e today." in found.stdout
    assert not {"\x1b[5m", "\x07", "\u202e"} & {
        part for part in ("\x1b[5m", "\x07", "\u202e") if part in found.stdout
    }


def test_the_word_is_there_without_colour_and_nothing_else_is() -> None:
    arguments = ("It is red.", "--means", "It is red.")

    assert "\x1b" not in typed("check", *arguments).stdout
    assert "\x1b[1;32mPASS" in typed("check", *arguments, FORCE_COLOR="1").stdout
    assert "\x1b[1;32m" not in typed("check", *arguments, FORCE_COLOR="1", NO_COLOR="1").stdout


def test_a_narrow_terminal_gets_short_lines_and_a_pipe_whole_ones() -> None:
    arguments = (
        "橋は長い。 " * 4 + "The bridge is long and red and old.",
        "--means",
        "The bridge is long. " * 9,
    )

    narrow = Text.from_ansi(typed("check", *arguments, FORCE_COLOR="1", COLUMNS="48").stdout)
    piped = typed("check", *arguments).stdout

    assert max(cell_len(line) for line in narrow.plain.splitlines()) <= 48
    assert max(cell_len(line) for line in piped.splitlines()) > 200


def test_a_rate_is_a_plain_number_however_fast_it_goes() -> None:
    speeds = (0.042, 1.39, 9.96, 99.7, 1390.4, 1_234_567.8)

    assert [speed_in_words(speed) for speed in speeds] == ["0.042", "1.4", "10", "100", "1,390", "1,234,568"]
