"""A check that asks somebody's own function."""

import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sensecheck.core.cutoff import at_least
from sensecheck.core.errors import CannotJudge
from sensecheck.core.needs import Needs
from sensecheck.core.reading import Reading
from sensecheck.core.sample import Sample
from sensecheck.core.space import Space
from sensecheck.core.verdict import Outcome, Verdict, could_not_judge, must_be_of
from sensecheck.evals.assertions.returned import Returned, returned
from sensecheck.evals.printing_aside import printing_aside
from sensecheck.evals.python_file import RAISED, waited_for


@dataclass(frozen=True, slots=True)
class Script:
    """Passes when a function says so of the answer; a number must be above 0, or reach the threshold."""

    function: Callable[..., Any] = field(repr=False)
    file: str
    """Where the function stands, as its traces have it."""
    vars: Mapping[str, Any] = field(repr=False)
    threshold: float | None = None
    label: str = "python"

    @property
    def name(self) -> str:
        """What people call it."""
        return self.label

    def needs(self, sample: Sample, known: Space) -> Needs:
        """Nothing of a model."""
        return Needs()

    def decide(self, sample: Sample, space: Space) -> Verdict:
        """What the function says; what it raises is neither pass nor fail."""
        try:
            return self._verdict(returned(self._called(sample), self._who))
        except CannotJudge as reason:
            return could_not_judge(self.name, reason)

    def again(self, verdict: Verdict) -> Verdict:
        """What the function said then; it is not called again."""
        must_be_of(self.name, verdict)
        return verdict

    def to_data(self) -> dict[str, Any]:
        """What tells it from another; its code is known by the digest of the battery's files."""
        return {"file": Path(self.file).name, "threshold": self.threshold, "label": self.label}

    @property
    def _who(self) -> str:
        return "the code" if self.file.startswith("<") else f"`{Path(self.file).name}`"

    def _called(self, sample: Sample) -> Any:
        context = {"vars": dict(self.vars), "prompt": sample.question}
        try:
            with printing_aside():
                return waited_for(self.function(sample.answer, context))
        except RAISED as raised:
            raise CannotJudge(f"{self._who} raised {self._told(raised)}") from raised

    def _told(self, raised: BaseException) -> str:
        """Its kind, and the line of the user's code; its text may repeat what nobody should read."""
        frames = traceback.extract_tb(raised.__traceback__)
        own = [frame for frame in frames if frame.filename == self.file] or frames
        return f"{type(raised).__name__} at line {own[-1].lineno}"

    def _verdict(self, said: Returned) -> Verdict:
        line = None if self.threshold is None else at_least(self.threshold)
        reached = said.score > 0 or said.passes is True if line is None else line.side(said.score) == "pass"
        outcome: Outcome = "pass" if reached and said.passes is not False else "fail"
        return Verdict(self.name, outcome, said.reason, Reading(said.score, said.reason), line)
