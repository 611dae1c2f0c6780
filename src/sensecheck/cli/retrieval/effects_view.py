"""The effects of guards as text, with what is significant and what rests on too few."""

from collections.abc import Callable, Iterator, Sequence

from sensecheck.cli.console import Console, cut, safe, show_table
from sensecheck.retrieval.effects import MIN_ITEMS, Effects, LostQuery, PositionTrend
from sensecheck.retrieval.effects_report import EffectsReport, ScoredEffects
from sensecheck.retrieval.item_effects import DroppedCounts, Effect, ItemEffect, share
from sensecheck.stats.risk_coverage import MIN_GROUPS, PairedDifference

MAX_ITEMS = 40
"""Items that are shown; `-o FILE.csv` has them all."""
MAX_LOST = 10
"""Queries that are shown; `-o FILE.json` and the page have more."""
_FEWER_CELLS = 48
"""What the fewer columns take next to the item's name."""
_MAX_ITEM_CHARS = 32
_MAX_QUOTE_CHARS = 60
_LABEL_WIDTH = 22
_USUAL_WIDTHS = (60, 100)
_Column = tuple[str, Callable[[Effect], str]]


def show_effects(console: Console, report: EffectsReport) -> None:
    """The items, what was lost, then all together; what was answered comes last, where the eye is."""
    effects = report.effects
    if effects.items_differ:
        _show_items(console, effects.items[:MAX_ITEMS])
        if len(effects.items) > MAX_ITEMS:
            console.line((f"and {len(effects.items) - MAX_ITEMS:,} more", "dim"))
        console.line("")
    _show_lost(console, effects.lost, effects.overall.before.queries_with_relevant)
    lines = [*_guards(report), *_lines(effects)]
    for label, text in lines if report.scored is None else [*lines, *_scored(report.scored)]:
        console.line(text, label=(f"{label:<{_LABEL_WIDTH}}", "bold"))


def _show_lost(console: Console, lost: Sequence[LostQuery], total: int) -> None:
    """The first of them: the query, then the closest reference that it lost, by which stage and why."""
    if not lost:
        return
    title = f"{len(lost):,} of {total:,} queries lost their last relevant reference"
    console.line((title, "bold"))
    for query in lost[:MAX_LOST]:
        name = "" if query.id is None else f"{safe(str(query.id))}: "
        console.line(name, _quoted(query.query), indent=2)
        closest, *others = query.references
        more = f" (and {len(others):,} more)" if others else ""
        console.line(
            _quoted(closest.text),
            f" {safe(closest.stage)}: {safe(closest.because)}{more}",
            label=(f"{closest.closeness:.3f}  ", ""),
            indent=4,
        )
    if len(lost) > MAX_LOST:
        console.line((f"and {len(lost) - MAX_LOST:,} more; `-o FILE.json` has them all", "dim"), indent=2)
    console.line("")


def difference_in_words(paired: PairedDifference) -> str:
    """The difference in AURC with its interval, and what may be said of it."""
    figures = f"AURC {paired.difference:+.3f} with guards ({_interval(paired)}{_chance(paired.p_value)})"
    conclusions = {
        "below": "better with guards, significant",
        "above": "worse with guards, significant",
        "chance": "not significant",
        "few": _too_few(paired.groups, "group", MIN_GROUPS),
    }
    return f"{figures}: {conclusions[paired.claim]}"


def trend_in_words(effects: Effects) -> str:
    """Whether budgets had more space for early items or for late ones."""
    if not effects.overall.budgets:
        return "no stage of the chain has a budget"
    if effects.trend is None:
        nothing = effects.overall.dropped_by_budget == 0
        return "budgets dropped nothing" if nothing else "too little differs for a trend"
    return _trend(effects.trend)


def _percent(share: float | None) -> str:
    """`37.5%`; nothing is a dash, and only what is whole is `100%`."""
    if share is None:
        return "–"
    if share in (0.0, 1.0):
        return f"{share:.0%}"
    return f"{min(max(share, 0.001), 0.999):.1%}"


def _both(before: str, after: str) -> str:
    """Before the guards, and after them."""
    return f"{before} > {after}"


def _labelled(effect: Effect, before: int, after: int) -> str:
    return _both(f"{before:,}", f"{after:,}") if effect.before.queries_labelled else _both("–", "–")


_QUERIES: _Column = ("queries", lambda effect: f"{effect.before.queries:,}")
_RELEVANT: _Column = (
    "relevant",
    lambda effect: _labelled(effect, effect.before.relevant, effect.after.relevant),
)
_COVERED: _Column = (
    "covered",
    lambda effect: _both(_percent(effect.before.relevant_coverage), _percent(effect.after.relevant_coverage)),
)
_FIGURES: Sequence[_Column] = (
    _QUERIES,
    ("references", lambda effect: _both(f"{effect.before.references:,}", f"{effect.after.references:,}")),
    _RELEVANT,
    ("irrelevant", lambda effect: _labelled(effect, effect.before.irrelevant, effect.after.irrelevant)),
    _COVERED,
    ("chars", lambda effect: _both(f"{effect.before.chars:,}", f"{effect.after.chars:,}")),
)
_FEWER: Sequence[_Column] = (
    _QUERIES,
    ("kept", lambda effect: f"{effect.after.references:,} of {effect.before.references:,}"),
    _RELEVANT,
    _COVERED,
)


def _show_items(console: Console, items: Sequence[ItemEffect]) -> None:
    """All columns where there is room or the width is unknown, fewer on a terminal of the usual width."""
    is_usual_width = console.is_terminal and _USUAL_WIDTHS[0] <= console.width < _USUAL_WIDTHS[1]
    columns, longest = (
        (_FEWER, min(_MAX_ITEM_CHARS, console.width - _FEWER_CELLS))
        if is_usual_width
        else (_FIGURES, _MAX_ITEM_CHARS)
    )
    rows = [[cut(item.item, longest), *(figure(item.effect) for _, figure in columns)] for item in items]
    show_table(console, ["item", *(head for head, _ in columns)], rows, spare=("chars", "irrelevant"))


def _guards(report: EffectsReport) -> Iterator[tuple[str, str]]:
    yield "guards", safe(" → ".join(report.effects.guards)) or "none: the chain has no stage"
    if report.encoder is not None:
        yield "encoder", safe(report.encoder)


def _lines(effects: Effects) -> Iterator[tuple[str, str]]:
    overall, before, after = effects.overall, effects.overall.before, effects.overall.after
    yield "references kept", _part_of(after.references, before.references)
    yield "relevant lost", _removed(effects, "relevant")
    yield "irrelevant removed", _removed(effects, "irrelevant")
    yield "covered", _covered(effects)
    if before.unlabelled:
        yield "not labelled", _part_of(before.unlabelled, before.references)
    yield "with any left", f"{_percent(before.coverage)} of queries before, {_percent(after.coverage)} after"
    counts = _by_stage(effects, "references").items()
    dropped = ", ".join(f"{safe(stage)} {count:,}" for stage, count in counts)
    yield "dropped by", dropped or "none: the chain has no stage"
    if overall.cut:
        yield "cut short", f"{overall.cut:,}"
    yield "chars", _part_of(after.chars, before.chars)
    for stage, budget in overall.budgets.items():
        yield "budget used", f"{safe(stage)}: {_part_of(budget.used, budget.budget)} {budget.unit}"
    if effects.items_differ:
        yield "early items", trend_in_words(effects)
    else:
        reason = "there is one item" if len(effects.items) == 1 else "every item has one query"
        yield "items", f"{reason}, so nothing is shown by item, or for early and late ones"


def _removed(effects: Effects, label: str) -> str:
    """`11 of 99 (11.1%): above 8, top 2, within_chars 1`."""
    before, after = effects.overall.before, effects.overall.after
    if not before.queries_labelled:
        return "– (no reference is labelled)"
    total, remaining = getattr(before, label), getattr(after, label)
    counts = _by_stage(effects, label).items()
    by_stage = ", ".join(f"{safe(stage)} {count:,}" for stage, count in counts if count)
    return _part_of(total - remaining, total) + (by_stage and f": {by_stage}")


def _by_stage(effects: Effects, what: str) -> dict[str, int]:
    dropped = effects.overall.dropped
    return {stage: getattr(dropped.get(stage, DroppedCounts()), what) for stage in effects.stages}


def _covered(effects: Effects) -> str:
    before, after = effects.overall.before, effects.overall.after
    if not before.queries_labelled:
        return "–"
    labelled = "" if before.queries_labelled == before.queries else f"{before.queries_labelled:,} labelled "
    shares = _percent(before.relevant_coverage), _percent(after.relevant_coverage)
    return f"{shares[0]} of {labelled}queries have a relevant reference before, {shares[1]} after"


def _scored(scored: ScoredEffects) -> Iterator[tuple[str, str]]:
    paired = scored.paired
    for label, curve, area in (
        ("without guards", scored.bare, paired.bare),
        ("with guards", scored.guarded, paired.guarded),
    ):
        yield (
            label,
            f"AURC {curve.aurc:.3f} (best {curve.best:.3f}, by chance {curve.by_chance:.3f}), coverage up to "
            f"{_percent(curve.highest)}; {area:.3f} up to {_percent(paired.shared_coverage)}",
        )
    yield "difference", difference_in_words(paired)
    if paired.without_overlap:
        yield "", f"in {paired.without_overlap:,} of {paired.resamples:,} resamples an arm only abstained"


def _part_of(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({_percent(share(part, whole))})"


def _quoted(text: str) -> str:
    return f"“{cut(' '.join(text.split()), _MAX_QUOTE_CHARS)}”"


def _trend(trend: PositionTrend) -> str:
    figure = f"correlation of position with the share that fitted {trend.correlation:+.3f}"
    conclusions = {
        "below": "more fitted for early items, significant",
        "above": "more fitted for late items, significant",
        "chance": "not significant",
        "few": _too_few(trend.items, "item", MIN_ITEMS),
    }
    return f"{figure} ({_chance(trend.p_value)}): {conclusions[trend.claim]}"


def _interval(paired: PairedDifference) -> str:
    if paired.interval is None:
        return "no interval, "
    return f"{paired.confidence:.0%} interval {paired.interval.low:+.3f} to {paired.interval.high:+.3f}, "


def _chance(p_value: float) -> str:
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.3f}"


def _too_few(count: int, what: str, needed: int) -> str:
    return (
        f"too few to conclude anything from: {count:,} {what}{'s' * (count != 1)}, at least {needed} needed"
    )
