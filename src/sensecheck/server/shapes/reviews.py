"""What reviewers are given, and what they say of it."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, Field, StringConstraints

from sensecheck.server.shapes.feedback import Note
from sensecheck.server.shapes.texts import Shape
from sensecheck.store.service.drawing import Way


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
