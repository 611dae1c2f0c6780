"""Tables in a terminal, and where there is none."""

import pytest
from rich.cells import cell_len
from rich.text import Text

from sensecheck.cli.console import Console, show_table

HEAD = ("metric", "n", "mean", "95 %")
ROWS: list[list[str | Text]] = [
    ["rouge_l", "1,000", Text("0.412", "bold"), "0.398 to 0.426"],
    ["意味の近さ [bold]", "7", "n/a", ""],
]


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """A terminal whose width a test sets as `COLUMNS`."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    return monkeypatch


def test_a_pipe_gets_plain_lines_of_which_nothing_is_cut(capsys: pytest.CaptureFixture[str]) -> None:
    long = "x" * 500
    show_table(Console(), HEAD, [*ROWS, [long, "1", "1.000", ""]], indent=2)

    head, first, second, last = capsys.readouterr().out.splitlines()
    assert head.split() == ["metric", "n", "mean", "95", "%"]
    assert first.startswith("  rouge_l ")
    assert first.endswith("1,000  0.412  0.398 to 0.426")
    assert last == f"  {long}      1  1.000"
    assert "意味の近さ [bold]" in second
    assert cell_len(second) == cell_len(last)
    assert "\x1b" not in head + first + second + last


def test_columns_to_the_left_are_aligned_left(capsys: pytest.CaptureFixture[str]) -> None:
    show_table(Console(), ["a", "long head"], [["1", "2"]], left=2)

    assert capsys.readouterr().out == "a  long head\n1  2\n"


def test_a_narrow_terminal_goes_without_what_can_be_spared(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.setenv("COLUMNS", "34")
    show_table(Console(), HEAD, ROWS, spare=("95 %", "n"))

    shown = Text.from_ansi(capsys.readouterr().out).plain
    assert shown.splitlines()[0].split() == ["metric", "n", "mean"]
    assert shown.splitlines()[1].split() == ["rouge_l", "1,000", "0.412"]


def test_a_terminal_that_is_narrower_still_gets_a_list(
    terminal: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal.setenv("COLUMNS", "30")
    show_table(Console(), HEAD, ROWS)

    shown = Text.from_ansi(capsys.readouterr().out).plain.splitlines()
    assert shown[:4] == ["rouge_l", "  n: 1,000", "  mean: 0.412", "  95 %: 0.398 to 0.426"]
    assert shown[4:] == ["意味の近さ [bold]", "  n: 7", "  mean: n/a"]
