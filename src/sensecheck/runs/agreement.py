"""Metrics against human labels; suggested weight.

The labelled answers of one or several runs, as columns.

How well each metric agrees with what people said.

What each rater said by themselves, before it is one number an answer.

An aggregate of words and meaning, by the weight that meaning has in it.

How much semantic similarity should weigh in the aggregate, from what people said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
from sqlalchemy import exists, select

from sensecheck.core.errors import SpecError
from sensecheck.core.run import Run
from sensecheck.core.serialization import encode, to_data, unknown
from sensecheck.runs.sql import EvalStore
from sensecheck.runs.sql_read import RunTable
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
from sensecheck.store.tables import labels

Chosen = npt.NDArray[np.bool_]
_EVEN = 0.5
"""The mean of as many 1 as 0; above it, most said yes."""


@dataclass(frozen=True, slots=True)
class Labelled:
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
    def split(self) -> Chosen:
        """Where as many raters said yes as no, so that nobody knows which it is."""
        even: Chosen = (self.said == _EVEN) & self.is_yes_or_no
        return even

    @classmethod
    def of(cls, tables: Sequence[RunTable], label: str, *, yes_or_no: bool | None = None) -> "Labelled":
        """The answers of these runs that have the label.

        `yes_or_no` says whether every rater said 0 or 1; without it, that is so where all means are 0 or 1.
        """
        held = [(table, np.flatnonzero(~np.isnan(said))) for table, said in _said(tables, label)]
        names = [table.names[at] for table, places in held for at in places]
        keys = {(one.name, one.fingerprint): one.encoder for table, _ in held for one in table.metrics}
        said = np.concatenate([table.labels[label][places] for table, places in held])
        return cls(
            label,
            said,
            bool(np.isin(said, (0.0, 1.0)).all()) if yes_or_no is None else yes_or_no,
            np.unique(np.array(names), return_inverse=True)[1].astype(np.intp),
            {key: np.concatenate([_column(table, key)[places] for table, places in held]) for key in keys},
            keys,
        )


def most_said_yes(said: Numbers) -> Chosen:
    """Of labels that are 0 or 1, or means of such: what most raters said."""
    yes: Chosen = said > _EVEN
    return yes


def labels_of(tables: Sequence[RunTable]) -> tuple[str, ...]:
    """The names of all labels that some of these runs have."""
    return tuple(sorted({name for table in tables for name in table.labels}))


def _said(tables: Sequence[RunTable], label: str) -> list[tuple[RunTable, Numbers]]:
    known = labels_of(tables)
    if not known:
        runs = ", ".join(str(table.run.key) for table in tables)
        raise SpecError(
            f"nobody has labelled an answer of the runs {runs}; add labels with "
            f"`sensecheck history label {tables[-1].run.key} FILE`"
        )
    if label not in known:
        raise SpecError(unknown("label of these runs", label, known))
    return [(table, table.labels[label]) for table in tables if label in table.labels]


def _column(table: RunTable, key: tuple[str, str]) -> Numbers:
    found = table.column(*key)
    return np.full(len(table.names), np.nan) if found is None else found


@dataclass(frozen=True, slots=True)
class Agreement:
    """One metric beside one label; what cannot be told is None."""

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
    held = Labelled.of([tables] if isinstance(tables, RunTable) else tables, label, yes_or_no=yes_or_no)
    rows = [_row(held, key, confidence) for key in held.columns]
    return tuple(sorted(rows, key=_rank))


def _row(held: Labelled, key: tuple[str, str], confidence: float) -> Agreement:
    values = held.columns[key]
    read = ~np.isnan(values)
    scores, said, groups = values[read], held.said[read], held.groups[read]
    ranked = spearman_with_interval(scores, said, groups, confidence=confidence)
    area, split, why = _area(held, values, confidence)
    n, questions = len(scores), len(np.unique(groups))
    return Agreement(
        key[0],
        held.encoders[key],
        held.label,
        n,
        len(values) - n,
        questions,
        *_numbers(ranked),
        *_numbers(area),
        split,
        why,
    )


def _area(held: Labelled, values: Numbers, confidence: float) -> tuple[Estimate | None, int, str]:
    """The area, how many answers it leaves out, and why there is none."""
    if not held.is_yes_or_no:
        return None, 0, "the labels are numbers on a scale, and not all of them 0 or 1"
    read = ~np.isnan(values)
    clear = read & ~held.split
    scores, good = values[clear], most_said_yes(held.said[clear])
    found = auroc_with_interval(scores, good, held.groups[clear], confidence=confidence)
    return found, int((read & held.split).sum()), why_none(scores, good)


def _numbers(found: Estimate | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if found is None else (found.value, found.low, found.high)


def _rank(row: Agreement) -> tuple[bool, float]:
    best = row.spearman if row.auroc is None else row.auroc
    return best is None, -(best or 0.0)


def said_yes_or_no(store: EvalStore, runs: Sequence[Run], label: str) -> bool:
    """Whether all that anybody said is 0 or 1: the mean of two raters who disagree is neither."""
    held = labels.c.run.in_([run.key for run in runs]) & (labels.c.name == label)
    query = select(exists().where(held, labels.c.value.not_in((0.0, 1.0))))

    def read() -> bool:
        with store.engine.connect() as connection:
            return not connection.execute(query).scalar_one()

    return store.patience.until_done(read)


LEXICAL, SEMANTIC = "lexical_aggregate", "semantic_similarity"
GRID = tuple(step / 20 for step in range(21))
FOLDS = 10
SEED = 20_250_101
"""Fixed, so that the same labels always give the same folds."""
Kind = Literal["auroc", "spearman"]
Curve = tuple[tuple[float, float], ...]
"""For each weight, how well the aggregate agrees with the labels."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """Labelled answers that both metrics have read."""

    encoder: str
    lexical: Numbers
    semantic: Numbers
    said: Numbers
    groups: Groups
    by: Kind
    """What is to be as high as possible: AUROC for labels of 0 and 1, else Spearman's correlation."""
    split: int = 0
    """Answers that are left out: as many raters said 0 as 1."""

    @classmethod
    def of(cls, held: Labelled, encoder: str | None = None) -> "Weighed":
        """Those of these answers, with the similarity by this encoder where several have read it."""
        lexical, semantic = _only(held, LEXICAL, None), _only(held, SEMANTIC, encoder)
        one, other = held.columns[lexical], held.columns[semantic]
        read = ~(np.isnan(one) | np.isnan(other) | held.split)
        by: Kind = "auroc" if held.is_yes_or_no else "spearman"
        said = most_said_yes(held.said).astype(np.float64) if held.is_yes_or_no else held.said
        rest = said[read], held.groups[read], by, int(held.split.sum())
        return cls(held.encoders[semantic], one[read], other[read], *rest)

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
        scores, said = self._scores(weight)[rows], self.said[rows]
        return auroc(scores, said == 1) if self.by == "auroc" else spearman(scores, said)

    def _influenced(self, weight: float | Numbers) -> Influenced:
        scores = self._scores(weight)
        if self.by == "auroc":
            return influenced_auroc(scores, self.said == 1)
        return influenced_spearman(scores, self.said)


def best_of(curve: Curve) -> float:
    """The weight that agrees best; of several, the smallest."""
    return max(curve, key=lambda point: (point[1], -point[0]))[0]


def _only(held: Labelled, name: str, encoder: str | None) -> tuple[str, str]:
    """The column of this metric, of which there must be one."""
    keys = [key for key in held.columns if key[0] == name]
    if not keys:
        raise SpecError(f"the runs have no `{name}`; a weight is one between `{LEXICAL}` and `{SEMANTIC}`")
    chosen = [key for key in keys if encoder in (None, held.encoders[key])]
    if not chosen:
        raise SpecError(unknown(f"encoder of `{name}`", encoder, [held.encoders[key] for key in keys]))
    if len(chosen) > 1:
        encoders = ", ".join(f"`{held.encoders[key]}`" for key in chosen)
        raise SpecError(f"`{name}` was read by several encoders: {encoders}; say which with `--encoder`")
    return chosen[0]


FEWEST = 50
"""From labels to fewer questions nothing is recommended."""
FEWEST_OF_A_KIND = 10
"""Nor where fewer questions than this have a good answer, or a bad one."""


@dataclass(frozen=True, slots=True)
class WeightSuggestion:
    """The weight of semantic similarity in `lexical_aggregate * (1 - w) + semantic_similarity * w`."""

    label: str
    encoder: str
    by: Kind
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
    held = Labelled.of([tables] if isinstance(tables, RunTable) else tables, label, yes_or_no=yes_or_no)
    weighed = Weighed.of(held, encoder)
    about = (label, weighed.encoder, weighed.by, len(weighed.said), weighed.questions, weighed.split)
    if lacking := _lacking(weighed):
        return WeightSuggestion(*about, (), None, None, None, f"no weight can be recommended: {lacking}")
    curve, gain = weighed.curve(), weighed.gain(confidence)
    best = best_of(curve)
    return WeightSuggestion(*about, curve, best, gain, *_decided(best, gain, weighed))


def _lacking(weighed: Weighed) -> str:
    """What is missing before anything can be said; nothing when all is there."""
    if weighed.questions < FEWEST:
        return f"{weighed.questions} questions have a label and both numbers; wanted at least {FEWEST}"
    if weighed.by == "auroc":
        kinds = [len(np.unique(weighed.groups[weighed.said == kind])) for kind in (1.0, 0.0)]
        if min(kinds) < FEWEST_OF_A_KIND:
            told = f"{kinds[0]} questions have an answer labelled 1, and {kinds[1]} one labelled 0"
            return f"{told}; wanted at least {FEWEST_OF_A_KIND} of each"
    columns = {"the label": weighed.said, f"`{LEXICAL}`": weighed.lexical, f"`{SEMANTIC}`": weighed.semantic}
    constant = [name for name, values in columns.items() if np.ptp(values) == 0]
    return f"{constant[0]} is the same for all answers" if constant else ""


def _decided(best: float, gain: Estimate, weighed: Weighed) -> tuple[float | None, str]:
    told = f"{gain.value:+.3f} ({gain.low:+.3f} to {gain.high:+.3f})"
    if gain.low is None or gain.low <= 0:
        within = f"the gain, {told}, is within chance"
        return None, f"no weight can be recommended: {weighed.questions} questions with labels, and {within}"
    return best, f"on questions it was not chosen by, the agreement rises by {told}"
