"""What decides about the readings of a run; where it changed, an interrupted run does not go on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sensecheck.core.errors import SpecError
from sensecheck.core.run import QuestionSet, Run, digest_of
from sensecheck.evals.qa.panel import NamedEncoder
from sensecheck.measures.metrics import Metric

_WORDS = {
    "sensecheck": "the version of sensecheck",
    "metrics": "the metrics",
    "encoders": "the encoders",
    "answers": "who answers, or the recorded answers",
    "prompt": "the prompt",
    "guards": "the guards",
    "judge": "the judge",
    "verifier": "the verifier",
    "columns": "the columns of answers or labels",
}


@dataclass(frozen=True, slots=True)
class Conditions:
    """All of it, as plain data; neither texts nor keys are in it."""

    sensecheck: str
    metrics: tuple[Metric, ...]
    encoders: tuple[NamedEncoder, ...]
    answers: str
    """The fingerprint of who answers, or of the file in which the answers were recorded."""
    prompt: str = ""
    guards: Sequence[Any] = ()
    judge: str = ""
    verifier: str = ""
    columns: Mapping[str, Any] = field(default_factory=dict)
    """Which columns hold recorded answers, what belongs to them, and labels."""

    def to_data(self) -> dict[str, Any]:
        """As a run keeps it."""
        return {
            "sensecheck": self.sensecheck,
            "metrics": [metric.name for metric in self.metrics],
            "encoders": [list(one.mark) for one in self.encoders],
            "answers": self.answers,
            "prompt": self.prompt,
            "guards": list(self.guards),
            "judge": self.judge,
            "verifier": self.verifier,
            "columns": dict(self.columns),
        }


def must_go_on(run: Run, chosen: QuestionSet, now: Mapping[str, Any]) -> None:
    """Raise unless the run has questions left, and they are read as those before them were."""
    if run.whole:
        raise SpecError(f"the run {run.key} is whole; there is nothing to resume")
    changed = [] if run.set == chosen else ["the questions"]
    changed += [
        words for key, words in _WORDS.items() if digest_of(run.conditions.get(key)) != digest_of(now[key])
    ]
    if changed:
        raise SpecError(
            f"the run {run.key} cannot go on: {', '.join(changed)} changed since it began; "
            "take that back, or leave `--resume` away for a new run"
        )
