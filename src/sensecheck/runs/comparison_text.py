"""A comparison of two runs in words, and as Markdown or HTML: for the summary of a CI job, or a page."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from sensecheck.runs.comparison_result import Comparison
from sensecheck.runs.shift import ENOUGH_TO_CLAIM, Change, MetricShift, counted
from sensecheck.text.escaping import cut, plain

MOST_ROWS = 50
LONGEST = 300
_STYLE = (
    "body{font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:72rem;padding:0 1rem;"
    "color-scheme:light dark}table{border-collapse:collapse;display:block;overflow-x:auto}"
    "th,td{padding:.2rem .7rem;border-bottom:1px solid #8884;text-align:left;overflow-wrap:anywhere}"
)


@dataclass(frozen=True, slots=True)
class PageBlock:
    """A piece of the page: a heading, sentences as a list, and a table, each where it has any."""

    heading: str = ""
    level: int = 3
    sentences: tuple[str, ...] = ()
    head: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    beyond: int = 0
    """Rows or sentences that are not shown."""


def comparison_markdown(found: Comparison) -> str:
    """The comparison as Markdown; long lists are cut, which it says."""
    return "\n".join("".join(_markdown(block)) for block in _blocks(found))


def comparison_html(found: Comparison) -> str:
    """The comparison as a page that needs nothing else; long lists are cut, which it says."""
    title = escape(_safe(title_of(found)))
    body = "".join(piece for block in _blocks(found) for piece in _html(block))
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{_STYLE}</style></head>\n<body>\n{body}</body></html>\n"
    )


def title_of(found: Comparison) -> str:
    """Which runs are compared."""
    return f"{found.before.title} → {found.after.title}"


def people_in_words(found: Comparison) -> str:
    """What people said of both runs, in brief; empty where there is none."""
    said = [f"{one.metric} {number(one.before)} → {number(one.after)}" for one in found.labels if one.n]
    return f"people: {', '.join(said)}" if said else ""


def summary_of(found: Comparison) -> list[str]:
    """What it comes to, a sentence each: what people said first, then the metrics, then what flipped."""
    if found.is_empty:
        return [f"no {found.items} could be judged in both runs"]
    return [*_claims(found), *_flips(found)]


def sections(found: Comparison) -> Iterator[tuple[str, int, tuple[Change, ...]]]:
    """The items that came out differently, the worst first, with their number; only where there are some."""
    for heading, count, changes in (
        ("no longer passing", found.regression_count, found.regressions),
        ("no longer to be judged", len(found.to_error), found.to_error),
        ("newly passing", found.fix_count, found.fixes),
        ("to be judged again", len(found.from_error), found.from_error),
        ("different, but passing neither before nor now", len(found.other), found.other),
    ):
        if changes:
            yield heading, count, changes


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


def names_of(found: Comparison) -> dict[int, str]:
    """What each shift is called, by its identity: labels say so, encoders only where there are several."""
    several = len({one.encoder for one in found.metrics if one.encoder}) > 1
    names = {id(one): f"{one.metric} (label)" for one in found.labels}
    return names | {
        id(one): one.metric + (f" ({one.encoder})" if several and one.encoder else "")
        for one in found.metrics
    }


def number(value: float | None, *, sign: bool = False) -> str:
    """A figure; where there is none, `n/a`."""
    return "n/a" if value is None else f"{value:{'+' if sign else ''}.3f}"


def _claims(found: Comparison) -> Iterator[str]:
    names, every = names_of(found), (*found.labels, *found.metrics)
    claims = {
        word: [names[id(one)] for one in every if claim_of(one) == word] for word in ("worse", "better")
    }
    if not any(claims.values()):
        yield "no significant change"
    yield from (f"significantly {word}: {', '.join(claimed)}" for word, claimed in claims.items() if claimed)
    few = [names[id(one)] for one in every if not one.claim and one.fell_significantly(found.alpha)]
    if few:
        yield f"lower, on fewer than {ENOUGH_TO_CLAIM} {found.items}s: {', '.join(few)}"


def _flips(found: Comparison) -> Iterator[str]:
    down, up = found.regression_count, found.fix_count
    if down or up:
        yield f"{counted(down, found.items)} no longer passed, {counted(up, found.items)} newly passed"
    if found.errors:
        yield f"{counted(found.errors, found.items)} of the later run could not be judged"


def _blocks(found: Comparison) -> Iterator[PageBlock]:
    people = people_in_words(found)
    facts = (
        f"{counted(found.n, found.items)} in both, known by {found.paired_by}",
        *([people] if people else []),
    )
    correction = [found.tested.correction] if found.tested.correction else []
    yield PageBlock(title_of(found), 2, (*summary_of(found), *facts, *correction, *found.notes))
    names = names_of(found)
    for heading, shifts in (("What people said", found.labels), ("Metrics", found.metrics)):
        yield from _table(heading, _head(found, "metric"), [_row(names[id(one)], one) for one in shifts])
    shown = [
        (part.slice, *_row(one.metric, one))
        for part in found.slices
        for one in part.metrics
        if one.claim or one.metric == found.told_by
    ]
    yield from _table("Slices", _head(found, "slice", "metric"), shown)
    for heading, count, changes in sections(found):
        rows = [(one.title, one.source or one.metric, change_in_words(one), one.because) for one in changes]
        yield from _table(f"{count} {heading}", (found.items, "source or check", "", "why"), rows, count)
    moved = [(one.id, number(one.before), number(one.after)) for one in found.moved]
    yield from _table(f"Moved most by {found.told_by}", (found.items, "before", "now"), moved)
    for one, lost in ((one, one.ids) for one in found.lost):
        yield from _list(f"n/a now but not before, by {one.metric}", lost, len(lost))
    yield from _list("only before", found.only_before, found.removed)
    yield from _list("only now", found.only_after, found.added)
    yield from _list("worded otherwise, so not compared", found.reworded, len(found.reworded))


def _head(found: Comparison, *first: str) -> tuple[str, ...]:
    return (*first, "n", "before", "now", "change", f"{100 * (1 - found.alpha):g} %", "p (Holm)", "claim")


def _row(name: str, one: MetricShift) -> tuple[str, ...]:
    between = "" if one.low is None else f"{number(one.low, sign=True)} to {number(one.high, sign=True)}"
    p = "" if one.adjusted is None else "<0.001" if one.adjusted < 0.001 else f"{one.adjusted:.3f}"
    means = (number(one.before), number(one.after), number(one.difference, sign=True))
    return (name, f"{one.n:,}", *means, between, p, claim_of(one))


def _table(
    heading: str, head: tuple[str, ...], rows: Sequence[tuple[str, ...]], count: int | None = None
) -> Iterator[PageBlock]:
    if rows:
        shown = tuple(rows[:MOST_ROWS])
        beyond = (len(rows) if count is None else count) - len(shown)
        yield PageBlock(heading, head=head, rows=shown, beyond=beyond)


def _list(heading: str, names: Sequence[str], count: int) -> Iterator[PageBlock]:
    if names:
        shown = tuple(names[:MOST_ROWS])
        yield PageBlock(f"{count} {heading}", sentences=shown, beyond=count - len(shown))


def _markdown(block: PageBlock) -> Iterator[str]:
    yield f"{'#' * block.level} {plain(block.heading, LONGEST)}\n\n"
    yield from (f"- {plain(one, LONGEST)}\n" for one in block.sentences)
    if block.rows:
        yield f"| {' | '.join(block.head)} |\n{'|---' * len(block.head)}|\n"
        yield from (f"| {' | '.join(plain(cell, LONGEST) for cell in row)} |\n" for row in block.rows)
    if block.beyond > 0:
        yield f"\nand {block.beyond} more.\n"


def _html(block: PageBlock) -> Iterator[str]:
    level = block.level - 1
    yield f"<h{level}>{escape(_safe(block.heading))}</h{level}>\n"
    if block.sentences:
        items = "".join(f"<li>{escape(_safe(one))}</li>\n" for one in block.sentences)
        yield f"<ul>\n{items}</ul>\n"
    if block.rows:
        head = "".join(f"<th>{escape(one)}</th>" for one in block.head)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(_safe(one))}</td>' for one in row)}</tr>\n" for row in block.rows
        )
        yield f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody></table>\n"
    if block.beyond > 0:
        yield f"<p>and {block.beyond} more.</p>\n"


def _safe(text: str) -> str:
    """On one line, cut, and without characters that a page cannot hold."""
    shown = cut(" ".join(text[: 4 * LONGEST].split()), LONGEST)
    return "".join(one if one.isprintable() else "\N{REPLACEMENT CHARACTER}" for one in shown)
