"""What readers say of a message."""

from typing import Annotated
from uuid import UUID

from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticCustomError

from sensecheck.server.shapes.texts import Shape
from sensecheck.store.service.records import Thumb

Note = Annotated[str, StringConstraints(max_length=1000)]
_EXAMPLE = "01981f6a-7c00-7aaa-8bbb-0123456789ab"


def _must_be_uuid(text: str) -> str:
    try:
        written = str(UUID(text))
    except ValueError:
        written = ""
    if written != text.lower():
        raise PydanticCustomError("sensecheck", f"wants a UUID such as `{_EXAMPLE}`")
    return text


MessageId = Annotated[
    str,
    AfterValidator(_must_be_uuid),
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
