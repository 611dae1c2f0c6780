"""Which columns of a table `evals` are understood, and what becomes of them."""

from collections.abc import Iterable
from dataclasses import dataclass

from sensecheck.core.errors import SpecError
from sensecheck.store.import_source import Shelf, Source

RUN, PAIR, ANSWER = "test_run_id", "qa_pair_id", "answer"
REQUIRED = (RUN, PAIR, ANSWER)
SEMANTIC = "semantic_similarity"
METRICS = (
    "bleu",
    "rouge_l",
    "rouge_l_precision",
    "rouge_l_recall",
    "squad_em",
    "squad_token_f1",
    "content_f1",
    "lexical_aggregate",
    "answer_relevance",
    "context_relevance",
    "groundedness",
    "llm_judged_overall",
    SEMANTIC,
)
BESIDE = ("id", "error", "latency_ms", "cost")
"""What else is kept of an answer."""
_MOMENT = "created_at"
_REASONING = "_reasoning"


@dataclass(frozen=True, slots=True)
class Shape:
    """The table `evals` of a source."""

    shelf: Shelf
    metrics: tuple[str, ...]
    """All of which something is kept: a number, its reasoning, or both."""
    reasons: tuple[str, ...]
    """Metrics of which there is a column of reasoning, be it without one of numbers."""
    beside: tuple[str, ...]
    left: tuple[str, ...]
    """Columns that are not taken."""
    numbers_left: tuple[str, ...]
    """Those among them that hold numbers, and could be taken as metrics."""

    @property
    def taken(self) -> tuple[str, ...]:
        """All columns that are read of every row."""
        moment = () if self.moment is None else (self.moment,)
        return (*REQUIRED, *self.beside, *self._numbers, *map(reasoning_of, self.reasons), *moment)

    @property
    def _numbers(self) -> list[str]:
        return [name for name in self.metrics if name in self.shelf.columns]

    @property
    def moment(self) -> str | None:
        """The column that says when an evaluation was made."""
        return _MOMENT if _MOMENT in self.shelf.columns else None

    def by_encoder(self, metric: str) -> bool:
        """Whether a metric compares meaning, and so belongs to an encoder."""
        return metric.startswith("semantic_")


def shape_of(source: Source, *, metrics_too: bool) -> Shape:
    """The shape of the source's `evals`; `metrics_too` takes every other column of numbers as a metric."""
    shelf = source.shelf("evals")
    if shelf is None:
        raise SpecError(f"`{source.address}` has no table `evals`; found {told(sorted(source.names))}")
    if lacking := [name for name in REQUIRED if name not in shelf.columns]:
        raise SpecError(
            f"the table `evals` of `{source.address}` lacks {told(lacking)}; found {told(shelf.columns)}; "
            f"wanted {told(REQUIRED)} and any of {told(METRICS)}"
        )
    others = [name for name in shelf.columns if name not in (*REQUIRED, *BESIDE, *METRICS, _MOMENT)]
    numbers = [name for name in others if shelf.is_number(name) and not name.endswith("_id")]
    metrics = [name for name in METRICS if name in shelf.columns] + (numbers if metrics_too else [])
    metrics += [name for name in METRICS if name not in metrics and reasoning_of(name) in shelf.columns]
    reasons = [name for name in metrics if reasoning_of(name) in shelf.columns]
    taken = {*metrics, *map(reasoning_of, reasons)}
    left = tuple(name for name in others if name not in taken)
    return Shape(
        shelf,
        tuple(metrics),
        tuple(reasons),
        tuple(name for name in BESIDE if name in shelf.columns),
        left,
        tuple(name for name in numbers if name in left),
    )


def reasoning_of(metric: str) -> str:
    """The column in which a judge's reasoning about a metric stands."""
    return metric + _REASONING


def told(names: Iterable[str]) -> str:
    """Names in a message."""
    return ", ".join(f"`{name}`" for name in names) or "nothing"
