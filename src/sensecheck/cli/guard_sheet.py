"""What guards did to all queries together, counted and on paper."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from rich.text import Text

from sensecheck.cli.paint import COLOURS, Paper
from sensecheck.core.errors import CannotJudge
from sensecheck.retrieval.selection import Selection, Spent

_SIDE = 19


@dataclass(slots=True)
class GuardTally:
    """Counts as queries come."""

    stages: Sequence[str]
    """The names of the chain's stages, in its order."""
    selections: int = 0
    errors: int = 0
    kept: int = 0
    cut: int = 0
    empty: int = 0
    """Queries that are left with nothing."""
    dropped: Counter[str] = field(default_factory=Counter)
    used: Counter[tuple[str, str, int]] = field(default_factory=Counter)
    """By stage, unit and budget: what all queries used together."""

    @property
    def queries(self) -> int:
        """All of them."""
        return self.selections + self.errors

    def count(self, found: Selection | CannotJudge) -> None:
        """One more query."""
        if isinstance(found, CannotJudge):
            self.errors += 1
            return
        self.selections += 1
        self.kept += len(found.kept)
        self.cut += len(found.cut)
        self.empty += not found.kept
        self.dropped.update(gone.stage for gone in found.dropped)
        for one in found.spent:
            self.used[_budget(one)] += one.used


def show_tally(paper: Paper, tally: GuardTally) -> None:
    """A line for each thing that can be counted."""
    for label, told in _lines(tally):
        paper.say(told, label=(f"{label:<{_SIDE}}", "bold"))


def _lines(tally: GuardTally) -> Iterator[tuple[str, Text]]:
    errors = Text(f", {tally.errors:,} error{'s' * (tally.errors > 1)}", COLOURS["error"])
    yield "queries", Text(f"{tally.queries:,}") + (errors if tally.errors else Text())
    yield "references", Text(f"{tally.kept + tally.dropped.total():,} in, {tally.kept:,} kept")
    by_stage = [f"{name} {tally.dropped[name]:,}" for name in dict.fromkeys(tally.stages)]
    yield "dropped by", Text(", ".join(by_stage) or "nobody: no guard is set")
    if tally.cut:
        yield "cut short", Text(f"{tally.cut:,}")
    for (stage, unit, budget), used in tally.used.items():
        mean = used / tally.selections
        yield (
            "budget used",
            Text(f"{stage}: {mean:,.1f} of {budget:,} {unit} a query ({100 * mean / budget:.1f}%)"),
        )
    yield "left with nothing", Text(f"{tally.empty:,} of {tally.selections:,}")


def _budget(spent: Spent) -> tuple[str, str, int]:
    return spent.stage, spent.unit, spent.budget
