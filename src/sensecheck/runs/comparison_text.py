"""A comparison of two runs in words and tables, the same for a terminal, Markdown and a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from sensecheck.runs.comparison_result import Comparison
from sensecheck.runs.shift import ENOUGH_TO_CLAIM, Change, MetricShift
from sensecheck.text.escaping import counted, cut, interval, number, p_value, plain, share, with_encoder

MOST_ROWS = 50
LONGEST = 300
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;"
    "color-scheme:light dark}table{border-collapse:collapse;display:block;overflow-x:auto}"
    "th,td{padding:.2rem .7rem;border-bottom:1px solid #8884;text-align:left;overflow-wrap:anywhere}"
)


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A piece of a page: a heading, and sentences as a list or a table with a note below it."""

    heading: str
    sentences: Sequence[str] = ()
    head: tuple[str, ...] = ()
    rows: Sequence[tuple[str, ...]] = ()
    note: str = ""
    count: int | None = None
    """Rows or sentences that there are, where not all are listed."""
    level: int = 3

    def beyond(self, shown: int) -> int:
        """How many there are besides those that are shown."""
        listed = len(self.rows) + len(self.sentences)
        return max(0, (listed if self.count is None else self.count) - shown)


def comparison_markdown(found: Comparison) -> str:
    """The comparison as Markdown; long lists are cut, which it says."""
    return "\n".join("".join(_markdown(block)) for block in _page(found))


def comparison_html(found: Comparison) -> str:
    """The comparison as a page that needs nothing else; long lists are cut, which it says."""
    title = escape(_safe(title_of(found)))
    body = "".join(piece for block in _page(found) for piece in _html(block))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )


def title_of(found: Comparison) -> str:
    """Which runs are compared."""
    return f"{found.before.title} → {found.after.title}"


def facts_of(found: Comparison) -> list[str]:
    """How many items both runs have, and what people said of them, in brief."""
    paired_by = f", known by {found.paired_by}" if found.items == "row" else ""
    labels = [
        f"{shift.metric} {number(shift.before)} → {number(shift.after)}" for shift in found.labels if shift.n
    ]
    people = [f"people: {', '.join(labels)}"] if labels else []
    return [f"{counted(found.n, found.items)} in both{paired_by}", *people]


def summary_of(found: Comparison) -> list[str]:
    """What it comes to, a sentence each: what people said first, then the metrics, then what flipped."""
    if found.is_empty:
        return [f"no {found.items} could be judged in both runs"]
    return [*_claims(found), *_flips(found)]


def flips_of(found: Comparison) -> Iterator[tuple[str, int, tuple[Change, ...]]]:
    """The items that came out differently, the worst first, with their number; only where there are some."""
    for heading, count, changes in (
        ("no longer passing", found.regression_count, found.regressions),
        ("no longer to be judged", len(found.to_error), found.to_error),
        ("newly passing", found.fix_count, found.fixes),
        ("to be judged again", len(found.from_error), found.from_error),
        ("different, but passing neither before nor now", len(found.other), found.other),
    ):
        if changes:
            yield f"{counted(count, found.items)} {heading}", count, changes


def change_in_words(change: Change) -> str:
    """From which outcome to which, and from which score."""
    flipped = f"{change.before} → {change.after}"
    if change.score_before is None or change.score_after is None:
        return flipped
    return f"{flipped}, score {change.score_before:.3f} → {change.score_after:.3f}"


def claim_of(one: MetricShift) -> str:
    """`better`, `worse`, `unchanged`, or nothing where the difference is not significant."""
    if one.unchanged:
        return "unchanged"
    if not one.claim:
        return ""
    return "worse" if one.fell else "better"


def tables_of(found: Comparison) -> Iterator[PageBlock]:
    """What people said, the metrics, the slices, and what moved most; each only where there is some."""
    several = _has_several_encoders(found)
    for heading, word, shifts in (
        ("What people said", "what people said", found.labels),
        ("Metrics", "metric", found.metrics),
    ):
        note = found.tested.correction if shifts is found.metrics else ""
        rows = [(_name(shift, several=several), *_figures(shift)) for shift in shifts]
        yield PageBlock(heading, (), (word, *_head(found)), rows, note)
    slices = [
        (part.slice, _name(shift, several=several), *_figures(shift, in_slice=True))
        for part in found.slices
        for shift in part.metrics
        if shift.claim or shift.metric == found.told_by
    ]
    note = f"slices by {found.told_by}, and by any other metric with a significant change"
    yield PageBlock("Slices", (), ("slice", "metric", *_head(found)), slices, note)
    moved = [
        (
            item.id,
            number(item.before),
            number(item.after),
            number(item.difference, sign=True),
            "lower" if item.difference < 0 else "higher",
        )
        for item in found.moved
    ]
    word = f"moved most by {found.told_by}"
    yield PageBlock(word.capitalize(), (), (word, "before", "now", "change", "direction"), moved)


def lists_of(found: Comparison) -> Iterator[PageBlock]:
    """The items that lost a number, or that were not compared; each list only where there are some."""
    counts, several = (
        {(shift.metric, shift.encoder): shift.lost for shift in found.metrics},
        _has_several_encoders(found),
    )
    for lost in found.lost:
        name = with_encoder(lost.metric, lost.encoder, several=several)
        count = counts[lost.metric, lost.encoder]
        yield PageBlock(f"{name}: {count:,} n/a now but not before", lost.ids, count=count)
    for heading, names, count in (
        ("only before", found.only_before, found.removed),
        ("only now", found.only_after, found.added),
        ("worded otherwise, so not compared", found.reworded, len(found.reworded)),
    ):
        if count:
            yield PageBlock(f"{counted(count, found.items)} {heading}", names, count=count)


def _claims(comparison: Comparison) -> Iterator[str]:
    several = _has_several_encoders(comparison)
    shifts = [
        *((f"{shift.metric} (label)", shift) for shift in comparison.labels),
        *((_name(shift, several=several), shift) for shift in comparison.metrics),
    ]
    claims = {
        word: [name for name, shift in shifts if claim_of(shift) == word] for word in ("worse", "better")
    }
    if not any(claims.values()):
        yield "no significant change"
    yield from (f"significantly {word}: {', '.join(claimed)}" for word, claimed in claims.items() if claimed)
    few = [name for name, shift in shifts if not shift.claim and shift.fell_significantly(comparison.alpha)]
    if few:
        yield f"lower, on fewer than {ENOUGH_TO_CLAIM} {comparison.items}s: {', '.join(few)}"


def _flips(comparison: Comparison) -> Iterator[str]:
    down, up = comparison.regression_count, comparison.fix_count
    if down or up:
        fallen, risen = counted(down, comparison.items), counted(up, comparison.items)
        yield f"{fallen} no longer passed, {risen} newly passed"
    if comparison.errors:
        yield f"{counted(comparison.errors, comparison.items)} of the later run could not be judged"


def _page(comparison: Comparison) -> Iterator[PageBlock]:
    """The blocks of a page in their order, the summary first."""
    first = (*summary_of(comparison), *facts_of(comparison), *comparison.notes)
    yield PageBlock(title_of(comparison), first, level=2)
    yield from (block for block in tables_of(comparison) if block.rows)
    for heading, count, changes in flips_of(comparison):
        rows = [
            (change.title, change.source or change.metric, change_in_words(change), change.because)
            for change in changes
        ]
        yield PageBlock(heading, (), (comparison.items, "source or check", "", "why"), rows, count=count)
    yield from lists_of(comparison)


def _has_several_encoders(comparison: Comparison) -> bool:
    return len({shift.encoder for shift in comparison.metrics if shift.encoder}) > 1


def _name(shift: MetricShift, *, several: bool) -> str:
    return with_encoder(shift.metric, shift.encoder, several=several)


def _head(comparison: Comparison) -> tuple[str, ...]:
    confidence = f"{100 * (1 - comparison.alpha):g} %"
    return ("n", "before", "now", "change", confidence, "p (Holm)", "effect", "up", "down", "n/a", "claim")


def _figures(shift: MetricShift, *, in_slice: bool = False) -> tuple[str, ...]:
    few = f"none: fewer than {ENOUGH_TO_CLAIM}" if in_slice and shift.n < ENOUGH_TO_CLAIM else ""
    return (
        f"{shift.n:,}",
        number(shift.before),
        number(shift.after),
        number(shift.difference, sign=True),
        interval(shift.low, shift.high, sign=True),
        "" if shift.adjusted is None else p_value(shift.adjusted),
        number(shift.effect, 2, sign=True),
        share(shift.better),
        share(shift.worse),
        f"{shift.na_before:,} → {shift.na_after:,}" if shift.na_before or shift.na_after else "",
        claim_of(shift) or few,
    )


def _markdown(block: PageBlock) -> Iterator[str]:
    yield f"{'#' * block.level} {plain(block.heading, LONGEST)}\n\n"
    yield from (f"- {plain(text, LONGEST)}\n" for text in block.sentences[:MOST_ROWS])
    if block.rows:
        yield f"| {' | '.join(plain(text, LONGEST) for text in block.head)} |\n{'|---' * len(block.head)}|\n"
        yield from (
            f"| {' | '.join(plain(cell, LONGEST) for cell in row)} |\n" for row in block.rows[:MOST_ROWS]
        )
    yield from (f"\n{plain(text, LONGEST)}\n" for text in _below(block))


def _html(block: PageBlock) -> Iterator[str]:
    level = block.level - 1
    yield f"<h{level}>{escape(_safe(block.heading))}</h{level}>\n"
    if block.sentences:
        items = "".join(f"<li>{escape(_safe(text))}</li>\n" for text in block.sentences[:MOST_ROWS])
        yield f"<ul>\n{items}</ul>\n"
    if block.rows:
        head = "".join(f"<th>{escape(_safe(text))}</th>" for text in block.head)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_safe(text))}</td>' for text in row)}</tr>\n"
            for row in block.rows[:MOST_ROWS]
        )
        yield f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n"
    yield from (f"<p>{escape(_safe(text))}</p>\n" for text in _below(block))


def _below(block: PageBlock) -> Iterator[str]:
    if (beyond := block.beyond(MOST_ROWS)) > 0:
        yield f"and {beyond:,} more."
    if block.note:
        yield block.note


def _safe(text: str) -> str:
    """On one line, cut, and without characters that a page cannot hold."""
    line = cut(" ".join(text[: 4 * LONGEST].split()), LONGEST)
    return "".join(
        character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in line
    )
