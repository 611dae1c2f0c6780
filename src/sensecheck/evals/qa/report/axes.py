"""Which two metrics of a run are held against each other."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sensecheck.store.run_reading import Numbers, RunTable

SEMANTIC = ("semantic_similarity", "semantic_angular", "semantic_euclidean", "semantic_manhattan")
LEXICAL = ("lexical_aggregate", "rouge_l", "squad_token_f1", "content_f1", "bleu", "gold_recall", "squad_em")
FACTS, CORRECT = "fact_agreement", "correctness"
LINES: Mapping[str, float] = {"semantic_similarity": 0.7, "lexical_aggregate": 0.4}
"""Where a metric begins to be high. Hand-picked, fitted on nothing; any other metric's line is 0.5."""
OTHERWISE = 0.5


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
        across = _first(table, SEMANTIC)
        if across is None:
            across = next((at for at in range(len(table.metrics)) if _name(table, at) not in LEXICAL), None)
        others = [at for at in range(len(table.metrics)) if at != across]
        upwards = _first(table, LEXICAL)
        if upwards is None and others:
            upwards = others[0]
        if across is None or upwards is None:
            return None
        lines = LINES.get(_name(table, across), OTHERWISE), LINES.get(_name(table, upwards), OTHERWISE)
        return cls(across, upwards, lines, _first(table, (FACTS,)), _first(table, (CORRECT,)))

    def differs(self, table: RunTable) -> npt.NDArray[np.bool_]:
        """Where at least one fact differs or is missing."""
        if self.facts is None:
            return np.zeros(len(table.names), dtype=np.bool_)
        differing: npt.NDArray[np.bool_] = table.values[:, self.facts] < 1
        return differing


def line_of(metric: str) -> float:
    """Where a metric begins to be high: hand-picked."""
    return LINES.get(metric, OTHERWISE)


def apart(table: RunTable, axes: Axes) -> Numbers:
    """How far meaning lies above words, for each answer; NaN where one of them is not known."""
    difference: Numbers = table.values[:, axes.across] - table.values[:, axes.upwards]
    return difference


def _first(table: RunTable, names: tuple[str, ...]) -> int | None:
    """The column of the first of these metrics that there is, by the run's own encoder if it has one."""
    for name in names:
        held = [at for at in range(len(table.metrics)) if _name(table, at) == name]
        own = [at for at in held if table.metrics[at].fingerprint in (table.run.encoder, "")]
        if held:
            return (own or held)[0]
    return None


def _name(table: RunTable, at: int) -> str:
    return table.metrics[at].name
