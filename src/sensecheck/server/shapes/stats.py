"""The figures of some days, as a dashboard shows them."""

from datetime import date

from pydantic import BaseModel, Field


class Figure(BaseModel):
    """A figure, and what it is held against."""

    value: float | None = Field(description="Null where nothing is known of it.")
    interval: tuple[float, float] | None = Field(
        default=None,
        description="Holds the rate of all messages of this kind, also those to come, with 95% confidence; "
        "null for a mean.",
    )
    target: str = Field(description="What it should be.", examples=["at least 0.95"])
    met: bool | None = Field(
        description="Null where that cannot be told: the interval holds the target itself."
    )
    n: int = Field(description="Messages, or labels, that it was told from.")
    note: str | None = Field(default=None, description="What to know before it is read.")


class Latency(BaseModel):
    """How long judging took, in milliseconds."""

    p50: float | None
    p95: float | None
    n: int


class LabelsNeeded(BaseModel):
    """More labels, drawn at random, after which the rate can be held against its target."""

    accepted: int
    rejected: int


class Labels(BaseModel):
    """What was labelled of the messages of these days."""

    accepted: int = Field(description="Accepted answers that were drawn at random and labelled.")
    rejected: int
    not_at_random: int = Field(description="Labelled messages that count for no rate.")
    needed: dict[str, LabelsNeeded | None] = Field(
        description="By rate; null where more would be needed than anybody gives: see `notes`."
    )
    notes: dict[str, str] = Field(description="By rate, why no number of labels is told.")


class Day(BaseModel):
    """One day."""

    day: date
    messages: int
    validation_success_rate: float | None
    avg_similarity_score: float | None
    latency_validation_p95_ms: float | None


class Stats(BaseModel):
    """The figures of a project."""

    first_day: date
    last_day: date
    messages: int
    judged: int = Field(description="Messages with an answer that was judged.")
    validation_success_rate: Figure
    false_negative_rate: Figure
    false_positive_rate: Figure
    avg_similarity_score: Figure
    latency_validation_ms: Latency
    outcomes: dict[str, int]
    policies: dict[str, int] = Field(description="Messages by policy.")
    feedback: dict[str, int]
    labels: Labels
    days: list[Day]
