"""What is told of checks and answers, for the description; results are not read by it again."""

from typing import Any, Literal

from pydantic import BaseModel, Field

from sensecheck.checks.grounded import Support
from sensecheck.core.unicode import Encoding
from sensecheck.core.verdict import Outcome
from sensecheck.measures.claims.non_claims import NonClaim


class PlacedText(BaseModel):
    """A stretch of the answer or of a source."""

    where: str = Field(
        description="`answer`, `claims[0]` for the first claim given, `passages[0]` for the first source."
    )
    start: int
    end: int
    text: str
    id: str | None = Field(default=None, description="What the caller called the source.")


class Reason(BaseModel):
    """One thing that does not fit."""

    kind: str
    note: str
    answer: PlacedText | None = None
    source: PlacedText | None = None
    closeness: float | None = None


class ToldClaim(BaseModel):
    """One claim, and what was found of it."""

    text: str
    start: int
    end: int
    support: Support
    because: str
    outcome: Outcome | None = None
    accepted: bool | None = None
    value: float | None = None
    scores: "Scores | None" = None
    evidence: list[PlacedText] | None = None
    reasons: list[Reason] | None = None


class ToldNonClaim(BaseModel):
    """A part of the answer that claims nothing, and what it is."""

    text: str
    start: int
    end: int
    kind: NonClaim


class ToldVerdict(BaseModel):
    """The decision. Only `accepted` says whether the policy lets the answer through."""

    outcome: Outcome
    support: Support
    accepted: bool
    because: str


class Scores(BaseModel):
    """What was read, where the key may see it."""

    support: float | None
    similarity: float | None
    keyword_overlap: float | None


class Truncation(BaseModel):
    """What was not read."""

    unread_chars: int
    unread_claims: int = Field(description="Claims beyond the most that are read of one answer.")


class Model(BaseModel):
    """Fingerprints of the models that read; numbers of two encoders do not compare."""

    encoder: str | None
    verifier: str | None


class CheckTiming(BaseModel):
    """In milliseconds."""

    engine_ms: float
    total_ms: float


class CheckReply(BaseModel):
    """What was found of an answer, or of claims."""

    id: str
    verdict: ToldVerdict
    claims: list[ToldClaim] | None = None
    non_claims: list[ToldNonClaim] | None = Field(
        default=None, description="With `claims` of an answer: headings, citations and the like."
    )
    injections: list[PlacedText] = Field(description="Where the sources speak to a model.")
    scores: Scores | None = None
    calibration: dict[str, Any] | None = Field(
        default=None, description="The line that decided, and the certificate of its error rates."
    )
    truncation: Truncation
    model: Model
    policy: str
    offsets: Encoding
    stored: bool
    timing: CheckTiming


class ToldProblem(BaseModel):
    """What went wrong, as RFC 9457 lays it out."""

    type: str
    title: str
    status: int
    detail: str


class BatchItem(BaseModel):
    """One check of a batch: its result, or why there is none."""

    result: CheckReply | None = None
    problem: ToldProblem | None = None


class BatchReply(BaseModel):
    """One item for each check, in their order."""

    results: list[BatchItem]


class Removed(BaseModel):
    """Characters of one kind that people do not see, and that were taken out of the passage."""

    kind: str
    count: int


class AnswerTiming(BaseModel):
    """In milliseconds."""

    write_ms: float
    check_ms: float
    total_ms: float


class AnswerReply(BaseModel):
    """The answer, or the sentence that says that the passage holds none; also what the event `end` holds.

    A field that may be left out is there if `include` names it, or names nothing, and the key may see it: a
    publishable key never sees `scores` and `calibration`.
    """

    id: str
    decision: Literal["accepted", "held-back", "cut", "no-answer"]
    outcome: Outcome
    answer: str
    in_selected_text: bool
    because: str
    missing: list[str] = Field(
        description="Words of the question, as the reader wrote them, that the passage does not have; none "
        "when it answers."
    )
    claims: list[ToldClaim] | None = Field(default=None, description="Of what the reader sees, and no more.")
    non_claims: list[ToldNonClaim] | None = Field(
        default=None, description="With `claims`: headings, citations and the like."
    )
    injections: list[PlacedText]
    removed: list[Removed]
    scores: Scores | None = Field(default=None, description="Never there for a publishable key.")
    calibration: dict[str, Any] | None = Field(
        default=None, description="The line that decided; never there for a publishable key."
    )
    model: Model
    policy: str
    writer: str
    offsets: Encoding
    stored: bool
    timing: AnswerTiming
