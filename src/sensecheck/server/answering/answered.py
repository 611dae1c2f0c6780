"""What a question came to, and what the reader is shown of it."""

from dataclasses import dataclass
from typing import Literal

from sensecheck.core.verdict import Outcome
from sensecheck.grounding.asking.writer import FALLBACK
from sensecheck.server.engine.jobs import Checked

Decision = Literal["accepted", "held-back", "cut", "no-answer", "writer-failed"]


@dataclass(frozen=True, slots=True)
class Answered:
    """What a question came to."""

    decision: Decision
    outcome: Outcome
    answer: str
    """What the reader is to see."""
    written: str = ""
    """What the writer wrote, seen or not."""
    checked: Checked | None = None
    """What was found of it; None where there was nothing to check."""
    shown: Checked | None = None
    """What was found of what the reader sees; nothing is ever told of the words of what they do not."""

    @property
    def in_selected_text(self) -> bool:
        """Whether the reader sees something that comes from the passage."""
        return self.decision in ("accepted", "cut") and self.shown is not None


def nothing_written() -> Answered:
    """The passage does not answer, says the writer."""
    return Answered("no-answer", "unsure", FALLBACK)


def unread() -> Answered:
    """The question or the passage cannot be read, so that nothing was written."""
    return Answered("no-answer", "error", FALLBACK)


def not_written() -> Answered:
    """The writer failed."""
    return Answered("writer-failed", "error", FALLBACK)


def decided(written: str, checked: Checked) -> Answered:
    """An answer that was checked as a whole: it is shown if it was accepted, and not otherwise."""
    if checked.accepted:
        return Answered("accepted", checked.outcome, written, written, checked, checked)
    says_so = checked.data["support"] == "abstained"
    return Answered("no-answer" if says_so else "held-back", checked.outcome, FALLBACK, written, checked)


def broken_off(released: str, passed: Checked | None, *, failed: bool) -> Answered:
    """An answer whose beginning was shown, and that has no end: something failed, or nobody listened.

    `passed` is what was found of the beginning; None where it was shown unchecked.
    """
    outcome = "error" if failed or passed is None else passed.outcome
    return Answered("cut", outcome, released, released, passed, passed)


def cut_off(released: str, passed: Checked, written: str, refused: Checked) -> Answered:
    """An answer whose beginning was shown, and of which the rest did not pass."""
    return Answered("cut", refused.outcome, released, written, refused, passed)
