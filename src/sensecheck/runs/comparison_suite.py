"""Two runs of a suite compared test by test: a test is known by its key, its prompt and its source."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any, get_args

import numpy as np

from sensecheck.core.errors import SpecError
from sensecheck.core.run import RunBrief
from sensecheck.core.verdict import Outcome
from sensecheck.runs.comparison_result import ComparedRuns, Comparison, Gone, comparison_of
from sensecheck.runs.jsonl import RunFile
from sensecheck.runs.pairs import TablePairs
from sensecheck.runs.shift import PASSED, SCORE, Change, ChangeKind, PairColumn, PairedColumns, kind_of
from sensecheck.runs.tally import TestOutcome, by_metric, outcomes_by_test, title
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
        number = self.score if column == SCORE else self.metrics.get(column)
        return np.nan if number is None or self.outcome == "error" else number

    @property
    def cell(self) -> tuple[str, str, str]:
        """By what it is found in the other run."""
        return self.key, self.wording, self.source


Pair = tuple[Brief, Brief]
"""The same test in the earlier and in the later run."""


def compare_suites(
    before: RunFile, after: RunFile, *, alpha: float, metric: str | None, by: Sequence[str] | None
) -> Comparison:
    """Compare a run of a suite with an earlier one; runs without a test in common cannot be compared."""
    old, new = _briefs(before), _briefs(after)
    renamed, notes = _under_new_names(old, new)
    by_cell = {brief.cell: brief for brief in renamed}
    pairs = [(by_cell[brief.cell], brief) for brief in new if brief.cell in by_cell]
    if not pairs:
        raise SpecError(
            f"`{before.path.name}` and `{after.path.name}` have no test in common: "
            "a test is known by its description and its variables, its prompt and its source"
        )
    paired = {brief.cell for _, brief in pairs}
    only_before = tuple(brief.title for brief in renamed if brief.cell not in paired)
    only_after = tuple(brief.title for brief in new if brief.cell not in paired)
    changes = _changes(pairs)
    missing = after.header.cells - sum(brief.runs for brief in new)
    names = [list(dict.fromkeys(name for brief in briefs for name in brief.metrics)) for briefs in (old, new)]
    compared = ComparedRuns(
        before=_run_brief(before, old),
        after=_run_brief(after, new),
        items="test",
        paired_by="key, prompt and source",
        only_before=only_before,
        only_after=only_after,
        removed=len(only_before),
        added=len(only_after),
        gone=tuple(Gone(name, "") for name in names[0] if name not in names[1]),
        notes=(
            *_difference_notes(before, after),
            *notes,
            *_repeat_notes(pairs),
            *_gap_notes(before, old),
            *_gap_notes(after, new),
        ),
        errors=sum(brief.outcome == "error" for brief in new) + max(missing, 0),
        regressions=changes["regression"],
        fixes=changes["fix"],
        other=changes["other"],
        to_error=changes["to error"],
        from_error=changes["from error"],
        regression_count=len(changes["regression"]),
        fix_count=len(changes["fix"]),
        verdicts=(PASSED,),
    )
    columns = (PASSED, SCORE, *(name for name in names[1] if name in names[0]))
    return comparison_of(_table_pairs(pairs, columns), compared, alpha=alpha, metric=metric, by=by)


def _changes(pairs: Sequence[Pair]) -> dict[ChangeKind, tuple[Change, ...]]:
    """The tests that came out differently, by what became of them."""
    by_kind: dict[ChangeKind, list[Change]] = {kind: [] for kind in get_args(ChangeKind)}
    for old, new in pairs:
        if old.outcome != new.outcome:
            named, outcomes = (new.title, *new.cell), (old.outcome, new.outcome)
            change = Change(*named, *outcomes, old.score, new.score, new.because)
            by_kind[kind_of(*outcomes)].append(change)
    return {kind: tuple(changes) for kind, changes in by_kind.items()}


def _table_pairs(pairs: Sequence[Pair], columns: Iterable[str]) -> TablePairs:
    """The tests of two runs by their columns; those of one test, no independent news, are one unit."""
    several = [kind for kind in ("wording", "source") if len({getattr(new, kind) for _, new in pairs}) > 1]
    kinds = [{kind: str(getattr(new, kind)) for kind in several} for _, new in pairs]
    names = [
        new.title + (f" ({', '.join(kind.values())})" if kind else "")
        for (_, new), kind in zip(pairs, kinds, strict=True)
    ]
    paired = (
        PairedColumns(
            PairColumn(name),
            np.array([old.value(name) for old, _ in pairs]),
            np.array([new.value(name) for _, new in pairs]),
        )
        for name in columns
    )
    return TablePairs.of(names, kinds, paired, [new.key for _, new in pairs])


def _metric_means(test: TestOutcome) -> Iterator[tuple[str, float]]:
    """By the names of metrics, but for those of the columns that every suite has."""
    values_by_name: dict[str, list[float]] = {}
    for result in test.results:
        for name, value in by_metric(result).items():
            values_by_name.setdefault(name, []).append(value)
    return ((name, fmean(values)) for name, values in values_by_name.items() if name not in (PASSED, SCORE))


def _run_brief(run: RunFile, briefs: tuple[Brief, ...]) -> RunBrief:
    header, done = run.header, sum(brief.runs for brief in briefs)
    named = (header.battery, "suite", header.description)
    return RunBrief(run.path.name, header.digest, *named, "", done, header.cells)


def _briefs(run: RunFile) -> tuple[Brief, ...]:
    briefs = tuple(Brief.of(test) for test in outcomes_by_test(run.results()))
    if len({brief.cell for brief in briefs}) < len(briefs):
        raise SpecError(f"`{run.path}` contains a test twice, so that it is not known which is meant")
    return briefs


def _under_new_names(
    old: tuple[Brief, ...], new: tuple[Brief, ...]
) -> tuple[tuple[Brief, ...], tuple[str, ...]]:
    """The old tests under the new names of the source and the prompt, where there is only one of each."""
    notes = []
    for part, word in (("source", "source"), ("wording", "prompt")):
        was, now = _only_value(old, part), _only_value(new, part)
        if was is not None and now is not None and was != now:
            notes.append(f"the {word} was `{was}` and is `{now}`")
            changed: dict[str, Any] = {part: now}
            old = tuple(replace(brief, **changed) for brief in old)
    return old, tuple(notes)


def _only_value(briefs: Iterable[Brief], name: str) -> str | None:
    """The one source, or the one prompt, of a run; None when there are several."""
    values = {str(getattr(brief, name)) for brief in briefs}
    return values.pop() if len(values) == 1 else None


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


def _repeat_notes(pairs: Sequence[Pair]) -> list[str]:
    count = sum(old.runs != new.runs for old, new in pairs)
    return [f"{count} of the tests were not repeated as often before as now"] if count else []


def _gap_notes(run: RunFile, briefs: tuple[Brief, ...]) -> list[str]:
    there = sum(brief.runs for brief in briefs)
    if there == run.header.cells:
        return []
    return [f"`{run.path.name}` was interrupted: {there} of its {run.header.cells} results are there"]
