"""What a large run came to, as people read it."""

from rich.text import Text

from sensecheck.cli.history_table import NA, counted, cut, interval, number, sparkline
from sensecheck.cli.paint import COLOURS, Paper, safe, show_table
from sensecheck.cli.totals_table import LONGEST_REASON, show_metrics
from sensecheck.core.verdict import Outcome
from sensecheck.evals.results.summary import Distribution, RunSummary

_QUANTILES = ("5", "25", "50", "75", "95")
_ORDER: tuple[Outcome, ...] = ("pass", "fail", "unsure", "measured", "error")


def show_summary(paper: Paper, found: RunSummary) -> None:
    """The metrics, how they lie, the checks, what is missing and why, and all of it by a column."""
    wrong = f", {found.errors:,} {'is an error' if found.errors == 1 else 'are errors'}"
    told = (wrong, "bold magenta") if found.errors else ""
    paper.say((safe(found.address), "bold"), f", {counted(found.rows, 'row')}", told)
    paper.say("")
    show_metrics(paper, found.totals, quoting=False)
    _show_quantiles(paper, found)
    _show_checks(paper, found)
    _show_reasons(paper, found)
    _show_slices(paper, found)


def _show_quantiles(paper: Paper, found: RunSummary) -> None:
    """Between which numbers most of them lie, and on a terminal the shape of it."""
    rows = [_lie(paper, one) for one in found.metrics if one.summary.n]
    if rows:
        head = ("how they lie", "least", *(f"{share} %" for share in _QUANTILES), "greatest", "")
        paper.say("")
        show_table(paper, head, rows, spare=("", "5 %", "95 %"))
    if rows and not found.exact:
        paper.say(("known to a twentieth, as the files counted them; `--exact` looks at all rows", "dim"))


def _lie(paper: Paper, one: Distribution) -> list[str | Text]:
    shares = [number(one.quantiles.get(share)) for share in _QUANTILES]
    shape = sparkline(paper, list(map(float, one.spread.counts)))
    return [safe(one.summary.metric), number(one.least), *shares, number(one.greatest), Text(shape, "cyan")]


def _show_checks(paper: Paper, found: RunSummary) -> None:
    words = [word for word in _ORDER if any(one.outcomes.get(word) for one in found.checks)]
    rows: list[list[str | Text]] = [
        [safe(one.check), *(Text(f"{one.outcomes.get(word, 0):,}", COLOURS[word]) for word in words)]
        for one in found.checks
    ]
    if rows:
        paper.say("")
        show_table(paper, ("check", *words), rows)


def _show_reasons(paper: Paper, found: RunSummary) -> None:
    if found.reasons:
        paper.say("")
        paper.say(("why rows are errors", "bold"))
    for reason in found.reasons:
        paper.say(cut(reason.because, LONGEST_REASON), label=(f"{reason.rows:>9,}  ", "magenta"))
    for gap in found.gaps:
        where = f"{safe(gap.input)} from {gap.start:,} to {gap.stop:,}"
        paper.say(f"{where}: {cut(gap.because, LONGEST_REASON)}", label=("not read ", "bold magenta"))


def _show_slices(paper: Paper, found: RunSummary) -> None:
    """A row a value and metric; the commonest values first."""
    if found.by is None:
        return
    rows: list[list[str | Text]] = [
        [
            "none" if one.value is None else cut(one.value),
            safe(each.metric),
            f"{one.rows:,}",
            f"{one.errors:,}" if one.errors else "",
            f"{each.n:,}",
            Text(NA if each.mean is None else number(each.mean), "bold"),
            interval(each.low, each.high),
        ]
        for one in found.slices
        for each in one.metrics
    ]
    paper.say("")
    head = (cut(found.by), "metric", "rows", "errors", "n", "mean", "95 %")
    show_table(paper, head, rows, left=2, spare=("errors", "n"))
    if found.others:
        paper.say((f"and {counted(found.others, 'value')} of {safe(found.by)} more", "dim"))
