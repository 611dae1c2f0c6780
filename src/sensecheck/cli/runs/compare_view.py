"""Two runs compared, or the encoders of one run, as people read it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from sensecheck.cli.console import COLOURS, Console, safe, show_table
from sensecheck.cli.tables import NA, chance, counted, cut, interval, metric_name, number
from sensecheck.runs.comparison_text import (
    change_in_words,
    claim_of,
    people_in_words,
    sections,
    summary_of,
    title_of,
)
from sensecheck.runs.shift import ENOUGH_TO_CLAIM

if TYPE_CHECKING:
    from sensecheck.runs.comparison_result import Comparison
    from sensecheck.runs.encoders import EncodersCompared
    from sensecheck.runs.leaderboard import AnswerPair, Leaderboard
    from sensecheck.runs.shift import Change, MetricShift

MAX_TESTS = 20
"""Tests that are shown of each kind; `-o FILE.json` has them all."""
MAX_NAMES = 10
"""Names that are shown of a list; `--json` has them all."""
MAX_CHANGED = 5
_SPARE = ("effect", "up", "down", "n/a", "n")
_COLOURS = {"better": "bold green", "worse": "bold red"}


def show_comparison(console: Console, found: "Comparison") -> None:
    """What people said, what flipped, the metrics, the slices, what moved, what was not compared, the sum."""
    known = f", known by {safe(found.paired_by)}" if found.items == "row" else ""
    people = f"; {safe(people_in_words(found))}" if people_in_words(found) else ""
    pairs = f", {counted(found.n, found.items)} in both{known}{people}"
    console.line((safe(title_of(found)), "bold"), pairs)
    console.line("")
    if found.labels:
        _show_shifts(console, found, "what people said", found.labels)
        console.line("")
    _show_flips(console, found)
    _show_shifts(console, found, "metric", found.metrics)
    if found.tested.correction:
        console.line((found.tested.correction, "dim"))
    _show_slices(console, found)
    _show_moved(console, found)
    _show_lost(console, found)
    for heading, names, count in (
        ("only before", found.only_before, found.removed),
        ("only now", found.only_after, found.added),
        ("in other words under the same id, so not compared", found.reworded, len(found.reworded)),
    ):
        if count:
            label = f"{counted(count, found.items)} {heading}: "
            console.line(_list(names, count), label=(label, "bold"))
    for note in found.notes:
        console.line(safe(note), label=("note ", "yellow"))
    for sentence in summary_of(found):
        style = next(
            (look for word, look in _COLOURS.items() if sentence.startswith(f"significantly {word}")), "bold"
        )
        first, colon, rest = sentence.partition(": ")
        console.line((first + colon, style), safe(rest))


def show_encoders(console: Console, compared: "Sequence[EncodersCompared]") -> None:
    """Each two encoders: how alike they rank, how much higher one reads, and where they differ most."""
    for one in compared:
        first, other, ranks = safe(one.one), safe(one.other), one.correlation
        agreement = NA if ranks is None else f"{ranks.value:.3f} {_within(ranks.low, ranks.high)}"
        console.line((f"{first} and {other}", "bold"), f", {safe(one.metric)} of {one.shift.n:,} answers")
        console.line(f"{agreement} (Spearman)", label=("  ranks agree   ", "dim"))
        means = f"{number(one.shift.before)} and {number(one.shift.after)}"
        gap = f"{number(one.shift.difference, sign=True)} {_within(one.shift.low, one.shift.high, sign=True)}"
        console.line(f"{means}: {gap}", label=("  means         ", "dim"))
        rows = [
            (cut(row.id), number(row.one), number(row.other), f"{row.one_rank:.0%}", f"{row.other_rank:.0%}")
            for row in one.disagreements
        ]
        show_table(console, ("differ most", first, other, f"{first} rank", f"{other} rank"), rows)


def show_leaderboard(console: Console, found: "Leaderboard") -> None:
    """The runs, the best first, each with its difference from the first that was named."""
    labels = list(dict.fromkeys(name for one in found.standings for name in one.people))
    rows: list[list[str | Text]] = []
    for rank, one in enumerate(found.standings, 1):
        shift, claim = one.shift, "" if one.shift is None else claim_of(one.shift)
        rows.append(
            [
                str(rank),
                cut(one.run.title),
                *(number(one.people.get(name)) for name in labels),
                f"{one.summary.n:,}",
                Text(number(one.summary.mean), "bold"),
                interval(one.summary.low, one.summary.high),
                "" if shift is None else number(shift.difference, sign=True),
                "" if shift is None or shift.unchanged else chance(shift.adjusted),
                Text("the first" if shift is None else claim, _COLOURS.get(claim, "dim")),
            ]
        )
    people = (f"people: {safe(name)}" for name in labels)
    head = ("", "run", *people, "n", safe(found.metric), "95 %", "change", "p (Holm)", "claim")
    show_table(console, head, rows, left=2, spare=("n",))


def show_answers(console: Console, pairs: "Sequence[AnswerPair]") -> None:
    """Each question, what was expected, both answers, and both numbers of each metric."""
    for one in pairs:
        console.line((safe(one.id), "bold"), f"  {safe(one.question or '')}")
        for label, text in (("expected", one.expected), ("before", one.answers[0]), ("now", one.answers[1])):
            console.line(NA if text is None else safe(text), label=(f"{label:<10}", "dim"))
        rows = [(safe(name), number(old), number(new)) for name, (old, new) in one.scores.items()]
        show_table(console, ("metric", "before", "now"), rows)
        console.line("")


def _show_flips(console: Console, found: "Comparison") -> None:
    """Tests one by one with the reason; questions and rows by their names."""
    for heading, count, changes in sections(found):
        if found.items != "test":
            names = [f"{change.title} ({change.metric})" for change in changes]
            console.line(_list(names, count), label=(f"{counted(count, found.items)} {heading}: ", "bold"))
            continue
        console.line((f"{count} {heading}", "bold"))
        for change in changes[:MAX_TESTS]:
            _show_change(console, change)
        if count > MAX_TESTS:
            console.line((f"and {count - MAX_TESTS} more", "dim"), indent=2)
        console.line("")


def _show_change(console: Console, change: "Change") -> None:
    of = f" ({safe(change.source)})" if change.source else ""
    console.line((change_in_words(change), COLOURS[change.after]), f"  {safe(change.title)}{of}", indent=2)
    if change.after != "pass":
        console.line((safe(change.because), "dim"), indent=4)


def _show_shifts(console: Console, found: "Comparison", what: str, shifts: "Sequence[MetricShift]") -> None:
    """One row per label or metric."""
    figures = ("n", "before", "now", "change", _sure(found), "p (Holm)", "effect", "up", "down", "n/a")
    show_table(console, (what, *figures, "claim"), [_row(one, found) for one in shifts], spare=_SPARE)


def _sure(found: "Comparison") -> str:
    return f"{100 * (1 - found.alpha):g} %"


def _row(one: "MetricShift", found: "Comparison") -> list[str | Text]:
    claim, several = claim_of(one), _several(found.metrics)
    style = _COLOURS.get(claim, "")
    return [
        Text(metric_name(one.metric, one.encoder, several=several), style),
        f"{one.n:,}",
        number(one.before),
        number(one.after),
        Text(number(one.difference, sign=True), style),
        interval(one.low, one.high, sign=True),
        "" if one.unchanged else chance(one.adjusted),
        number(one.effect, 2, sign=True),
        NA if one.better is None else f"{one.better:.0%}",
        NA if one.worse is None else f"{one.worse:.0%}",
        f"{one.na_before:,} → {one.na_after:,}" if one.na_before or one.na_after else "",
        Text(claim, style),
    ]


def _several(metrics: "Sequence[MetricShift]") -> bool:
    return len({one.encoder for one in metrics if one.encoder}) > 1


def _show_slices(console: Console, found: "Comparison") -> None:
    """Each slice by the metric that ranks the items, and by any other of which something is claimed."""
    shown = [
        (part.slice, one)
        for part in found.slices
        for one in part.metrics
        if one.claim or one.metric == found.told_by
    ]
    if shown:
        head = ("slice", "metric", "n", "before", "now", "change", _sure(found), "p (Holm)", "claim")
        several = _several(found.metrics)
        console.line("")
        show_table(console, head, [_slice_row(*row, several=several) for row in shown], left=2, spare=("n",))
        words = f"slices by {safe(found.told_by)}, and by any other metric with a significant change"
        console.line((words, "dim"))


def _slice_row(name: str, one: "MetricShift", *, several: bool) -> list[str | Text]:
    claim = claim_of(one) or (f"none: fewer than {ENOUGH_TO_CLAIM}" if one.n < ENOUGH_TO_CLAIM else "")
    return [
        cut(name),
        metric_name(one.metric, one.encoder, several=several),
        f"{one.n:,}",
        number(one.before),
        number(one.after),
        number(one.difference, sign=True),
        interval(one.low, one.high, sign=True),
        "" if one.adjusted is None else chance(one.adjusted),
        Text(claim, _COLOURS.get(claim, "dim")),
    ]


def _show_moved(console: Console, found: "Comparison") -> None:
    if not found.moved:
        return
    console.line("")
    fell = [one for one in found.moved if one.after < one.before]
    rose = [one for one in found.moved if one.after > one.before]
    rows = [
        (cut(one.id), number(one.before), number(one.after), number(one.after - one.before, sign=True))
        for one in (*fell[:MAX_CHANGED], *rose[:MAX_CHANGED])
    ]
    show_table(console, (f"moved most by {safe(found.told_by)}", "before", "now", "change"), rows)
    console.line("")


def _show_lost(console: Console, found: "Comparison") -> None:
    lost = {(one.metric, one.encoder): one.lost for one in found.metrics}
    for one in found.lost:
        count = lost[one.metric, one.encoder]
        name = metric_name(one.metric, one.encoder, several=_several(found.metrics))
        label = f"{name}: {count:,} n/a now but not before: "
        console.line(_list(one.ids, count), label=(label, "bold magenta"))


def _list(names: Sequence[str], count: int | None = None) -> str:
    more = (len(names) if count is None else count) - MAX_NAMES
    return ", ".join(cut(name) for name in names[:MAX_NAMES]) + (f" and {more:,} more" if more > 0 else "")


def _within(low: float | None, high: float | None, *, sign: bool = False) -> str:
    limits = interval(low, high, sign=sign)
    return f"({limits})" if limits else ""
