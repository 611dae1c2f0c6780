"""Schemas of the requests that check, and the texts, names and lists that requests hold."""

from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    StringConstraints,
    WithJsonSchema,
    model_validator,
)
from pydantic_core import PydanticCustomError

from sensecheck.core.unicode import Encoding

MOST_SOURCES, MOST_CLAIMS, MOST_CHECKS = 64, 100, 100
MOST_READ = 20_000_000
"""Characters of sources, each counted once for every claim that is held against it."""
MOST_JUDGED = 2_000
"""Answers and claims in all checks of a batch together."""
Include = Literal["claims", "evidence", "reasons", "calibration", "scores"]
"""What of a result is wanted."""
AnswerText = Annotated[str, StringConstraints(min_length=1, max_length=20_000)]
ClaimText = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]
SourceText = Annotated[str, StringConstraints(min_length=1, max_length=200_000)]
QuestionText = Annotated[str, StringConstraints(min_length=1, max_length=4_000)]
PassageText = Annotated[str, StringConstraints(min_length=1, max_length=40_000)]
SessionId = Annotated[str, StringConstraints(min_length=1, max_length=200)]
PolicyName = Annotated[
    str,
    StringConstraints(min_length=1, max_length=100),
    Field(
        description="One of ours, or one of the project, as `name` or `name@version`.", examples=["default"]
    ),
]
_EITHER: list[JsonValue] = [
    {"required": ["answer"], "properties": {"answer": {"type": "string"}, "claims": {"type": "null"}}},
    {"required": ["claims"], "properties": {"claims": {"type": "array"}, "answer": {"type": "null"}}},
]
_TOO_MUCH = f"the claims times the characters of the sources are more than {MOST_READ}; ask in parts"
AnyCheck = Annotated[Any, WithJsonSchema({"anyOf": [{"$ref": "#/components/schemas/CheckRequest"}, {}]})]
"""A check, we hope: each is read for itself, so that a mistake in one is no mistake of the others."""


class Shape(BaseModel):
    """What a stranger sends: keys that we do not know are mistakes, and nothing is guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)


class Source(Shape):
    """A text that may support the answer, with a name of the caller's own."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    text: SourceText


class CheckRequest(Shape):
    """An answer, or claims one by one, and the sources that they should come from."""

    model_config = ConfigDict(json_schema_extra={"oneOf": _EITHER})

    answer: AnswerText | None = None
    claims: Annotated[list[ClaimText], Field(min_length=1, max_length=MOST_CLAIMS)] | None = Field(
        default=None, description="Each is judged for itself; the verdict is that of the worst."
    )
    sources: Annotated[list[SourceText | Source], Field(min_length=1, max_length=MOST_SOURCES)]
    question: QuestionText | None = None
    policy: PolicyName | None = Field(default=None, description="Without it, the policy of the key.")
    include: Annotated[list[Include], Field(max_length=5)] | None = Field(
        default=None, description="What to show; without it, all that the key may see."
    )
    offsets: Encoding = Field(default="code_points", description="What `start` and `end` count.")
    trusting: bool = Field(
        default=True, description="Whether what a source says to a model may count as evidence."
    )
    store: bool = Field(default=False, description="Whether the check is kept, for reviews and figures.")
    session_id: SessionId | None = None

    @model_validator(mode="after")
    def _holds_one_of_both(self) -> Self:
        if (self.answer is None) == (self.claims is None):
            raise PydanticCustomError("sensecheck", "`answer` or `claims` is wanted, and not both")
        return self

    @model_validator(mode="after")
    def _can_be_read(self) -> Self:
        if self.to_read > MOST_READ:
            raise PydanticCustomError("sensecheck", _TOO_MUCH)
        return self

    @property
    def passages(self) -> tuple[str, ...]:
        """The texts of the sources."""
        return tuple(source if isinstance(source, str) else source.text for source in self.sources)

    @property
    def names(self) -> tuple[str | None, ...]:
        """What the caller calls each source."""
        return tuple(None if isinstance(source, str) else source.id for source in self.sources)

    @property
    def texts(self) -> tuple[str, ...]:
        """What is to be judged."""
        return (self.answer,) if self.answer is not None else tuple(self.claims or ())

    @property
    def to_read(self) -> int:
        """How many characters are read to judge it: the sources once for each claim."""
        return len(self.texts) * sum(map(len, self.passages))


class BatchRequest(Shape):
    """Many checks; one that is not as described is answered with a problem, the others all the same."""

    checks: Annotated[list[AnyCheck], Field(min_length=1, max_length=MOST_CHECKS)] = Field(
        description="Each as `/v1/check` takes it."
    )
