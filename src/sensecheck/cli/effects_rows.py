"""Scored outputs from files; a key that nobody knows is an error with its line."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sensecheck.cli.rows import Row, Rows
from sensecheck.core.errors import SampleError, SpecError
from sensecheck.core.serialization import from_data
from sensecheck.stats.risk_coverage import Scored


@dataclass(frozen=True, slots=True)
class ScoredRow:
    """A line of scored outputs."""

    id: str | int
    arm: Literal["bare", "guarded"]
    confidence: float | None
    """`null` for an abstention; it must be said."""
    loss: float | None = None
    correct: bool | None = None
    group: str | int | None = None

    def scored(self) -> Scored:
        """The output; right is a loss of 0, wrong is one of 1."""
        if self.loss is not None and self.correct is not None:
            raise SampleError("an output has both `loss` and `correct`; wanted one of them")
        loss = self.loss if self.correct is None else float(not self.correct)
        if self.confidence is not None and loss is None:
            raise SampleError("an output with a confidence wants `loss` or `correct`")
        return Scored(str(self.id), self.confidence, loss, None if self.group is None else str(self.group))


def scored_arms(paths: Sequence[str]) -> tuple[list[Scored], list[Scored]]:
    """The outputs without guards and with them, from all files together."""
    if len(paths) != len(set(paths)):
        raise SpecError("`--scored` names a file twice; each output wants to stand there once")
    arms: dict[str, dict[str, Scored]] = {"bare": {}, "guarded": {}}
    for path in paths:
        for row in Rows.of(path).rows:
            name, scored = _arm_and_output(row)
            if scored.id in arms[name]:
                raise SampleError(f"{row.where}: the arm `{name}` has this `id` already")
            arms[name][scored.id] = scored
    for name, outputs in arms.items():
        if not outputs:
            raise SampleError(
                f"the scored outputs hold none of the arm `{name}`; wanted `bare` and `guarded`, in one file "
                "or in two (repeat `--scored`)"
            )
    return list(arms["bare"].values()), list(arms["guarded"].values())


def _arm_and_output(row: Row) -> tuple[str, Scored]:
    """What is read off a row; what is wrong with it is told with its line."""
    try:
        read = from_data(ScoredRow, row.values, at="row")
        return read.arm, read.scored()
    except (SpecError, SampleError) as wrong:
        raise SampleError(f"{row.where}: {wrong}") from wrong
