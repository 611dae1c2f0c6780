"""How well metrics agree with what people said, and how much semantic similarity should weigh.

The labelled answers of one or several runs are columns, and each metric is compared with the labels by AUROC
and by rank correlation. From the same columns follows a weight for an aggregate of words and meaning.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run
from sensecheck.core.serialization import did_you_mean, encode, to_data
from sensecheck.runs.place import RunPlace
from sensecheck.runs.record import RunTable
from sensecheck.stats.ranks import (
    Estimate,
    Groups,
    Influenced,
    Numbers,
    auroc,
    auroc_with_interval,
    influenced_auroc,
    influenced_spearman,
    spearman,
    spearman_with_interval,
    why_none,
    width,
)

Flags = npt.NDArray[np.bool_]
Criterion = Literal["auroc", "spearman"]
Curve = tuple[tuple[float, float], ...]
"""For each weight, how well the aggregate agrees with the labels."""
LEXICAL, SEMANTIC = "lexical_aggregate", "semantic_similarity"
GRID = tuple(step / 20 for step in range(21))
FOLDS = 10
SEED = 20_250_101
"""Fixed, so that the same labels always give the same folds."""
FEWEST = 50
"""From labels to fewer questions nothing is recommended."""
FEWEST_OF_A_KIND = 10
"""Nor where fewer questions than this have a good answer, or a bad one."""
EVEN = 0.5
"""The mean of as many 1 as 0; above it, most said yes."""


@dataclass(frozen=True, slots=True)
class Agreement:
    """One metric beside one label; what cannot be computed is None."""

    metric: str
    encoder: str
    label: str
    n: int
    """Labelled answers that the metric read."""
    na: int
    """Labelled answers that it could not read."""
    questions: int
    """To so many questions they belong: intervals are drawn by question."""
    spearman: float | None
    spearman_low: float | None
    spearman_high: float | None
    auroc: float | None
    """Only for labels of which each is 0 or 1; where raters differ, most of them decide."""
    auroc_low: float | None
    auroc_high: float | None
    split: int
    """Answers that are left out of it: as many raters said 0 as 1."""
    no_auroc: str
    """Why there is none, in words; empty where there is one."""

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return to_data(self)


@dataclass(frozen=True, slots=True)
class WeightSuggestion:
    """The weight of semantic similarity in `lexical_aggregate * (1 - w) + semantic_similarity * w`."""

    label: str
    encoder: str
    by: Criterion
    n: int
    questions: int
    split: int
    """Answers that are left out: as many raters said 0 as 1."""
    curve: Curve
    best: float | None
    """The weight that agrees best with these labels; that alone is no reason to take it."""
    gain: Estimate | None
    """By how much it agrees better than words alone, on questions that it was not chosen by."""
    weight: float | None
    """The weight that is recommended; None where none can be."""
    because: str

    def to_data(self) -> dict[str, Any]:
        """As plain data, ready for JSON."""
        return {name: encode(getattr(self, name)) for name in self.__dataclass_fields__}


def agreement(
    tables: RunTable | Sequence[RunTable],
    label: str,
    *,
    yes_or_no: bool | None = None,
    confidence: float = 0.95,
) -> tuple[Agreement, ...]:
    """Each metric beside a label, over the answers of one run or of several together; the best first.

    `yes_or_no` says whether every rater said 0 or 1; without it, that is so where all means are 0 or 1.
    """
    labelled = LabelledAnswers.of(tables, label, yes_or_no=yes_or_no)
    rows = [_agreement_of(labelled, key, confidence) for key in labelled.columns]
    return tuple(sorted(rows, key=_best_first))


def suggest_weight(
    tables: RunTable | Sequence[RunTable],
    label: str,
    *,
    encoder: str | None = None,
    yes_or_no: bool | None = None,
    confidence: float = 0.95,
) -> WeightSuggestion:
    """The weight that agrees best with a label, if it is more than chance that it does.

    `yes_or_no` says whether every rater said 0 or 1; without it, that is so where all means are 0 or 1.
    """
    labelled = LabelledAnswers.of(tables, label, yes_or_no=yes_or_no)
    search = WeightSearch.of(labelled, encoder)
    about = (label, search.encoder, search.by, len(search.said), search.questions, search.split)
    if missing := _what_is_missing(search):
        return WeightSuggestion(*about, (), None, None, None, f"no weight can be recommended: {missing}")
    curve, gain = search.curve(), search.gain(confidence)
    best = best_of(curve)
    return WeightSuggestion(*about, curve, best, gain, *_recommended(best, gain, search))


def labels_of(tables: Sequence[RunTable]) -> tuple[str, ...]:
    """The names of all labels that some of these runs have."""
    return tuple(sorted({name for table in tables for name in table.labels}))


def is_binary(place: RunPlace, runs: Sequence[Run], label: str) -> bool:
    """Whether all that anybody said is 0 or 1: the mean of two raters who disagree is neither."""
    entries = (entry for run in runs for entry in place.labels(run) if entry.name == label)
    return all(entry.value in (0.0, 1.0) for entry in entries)


@dataclass(frozen=True, slots=True)
class LabelledAnswers:
    """Answers that people have labelled; those of several runs one after the other."""

    label: str
    said: Numbers
    """What people said of each; the mean where several did."""
    is_yes_or_no: bool
    """Whether every single label is 0 or 1."""
    groups: Groups
    """The question of each: answers of several systems to one question are no independent news."""
    columns: dict[tuple[str, str], Numbers]
    """What each metric read, by its name and fingerprint; NaN where it could not."""
    encoders: dict[tuple[str, str], str]

    @property
    def split(self) -> Flags:
        """Where as many raters said yes as no, so that nobody knows which it is."""
        even: Flags = (self.said == EVEN) & self.is_yes_or_no
        return even

    @classmethod
    def of(
        cls, tables: RunTable | Sequence[RunTable], label: str, *, yes_or_no: bool | None = None
    ) -> "LabelledAnswers":
        """The answers of these runs that have the label.

        `yes_or_no` says whether every rater said 0 or 1; without it, that is so where all means are 0 or 1.
        """
        runs = [tables] if isinstance(tables, RunTable) else tables
        labelled = [
            (table, np.flatnonzero(~np.isnan(values))) for table, values in _labelled_tables(runs, label)
        ]
        names = [table.names[at] for table, places in labelled for at in places]
        keys = {
            (metric.name, metric.fingerprint): metric.encoder
            for table, _ in labelled
            for metric in table.metrics
        }
        values = np.concatenate([table.labels[label][places] for table, places in labelled])
        return cls(
            label,
            values,
            bool(np.isin(values, (0.0, 1.0)).all()) if yes_or_no is None else yes_or_no,
            np.unique(np.array(names), return_inverse=True)[1].astype(np.intp),
            {
                key: np.concatenate([_column_of(table, key)[places] for table, places in labelled])
                for key in keys
            },
            keys,
        )


def most_said_yes(said: Numbers) -> Flags:
    """Of labels that are 0 or 1, or means of such: what most raters said."""
    yes: Flags = said > EVEN
    return yes


@dataclass(frozen=True, slots=True)
class WeightSearch:
    """Labelled answers that both metrics have read, and how well each weight agrees with them."""

    encoder: str
    lexical: Numbers
    semantic: Numbers
    said: Numbers
    groups: Groups
    by: Criterion
    """What is to be as high as possible: AUROC for labels of 0 and 1, else Spearman's correlation."""
    split: int = 0
    """Answers that are left out: as many raters said 0 as 1."""

    @classmethod
    def of(cls, labelled: LabelledAnswers, encoder: str | None = None) -> "WeightSearch":
        """Those of these answers, with the similarity by this encoder where several have read it."""
        lexical, semantic = _only_column(labelled, LEXICAL, None), _only_column(labelled, SEMANTIC, encoder)
        lexical_values, semantic_values = labelled.columns[lexical], labelled.columns[semantic]
        both_read = ~(np.isnan(lexical_values) | np.isnan(semantic_values) | labelled.split)
        by: Criterion = "auroc" if labelled.is_yes_or_no else "spearman"
        labels = most_said_yes(labelled.said).astype(np.float64) if labelled.is_yes_or_no else labelled.said
        rest = labels[both_read], labelled.groups[both_read], by, int(labelled.split.sum())
        return cls(labelled.encoders[semantic], lexical_values[both_read], semantic_values[both_read], *rest)

    @property
    def questions(self) -> int:
        """To how many questions the answers belong."""
        return len(np.unique(self.groups))

    def curve(self, rows: Groups | None = None) -> Curve:
        """How well each weight agrees with the labels, or with those of some answers."""
        some = np.arange(len(self.said)) if rows is None else rows
        return tuple((weight, self._value(weight, some)) for weight in GRID)

    def gain(self, confidence: float) -> Estimate:
        """By how much the aggregate agrees better than words alone, on answers its weight was not chosen by.

        Each tenth of the questions is weighed by what is best on the others.
        """
        weights = np.empty(len(self.said))
        for rest, left_out in self._folds():
            weights[left_out] = best_of(self.curve(rest))
        chosen, bare = self._influenced(weights), self._influenced(0.0)
        value = chosen.value - bare.value
        reach = width(confidence) * Influenced(value, chosen.shares - bare.shares).error(self.groups)
        return Estimate(value, value - reach, value + reach)

    def _folds(self) -> Iterator[tuple[Groups, Groups]]:
        numbers = np.unique(self.groups, return_inverse=True)[1]
        fold = (np.random.default_rng(SEED).permutation(self.questions) % FOLDS)[numbers]
        for number in range(FOLDS):
            yield np.flatnonzero(fold != number), np.flatnonzero(fold == number)

    def _scores(self, weight: float | Numbers) -> Numbers:
        scores: Numbers = self.lexical * (1 - weight) + self.semantic * weight
        return scores

    def _value(self, weight: float, rows: Groups) -> float:
        scores, labels = self._scores(weight)[rows], self.said[rows]
        return auroc(scores, labels == 1) if self.by == "auroc" else spearman(scores, labels)

    def _influenced(self, weight: float | Numbers) -> Influenced:
        scores = self._scores(weight)
        if self.by == "auroc":
            return influenced_auroc(scores, self.said == 1)
        return influenced_spearman(scores, self.said)


def best_of(curve: Curve) -> float:
    """The weight that agrees best; of several, the smallest."""
    return max(curve, key=lambda point: (point[1], -point[0]))[0]


def _labelled_tables(tables: Sequence[RunTable], label: str) -> list[tuple[RunTable, Numbers]]:
    labels = labels_of(tables)
    if not labels:
        runs = ", ".join(str(table.run.key) for table in tables)
        raise SpecError(
            f"no answer is labelled in the runs {runs}; add labels with "
            f"`sensecheck runs label {tables[-1].run.key} FILE`"
        )
    if label not in labels:
        raise SpecError(did_you_mean("label of these runs", label, labels))
    return [(table, table.labels[label]) for table in tables if label in table.labels]


def _column_of(table: RunTable, key: tuple[str, str]) -> Numbers:
    column = table.column(*key)
    return np.full(len(table.names), np.nan) if column is None else column


def _agreement_of(labelled: LabelledAnswers, key: tuple[str, str], confidence: float) -> Agreement:
    values = labelled.columns[key]
    is_read = ~np.isnan(values)
    scores, labels, groups = values[is_read], labelled.said[is_read], labelled.groups[is_read]
    ranked = spearman_with_interval(scores, labels, groups, confidence=confidence)
    area, split, why = _auroc_of(labelled, values, confidence)
    n, questions = len(scores), len(np.unique(groups))
    return Agreement(
        key[0],
        labelled.encoders[key],
        labelled.label,
        n,
        len(values) - n,
        questions,
        *_value_and_ends(ranked),
        *_value_and_ends(area),
        split,
        why,
    )


def _auroc_of(
    labelled: LabelledAnswers, values: Numbers, confidence: float
) -> tuple[Estimate | None, int, str]:
    """The area, how many answers it leaves out, and why there is none."""
    if not labelled.is_yes_or_no:
        return None, 0, "the labels are numbers on a scale, and not all of them 0 or 1"
    is_read = ~np.isnan(values)
    clear = is_read & ~labelled.split
    scores, good = values[clear], most_said_yes(labelled.said[clear])
    area = auroc_with_interval(scores, good, labelled.groups[clear], confidence=confidence)
    return area, int((is_read & labelled.split).sum()), why_none(scores, good)


def _value_and_ends(estimate: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if estimate is None else (estimate.value, estimate.low, estimate.high)


def _best_first(row: Agreement) -> tuple[bool, float]:
    best = row.spearman if row.auroc is None else row.auroc
    return best is None, -(best or 0.0)


def _only_column(labelled: LabelledAnswers, name: str, encoder: str | None) -> tuple[str, str]:
    """The column of this metric, of which there must be one."""
    keys = [key for key in labelled.columns if key[0] == name]
    if not keys:
        raise SpecError(f"the runs have no `{name}`; a weight is one between `{LEXICAL}` and `{SEMANTIC}`")
    chosen = [key for key in keys if encoder in (None, labelled.encoders[key])]
    if not chosen:
        raise SpecError(
            did_you_mean(f"encoder of `{name}`", encoder, [labelled.encoders[key] for key in keys])
        )
    if len(chosen) > 1:
        encoders = ", ".join(f"`{labelled.encoders[key]}`" for key in chosen)
        raise SpecError(f"`{name}` was read by several encoders: {encoders}; say which with `--encoder`")
    return chosen[0]


def _what_is_missing(search: WeightSearch) -> str:
    """What is missing for a recommendation, in words; empty when nothing is."""
    if search.questions < FEWEST:
        return f"{search.questions} questions have a label and both numbers; wanted at least {FEWEST}"
    if search.by == "auroc":
        kinds = [len(np.unique(search.groups[search.said == kind])) for kind in (1.0, 0.0)]
        if min(kinds) < FEWEST_OF_A_KIND:
            counts = f"{kinds[0]} questions have an answer labelled 1, and {kinds[1]} one labelled 0"
            return f"{counts}; wanted at least {FEWEST_OF_A_KIND} of each"
    columns = {"the label": search.said, f"`{LEXICAL}`": search.lexical, f"`{SEMANTIC}`": search.semantic}
    constant = [name for name, values in columns.items() if np.ptp(values) == 0]
    return f"{constant[0]} is the same for all answers" if constant else ""


def _recommended(best: float, gain: Estimate, search: WeightSearch) -> tuple[float | None, str]:
    gain_in_words = f"{gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
    if gain.low is None or gain.low <= 0:
        within = f"the gain, {gain_in_words}, is within chance"
        return None, f"no weight can be recommended: {search.questions} questions with labels, and {within}"
    return best, f"on questions it was not chosen by, the agreement rises by {gain_in_words}"
