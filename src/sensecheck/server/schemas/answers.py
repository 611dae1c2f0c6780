"""Schemas of the routes that answer: `/v1/answers`, `/v1/related` and `/query-selected-text`."""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, WithJsonSchema, model_validator
from pydantic_core import PydanticCustomError

from sensecheck.core.unicode import Encoding
from sensecheck.server.schemas.checks import Include, PassageText, PolicyName, QuestionText, SessionId, Shape

Hold = Literal["answer", "claim", "none"]
LONGEST_QUERY = 10_000
LONGEST_SELECTED = 10_000
"""Characters of the selected text that are read; what follows is left out, and the reply says so."""
LONGEST_SESSION = 200
MOST_SECTIONS, LONGEST_SECTION, MOST_IN_ALL = 60, 10_000, 60_000
MOST_TOLD = 10
_TOO_MUCH = f"the sections have more than {MOST_IN_ALL} characters in all; leave some out"
_TWICE = "two sections have the same `id`; it is unclear which of them is meant"


class AnswerRequest(Shape):
    """A question, and the passage that alone may answer it."""

    question: QuestionText
    passage: PassageText
    session_id: SessionId | None = None
    policy: PolicyName | None = Field(default=None, description="Without it, the policy of the key.")
    hold: Hold | None = Field(
        default=None,
        description="What is held back until it was checked: the whole `answer`; each `claim`, after which a "
        "first one that does not pass ends the answer; or `none`, which only secret keys may ask for, and "
        "which counts for events alone. Without it, `claim` for events and `answer` else.",
    )
    include: Annotated[list[Include], Field(max_length=5)] | None = Field(
        default=None, description="What to show; without it, all that the key may see."
    )
    offsets: Encoding = Field(default="code_points", description="What `start` and `end` count.")
    store: bool = Field(default=True, description="Whether question and answer are kept.")


class SelectedTextRequest(BaseModel):
    """A question about a selected text; fields that are not known are ignored, as they always were."""

    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        frozen=True,
        hide_input_in_errors=True,
        json_schema_extra={"required": ["query", "selected_text"]},
    )

    query: Annotated[
        Annotated[str, StringConstraints(max_length=LONGEST_QUERY)] | None,
        WithJsonSchema({"type": "string", "minLength": 1, "maxLength": LONGEST_QUERY}),
    ] = None
    """What is missing has an answer of its own, so that it is let in here, and described as wanted."""
    selected_text: Annotated[
        str | None,
        WithJsonSchema(
            {
                "type": "string",
                "minLength": 1,
                "description": f"Only its first {LONGEST_SELECTED:,} characters are read; the reply says so.",
            }
        ),
    ] = None
    session_id: Annotated[str, StringConstraints(max_length=LONGEST_SESSION)] | None = None
    """Told again as it came, an empty one too."""


class Excerpt(BaseModel):
    """Where the answer comes from."""

    type: Literal["selected_text"]
    excerpt: str


class SelectedTextReply(BaseModel):
    """The answer, or the sentence that says that there is none."""

    response: str
    in_selected_text: bool
    sources: list[Excerpt]
    session_id: str | None
    truncation_warning: str | None


class Incomplete(BaseModel):
    """Told when the question or the text is missing."""

    detail: Literal["query and selected_text required"]


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
