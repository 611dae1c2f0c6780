"""Which answers of a run a page shows, on which axes, and what kind of answer each is.

Where there are more answers than a page can hold, those worth a closer look come first, and then a sample.
"""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.runs.record import Numbers, RunTable

Positions = npt.NDArray[np.int64]
FACTS, CORRECT = "fact_agreement", "correctness"
SEMANTIC = ("semantic_similarity", "semantic_angular", "semantic_euclidean", "semantic_manhattan")
LEXICAL = ("lexical_aggregate", "rouge_l", "squad_token_f1", "content_f1", "bleu", "gold_recall", "squad_em")
LINES: Mapping[str, float] = {"semantic_similarity": 0.7, "lexical_aggregate": 0.4}
"""Where a metric begins to be high. Hand-picked, fitted on nothing; for any other metric it is 0.5."""
OTHERWISE = 0.5
MOST = 5_000
SEED = 20_250_101
"""Fixed, so that the same run always shows the same answers."""
LABEL = "correct"
"""The label that says whether an answer is correct; of a run that has only one label, it is that one."""
_MOVED_SHARE, _UNREAD_SHARE, _APART_SHARE, _WORST_SHARE = 0.1, 0.1, 0.1, 0.2
"""Of what is shown: at most this share for each reason (`_APART_SHARE` twice: to either side)."""


@dataclass(frozen=True, slots=True)
class Axes:
    """Two columns of a table: one goes across, the other upwards."""

    across: int
    upwards: int
    lines: tuple[float, float]
    facts: int | None
    """The column that says whether facts agree, if the run has one."""
    correct: int | None = None
    """The column that says how likely people would call an answer correct, if the run has one."""

    @classmethod
    def of(cls, table: RunTable) -> "Axes | None":
        """Meaning across and words upwards, or the nearest to it that was read; None of a single metric."""
        across = _first_column(table, SEMANTIC)
        if across is None:
            across = next((at for at in range(len(table.metrics)) if _name(table, at) not in LEXICAL), None)
        others = [at for at in range(len(table.metrics)) if at != across]
        upwards = _first_column(table, LEXICAL)
        if upwards is None and others:
            upwards = others[0]
        if across is None or upwards is None:
            return None
        lines = LINES.get(_name(table, across), OTHERWISE), LINES.get(_name(table, upwards), OTHERWISE)
        return cls(across, upwards, lines, _first_column(table, (FACTS,)), _first_column(table, (CORRECT,)))

    def to_data(self) -> dict[str, int | None]:
        """Which columns they are, for the page."""
        return {
            "across": self.across,
            "upwards": self.upwards,
            "facts": self.facts,
            "correct": self.correct,
        }

    def differs(self, table: RunTable) -> npt.NDArray[np.bool_]:
        """Where at least one fact differs or is missing."""
        if self.facts is None:
            return np.zeros(len(table.names), dtype=np.bool_)
        differing: npt.NDArray[np.bool_] = table.values[:, self.facts] < 1
        return differing


@dataclass(frozen=True, slots=True)
class Chosen:
    """The positions of the answers that are shown, in their order, and how many for which reason."""

    positions: Positions
    reasons: dict[str, int]
    """Empty where all are shown."""


def chosen(
    table: RunTable,
    axes: Axes | None,
    *,
    most: int = MOST,
    moved: Collection[str] = (),
    places: Positions | None = None,
    metric: str | None = None,
) -> Chosen:
    """All rows, or as many as fit: those worth looking at first, then a sample of the rest.

    `places` says where each row stands in its run. Whether it is drawn follows from that alone, so that rows
    may be chosen from those that were chosen from parts of a run.
    """
    if len(table.names) <= most:
        return Chosen(np.arange(len(table.names)), {})
    is_chosen = np.zeros(len(table.names), dtype=np.bool_)
    reasons = {}
    for reason, candidates, share in _worth_a_look(table, axes, moved, metric):
        fresh = candidates[~is_chosen[candidates]][: int(most * share)]
        is_chosen[fresh] = True
        if len(fresh):
            reasons[reason] = len(fresh)
    rest = np.flatnonzero(~is_chosen)
    order = np.argsort(_scrambled(rest if places is None else places[rest]), kind="stable")
    drawn = rest[order[: most - sum(reasons.values())]]
    is_chosen[drawn] = True
    return Chosen(np.flatnonzero(is_chosen), reasons | {"drawn at random": len(drawn)})


def cells_of(table: RunTable, axes: Axes, rows: Positions) -> Counter[tuple[int, ...]]:
    """How many of some rows lie in each cell of a hundredth: across, upwards, facts differ, wrong."""
    sides = [table.values[rows, at] for at in (axes.across, axes.upwards)]
    cells = [np.where(np.isnan(side), -1, np.floor(side * 100 + 1e-9)).astype(int) for side in sides]
    differs = axes.differs(table).astype(int)
    wrong = np.nan_to_num(wrong_of(table, axes), nan=-1).astype(int)
    distinct, counts = np.unique(
        np.stack([*cells, differs[rows], wrong[rows]], axis=1), axis=0, return_counts=True
    )
    return Counter(dict(zip(map(tuple, distinct.tolist()), counts.tolist(), strict=True)))


def line_of(metric: str) -> float:
    """Where a metric begins to be high: hand-picked."""
    return LINES.get(metric, OTHERWISE)


def wrong_of(table: RunTable, axes: Axes) -> Numbers:
    """1 where an answer of the run is wrong, 0 where it is not, NaN where that is not known."""
    return wrong_by(_correct_label(table), _column(table, axes.correct), _column(table, axes.facts))


def wrong_by(label: Numbers, correct: Numbers, facts: Numbers) -> Numbers:
    """1 where an answer is wrong, 0 where it is not: as people said, else by correctness, else by its facts.

    NaN where nothing is known; a label of 0.5 says that people do not agree.
    """
    undecided = np.isnan(label) | (label == OTHERWISE)
    by_metrics = np.where(np.isnan(correct), _is_below(facts, 1), _is_below(correct, OTHERWISE))
    decided: Numbers = np.where(undecided, by_metrics, _is_below(label, OTHERWISE))
    return decided


def _first_column(table: RunTable, names: tuple[str, ...]) -> int | None:
    """The column of the first of these metrics that there is, by the run's own encoder if it has one."""
    for name in names:
        columns = [at for at in range(len(table.metrics)) if _name(table, at) == name]
        own_columns = [at for at in columns if table.metrics[at].fingerprint in (table.run.encoder, "")]
        if columns:
            return (own_columns or columns)[0]
    return None


def _name(table: RunTable, at: int) -> str:
    return table.metrics[at].name


def _worth_a_look(
    table: RunTable, axes: Axes | None, moved: Collection[str], metric: str | None
) -> list[tuple[str, Positions, float]]:
    """Reasons to look closer, and who has them, the strongest first."""
    names = frozenset(moved)
    positions = [at for at, name in enumerate(table.names) if name in names]
    moved_since = ("moved since the other run", np.array(positions, dtype=np.int64), _MOVED_SHARE)
    first = [moved_since, *_worst(table, metric)]
    if axes is None:
        return first
    difference = table.values[:, axes.across] - table.values[:, axes.upwards]  # meaning above words
    order = np.argsort(difference, kind="stable")  # NaN last
    comparable = order[: int(np.isfinite(difference).sum())]
    return [
        *first,
        ("n/a", np.flatnonzero(np.isnan(difference)), _UNREAD_SHARE),
        ("meaning far above words", comparable[::-1], _APART_SHARE),
        ("words far above meaning", comparable, _APART_SHARE),
    ]


def _worst(table: RunTable, metric: str | None) -> list[tuple[str, Positions, float]]:
    column = None if metric is None else table.column(metric)
    if column is None:
        return []
    order = np.argsort(column, kind="stable")[: int(np.isfinite(column).sum())]
    return [(f"worst by {metric}", order, _WORST_SHARE)]


def _is_below(numbers: Numbers, threshold: float) -> Numbers:
    below: Numbers = np.where(np.isnan(numbers), np.nan, numbers < threshold)
    return below


def _column(table: RunTable, at: int | None) -> Numbers:
    return np.full(len(table.names), np.nan) if at is None else table.values[:, at]


def _correct_label(table: RunTable) -> Numbers:
    """The label that people gave each answer; NaN where it is a grade and not a share from 0 to 1."""
    only = next(iter(table.labels)) if len(table.labels) == 1 else None
    values = table.labels.get(LABEL if only is None else only)
    if values is None or np.nanmin(values, initial=0) < 0 or np.nanmax(values, initial=1) > 1:
        return np.full(len(table.names), np.nan)
    return values


def _scrambled(places: Positions) -> npt.NDArray[np.uint64]:
    """Numbers that have nothing to do with what the rows say, and are the same every time."""
    mixed = places.astype(np.uint64) + np.uint64(SEED)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))
