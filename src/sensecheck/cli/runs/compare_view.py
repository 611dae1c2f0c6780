"""Two runs of a battery or of an evaluation, or the encoders of one run, compared as people read it."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from sensecheck.cli.console import COLOURS, Paper, safe, show_table
from sensecheck.cli.tables import NA, chance, counted, cut, interval, metric_name, number
from sensecheck.runs.comparison_text import (
    change_in_words,
    rates_in_words,
    scores_in_words,
    sections,
    verdict_of,
)
from sensecheck.runs.shift import ENOUGH_TO_CLAIM

if TYPE_CHECKING:
    from sensecheck.core.run import RunBrief
    from sensecheck.runs.comparison import BatteryComparison, QaComparison
    from sensecheck.runs.comparison_large import ResultsComparison
    from sensecheck.runs.encoders import EncodersCompared
    from sensecheck.runs.shift import Change, MetricShift

    _Comparison = QaComparison | ResultsComparison

MOST_TESTS = 20
"""Tests that are shown of each kind; `-o FILE.json` has them all."""
MOST_NAMES = 10
"""Names that are shown of a list; `--json` has them all."""
MOST_MOVED = 5
_SPARE = ("effect", "up", "down", "n/a", "n")
_COLOURS = {"better": "bold green", "worse": "bold red"}


def show_battery_comparison(paper: Paper, found: "BatteryComparison") -> None:
    """What flipped, then the numbers, then what else to know; the sum of it last, where the eye is."""
    for heading, changes in sections(found):
        paper.say((f"{len(changes)} {heading}", "bold"))
        for change in changes[:MOST_TESTS]:
            _show_change(paper, change)
        _say_more(paper, len(changes) - MOST_TESTS)
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


def show_evaluation_comparison(paper: Paper, found: "QaComparison") -> None:
    """What people said, the metrics, the slices, what moved, what was not compared, and what is claimed."""
    paper.say((f"{_named(found.before)} → {_named(found.after)}", "bold"), f", {found.n:,} questions in both")
    paper.say("")
    tested = found.tested
    if found.labels:
        correction = f"p allows for {counted(tested.labels, 'label')}" if tested.labels else ""
        _show_shifts(paper, found, "what people said", found.labels, correction)
        paper.say("")
    _show_changes(paper, found)
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
    _show_claims(paper, found)


def show_large_comparison(paper: Paper, found: "ResultsComparison") -> None:
    """The metrics, the slices, what moved, what was lost, and what is claimed."""
    pairs = f", {counted(found.n, 'row')} in both, known by {safe(found.paired_by)}"
    paper.say((f"{safe(found.before)} → {safe(found.after)}", "bold"), pairs)
    paper.say("")
    _show_changes(paper, found)
    for one in found.metrics:
        if one.lost:
            paper.say((f"{safe(one.metric)}: {one.lost:,} read before and n/a now", "bold magenta"))
    for heading, count in (("only before", found.only_before), ("only now", found.only_after)):
        if count:
            paper.say((f"{counted(count, 'row')} {heading}", "bold"))
    for note in found.notes:
        paper.say(safe(note), label=("note ", "yellow"))
    _show_claims(paper, found)


def show_encoders(paper: Paper, compared: "Sequence[EncodersCompared]") -> None:
    """Each two encoders: how alike they rank, how much higher one reads, and where they differ most."""
    for one in compared:
        first, other, ranks = safe(one.one), safe(one.other), one.correlation
        agreement = NA if ranks is None else f"{ranks.value:.3f} {_within(ranks.low, ranks.high)}"
        paper.say((f"{first} and {other}", "bold"), f", {safe(one.metric)} of {one.shift.n:,} answers")
        paper.say(f"{agreement} (Spearman)", label=("  ranks agree   ", "dim"))
        means = f"{number(one.shift.before)} and {number(one.shift.after)}"
        gap = f"{number(one.shift.difference, sign=True)} {_within(one.shift.low, one.shift.high, sign=True)}"
        paper.say(f"{means}: {gap}", label=("  means         ", "dim"))
        rows = [
            (cut(row.id), number(row.one), number(row.other), f"{row.one_rank:.0%}", f"{row.other_rank:.0%}")
            for row in one.disagreements
        ]
        show_table(paper, ("differ most", first, other, f"{first} rank", f"{other} rank"), rows)


def _show_change(paper: Paper, change: "Change") -> None:
    of = f" ({safe(change.source)})" if change.source else ""
    paper.say((change_in_words(change), COLOURS[change.after]), f"  {safe(change.title)}{of}", indent=2)
    if change.after != "pass":
        paper.say((safe(change.because), "dim"), indent=4)


def _show_lone(paper: Paper, heading: str, titles: tuple[str, ...]) -> None:
    if not titles:
        return
    paper.say((f"{len(titles)} {heading}, so not compared", "bold"))
    for title in titles[:MOST_TESTS]:
        paper.say(safe(title), indent=2)
    _say_more(paper, len(titles) - MOST_TESTS)
    paper.say("")


def _say_more(paper: Paper, count: int) -> None:
    if count > 0:
        paper.say((f"and {count} more", "dim"), indent=2)


def _show_changes(paper: Paper, found: "_Comparison") -> None:
    """The metrics, the slices, and what moved."""
    _show_shifts(paper, found, "metric", found.metrics, found.tested.in_words())
    _show_slices(paper, found)
    _show_moved(paper, found)


def _show_claims(paper: Paper, found: "_Comparison") -> None:
    """What people said first, then the headline metrics, then the parts."""
    several = _several(found.metrics)
    claims: dict[str, list[str]] = {"worse": [], "better": []}
    names = [f"{safe(one.metric)} (label)" for one in found.labels]
    names += [metric_name(one.metric, one.encoder, several=several) for one in found.metrics]
    for one, name in zip((*found.labels, *found.metrics), names, strict=True):
        if one.claim:
            claims[_claim(one)].append(name)
    if not any(claims.values()):
        what = "no label and no metric" if found.labels else "no metric"
        paper.say((f"{what} changed by more than chance may explain", "bold"))
    for word, claimed in claims.items():
        if claimed:
            paper.say((f"{word} by more than chance: ", _COLOURS[word]), ", ".join(claimed))


def _named(run: "RunBrief") -> str:
    return f"run {run.run}" + (f" ({safe(run.name)})" if run.name else "")


def _show_shifts(
    paper: Paper, found: "_Comparison", what: str, shifts: "Sequence[MetricShift]", correction: str
) -> None:
    """A row each, and below them over how many p was corrected."""
    figures = ("n", "before", "now", "change", _sure(found), "p (Holm)", "effect", "up", "down", "n/a")
    show_table(paper, (what, *figures, "claim"), [_row(one, found) for one in shifts], spare=_SPARE)
    if correction:
        paper.say((correction, "dim"))


def _sure(found: "_Comparison") -> str:
    return f"{100 * (1 - found.alpha):g} %"


def _row(one: "MetricShift", found: "_Comparison") -> list[str | Text]:
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


def _claim(one: "MetricShift") -> str:
    if one.unchanged:
        return "unchanged"
    if not one.claim:
        return ""
    return "worse" if one.fell else "better"


def _several(metrics: "Sequence[MetricShift]") -> bool:
    return len({one.encoder for one in metrics if one.encoder}) > 1


def _show_slices(paper: Paper, found: "_Comparison") -> None:
    """Each slice by the metric that ranks the questions, and by any other of which something is claimed."""
    shown = [
        (part.slice, one)
        for part in found.slices
        for one in part.metrics
        if one.claim or one.metric == found.told_by
    ]
    if shown:
        head = ("slice", "metric", "n", "before", "now", "change", _sure(found), "p (Holm)", "claim")
        several = _several(found.metrics)
        paper.say("")
        show_table(paper, head, [_slice_row(*row, several=several) for row in shown], left=2, spare=("n",))
        paper.say((_slices_in_words(found), "dim"))


def _slices_in_words(found: "_Comparison") -> str:
    shown = f"slices by {safe(found.told_by)}, and by any other metric of which a change is claimed"
    if not found.tested.slices:
        return shown
    return f"{shown}; p allows for {counted(found.tested.slices, 'difference')} in slices"


def _slice_row(name: str, one: "MetricShift", *, several: bool) -> list[str | Text]:
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


def _show_moved(paper: Paper, found: "_Comparison") -> None:
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


def _show_lost(paper: Paper, found: "QaComparison") -> None:
    lost = {(one.metric, one.encoder): one.lost for one in found.metrics}
    for one in found.lost:
        count = lost[one.metric, one.encoder]
        name = metric_name(one.metric, one.encoder, several=_several(found.metrics))
        label = f"{name}: {count:,} read before and n/a now: "
        paper.say(_list(one.ids, count), label=(label, "bold magenta"))


def _list(names: Sequence[str], count: int | None = None) -> str:
    more = (len(names) if count is None else count) - MOST_NAMES
    return ", ".join(cut(name) for name in names[:MOST_NAMES]) + (f" and {more:,} more" if more > 0 else "")


def _within(low: float | None, high: float | None, *, sign: bool = False) -> str:
    limits = interval(low, high, sign=sign)
    return f"({limits})" if limits else ""
