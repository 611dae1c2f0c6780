"""Texts, names and lists that requests hold, each with its bounds."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

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


class Shape(BaseModel):
    """What a stranger sends: keys that we do not know are mistakes, and nothing is guessed."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)
