"""A comparison of two battery runs in words, and as Markdown for the summary of a CI job."""

from collections.abc import Iterator

from sensecheck.runs.comparison import BatteryComparison
from sensecheck.runs.shift import Change, MeanEstimate, MeanShift
from sensecheck.text.escaping import plain

MOST_ROWS = 50
LONGEST = 300


def comparison_markdown(found: BatteryComparison) -> str:
    """The whole page; long lists are cut, which is said."""
    return "".join(_markdown_pieces(found))


def verdict_of(found: BatteryComparison) -> str:
    """What it comes to, in one sentence."""
    if found.passes is None:
        return "no test could be judged in both runs"
    worse, better, p = len(found.regressions), len(found.fixes), found.passes.p
    if not worse and not better:
        return "no test went from pass to fail, and none from fail to pass"
    flipped = f"{_tests(worse)} no longer passed, {_tests(better)} newly passed"
    return f"{flipped}; {_chance(p, found.alpha)}"


def rates_in_words(shift: MeanShift, alpha: float) -> str:
    """The two pass rates and what lies between them, in points of a hundred."""
    old, new, step = shift.before, shift.after, shift.difference
    points = f"{100 * step.value:+.1f} points ({100 * step.low:+.1f} to {100 * step.high:+.1f})"
    return f"{_percent(old)} before, {_percent(new)} now: {points}, {_p(shift.p)}, {1 - alpha:.0%} intervals"


def scores_in_words(shift: MeanShift) -> str:
    """The same for mean scores, which lie from 0 to 1."""
    old, new, step = shift.before, shift.after, shift.difference
    moved = f"{step.value:+.3f} ({step.low:+.3f} to {step.high:+.3f})"
    return f"{_mean(old)} before, {_mean(new)} now: {moved}, {_p(shift.p)}"


def sections(found: BatteryComparison) -> Iterator[tuple[str, tuple[Change, ...]]]:
    """The tests that came out differently, the worst first; only those sections that hold some."""
    for heading, changes in (
        ("no longer passing", found.regressions),
        ("no longer to be judged", found.to_error),
        ("newly passing", found.fixes),
        ("to be judged again", found.from_error),
        ("different, but passing neither before nor now", found.other),
        ("with the same outcome and the most changed score", found.moved),
    ):
        if changes:
            yield heading, changes


def change_in_words(change: Change) -> str:
    """From which outcome to which, and from which score."""
    flipped = change.before if change.before == change.after else f"{change.before} → {change.after}"
    if change.score_before is None or change.score_after is None:
        return flipped
    return f"{flipped}, score {change.score_before:.3f} → {change.score_after:.3f}"


def _markdown_pieces(found: BatteryComparison) -> Iterator[str]:
    yield f"## {plain(found.before, LONGEST)} → {plain(found.after, LONGEST)}\n\n{verdict_of(found)}.\n\n"
    if found.passes is not None:
        yield f"- pass rate: {rates_in_words(found.passes, found.alpha)}\n"
    if found.scores is not None:
        yield f"- mean score: {scores_in_words(found.scores)}\n"
    if found.errors:
        yield f"- **{found.errors} of the new run could not be judged**\n"
    for note in found.notes:
        yield f"- {plain(note, LONGEST)}\n"
    for heading, changes in sections(found):
        yield f"\n### {len(changes)} {heading}\n\n| test | source | | why |\n|---|---|---|---|\n"
        yield from map(_row, changes[:MOST_ROWS])
        yield _more(len(changes) - MOST_ROWS)
    for heading, titles in (("only before", found.only_before), ("only now", found.only_after)):
        if titles:
            yield f"\n### {len(titles)} {heading}\n\n"
            yield from (f"- {plain(title, LONGEST)}\n" for title in titles[:MOST_ROWS])
            yield _more(len(titles) - MOST_ROWS)


def _row(change: Change) -> str:
    cells = (change.title, change.source, change_in_words(change), change.because)
    return f"| {' | '.join(plain(cell, LONGEST) for cell in cells)} |\n"


def _more(count: int) -> str:
    return f"\nand {count} more.\n" if count > 0 else ""


def _chance(p: float, alpha: float) -> str:
    if p < alpha:
        return f"more than chance would explain ({_p(p)})"
    return f"no more than chance may explain ({_p(p)})"


def _p(p: float) -> str:
    return "p < 0.001" if p < 0.001 else f"p {p:.3f}"


def _tests(count: int) -> str:
    return f"{count} test" if count == 1 else f"{count} tests"


def _percent(rate: MeanEstimate) -> str:
    return f"{rate.value:.1%} ({rate.low:.1%} to {rate.high:.1%})"


def _mean(mean: MeanEstimate) -> str:
    return f"{mean.value:.3f} ({mean.low:.3f} to {mean.high:.3f})"
