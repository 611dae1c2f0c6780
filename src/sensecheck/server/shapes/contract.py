"""What the contract's route is asked and answers, field by field as the contract has it."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, StringConstraints, WithJsonSchema

LONGEST_QUERY = 10_000
LONGEST_SELECTED = 10_000
"""Characters of the selected text that are read; what follows is left out, and the reply says so."""
LONGEST_SESSION = 200


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
