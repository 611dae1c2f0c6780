"""The answer that stands in a test itself."""

from dataclasses import dataclass

from sensecheck.evals.cells import IN_FILE
from sensecheck.evals.sources.source import Answer, Question


@dataclass(frozen=True, slots=True)
class InFile:
    """Answers with the text that the battery holds, whatever it is asked."""

    text: str
    label: str = IN_FILE
    fingerprint: str = IN_FILE
    at_once: int = 1
    kept: bool = False

    def answer(self, question: Question) -> Answer:
        """The text."""
        return Answer(self.text)
