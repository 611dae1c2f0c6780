"""Labels that a line is not fitted on, and why: nobody should wonder where they went."""

from dataclasses import dataclass

from sensecheck.server.reviewing.rates import Stratum


@dataclass(frozen=True, slots=True)
class NotCounted:
    """Labelled messages that a line is not fitted on, by the first reason that holds."""

    not_at_random: int = 0
    without_words: int = 0
    """Their policy reads no words, or there was nothing to read."""
    other_encoder: int = 0
    in_larger_stratum: int = 0
    """Of the stratum that was labelled more than its share."""
    bare_stratum: Stratum | None = None
    """One that has messages, but no label that would count: then none of the other counts either."""

    def in_words(self, counted: int) -> str:
        """`Of 12 labelled messages 5 count; not counted: …`; empty where all of them count."""
        reasons = [f"{count} {why}" for count, why in self._reasons() if count > 0]
        if not reasons:
            return ""
        told = (
            f"Of {counted + self.count} labelled messages {counted} count; not counted: {', '.join(reasons)}."
        )
        return told if self.bare_stratum is None else f"{told} {_TO_DO[self.bare_stratum]}"

    @property
    def count(self) -> int:
        """All of them."""
        return sum(count for count, _ in self._reasons())

    def _reasons(self) -> tuple[tuple[int, str], ...]:
        beyond = "beyond the share of their stratum"
        if self.bare_stratum is not None:
            beyond = f"since no {self.bare_stratum} answer has a label that counts"
        return (
            (self.not_at_random, "not drawn at random"),
            (self.without_words, "without a reading of words"),
            (self.other_encoder, "judged with another encoder"),
            (self.in_larger_stratum, beyond),
        )


_TO_DO: dict[Stratum, str] = {
    "accepted": "`GET /v1/reviews/next` gives accepted answers to label.",
    "rejected": "`GET /v1/reviews/next` gives rejected answers to label, for keys made with `--review`.",
}
