"""Which test of one run is which of another."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import fmean

from sensecheck.core.errors import SpecError
from sensecheck.core.verdict import Outcome
from sensecheck.evals.run_file import RunFile
from sensecheck.evals.tally import Tried, tried
from sensecheck.evals.titles import title
from sensecheck.text.escaping import cut

LONGEST_REASON = 300


@dataclass(frozen=True, slots=True)
class Brief:
    """A test in one wording from one source, in brief; its repeats together."""

    key: str
    wording: str
    source: str
    title: str
    outcome: Outcome
    score: float | None
    """The mean of the repeats; None when one could not be judged."""
    runs: int
    because: str

    @classmethod
    def of(cls, one: Tried) -> "Brief":
        """What is kept of a test to compare it."""
        scores = [result.score for result in one.results]
        score = None if None in scores else fmean(score for score in scores if score is not None)
        because = cut(one.deciding.verdict.because, LONGEST_REASON)
        return cls(*one.first.cell, title(one.first), one.outcome, score, len(one.results), because)

    @property
    def cell(self) -> tuple[str, str, str]:
        """By what it is found in the other run."""
        return self.key, self.wording, self.source


@dataclass(frozen=True, slots=True)
class Pair:
    """The same test in both runs."""

    before: Brief
    after: Brief


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tests that two runs have in common, and those that only one has."""

    pairs: tuple[Pair, ...]
    only_before: tuple[Brief, ...]
    only_after: tuple[Brief, ...]
    notes: tuple[str, ...]
    """What else differs between the runs, in words."""
    errors: int
    """How many tests of the new run could not be judged, or are missing since it was interrupted."""


def pair_runs(before: RunFile, after: RunFile) -> Pairing:
    """The tests of two runs side by side; runs without a test in common cannot be compared."""
    old, new = _briefs(before), _briefs(after)
    renamed, notes = _like(old, new)
    by_cell = {brief.cell: brief for brief in renamed}
    pairs = tuple(Pair(by_cell[brief.cell], brief) for brief in new if brief.cell in by_cell)
    if not pairs:
        raise SpecError(
            f"`{before.path.name}` and `{after.path.name}` have no test in common: "
            "a test is known by its description and its variables, its prompt and its source"
        )
    paired = {pair.after.cell for pair in pairs}
    missing = after.header.cells - sum(brief.runs for brief in new)
    return Pairing(
        pairs,
        tuple(brief for brief in renamed if brief.cell not in paired),
        tuple(brief for brief in new if brief.cell not in paired),
        (*_differences(before, after), *notes, *_repeats(pairs), *_gaps(before, old), *_gaps(after, new)),
        sum(brief.outcome == "error" for brief in new) + max(missing, 0),
    )


def _briefs(run: RunFile) -> tuple[Brief, ...]:
    briefs = tuple(Brief.of(one) for one in tried(run.results()))
    if len({brief.cell for brief in briefs}) < len(briefs):
        raise SpecError(f"`{run.path}` holds a test twice, so that it cannot be told which is meant")
    return briefs


def _like(old: tuple[Brief, ...], new: tuple[Brief, ...]) -> tuple[tuple[Brief, ...], tuple[str, ...]]:
    """The old tests under the new names of the source and the prompt, where there is only one of each."""
    notes = []
    sources = _alone(old, "source"), _alone(new, "source")
    wordings = _alone(old, "wording"), _alone(new, "wording")
    if None not in sources and sources[0] != sources[1]:
        notes.append(f"the source was `{sources[0]}` and is `{sources[1]}`")
        old = tuple(replace(brief, source=str(sources[1])) for brief in old)
    if None not in wordings and wordings[0] != wordings[1]:
        notes.append(f"the prompt was `{wordings[0]}` and is `{wordings[1]}`")
        old = tuple(replace(brief, wording=str(wordings[1])) for brief in old)
    return old, tuple(notes)


def _alone(briefs: Iterable[Brief], name: str) -> str | None:
    """The one source, or the one prompt, of a run; None when there are several."""
    found = {str(getattr(brief, name)) for brief in briefs}
    return found.pop() if len(found) == 1 else None


def _differences(before: RunFile, after: RunFile) -> list[str]:
    """What was not the same, so that it may be the reason for what has changed."""
    old, new = before.header, after.header
    said = []
    if old.digest != new.digest:
        said.append("the battery, or a file that it names, has changed")
    if old.encoder != new.encoder:
        said.append(f"the encoder was `{old.encoder}` and is `{new.encoder}`")
    if old.sensecheck != new.sensecheck:
        said.append(f"sensecheck was {old.sensecheck} and is {new.sensecheck}")
    return said


def _repeats(pairs: tuple[Pair, ...]) -> list[str]:
    count = sum(pair.before.runs != pair.after.runs for pair in pairs)
    return [f"{count} of the tests were not repeated as often before as now"] if count else []


def _gaps(run: RunFile, briefs: tuple[Brief, ...]) -> list[str]:
    there = sum(brief.runs for brief in briefs)
    if there == run.header.cells:
        return []
    return [f"`{run.path.name}` was interrupted: {there} of its {run.header.cells} results are there"]
