"""What guards did, as people read it in a terminal."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from sensecheck.cli.effects_words import difference_in_words, percent, trend_in_words
from sensecheck.cli.paint import Paper, safe
from sensecheck.retrieval.effects.effects import Effects
from sensecheck.retrieval.effects.item_effect import Effect
from sensecheck.retrieval.effects.report import EffectsReport, ScoredEffects
from sensecheck.retrieval.effects.tally import share

MOST = 40
"""Items that are shown; `-o FILE.csv` has them all."""
_LONGEST = 32
_SIDE = 22
_HEADS = ("item", "queries", "references", "relevant", "irrelevant", "with a relevant one", "chars")


def show_effects(paper: Paper, report: EffectsReport) -> None:
    """The items, then all of them together; what was answered comes last, where the eye is."""
    effects = report.effects
    _table(paper, [_HEADS, *(_row(one.item, one.effect) for one in effects.items[:MOST])])
    if len(effects.items) > MOST:
        paper.say((f"and {len(effects.items) - MOST:,} more", "dim"))
    paper.say("")
    for label, told in _lines(effects):
        paper.say(told, label=(f"{label:<{_SIDE}}", "bold"))
    if report.scored is not None:
        for label, told in _scored(report.scored):
            paper.say(told, label=(f"{label:<{_SIDE}}", "bold"))


def _row(name: str, effect: Effect) -> Sequence[str]:
    before, after = effect.before, effect.after
    shown = safe(name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…")
    return (
        shown,
        f"{before.queries:,}",
        f"{before.references:,} > {after.references:,}",
        f"{before.relevant:,} > {after.relevant:,}",
        f"{before.irrelevant:,} > {after.irrelevant:,}",
        f"{percent(before.relevant_coverage)} > {percent(after.relevant_coverage)}",
        f"{before.chars:,} > {after.chars:,}",
    )


def _table(paper: Paper, rows: Sequence[Sequence[str]]) -> None:
    """Columns side by side; line under line where a terminal is too narrow for it."""
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    if paper.is_terminal and sum(widths) + 2 * len(widths) > paper.width:
        for name, *figures in rows[1:]:
            paper.say((name, "bold"))
            for head, figure in zip(rows[0][1:], figures, strict=True):
                paper.say(f"{head}: {figure}", indent=2)
        return
    for number, row in enumerate(rows):
        first, *rest = (
            _padded(cell, width, right=column > 0)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        paper.say(("  ".join((first, *rest)).rstrip(), "" if number else "bold"))


def _padded(cell: str, width: int, *, right: bool) -> str:
    space = " " * (width - cell_len(cell))
    return space + cell if right else cell + space


def _lines(effects: Effects) -> Iterator[tuple[str, str]]:
    all_, before, after = effects.overall, effects.overall.before, effects.overall.after
    yield "references kept", _of(after.references, before.references)
    if before.relevant + before.irrelevant:
        yield "relevant lost", _of(before.relevant - after.relevant, before.relevant)
        yield "irrelevant removed", _of(before.irrelevant - after.irrelevant, before.irrelevant)
        covered = (
            f"{percent(before.relevant_coverage)} of queries before, {percent(after.relevant_coverage)} after"
        )
        yield "with a relevant one", covered
    if before.unlabelled:
        yield "not labelled", _of(before.unlabelled, before.references)
    yield "with any", f"{percent(before.coverage)} of queries before, {percent(after.coverage)} after"
    gone = [f"{stage} {all_.dropped.get(stage, 0):,}" for stage in dict.fromkeys(effects.stages)]
    yield "dropped by", ", ".join(gone) or "nobody: the chain has no stage"
    if all_.cut:
        yield "cut short", f"{all_.cut:,}"
    yield "chars", _of(after.chars, before.chars)
    for stage, one in all_.budgets.items():
        yield "budget used", f"{safe(stage)}: {_of(one.used, one.budget)} {one.unit}"
    yield "early items", trend_in_words(effects)


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
