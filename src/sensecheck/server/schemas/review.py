"""Schemas of feedback, reviews, policies, figures, limits and health."""

from datetime import date, datetime
from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import AfterValidator, BaseModel, Field, StringConstraints
from pydantic_core import PydanticCustomError

from sensecheck.checks.policies import Reads
from sensecheck.server.schemas.checks import Shape
from sensecheck.store.service.policies import MAX_NAME_CHARS, PATTERN
from sensecheck.store.service.records import Thumb
from sensecheck.store.service.reviews import Way

Note = Annotated[str, StringConstraints(max_length=1000)]
_EXAMPLE = "01981f6a-7c00-7aaa-8bbb-0123456789ab"
PolicyId = Annotated[str, StringConstraints(min_length=1, max_length=MAX_NAME_CHARS, pattern=PATTERN)]
Share = Annotated[float, Field(ge=0.0001, lt=1)]


def _validate_uuid(text: str) -> str:
    try:
        canonical = str(UUID(text))
    except ValueError:
        canonical = ""
    if canonical != text.lower():
        raise PydanticCustomError("sensecheck", f"must be a UUID such as `{_EXAMPLE}`")
    return text


MessageId = Annotated[
    str,
    AfterValidator(_validate_uuid),
    Field(
        description="The id that the answer or the check came with.",
        examples=[_EXAMPLE],
        json_schema_extra={"format": "uuid"},
    ),
]


class FeedbackRequest(Shape):
    """A thumb, and a word if they like."""

    thumb: Thumb
    note: Note = Field(default="", description="Kept with the thumb; shown to nobody by the service.")


class LabelRequest(Shape):
    """Whether the answer comes from the passage, says this reviewer."""

    grounded: bool = Field(
        description="Whether the answer, released or held back, comes from the passage and nothing else."
    )
    reviewer: Annotated[str, StringConstraints(min_length=1, max_length=100, pattern=r"\S")] = Field(
        description="Who says so; the newest label of each reviewer counts."
    )
    note: Note = ""
    drawn: Way | None = Field(
        default=None,
        description="As `GET /v1/reviews/next` said it. Leave it out for a message that you came upon in "
        "another way, such as a complaint: its label then counts for no rate.",
    )


class ReviewItem(BaseModel):
    """A message that somebody should look at."""

    message_id: str
    at: datetime
    stratum: Literal["accepted", "rejected"] = Field(description="What the service did with the answer.")
    drawn: Way = Field(
        description="`random` ones speak for all of their stratum, and rates are told from them; `near` ones "
        "lie near the line."
    )
    question: str | None
    answer: str = Field(description="The answer that was judged, whether the reader got it or not.")
    passage: str
    whole_passage: bool = Field(description="False where only the beginning of the passage was kept.")
    policy: str
    outcome: str
    support: float | None


class ReviewQueue(BaseModel):
    """What to look at next, accepted and rejected answers in turn."""

    items: list[ReviewItem]


class Promise(Shape):
    """How rarely the line may err on new messages of the same kind."""

    false_positive: Share = Field(default=0.05, description="Of answers that are not grounded, so many pass.")
    false_negative: Share | None = Field(
        default=None,
        description="Of grounded answers, so many are held back; with both, what lies between is `unsure`.",
    )
    confidence: Annotated[float, Field(ge=0.5, le=0.999)] = 0.95


class CalibrateRequest(Shape):
    """Fit a line on the labels of the project."""

    base: Literal["default", "strict", "fast"] = Field(
        default="default", description="The policy that the new one follows in all but the line."
    )
    promise: Promise = Promise()
    days: Annotated[int, Field(ge=1, le=365)] = Field(
        default=90, description="Labels of messages of so many days."
    )


class PolicyReply(BaseModel):
    """One policy."""

    name: str
    version: int
    mark: str = Field(description="As requests may name it, and results carry it.")
    reads: Reads = Field(
        description="What an answer is judged by: a model that reads each claim with its evidence; its "
        "words; or the common rule, which either likeness meets."
    )
    ours: bool = Field(description="Whether it comes with the service, and is the same for everyone.")
    base: str
    promise: str | None = Field(
        description="What its cutoff promises, in words; null for one that promises nothing."
    )
    cutoff: dict[str, Any] | None = Field(
        description="The line, and its certificate; null for a policy with more than one line."
    )
    created_at: datetime | None
    card: dict[str, Any] | None = Field(
        default=None, description="All that is known of the fit; told of a single policy of the project."
    )


class PolicyList(BaseModel):
    """Ours, then those of the project, each in its newest version."""

    policies: list[PolicyReply]


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


class LatencyPercentiles(BaseModel):
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
    latency_validation_ms: LatencyPercentiles
    outcomes: dict[str, int]
    policies: dict[str, int] = Field(description="Messages by policy.")
    feedback: dict[str, int]
    labels: Labels
    days: list[Day]


class Sizes(BaseModel):
    """How large a request may be."""

    body_bytes: int
    selected_text_characters: int = Field(description="What is longer is cut, and said to be.")
    related_sections: int = Field(description="Of a page, in one request to `/v1/related`.")
    related_section_characters: int = Field(description="In each of them.")
    related_characters: int = Field(description="In all of them together.")


class Rates(BaseModel):
    """How many requests in a minute; null for any number."""

    key: int | None
    session: int | None
    address: int | None


class Limits(BaseModel):
    """What the caller may do, and how much of it."""

    project: str
    kind: str
    scopes: list[str]
    per_minute: Rates
    daily_budget: int | None = Field(description="Tokens, about; null for any number.")
    policy: str = Field(description="That of requests which name none.")
    policies: list[str] = Field(description="Those that a request may name, besides fitted ones.")
    sizes: Sizes


class Readiness(BaseModel):
    """Which parts work."""

    ready: bool = Field(description="Whether requests can be answered.")
    engine: bool = Field(description="Whether an engine judges.")
    store: bool = Field(description="Whether the database answers.")
    spool: bool = Field(
        description="Whether messages can be kept, if need be here until the database has them."
    )
