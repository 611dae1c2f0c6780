"""Which test or question of one run is which of another.

The tests of suites are known by their key, prompt and source; the questions of evaluations by their id and,
where the question sets differ, by their wording.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Item, Run, RunBrief, digest_of
from sensecheck.core.verdict import Outcome
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.pairs import TablePairs
from sensecheck.runs.shift import PASSED, SCORE, Change, ChangeKind, PairColumn, PairedColumns, kind_of
from sensecheck.runs.tally import TestOutcome, by_metric, outcomes_by_test, title
from sensecheck.text.escaping import cut

if TYPE_CHECKING:
    from sensecheck.runs.place import RunPlace
    from sensecheck.runs.record import RunTable

Positions = npt.NDArray[np.intp]
Wordings = tuple["QuestionWordings", "QuestionWordings"]
"""How the questions of the earlier and of the later run are worded."""
LONGEST_REASON = 300
_QuestionTexts = tuple[str, str | None, str | None]
"""A question's id, what it asks, and its reference answer."""


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
    metrics: Mapping[str, float]
    """The mean of the repeats under each name that assertions give to their scores."""

    @classmethod
    def of(cls, one: TestOutcome) -> "Brief":
        """What a comparison needs of a test."""
        scores = [result.score for result in one.results]
        score = None if None in scores else fmean(score for score in scores if score is not None)
        because = cut(one.deciding.verdict.because, LONGEST_REASON)
        named = (*one.first.cell, title(one.first))
        return cls(*named, one.outcome, score, len(one.results), because, dict(_metric_means(one)))

    def value(self, column: str) -> float:
        """Its number in a column: NaN where it is unsure, or could not be judged."""
        if column == PASSED:
            return {"pass": 1.0, "fail": 0.0}.get(self.outcome, np.nan)
        found = self.score if column == SCORE else self.metrics.get(column)
        return np.nan if found is None or self.outcome == "error" else found

    @property
    def cell(self) -> tuple[str, str, str]:
        """By what it is found in the other run."""
        return self.key, self.wording, self.source


@dataclass(frozen=True, slots=True)
class CellPair:
    """The same test in both runs."""

    before: Brief
    after: Brief


@dataclass(frozen=True, slots=True)
class Pairing:
    """The tests that two runs have in common, and those that only one has."""

    before: RunBrief
    after: RunBrief
    pairs: tuple[CellPair, ...]
    only_before: tuple[Brief, ...]
    only_after: tuple[Brief, ...]
    metrics: tuple[str, ...]
    """The names that assertions of both runs give to their scores."""
    gone: tuple[str, ...]
    """Those that only the earlier run has."""
    notes: tuple[str, ...]
    """What else differs between the runs, in words."""
    errors: int
    """How many tests of the new run could not be judged, or are missing since it was interrupted."""

    @property
    def changes(self) -> dict[ChangeKind, list[Change]]:
        """The tests that came out differently, by what became of them."""
        kinds: dict[ChangeKind, list[Change]] = {}
        for old, new in ((pair.before, pair.after) for pair in self.pairs):
            kind = kind_of(old.outcome, new.outcome)
            named, outcomes = (new.title, *new.cell), (old.outcome, new.outcome)
            kinds.setdefault(kind, []).append(Change(*named, *outcomes, old.score, new.score, new.because))
        return kinds


def pair_runs(before: RunFile, after: RunFile) -> Pairing:
    """The tests of two runs side by side; runs without a test in common cannot be compared."""
    old, new = _briefs(before), _briefs(after)
    renamed, notes = _under_new_names(old, new)
    by_cell = {brief.cell: brief for brief in renamed}
    pairs = tuple(CellPair(by_cell[brief.cell], brief) for brief in new if brief.cell in by_cell)
    if not pairs:
        raise SpecError(
            f"`{before.path.name}` and `{after.path.name}` have no test in common: "
            "a test is known by its description and its variables, its prompt and its source"
        )
    paired = {pair.after.cell for pair in pairs}
    missing = after.header.cells - sum(brief.runs for brief in new)
    names = [list(dict.fromkeys(name for brief in briefs for name in brief.metrics)) for briefs in (old, new)]
    return Pairing(
        _run_brief(before, old),
        _run_brief(after, new),
        pairs,
        tuple(brief for brief in renamed if brief.cell not in paired),
        tuple(brief for brief in new if brief.cell not in paired),
        tuple(name for name in names[1] if name in names[0]),
        tuple(name for name in names[0] if name not in names[1]),
        (
            *_difference_notes(before, after),
            *notes,
            *_repeat_notes(pairs),
            *_gap_notes(before, old),
            *_gap_notes(after, new),
        ),
        sum(brief.outcome == "error" for brief in new) + max(missing, 0),
    )


def suite_pairs(pairing: Pairing) -> TablePairs:
    """The tests of two runs by their columns; those of one test, no independent news, are one unit."""
    several = [
        len({getattr(pair.after, kind) for pair in pairing.pairs}) > 1 for kind in ("wording", "source")
    ]
    kinds = [
        {
            kind: str(getattr(pair.after, kind))
            for kind, many in zip(("wording", "source"), several, strict=True)
            if many
        }
        for pair in pairing.pairs
    ]
    names = [
        pair.after.title + (f" ({', '.join(kind.values())})" if kind else "")
        for pair, kind in zip(pairing.pairs, kinds, strict=True)
    ]
    columns = (
        PairedColumns(
            PairColumn(name),
            np.array([pair.before.value(name) for pair in pairing.pairs]),
            np.array([pair.after.value(name) for pair in pairing.pairs]),
        )
        for name in (PASSED, SCORE, *pairing.metrics)
    )
    return TablePairs.of(names, kinds, columns, [pair.after.key for pair in pairing.pairs])


@dataclass(frozen=True, slots=True)
class QuestionWordings:
    """The ids and wordings of the questions of a set, by their position."""

    names: tuple[str, ...]
    wordings: tuple[str, ...]
    """Changes with the words of the question or of its reference answer."""

    @classmethod
    def of(cls, questions: Iterable[Item]) -> "QuestionWordings":
        """How these questions are known; without an id, by their question and reference answer alone."""
        return cls._of_texts((pair.name, pair.question, pair.expected) for pair in questions)

    @classmethod
    def in_run(cls, place: "RunPlace", run: Run) -> "QuestionWordings":
        """The questions of a run's set; what was retrieved for them need not be read."""
        return cls._of_texts(place.wordings(run.set))

    @classmethod
    def _of_texts(cls, texts: Iterable[_QuestionTexts]) -> "QuestionWordings":
        known = [(name, digest_of([question, expected])) for name, question, expected in texts]
        return cls(tuple(name for name, _ in known), tuple(wording for _, wording in known))

    def first(self, count: int) -> "QuestionWordings":
        """The first ones: a run need not have come to all of them."""
        return QuestionWordings(self.names[:count], self.wordings[:count])


@dataclass(frozen=True, slots=True)
class Matching:
    """The questions that two runs have in common, and those that they have not."""

    names: tuple[str, ...]
    before: Positions
    """Where each of them stands in the earlier run."""
    after: Positions
    only_before: tuple[str, ...]
    only_after: tuple[str, ...]
    reworded: tuple[str, ...]
    """In both, but with another question or reference answer under the same id: not compared."""


def match_questions(before: "RunTable", after: "RunTable", wordings: Wordings | None = None) -> Matching:
    """The questions of two runs side by side; by their ids alone where their wordings are not given."""
    known = wordings or (_known_by_id(before), _known_by_id(after))
    old, new = (one.first(len(table.names)) for one, table in zip(known, (before, after), strict=True))
    _require_own_names(before, old)
    _require_own_names(after, new)
    positions = {name: at for at, name in enumerate(old.names)}
    both = [(positions[name], at, name) for at, name in enumerate(new.names) if name in positions]
    same = [(i, j, name) for i, j, name in both if old.wordings[i] == new.wordings[j]]
    if not same:
        raise SpecError(_nothing_in_common(before, after, len(both)))
    shared, compared = {name for *_, name in both}, {name for *_, name in same}
    return Matching(
        tuple(name for *_, name in same),
        np.array([i for i, _, _ in same], dtype=np.intp),
        np.array([j for _, j, _ in same], dtype=np.intp),
        tuple(name for name in old.names if name not in shared),
        tuple(name for name in new.names if name not in shared),
        tuple(name for *_, name in both if name not in compared),
    )


def _require_own_names(table: "RunTable", side: QuestionWordings) -> None:
    """Raise where an id comes twice: it would not be known which of the two is meant."""
    if len(set(side.names)) < len(side.names):
        twice = next(name for name, count in Counter(side.names).items() if count > 1)
        raise SpecError(
            f"the run {RunBrief.of(table.run).run} has the id `{twice}` more than once; a comparison needs "
            "ids that differ"
        )


def _metric_means(one: TestOutcome) -> Iterator[tuple[str, float]]:
    """By the names of metrics, but for those of the columns that every suite has."""
    found: dict[str, list[float]] = {}
    for result in one.results:
        for name, value in by_metric(result).items():
            found.setdefault(name, []).append(value)
    return ((name, fmean(values)) for name, values in found.items() if name not in (PASSED, SCORE))


def _run_brief(run: RunFile, briefs: tuple[Brief, ...]) -> RunBrief:
    header, done = run.header, sum(brief.runs for brief in briefs)
    named = (header.battery, "suite", header.description)
    return RunBrief(run.path.name, header.digest, *named, "", done, header.cells)


def _briefs(run: RunFile) -> tuple[Brief, ...]:
    briefs = tuple(Brief.of(one) for one in outcomes_by_test(run.results()))
    if len({brief.cell for brief in briefs}) < len(briefs):
        raise SpecError(f"`{run.path}` contains a test twice, so that it is not known which is meant")
    return briefs


def _under_new_names(
    old: tuple[Brief, ...], new: tuple[Brief, ...]
) -> tuple[tuple[Brief, ...], tuple[str, ...]]:
    """The old tests under the new names of the source and the prompt, where there is only one of each."""
    notes = []
    sources = _only_value(old, "source"), _only_value(new, "source")
    wordings = _only_value(old, "wording"), _only_value(new, "wording")
    if None not in sources and sources[0] != sources[1]:
        notes.append(f"the source was `{sources[0]}` and is `{sources[1]}`")
        old = tuple(replace(brief, source=str(sources[1])) for brief in old)
    if None not in wordings and wordings[0] != wordings[1]:
        notes.append(f"the prompt was `{wordings[0]}` and is `{wordings[1]}`")
        old = tuple(replace(brief, wording=str(wordings[1])) for brief in old)
    return old, tuple(notes)


def _only_value(briefs: Iterable[Brief], name: str) -> str | None:
    """The one source, or the one prompt, of a run; None when there are several."""
    found = {str(getattr(brief, name)) for brief in briefs}
    return found.pop() if len(found) == 1 else None


def _difference_notes(before: RunFile, after: RunFile) -> list[str]:
    """What was not the same, so that it may be the reason for what has changed."""
    old, new = before.header, after.header
    notes = []
    if old.digest != new.digest:
        notes.append("the battery, or a file that it names, has changed")
    if old.encoder != new.encoder:
        notes.append(f"the encoder was `{old.encoder}` and is `{new.encoder}`")
    if old.sensecheck != new.sensecheck:
        notes.append(f"sensecheck was {old.sensecheck} and is {new.sensecheck}")
    return notes


def _repeat_notes(pairs: tuple[CellPair, ...]) -> list[str]:
    count = sum(pair.before.runs != pair.after.runs for pair in pairs)
    return [f"{count} of the tests were not repeated as often before as now"] if count else []


def _gap_notes(run: RunFile, briefs: tuple[Brief, ...]) -> list[str]:
    there = sum(brief.runs for brief in briefs)
    if there == run.header.cells:
        return []
    return [f"`{run.path.name}` was interrupted: {there} of its {run.header.cells} results are there"]


def _known_by_id(table: "RunTable") -> QuestionWordings:
    return QuestionWordings(table.names, ("",) * len(table.names))


def _nothing_in_common(before: "RunTable", after: "RunTable", reworded: int) -> str:
    message = f"the runs {before.run.key} and {after.run.key} have no question in common"
    if reworded:
        return f"{message}: the words of all {reworded} with the same id have changed"
    return f"{message}: a question is known by its `id`, or else by its own words and those of its reference"
