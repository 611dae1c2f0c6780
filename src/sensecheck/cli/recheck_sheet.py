"""What became of a card's promise, as people read it."""

from typing import TYPE_CHECKING

from sensecheck.cli.paint import Paper, safe

if TYPE_CHECKING:
    from sensecheck.calibration.recheck import Recheck

# ruff: noqa: PLC0415 - cards bring numpy along, which `--help` does without

_COLOURS = {
    "holds": "bold green",
    "broken": "bold red",
    "moved": "bold red",
    "above": "bold yellow",
    "too few": "bold yellow",
}
_DEGREES = {"stable": "green", "somewhat": "yellow", "moved": "red", "too few": "yellow"}


def show_recheck(paper: Paper, found: "Recheck") -> None:
    """The verdict, each promise with its figures, and how far the readings have moved."""
    from sensecheck.calibration.summary import WHAT, in_full

    paper.say((safe(found.verdict), _COLOURS[found.outcome]))
    for kept in found.promises:
        seen = "no such rows" if kept.errors is None else in_full(kept.errors)
        paper.say(
            f"{kept.target.in_words()}: ",
            (kept.outcome, _COLOURS[kept.outcome]),
            f"; {WHAT[kept.target.errors]}: {seen}",
            indent=2,
        )
    for shift in found.shifts:
        paper.say(
            f"{shift.part} readings: ",
            (shift.degree, _DEGREES[shift.degree]),
            f"; {shift.n} rows, PSI {shift.psi:.3f}, KS {shift.ks:.3f} (p {shift.p:.3g})",
            indent=2,
        )
