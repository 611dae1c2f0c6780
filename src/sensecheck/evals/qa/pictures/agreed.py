"""How well every metric agrees with what people said: a mark with its interval each."""

from collections.abc import Iterator, Sequence

from sensecheck.calibration.curves_scale import Scale
from sensecheck.calibration.svg import dot, stroke, words
from sensecheck.calibration.svg_axes import Panel
from sensecheck.core.errors import SpecError
from sensecheck.core.markup import Markup, together
from sensecheck.evals.qa.agreement.with_labels import Agreement
from sensecheck.evals.qa.pictures.sheet import EDGE, TOP, Sheet, notes

_WIDTH, _ROW, _LEFT, _RIGHT = 760, 30, 220, 150

Shown = tuple[float | None, float | None, float | None]


def draw_agreement(rows: Sequence[Agreement], *, of: str) -> Sheet:
    """One label's rows, by AUROC where the label is yes or no and by Spearman else."""
    if not rows:
        raise SpecError(
            "the run has no labels; add some with `sensecheck history label`, then draw the agreement"
        )
    by_auroc = any(row.auroc is not None for row in rows)
    shown = [(row, _shown(row, by_auroc=by_auroc)) for row in rows]
    panel = _panel(shown, by_auroc=by_auroc)
    inside = together((*_ground(panel, by_auroc=by_auroc), *_rows(panel, shown), _note(panel, by_auroc)))
    what = "AUROC" if by_auroc else "Spearman"
    about = "; ".join(f"{row.metric} {_told(found)}" for row, found in shown)
    title = f"Agreement with “{rows[0].label}”"
    below = f"{of}: {what} with its 95% interval"
    return Sheet(_WIDTH, panel.bottom + 92, title, below, f"{what}: {about}", inside)


def _shown(row: Agreement, *, by_auroc: bool) -> Shown:
    if by_auroc:
        return row.auroc, row.auroc_low, row.auroc_high
    return row.spearman, row.spearman_low, row.spearman_high


def _panel(shown: Sequence[tuple[Agreement, Shown]], *, by_auroc: bool) -> Panel:
    least = 0.5 if by_auroc else 0.0
    known = [value for _, found in shown for value in found if value is not None]
    low = min(least, *known) if known else least
    return Panel(_LEFT, TOP + 14, _WIDTH - _LEFT - _RIGHT, _ROW * len(shown), Scale(low, 1.0))


def _ground(panel: Panel, *, by_auroc: bool) -> Iterator[Markup]:
    for tick in panel.across.ticks(6):
        yield stroke(panel.x(tick), panel.top, panel.x(tick), panel.bottom, "grid")
        yield words(f"{tick:.2g}", panel.x(tick), panel.bottom + 18, "soft", anchor="middle")
    chance = panel.x(0.5 if by_auroc else 0.0)
    yield stroke(chance, panel.top, chance, panel.bottom, "even")


def _rows(panel: Panel, shown: Sequence[tuple[Agreement, Shown]]) -> Iterator[Markup]:
    several = {row.metric for row, _ in shown if sum(other.metric == row.metric for other, _ in shown) > 1}
    for at, (row, (value, low, high)) in enumerate(shown):
        y = panel.top + _ROW * (at + 0.5)
        name = f"{row.metric} by {row.encoder}" if row.metric in several else row.metric
        yield words(name, panel.left - 14, y + 4, anchor="end")
        yield words(_told((value, low, high)), panel.right + 12, y + 4, "soft")
        if low is not None and high is not None:
            yield stroke(panel.x(low), y, panel.x(high), y, "span")
        if value is not None:
            yield dot(panel.x(value), y, 4.6, "point", f"{name}: {value:.3f}, n {row.n:,}")


def _told(found: Shown) -> str:
    value, low, high = found
    if value is None:
        return "n/a"
    return f"{value:.3f}" if low is None or high is None else f"{value:.3f} ({low:.3f} to {high:.3f})"


def _note(panel: Panel, by_auroc: bool) -> Markup:
    text = (
        "AUROC is the chance that of two answers, one labelled 1 and one labelled 0, the metric reads more "
        "off the first. The dashed line is a coin."
        if by_auroc
        else "Spearman is the correlation of ranks. The dashed line is none at all."
    )
    return notes(text, EDGE, panel.bottom + 50, _WIDTH - 2 * EDGE)
