"""What `/v1/related` is asked, and what it tells."""

from typing import Annotated, Self

from pydantic import BaseModel, Field, StringConstraints, model_validator
from pydantic_core import PydanticCustomError

from sensecheck.core.unicode import Encoding
from sensecheck.server.shapes.texts import QuestionText, SessionId, Shape

MOST_SECTIONS, LONGEST_SECTION, MOST_IN_ALL = 60, 10_000, 60_000
MOST_TOLD = 10
_TOO_MUCH = f"the sections have more than {MOST_IN_ALL} characters in all; leave some out"
_TWICE = "two sections have the same `id`; nobody could tell which of them is meant"


class Section(Shape):
    """A stretch of a page, with a name of the caller's own."""

    id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    text: Annotated[str, StringConstraints(min_length=1, max_length=LONGEST_SECTION)]


class RelatedRequest(Shape):
    """A question, and the sections in which its answer may stand."""

    question: QuestionText
    sections: Annotated[list[Section], Field(min_length=1, max_length=MOST_SECTIONS)] = Field(
        description=f"Each with an `id` of its own; {MOST_IN_ALL} characters in all."
    )
    session_id: SessionId | None = None
    top: Annotated[int, Field(ge=1, le=MOST_TOLD)] = Field(default=3, description="So many are told at most.")
    offsets: Encoding = Field(default="code_points", description="What `start` and `end` count.")

    @property
    def characters(self) -> int:
        """Those of all sections."""
        return sum(len(section.text) for section in self.sections)

    @model_validator(mode="after")
    def _can_be_read_and_told_apart(self) -> Self:
        if self.characters > MOST_IN_ALL:
            raise PydanticCustomError("sensecheck", _TOO_MUCH)
        if len({section.id for section in self.sections}) < len(self.sections):
            raise PydanticCustomError("sensecheck", _TWICE)
        return self


class RelatedSection(BaseModel):
    """A section that answers, and where in it the sentence stands that does so best."""

    id: str
    start: int
    end: int
    text: str


class RelatedReply(BaseModel):
    """The sections that answer, the surest first; none where none does."""

    sections: list[RelatedSection]
