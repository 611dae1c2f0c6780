"""How far an evaluation is, and what it came to."""

from collections.abc import Collection, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

from sensecheck.datasets.columns import COLUMN_NAMES

if TYPE_CHECKING:
    from sensecheck.core.run import Run
    from sensecheck.runs.summary import Totals

EvaluationPhase = Literal["loading", "evaluating", "routing", "assessing", "writing"]
MAX_COLUMNS_NAMED = 8
"""Unknown columns that are named in a note."""
CLOSE_ENOUGH = 0.8
"""How much alike a column must be to a part that is missing, to be the one that was probably meant."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationProgress:
    """How far an evaluation is, and what is worth knowing before it ends."""

    phase: EvaluationPhase = "loading"
    done: int = 0
    total: int | None = None
    """Questions or rows; pieces of the input while it is routed; None while that is not known."""
    failures: Mapping[str, int] = field(default_factory=dict)
    """What went wrong so far, and how often."""
    run: str = ""
    """The number of the run, or the address of its files; empty before there is anything to resume."""
    link: str | None = None
    """A page on which the workers can be watched."""
    notes: tuple[str, ...] = ()
    """What is reported now; each note once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluationResult:
    """What an evaluation came to, wherever it is stored."""

    address: str
    """The database, or the folder or URL of the files."""
    complete: bool
    """Whether every question was answered, and every answer read by all metrics that were to read it."""
    run: "Run"
    totals: "Totals"
    notes: tuple[str, ...] = ()
    previous_run: int | None = None
    """The last complete run of the same project and test that was begun before."""

    @property
    def means(self) -> Mapping[str, float | None]:
        """The mean of each metric, with the name of its encoder where there are several; None without any."""
        several = len({metric.encoder for metric in self.totals.metrics if metric.encoder}) > 1
        return {
            f"{metric.metric} ({metric.encoder})"
            if several and metric.encoder
            else metric.metric: metric.mean
            for metric in self.totals.metrics
        }

    def to_data(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "run": self.run.key,
            "id": self.run.id,
            "name": self.run.name,
            "project": self.run.test.project,
            "test": self.run.test.name,
            "store": self.address,
            **self.totals.to_data(),
        }


EvaluationEvents = Generator[EvaluationProgress | EvaluationResult, None, None]
"""Progress, then the result; an evaluation that is closed before its end can be resumed."""


def unknown_columns_note(columns: Sequence[str], parts: Collection[str]) -> tuple[str, ...]:
    """Which columns of the files are not known, if there are any; one may be a part that is missing."""
    if not columns:
        return ()
    names = ", ".join(f"`{column}`" for column in columns[:MAX_COLUMNS_NAMED])
    more = ", …" if len(columns) > MAX_COLUMNS_NAMED else ""
    text = f"columns that are not read: {names}{more}{''.join(_slips(columns, parts))}"
    return (f"{text}; `--slice`, `--label`, `--column` or `--ignore-column` say what they are",)


def _slips(columns: Sequence[str], parts: Collection[str]) -> Iterator[str]:
    """What was probably meant by a column that is called nearly as a part that no row has."""
    for part in ("question", "expected", "passages"):
        names = () if part in parts else COLUMN_NAMES[part]
        for column in columns:
            if get_close_matches(column, names, n=1, cutoff=CLOSE_ENOUGH):
                yield f"; did you mean `{part}` by `{column}`? `--column {part}={column}`"
