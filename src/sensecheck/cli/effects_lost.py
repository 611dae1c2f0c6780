"""Which queries lost their last relevant reference, in a terminal."""

from collections.abc import Sequence

from sensecheck.cli.history_table import cut
from sensecheck.cli.paint import Paper, safe
from sensecheck.retrieval.effects.lost import LostQuery

MOST = 10
"""Queries that are shown; `-o FILE.json` and the page have more."""
_QUOTE = 60


def show_lost(paper: Paper, lost: Sequence[LostQuery], had: int) -> None:
    """The first of them: the query, then the closest reference that it lost, by which stage and why."""
    if not lost:
        return
    title = f"{len(lost):,} of {had:,} queries lost their last relevant reference"
    paper.say((title, "bold"))
    for one in lost[:MOST]:
        named = "" if one.id is None else f"{safe(str(one.id))}: "
        paper.say(named, _quoted(one.query), indent=2)
        gone, *others = one.references
        more = f" (and {len(others):,} more)" if others else ""
        paper.say(
            _quoted(gone.text),
            f" {safe(gone.stage)}: {safe(gone.because)}{more}",
            label=(f"{gone.closeness:.3f}  ", ""),
            indent=4,
        )
    if len(lost) > MOST:
        paper.say((f"and {len(lost) - MOST:,} more; `-o FILE.json` has them all", "dim"), indent=2)
    paper.say("")


def _quoted(text: str) -> str:
    return f"“{cut(' '.join(text.split()), _QUOTE)}”"
