"""Verdicts as people read them."""

from collections.abc import Sequence
from itertools import groupby

from rich.text import Text

from sensecheck.cli.console import Console, outcome, quoted, safe
from sensecheck.core.cutoff import Cutoff
from sensecheck.core.reading import Evidence, Reading, Span
from sensecheck.core.verdict import Verdict

STEP = 2
MAX_EVIDENCE_LINES = 12
"""Lines of evidence that are shown."""


def show(console: Console, verdict: Verdict, *, said: str = "", indent: int = 0) -> None:
    """A verdict: outcome, reason, the reading against its line, the evidence; then its parts, deeper."""
    because = "" if verdict.because in said else f": {safe(verdict.because)}"
    label = outcome(verdict.outcome)
    console.line((safe(verdict.check), "bold"), because, label=label, indent=indent)
    if verdict.reading is not None:
        _show_reading(console, verdict.reading, verdict.cutoff, indent + len(label[0]))
    for part in verdict.parts:
        show(console, part, said=verdict.because, indent=indent + STEP)


def figure(value: float, cutoff: Cutoff | None = None) -> str:
    """A number with three places, or with as many as it takes to stay on its side of every line."""
    limits = (cutoff.value, *(cutoff.doubt or ())) if cutoff else ()
    for places in (3, 4, 6, 9):
        text = f"{value:.{places}f}"
        if all(_side(float(text), limit) == _side(value, limit) for limit in limits):
            return text
    return repr(value)


def _side(value: float, limit: float) -> int:
    return (value > limit) - (value < limit)


def _show_reading(console: Console, reading: Reading, cutoff: Cutoff | None, indent: int) -> None:
    is_closeness = any(item.closeness == reading.value for item in reading.evidence)
    requirement = f", needs {cutoff.describe()}" if cutoff else ""
    noun = "similarity" if is_closeness else "reading"
    console.line(f"{noun} {figure(reading.value, cutoff)}{safe(requirement)}", indent=indent)
    if reading.unread_chars:
        console.line((f"unread characters: {reading.unread_chars}", "yellow"), indent=indent)
    groups = [list(group) for _, group in groupby(reading.evidence, key=_alike)]
    for items in groups[:MAX_EVIDENCE_LINES]:
        console.line(_evidence(items, value=reading.value), label=("- ", "dim"), indent=indent)
    if len(groups) > MAX_EVIDENCE_LINES:
        console.line(
            (f"and {len(groups) - MAX_EVIDENCE_LINES} more; `--json` has them all", "dim"), indent=indent + 2
        )


def _alike(item: Evidence) -> object:
    """What may stand on one line: evidence of one kind that has only one side."""
    one_sided = item.source is None and item.closeness is None
    return (item.kind, item.note) if one_sided else id(item)


def _evidence(items: Sequence[Evidence], *, value: float) -> Text:
    first = items[0]
    sides = [_span(side) for item in items for side in (item.answer, item.source) if side is not None]
    note = f" {safe(first.note)}" if first.note else ""
    near = f" ({figure(first.closeness)})" if first.closeness not in (None, value) else ""
    between = Text(" ~ " if first.source is not None else ", ")
    if len(sides) > 2 * MAX_EVIDENCE_LINES:
        sides[2 * MAX_EVIDENCE_LINES :] = [
            Text(f"and {len(sides) - 2 * MAX_EVIDENCE_LINES} more; `--json` has them all", "dim")
        ]
    gap = " " if sides else ""
    return Text.assemble((f"{safe(first.kind)}:", "dim"), note, gap, between.join(sides), near)


def _span(span: Span) -> Text:
    return Text.assemble((f"{safe(span.where)}[{span.start}:{span.end}] ", "dim"), quoted(span.text))
