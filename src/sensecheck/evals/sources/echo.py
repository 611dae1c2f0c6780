"""A source that answers with what it was asked, to try out a battery without a model."""

from dataclasses import dataclass

from sensecheck.evals.battery import SourceSpec
from sensecheck.evals.sources.keys import no_keys
from sensecheck.evals.sources.options import SourceOptions
from sensecheck.evals.sources.source import Answer, Question


@dataclass(frozen=True, slots=True)
class Echo:
    """Says the prompt again."""

    label: str
    fingerprint: str = "echo"
    at_once: int = 1
    kept: bool = False

    def answer(self, question: Question) -> Answer:
        """The prompt."""
        return Answer(question.prompt)


def fits(source_id: str) -> bool:
    """Whether an id names this source."""
    return source_id == "echo"


def check(spec: SourceSpec) -> None:
    """It takes no settings."""
    no_keys(spec.config, spec.id)


def load(spec: SourceSpec, options: SourceOptions) -> Echo:
    """The source, under the name that the battery gives it."""
    return Echo(spec.label)
