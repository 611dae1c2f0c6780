"""Two evaluations held against each other, as people read it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from sensecheck.cli.console import Paper, safe, show_table
from sensecheck.cli.tables import NA, chance, cut, interval, metric_name, number
from sensecheck.core.run import RunBrief
from sensecheck.runs.comparison import QaComparison
from sensecheck.runs.encoders import EncodersCompared
from sensecheck.runs.shift import ENOUGH_TO_CLAIM, MetricShift, counted

if TYPE_CHECKING:
    from sensecheck.runs.comparison_large import ResultsComparison

    Compared = QaComparison | ResultsComparison


MOST = 10
"""Names that are shown of a list; `--json` has them all."""
MOST_MOVED = 5
_SPARE = ("effect", "up", "down", "n/a", "n")
_COLOURS = {"better": "bold green", "worse": "bold red"}


def show_comparison(paper: Paper, found: QaComparison) -> None:
    """What people said, the metrics, the slices, what moved, what was not compared, and what is claimed."""
    paper.say((f"{_named(found.before)} → {_named(found.after)}", "bold"), f", {found.n:,} questions in both")
    paper.say("")
    tested = found.tested
    if found.labels:
        told = f"p allows for {counted(tested.labels, 'label')}" if tested.labels else ""
        _show_shifts(paper, found, "what people said", found.labels, told)
        paper.say("")
    show_changes(paper, found)
    _show_lost(paper, found)
    for heading, names in (
        ("only before", found.only_before),
        ("only now", found.only_after),
        ("in other words under the same id, so not compared", found.reworded),
    ):
        if names:
            paper.say(_list(names), label=(f"{len(names):,} {heading}: ", "bold"))
    for note in found.notes:
        paper.say(safe(note), label=("note ", "yellow"))
    show_claims(paper, found)


def show_changes(paper: Paper, found: "Compared") -> None:
    """The metrics, the slices, and what moved."""
    _show_shifts(paper, found, "metric", found.metrics, found.tested.told())
    _show_slices(paper, found)
    _show_moved(paper, found)


def show_encoders(paper: Paper, compared: Sequence[EncodersCompared]) -> None:
    """Each two encoders: how alike they rank, how much higher one reads, and where they differ most."""
    for one in compared:
        first, other, held = safe(one.one), safe(one.other), one.correlation
        told = NA if held is None else f"{held.value:.3f} {_within(held.low, held.high)}"
        paper.say((f"{first} and {other}", "bold"), f", {safe(one.metric)} of {one.shift.n:,} answers")
        paper.say(f"{told} (Spearman)", label=("  ranks agree   ", "dim"))
        means = f"{number(one.shift.before)} and {number(one.shift.after)}"
        gap = f"{number(one.shift.difference, sign=True)} {_within(one.shift.low, one.shift.high, sign=True)}"
        paper.say(f"{means}: {gap}", label=("  means         ", "dim"))
        rows = [
            (cut(row.id), number(row.one), number(row.other), f"{row.one_rank:.0%}", f"{row.other_rank:.0%}")
            for row in one.disagreements
        ]
        show_table(paper, ("differ most", first, other, f"{first} rank", f"{other} rank"), rows)


def _named(run: RunBrief) -> str:
    return f"run {run.run}" + (f" ({safe(run.name)})" if run.name else "")


def _show_shifts(
    paper: Paper, found: "Compared", what: str, shifts: Sequence[MetricShift], told: str
) -> None:
    """A row each, and below them over how many p was corrected."""
    figures = ("n", "before", "now", "change", _sure(found), "p (Holm)", "effect", "up", "down", "n/a")
    show_table(paper, (what, *figures, "claim"), [_row(one, found) for one in shifts], spare=_SPARE)
    if told:
        paper.say((told, "dim"))


def _sure(found: "Compared") -> str:
    return f"{100 * (1 - found.alpha):g} %"


def _row(one: MetricShift, found: "Compared") -> list[str | Text]:
    claim, several = _claim(one), _several(found.metrics)
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


def _claim(one: MetricShift) -> str:
    if one.unchanged:
        return "unchanged"
    if not one.claim:
        return ""
    return "worse" if one.fell else "better"


def _several(metrics: Sequence[MetricShift]) -> bool:
    return len({one.encoder for one in metrics if one.encoder}) > 1


def _show_slices(paper: Paper, found: "Compared") -> None:
    """Each slice by the metric that questions are told by, and by any other of which something is claimed."""
    shown = [
        (held.slice, one)
        for held in found.slices
        for one in held.metrics
        if one.claim or one.metric == found.told_by
    ]
    if shown:
        head = ("slice", "metric", "n", "before", "now", "change", _sure(found), "p (Holm)", "claim")
        several = _several(found.metrics)
        paper.say("")
        show_table(paper, head, [_slice_row(*row, several=several) for row in shown], left=2, spare=("n",))
        paper.say((_told_of_slices(found), "dim"))


def _told_of_slices(found: "Compared") -> str:
    told = f"slices by {safe(found.told_by)}, and by any other metric of which a change is claimed"
    if not found.tested.slices:
        return told
    return f"{told}; p allows for {counted(found.tested.slices, 'difference')} in slices"


def _slice_row(name: str, one: MetricShift, *, several: bool) -> list[str | Text]:
    claim = _claim(one) or (f"none: fewer than {ENOUGH_TO_CLAIM}" if one.n < ENOUGH_TO_CLAIM else "")
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


def _show_moved(paper: Paper, found: "Compared") -> None:
    if not found.moved:
        return
    paper.say("")
    fell = [one for one in found.moved if one.after < one.before]
    rose = [one for one in found.moved if one.after > one.before]
    rows = [
        (cut(one.id), number(one.before), number(one.after), number(one.after - one.before, sign=True))
        for one in (*fell[:MOST_MOVED], *rose[:MOST_MOVED])
    ]
    show_table(paper, (f"moved most by {safe(found.told_by)}", "before", "now", "change"), rows)
    paper.say("")


def _show_lost(paper: Paper, found: QaComparison) -> None:
    lost = {(one.metric, one.encoder): one.lost for one in found.metrics}
    for one in found.lost:
        count = lost[one.metric, one.encoder]
        name = metric_name(one.metric, one.encoder, several=_several(found.metrics))
        told = f"{name}: {count:,} read before and n/a now: "
        paper.say(_list(one.ids, count), label=(told, "bold magenta"))


def show_claims(paper: Paper, found: "Compared") -> None:
    """What people said first, then the headline metrics, then the parts."""
    several = _several(found.metrics)
    told: dict[str, list[str]] = {"worse": [], "better": []}
    names = [f"{safe(one.metric)} (label)" for one in found.labels]
    names += [metric_name(one.metric, one.encoder, several=several) for one in found.metrics]
    for one, name in zip((*found.labels, *found.metrics), names, strict=True):
        if one.claim:
            told[_claim(one)].append(name)
    if not any(told.values()):
        what = "no label and no metric" if found.labels else "no metric"
        paper.say((f"{what} changed by more than chance may explain", "bold"))
    for word, held in told.items():
        if held:
            paper.say((f"{word} by more than chance: ", _COLOURS[word]), ", ".join(held))


def _list(names: Sequence[str], count: int | None = None) -> str:
    more = (len(names) if count is None else count) - MOST
    return ", ".join(cut(name) for name in names[:MOST]) + (f" and {more:,} more" if more > 0 else "")


def _within(low: float | None, high: float | None, *, sign: bool = False) -> str:
    told = interval(low, high, sign=sign)
    return f"({told})" if told else ""
