"""What guards did, as people read it in a terminal."""

from collections.abc import Callable, Iterator, Sequence

from sensecheck.cli.effects_lost import show_lost
from sensecheck.cli.effects_words import (
    both,
    difference_in_words,
    no_items_in_words,
    percent,
    trend_in_words,
)
from sensecheck.cli.history_table import cut
from sensecheck.cli.paint import Paper, safe, show_table
from sensecheck.retrieval.effects.effects import Effects
from sensecheck.retrieval.effects.gone import Gone
from sensecheck.retrieval.effects.item_effect import Effect, ItemEffect
from sensecheck.retrieval.effects.report import EffectsReport, ScoredEffects
from sensecheck.retrieval.effects.tally import share

MOST = 40
"""Items that are shown; `-o FILE.csv` has them all."""
_SIDE = 22
Column = tuple[str, Callable[[Effect], str]]
_LONGEST = 32
_USUAL_WIDTHS = (60, 100)
_FEWER_CELLS = 48
"""What the fewer columns take beside the item's name."""


def _labelled(effect: Effect, before: int, after: int) -> str:
    return both(f"{before:,}", f"{after:,}") if effect.before.queries_labelled else both("–", "–")


_QUERIES: Column = ("queries", lambda one: f"{one.before.queries:,}")
_RELEVANT: Column = ("relevant", lambda one: _labelled(one, one.before.relevant, one.after.relevant))
_COVERED: Column = (
    "covered",
    lambda one: both(percent(one.before.relevant_coverage), percent(one.after.relevant_coverage)),
)
_FIGURES: Sequence[Column] = (
    _QUERIES,
    ("references", lambda one: both(f"{one.before.references:,}", f"{one.after.references:,}")),
    _RELEVANT,
    ("irrelevant", lambda one: _labelled(one, one.before.irrelevant, one.after.irrelevant)),
    _COVERED,
    ("chars", lambda one: both(f"{one.before.chars:,}", f"{one.after.chars:,}")),
)
_FEWER: Sequence[Column] = (
    _QUERIES,
    ("kept", lambda one: f"{one.after.references:,} of {one.before.references:,}"),
    _RELEVANT,
    _COVERED,
)


def show_effects(paper: Paper, report: EffectsReport) -> None:
    """The items, what was lost, then all together; what was answered comes last, where the eye is."""
    effects = report.effects
    if effects.items_differ:
        _show_items(paper, effects.items[:MOST])
        if len(effects.items) > MOST:
            paper.say((f"and {len(effects.items) - MOST:,} more", "dim"))
        paper.say("")
    show_lost(paper, effects.lost, effects.overall.before.queries_with_relevant)
    lines = [*_guards(report), *_lines(effects)]
    for label, told in lines if report.scored is None else [*lines, *_scored(report.scored)]:
        paper.say(told, label=(f"{label:<{_SIDE}}", "bold"))


def _show_items(paper: Paper, items: Sequence[ItemEffect]) -> None:
    """All columns where there is room or nobody knows, fewer on a terminal of the usual width."""
    usual = paper.is_terminal and _USUAL_WIDTHS[0] <= paper.width < _USUAL_WIDTHS[1]
    columns, longest = (_FEWER, min(_LONGEST, paper.width - _FEWER_CELLS)) if usual else (_FIGURES, _LONGEST)
    rows = [[cut(one.item, longest), *(told(one.effect) for _, told in columns)] for one in items]
    show_table(paper, ["item", *(head for head, _ in columns)], rows, spare=("chars", "irrelevant"))


def _guards(report: EffectsReport) -> Iterator[tuple[str, str]]:
    yield "guards", safe(" → ".join(report.effects.guards)) or "none: the chain has no stage"
    if report.encoder is not None:
        yield "encoder", safe(report.encoder)


def _lines(effects: Effects) -> Iterator[tuple[str, str]]:
    all_, before, after = effects.overall, effects.overall.before, effects.overall.after
    yield "references kept", _of(after.references, before.references)
    yield "relevant lost", _gone(effects, "relevant")
    yield "irrelevant removed", _gone(effects, "irrelevant")
    yield "covered", _covered(effects)
    if before.unlabelled:
        yield "not labelled", _of(before.unlabelled, before.references)
    yield "with any left", f"{percent(before.coverage)} of queries before, {percent(after.coverage)} after"
    counts = _by_stage(effects, "references").items()
    gone = ", ".join(f"{safe(stage)} {count:,}" for stage, count in counts)
    yield "dropped by", gone or "nobody: the chain has no stage"
    if all_.cut:
        yield "cut short", f"{all_.cut:,}"
    yield "chars", _of(after.chars, before.chars)
    for stage, one in all_.budgets.items():
        yield "budget used", f"{safe(stage)}: {_of(one.used, one.budget)} {one.unit}"
    if effects.items_differ:
        yield "early items", trend_in_words(effects)
    else:
        yield "items", no_items_in_words(effects)


def _gone(effects: Effects, label: str) -> str:
    """`11 of 99 (11.1%): above 8, top 2, within_chars 1`."""
    before, after = effects.overall.before, effects.overall.after
    if not before.queries_labelled:
        return "– (no reference is labelled)"
    had, left = getattr(before, label), getattr(after, label)
    counts = _by_stage(effects, label).items()
    by_stage = ", ".join(f"{safe(stage)} {count:,}" for stage, count in counts if count)
    return _of(had - left, had) + (by_stage and f": {by_stage}")


def _by_stage(effects: Effects, what: str) -> dict[str, int]:
    dropped = effects.overall.dropped
    return {stage: getattr(dropped.get(stage, Gone()), what) for stage in effects.stages}


def _covered(effects: Effects) -> str:
    before, after = effects.overall.before, effects.overall.after
    if not before.queries_labelled:
        return "–"
    some = "" if before.queries_labelled == before.queries else f"{before.queries_labelled:,} labelled "
    shares = percent(before.relevant_coverage), percent(after.relevant_coverage)
    return f"{shares[0]} of {some}queries have a relevant reference before, {shares[1]} after"


def _scored(scored: ScoredEffects) -> Iterator[tuple[str, str]]:
    paired = scored.paired
    for label, curve, area in (
        ("without guards", scored.bare, paired.bare),
        ("with guards", scored.guarded, paired.guarded),
    ):
        yield (
            label,
            f"AURC {curve.aurc:.3f} (best {curve.best:.3f}, by chance {curve.by_chance:.3f}), coverage up to "
            f"{percent(curve.highest)}; {area:.3f} up to {percent(paired.shared_coverage)}",
        )
    yield "difference", difference_in_words(paired)
    if paired.without_overlap:
        yield "", f"in {paired.without_overlap:,} of {paired.resamples:,} resamples an arm only abstained"


def _of(part: int, whole: int) -> str:
    return f"{part:,} of {whole:,} ({percent(share(part, whole))})"
