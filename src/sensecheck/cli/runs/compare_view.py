"""Two runs held against each other, as people read it."""

from typing import TYPE_CHECKING

from sensecheck.cli.console import COLOURS, Paper, safe

if TYPE_CHECKING:
    from sensecheck.runs.comparison import Comparison
    from sensecheck.runs.shift import Change


# ruff: noqa: PLC0415 - comparisons bring numpy along, which `--help` does without

MOST = 20
"""Tests that are shown of each kind; `-o FILE.json` has them all."""


def show_comparison(paper: Paper, found: "Comparison") -> None:
    """What flipped, then the numbers, then what else to know; the sum of it last, where the eye is."""
    from sensecheck.runs.comparison_text import rates_in_words, scores_in_words, sections, verdict_of

    for heading, changes in sections(found):
        paper.say((f"{len(changes)} {heading}", "bold"))
        for change in changes[:MOST]:
            _show_change(paper, change)
        _say_more(paper, len(changes) - MOST)
        paper.say("")
    _show_lone(paper, "only before", found.only_before)
    _show_lone(paper, "only now", found.only_after)
    for note in found.notes:
        paper.say(safe(note), label=("note ", "yellow"))
    if found.errors:
        errors = f"{found.errors} of the new run could not be judged"
        paper.say((errors, COLOURS["error"]))
    if found.passes is not None:
        paper.say(rates_in_words(found.passes, found.alpha), label=("pass rate   ", "bold"))
    if found.scores is not None:
        paper.say(scores_in_words(found.scores), label=("mean score  ", "bold"))
    paper.say((f"{found.compared} compared: ", "bold"), verdict_of(found))


def _show_change(paper: Paper, change: "Change") -> None:
    from sensecheck.runs.comparison_text import change_in_words

    of = f" ({safe(change.source)})" if change.source else ""
    paper.say((change_in_words(change), COLOURS[change.after]), f"  {safe(change.title)}{of}", indent=2)
    if change.after != "pass":
        paper.say((safe(change.because), "dim"), indent=4)


def _show_lone(paper: Paper, heading: str, titles: tuple[str, ...]) -> None:
    if not titles:
        return
    paper.say((f"{len(titles)} {heading}, so not compared", "bold"))
    for title in titles[:MOST]:
        paper.say(safe(title), indent=2)
    _say_more(paper, len(titles) - MOST)
    paper.say("")


def _say_more(paper: Paper, count: int) -> None:
    if count > 0:
        paper.say((f"and {count} more", "dim"), indent=2)
