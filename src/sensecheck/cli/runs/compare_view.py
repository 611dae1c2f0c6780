"""Two runs compared, or the encoders of one run, as people read it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from sensecheck.cli.console import COLOURS, Console, cut, safe, show_table
from sensecheck.runs.comparison_text import (
    PageBlock,
    change_in_words,
    claim_of,
    facts_of,
    flips_of,
    lists_of,
    summary_of,
    tables_of,
    title_of,
)
from sensecheck.text.escaping import NA, interval, number, p_value

if TYPE_CHECKING:
    from sensecheck.runs.comparison_result import Comparison
    from sensecheck.runs.encoders import EncodersCompared
    from sensecheck.runs.leaderboard import AnswerPair, Leaderboard

MAX_TESTS = 20
"""Tests that are shown of each kind; `-o FILE.json` has them all."""
MAX_NAMES = 10
"""Names that are shown of a list; `--json` has them all."""
_SPARE = ("effect", "up", "down", "n/a", "n")
_COLOURS = {"better": "bold green", "worse": "bold red", "unchanged": "", "higher": "green", "lower": "red"}


def show_comparison(console: Console, found: "Comparison") -> None:
    """What people said, what flipped, the metrics, the slices, what moved, what was not compared, the sum."""
    console.line((safe(title_of(found)), "bold"), f", {safe('; '.join(facts_of(found)))}")
    console.line("")
    people, *others = tables_of(found)
    _show_block(console, people)
    _show_flips(console, found)
    for block in (*others, *lists_of(found)):
        _show_block(console, block)
    for note in found.notes:
        console.line(safe(note), label=("note ", "yellow"))
    for sentence in summary_of(found):
        first, colon, rest = sentence.partition(": ")
        style = _COLOURS.get(first.removeprefix("significantly "), "bold")
        console.line((first + colon, style), safe(rest))


def show_encoders(console: Console, compared: "Sequence[EncodersCompared]") -> None:
    """Each two encoders: how alike they rank, how much higher one reads, and where they differ most."""
    for pair in compared:
        first, other, ranks = safe(pair.one), safe(pair.other), pair.correlation
        agreement = NA if ranks is None else f"{ranks.value:.3f} {_within(ranks.low, ranks.high)}"
        console.line((f"{first} and {other}", "bold"), f", {safe(pair.metric)} of {pair.shift.n:,} answers")
        console.line(f"{agreement} (Spearman)", label=("  ranks agree   ", "dim"))
        shift = pair.shift
        means = f"{number(shift.before)} and {number(shift.after)}"
        gap = f"{number(shift.difference, sign=True)} {_within(shift.low, shift.high, sign=True)}"
        console.line(f"{means}: {gap}", label=("  means         ", "dim"))
        rows = [
            (cut(row.id), number(row.one), number(row.other), f"{row.one_rank:.0%}", f"{row.other_rank:.0%}")
            for row in pair.disagreements
        ]
        show_table(console, ("differ most", first, other, f"{first} rank", f"{other} rank"), rows)


def show_leaderboard(console: Console, found: "Leaderboard") -> None:
    """The runs, the best first, each with its difference from the first that was named."""
    labels = list(dict.fromkeys(name for standing in found.standings for name in standing.people))
    rows: list[list[str | Text]] = []
    for rank, standing in enumerate(found.standings, 1):
        shift, claim = standing.shift, "" if standing.shift is None else claim_of(standing.shift)
        rows.append(
            [
                str(rank),
                cut(standing.run.title),
                *(number(standing.people.get(name)) for name in labels),
                f"{standing.summary.n:,}",
                Text(number(standing.summary.mean), "bold"),
                interval(standing.summary.low, standing.summary.high),
                "" if shift is None else number(shift.difference, sign=True),
                "" if shift is None or shift.unchanged else p_value(shift.adjusted),
                Text("the first" if shift is None else claim, _COLOURS.get(claim, "dim")),
            ]
        )
    people = (f"people: {safe(name)}" for name in labels)
    head = ("", "run", *people, "n", safe(found.metric), "95 %", "change", "p (Holm)", "claim")
    show_table(console, head, rows, left=2, spare=("n",))


def show_answers(console: Console, pairs: "Sequence[AnswerPair]") -> None:
    """Each question, what was expected, both answers, and both numbers of each metric."""
    for pair in pairs:
        console.line((safe(pair.id), "bold"), f"  {safe(pair.question or '')}")
        for label, text in (
            ("expected", pair.expected),
            ("before", pair.answers[0]),
            ("now", pair.answers[1]),
        ):
            console.line(NA if text is None else safe(text), label=(f"{label:<10}", "dim"))
        rows = [(safe(name), number(old), number(new)) for name, (old, new) in pair.scores.items()]
        show_table(console, ("metric", "before", "now"), rows)
        console.line("")


def _show_block(console: Console, block: PageBlock) -> None:
    """A table, coloured by its last column; or a list of names, of which the first are shown."""
    if block.rows:
        left = 1 + (block.head[0] == "slice")
        rows = [_row(block, *row) for row in block.rows]
        show_table(console, list(map(safe, block.head)), rows, left=left, spare=_SPARE)
        if block.note:
            console.line((safe(block.note), "dim"))
        console.line("")
    elif block.sentences:
        names, more = ", ".join(map(cut, block.sentences[:MAX_NAMES])), block.beyond(MAX_NAMES)
        console.line(
            names + (f" and {more:,} more" if more else ""), label=(f"{safe(block.heading)}: ", "bold")
        )


def _row(block: PageBlock, name: str, *rest: str) -> list[str | Text]:
    """Names of metrics are shown in full; those of items and slices are anyone's, and may be long."""
    shown_name = safe(name) if block.head[0] in ("metric", "what people said") else cut(name)
    cells = list(map(safe, rest))
    if block.head[-1] not in ("claim", "direction"):
        return [shown_name, *cells]
    *figures, last = cells
    return [Text(shown_name, _COLOURS.get(last, "")), *figures, Text(last, _COLOURS.get(last, "dim"))]


def _show_flips(console: Console, comparison: "Comparison") -> None:
    """Tests one by one with the reason; questions and rows by their names."""
    for heading, count, changes in flips_of(comparison):
        if comparison.items != "test":
            names = [f"{change.title} ({change.metric})" for change in changes]
            _show_block(console, PageBlock(heading, names, count=count))
            continue
        console.line((heading, "bold"))
        for change in changes[:MAX_TESTS]:
            of = f" ({safe(change.source)})" if change.source else ""
            first = (change_in_words(change), COLOURS[change.after])
            console.line(first, f"  {safe(change.title)}{of}", indent=2)
            if change.after != "pass":
                console.line((safe(change.because), "dim"), indent=4)
        if count > MAX_TESTS:
            console.line((f"and {count - MAX_TESTS} more", "dim"), indent=2)
        console.line("")


def _within(low: float | None, high: float | None, *, sign: bool = False) -> str:
    limits = interval(low, high, sign=sign)
    return f"({limits})" if limits else ""
