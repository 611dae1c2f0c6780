"""A comparison as Markdown, for the summary of a CI job."""

from collections.abc import Iterator

from sensecheck.evals.compare.change import Change
from sensecheck.evals.compare.comparison import Comparison
from sensecheck.evals.compare.words import (
    change_in_words,
    rates_in_words,
    scores_in_words,
    sections,
    verdict_of,
)
from sensecheck.text.escaping import plain

MOST = 50
LONGEST = 300


def comparison_markdown(found: Comparison) -> str:
    """The whole page; long lists are cut, which is said."""
    return "".join(_pieces(found))


def _pieces(found: Comparison) -> Iterator[str]:
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
        yield from map(_row, changes[:MOST])
        yield _more(len(changes) - MOST)
    for heading, titles in (("only before", found.only_before), ("only now", found.only_after)):
        if titles:
            yield f"\n### {len(titles)} {heading}\n\n"
            yield from (f"- {plain(title, LONGEST)}\n" for title in titles[:MOST])
            yield _more(len(titles) - MOST)


def _row(change: Change) -> str:
    cells = (change.title, change.source, change_in_words(change), change.because)
    return f"| {' | '.join(plain(cell, LONGEST) for cell in cells)} |\n"


def _more(count: int) -> str:
    return f"\nand {count} more.\n" if count > 0 else ""
