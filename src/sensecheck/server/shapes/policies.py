"""Policies, and what a project's own one should promise."""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, StringConstraints

from sensecheck.checks.policies import Reads
from sensecheck.server.shapes.texts import Shape
from sensecheck.store.service.policies import LONGEST, PATTERN

PolicyId = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST, pattern=PATTERN)]
Share = Annotated[float, Field(ge=0.0001, lt=1)]


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
        description="What its line promises, in words; null for one that promises nothing."
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
