"""What guards did to all queries together, counted and on paper."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rich.text import Text

from sensecheck.cli.guarded import Guarded
from sensecheck.cli.paint import COLOURS, Paper, safe
from sensecheck.core.errors import CannotJudge
from sensecheck.retrieval.selection import Spent

_SIDE = 19


@dataclass(slots=True)
class GuardTally:
    """Counts as queries come."""

    stages: Sequence[str]
    """The names of the chain's stages, in its order."""
    selections: int = 0
    errors: int = 0
    first_error: str = ""
    not_judged: int = 0
    """References of queries that have no selection."""
    kept: int = 0
    unread: int = 0
    """References whose closeness could not be measured."""
    cut: int = 0
    empty: int = 0
    """Queries that are left with nothing."""
    dropped: Counter[str] = field(default_factory=Counter)
    used: Counter[tuple[int, Spent]] = field(default_factory=Counter)
    """What all queries used together, by the budget's place among those of the chain, and itself unspent."""

    @property
    def queries(self) -> int:
        """All of them."""
        return self.selections + self.errors

    def count(self, guarded: Guarded) -> None:
        """One more query."""
        found = guarded.found
        if isinstance(found, CannotJudge):
            self.first_error = self.first_error or f"{guarded.row.where}: {found}"
            self.errors += 1
            self.not_judged += len(guarded.row.matches)
            return
        self.selections += 1
        self.kept += len(found.kept)
        self.unread += len(found.unread)
        self.cut += len(found.cut)
        self.empty += not found.kept
        self.dropped.update(gone.stage for gone in found.dropped)
        for place, one in enumerate(found.spent):  # two stages of one name and size are still two
            self.used[place, replace(one, used=0)] += one.used


def show_tally(paper: Paper, tally: GuardTally) -> None:
    """A line for each thing that can be counted."""
    for label, told in _lines(tally):
        paper.say(told, label=(f"{label:<{_SIDE}}", "bold"))


def _lines(tally: GuardTally) -> Iterator[tuple[str, Text]]:
    errors = Text(f", {tally.errors:,} error{'s' * (tally.errors > 1)}", COLOURS["error"])
    yield "queries", Text(f"{tally.queries:,}") + (errors if tally.errors else Text())
    if tally.errors:
        yield "first error", Text(safe(tally.first_error))
    came = tally.kept + tally.unread + tally.dropped.total() + tally.not_judged
    yield "references", Text(f"{came:,} in, {tally.kept:,} kept")
    if tally.not_judged:
        yield "not judged", Text(f"{tally.not_judged:,}, of queries with an error", COLOURS["error"])
    if tally.unread:
        yield "cannot be read", Text(f"{tally.unread:,}", COLOURS["error"])
    by_stage = [f"{name} {tally.dropped[name]:,}" for name in dict.fromkeys(tally.stages)]
    yield "dropped by", Text(", ".join(by_stage) or "nobody: no guard is set")
    if tally.cut:
        yield "cut short", Text(f"{tally.cut:,}")
    for (_, one), used in tally.used.items():
        mean = used / tally.selections
        told = f"{one.stage}: {mean:,.1f} of {one.budget:,} {one.unit} a query"
        yield "budget used", Text(f"{told} ({100 * mean / one.budget:.1f}%)")
    yield "left with nothing", Text(f"{tally.empty:,} of {tally.selections:,}")
